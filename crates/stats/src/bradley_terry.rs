//! Strengths from pairwise comparisons, and how much the place of an answer decided.

use serde::{Deserialize, Serialize};

use crate::bounds::expanded;
use crate::describe::{finite, quantile_of_sorted, sorted};
use crate::draw::{Draw, Streams, Urn};
use crate::interval::{IntervalMethod, Resampling};
use crate::rate::{RateInterval, wilson};

/// Items above which nothing is estimated: the work grows with their cube, ten thousand times.
const MOST_ITEMS: usize = 64;

/// One judgement of two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Comparison {
    /// Item whose answer was shown first, counted from 0.
    pub first: usize,
    /// Item whose answer was shown second.
    pub second: usize,
    /// What the judge said.
    pub outcome: Outcome,
}

/// Which answer won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The one shown first.
    First,
    /// The one shown second.
    Second,
    /// Neither.
    Tie,
}

/// Bradley–Terry strengths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BradleyTerry {
    /// One per item, in the order of the items.
    pub strengths: Vec<Strength>,
    /// One per pair of items, `(1, 0), (2, 0), (2, 1), (3, 0), …`.
    pub contrasts: Vec<Contrast>,
    /// Units (samples) with a comparison: what was resampled.
    pub units: usize,
    /// Comparisons in them.
    pub comparisons: usize,
    /// Those that were ties.
    pub ties: usize,
    /// Resamples that were drawn; 0 if there are fewer than two units.
    pub resamples: u32,
    /// Those among them in which some item won or lost all, so that a strength is infinite or undetermined.
    pub unbounded: u32,
}

/// Strength of one item on the log scale; the strengths of all items sum to 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The item.
    pub item: usize,
    /// `ln` of its strength.
    pub log_strength: f64,
    /// Bounds of that.
    pub bounds: Bounds,
}

/// One item against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// The item.
    pub item: usize,
    /// The one it is compared with.
    pub against: usize,
    /// Log odds that `item` wins, the difference of the log strengths: above 0, `item` is the stronger one.
    pub log_odds: f64,
    /// Bounds of that.
    pub bounds: Bounds,
}

/// Two bounds, either of which may be missing because the data set no limit on that side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
    /// Coverage asked for, between 0 and 1.
    pub level: f64,
    /// How they were made: [`IntervalMethod::Percentile`] or [`IntervalMethod::Expanded`].
    pub method: IntervalMethod,
    /// All resamples gave one value, so the bounds are a point and say nothing about uncertainty.
    pub degenerate: bool,
}

/// Why there are no strengths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum NoStrengths {
    /// Fewer than two items, or more than 64.
    ItemCount,
    /// A comparison names an item that doesn't exist, or one item twice.
    NotAComparison(Comparison),
    /// Some items were never compared with the others, directly or through third ones: the groups.
    Apart(Vec<Vec<usize>>),
    /// Some items never lost to, or tied with, any other but each other, so that no finite strength is large enough.
    Unbounded {
        /// Those items.
        never_beaten: Vec<usize>,
        /// Those that never won against, or tied with, any other but each other.
        never_winning: Vec<usize>,
    },
    /// The level isn't between 0 and 1.
    Level,
}

/// How often the answer shown first won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionBias {
    /// Share of the decided comparisons that the answer shown first won, with Wilson's interval; one half is no bias.
    pub first_wins: RateInterval,
    /// Comparisons with a winner.
    pub decided: u64,
    /// Comparisons without.
    pub ties: u64,
}

/// Strengths of `items` items from comparisons grouped by unit (sample), by maximum likelihood of the Bradley–Terry
/// model `P(i beats j) = s_i / (s_i + s_j)` (Bradley & Terry 1952; Hunter 2004, "MM algorithms for generalized
/// Bradley–Terry models"). The log-likelihood is concave in `ln s`; Newton steps, shortened where needed, reach the
/// maximum. It is identified by `Σ ln s_i = 0`.
///
/// A **tie is half a win for each**. Davidson's model (1970) has one more parameter, one propensity to tie for all pairs;
/// a judge that contradicts itself when the order turns doesn't tie by such a law. Half wins need no law: the estimate
/// equates observed and expected points per item, and the bootstrap takes its scatter from the data.
///
/// Bounds: `r.resamples` resamples of the **units**, since a judge asked twice about one sample didn't see two; the
/// percentiles of [`IntervalMethod::Expanded`] with `n` the number of units, or [`IntervalMethod::Percentile`] if
/// `r.method` says so (the two that infinite replicates leave meaningful). In a resample where `i` won all that links
/// it to `j`, the log odds are ∞; where nothing links them, the resample counts as −∞ for the lower and as ∞ for the upper
/// bound. A bound that comes out infinite is `None`: nothing drawn is dropped, so the bounds don't narrow where data are few.
///
/// Every comparison counts once: ask both orders of every pair, or place decides. With two items the log odds are
/// `ln(w₁/w₀)`. Where everything is `Unbounded`, the share of samples won ([`probability_of_superiority`],
/// [`wilson`]) still has an interval. FIGURES (`examples/judge_coverage.rs`)
///
/// [`probability_of_superiority`]: crate::probability_of_superiority
/// [`wilson`]: crate::wilson()
pub fn bradley_terry<U>(items: usize, units: &[U], r: &Resampling) -> Result<BradleyTerry, NoStrengths>
where
    U: AsRef<[Comparison]>,
{
    let tail = r.tail().ok_or(NoStrengths::Level)?;
    let units: Vec<&[Comparison]> = units.iter().map(AsRef::as_ref).filter(|u| !u.is_empty()).collect();
    check(items, &units)?;
    let points = points_per_unit(items, &units);
    let fit = Fit::of(&Points::sum(items, points.iter()));
    fit.all_finite()?;
    let replicates = resampled(items, &points, r);
    let read = Reader { tail, units: points.len(), r };
    Ok(BradleyTerry {
        strengths: (0..items).map(|i| read.strength(i, &fit, &replicates)).collect(),
        contrasts: pairs(items).map(|pair| read.contrast(pair, &fit, &replicates)).collect(),
        units: points.len(),
        comparisons: units.iter().map(|u| u.len()).sum(),
        ties: units.iter().copied().flatten().filter(|c| c.outcome == Outcome::Tie).count(),
        resamples: replicates.len() as u32,
        unbounded: replicates.iter().filter(|fit| fit.all_finite().is_err()).count() as u32,
    })
}

/// Share of the comparisons with a winner that the answer shown first won, with Wilson's interval. `None` if none has a
/// winner or the level is not in (0, 1).
///
/// One half means no bias only if both orders of each pair were asked. Two orders of one pair then go different ways
/// when content decides, which makes the interval, if anything, too wide.
pub fn position_bias(comparisons: &[Comparison], level: f64) -> Option<PositionBias> {
    let count = |outcome| comparisons.iter().filter(|c| c.outcome == outcome).count() as u64;
    let (first, second) = (count(Outcome::First), count(Outcome::Second));
    let decided = first + second;
    Some(PositionBias { first_wins: wilson(first, decided, level)?, decided, ties: count(Outcome::Tie) })
}

fn check(items: usize, units: &[&[Comparison]]) -> Result<(), NoStrengths> {
    if !(2..=MOST_ITEMS).contains(&items) {
        return Err(NoStrengths::ItemCount);
    }
    let wrong = |c: &&Comparison| c.first >= items || c.second >= items || c.first == c.second;
    let found = units.iter().copied().flatten().find(wrong);
    found.map_or(Ok(()), |c| Err(NoStrengths::NotAComparison(*c)))
}

/// `(1, 0), (2, 0), (2, 1), …`
fn pairs(items: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..items).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// Half points that one item took from another in one unit.
type Taken = (usize, usize, u64);

/// Every unit as the half points taken in it, in an order that doesn't depend on the order of units and comparisons.
fn points_per_unit(items: usize, units: &[&[Comparison]]) -> Vec<Vec<Taken>> {
    let unit = |comparisons: &&[Comparison]| {
        let mut taken = vec![0_u64; items * items];
        for c in *comparisons {
            let (to_first, to_second) = match c.outcome {
                Outcome::First => (2, 0),
                Outcome::Second => (0, 2),
                Outcome::Tie => (1, 1),
            };
            taken[c.first * items + c.second] += to_first;
            taken[c.second * items + c.first] += to_second;
        }
        let cells = taken.into_iter().enumerate().filter(|(_, points)| *points > 0);
        cells.map(|(cell, points)| (cell / items, cell % items, points)).collect()
    };
    let mut all: Vec<Vec<Taken>> = units.iter().map(unit).collect();
    all.sort_unstable();
    all
}

fn resampled(items: usize, points: &[Vec<Taken>], r: &Resampling) -> Vec<Fit> {
    let Some(balls) = u32::try_from(points.len()).ok().filter(|&n| n > 1) else {
        return Vec::new();
    };
    let streams = Streams::joint_bootstrap(r.seed);
    Urn::Balls(balls).replicates(&streams, r.resamples, |draw| match draw {
        Draw::Balls(units) => Fit::of(&Points::sum(items, units.iter().map(|&u| &points[u as usize]))),
        Draw::Colours(_) => Fit::of(&Points::sum(items, [].into_iter())), // an urn of balls draws balls
    })
}

/// Points (half points over two) that each item took from each other.
struct Points {
    items: usize,
    taken: Vec<f64>,
}

impl Points {
    fn sum<'a>(items: usize, units: impl Iterator<Item = &'a Vec<Taken>>) -> Self {
        let mut taken = vec![0.0; items * items];
        units.flatten().for_each(|&(by, from, half)| taken[by * items + from] += half as f64 / 2.0);
        Self { items, taken }
    }

    fn taken(&self, by: usize, from: usize) -> f64 {
        self.taken[by * self.items + from]
    }

    /// For every item, whether a chain of points taken leads from it to each other (Warshall).
    fn reach(&self) -> Vec<bool> {
        let k = self.items;
        let mut reach: Vec<bool> = self.taken.iter().map(|&points| points > 0.0).collect();
        for via in 0..k {
            for from in (0..k).filter(|&i| i != via) {
                if reach[from * k + via] {
                    (0..k).for_each(|to| reach[from * k + to] |= reach[via * k + to]);
                }
            }
        }
        reach
    }
}

/// Maximum-likelihood log strengths within each group of items that took points from each other in a circle; between
/// groups the log odds are infinite or undetermined (Ford 1957, "Solution of a ranking problem from binary comparisons").
struct Fit {
    items: usize,
    reach: Vec<bool>,
    log_strength: Vec<f64>,
}

impl Fit {
    fn of(points: &Points) -> Self {
        let reach = points.reach();
        let mut fit = Self { items: points.items, reach, log_strength: vec![0.0; points.items] };
        for group in fit.groups(|fit, i, j| fit.reaches(i, j) && fit.reaches(j, i)) {
            for (item, strength) in group.iter().zip(strongest(points, &group)) {
                fit.log_strength[*item] = strength;
            }
        }
        fit
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        from == to || self.reach[from * self.items + to]
    }

    /// Classes of an equivalence, each ascending, in the order of their first items.
    fn groups(&self, same: impl Fn(&Self, usize, usize) -> bool) -> Vec<Vec<usize>> {
        let class = |i| -> Vec<usize> { (0..self.items).filter(|&j| same(self, i, j)).collect() };
        (0..self.items).map(|i| (i, class(i))).filter(|(i, c)| c.first() == Some(i)).map(|(_, c)| c).collect()
    }

    /// Log odds of `i` against `j`: may be infinite; NaN where nothing links them in either direction.
    fn log_odds(&self, i: usize, j: usize) -> f64 {
        match (self.reaches(i, j), self.reaches(j, i)) {
            (true, true) => self.log_strength[i] - self.log_strength[j],
            (true, false) => f64::INFINITY,
            (false, true) => f64::NEG_INFINITY,
            (false, false) => f64::NAN,
        }
    }

    /// Log strength where all sum to 0, the mean of the log odds against all: NaN between an infinitely stronger and an
    /// infinitely weaker one.
    fn centred(&self, i: usize) -> f64 {
        (0..self.items).map(|j| self.log_odds(i, j)).sum::<f64>() / self.items as f64
    }

    fn all_finite(&self) -> Result<(), NoStrengths> {
        let all = 0..self.items;
        if pairs(self.items).all(|(i, j)| self.reaches(i, j) && self.reaches(j, i)) {
            return Ok(());
        }
        let apart = self.linked();
        if apart.len() > 1 {
            return Err(NoStrengths::Apart(apart));
        }
        // nobody took from the item who isn't taken from in turn
        let unbeaten = |&i: &usize| all.clone().all(|j| !self.reaches(j, i) || self.reaches(i, j));
        let unwinning = |&i: &usize| all.clone().all(|j| !self.reaches(i, j) || self.reaches(j, i));
        Err(NoStrengths::Unbounded {
            never_beaten: all.clone().filter(unbeaten).collect(),
            never_winning: all.clone().filter(unwinning).collect(),
        })
    }

    /// Groups of items that comparisons link, whoever won.
    fn linked(&self) -> Vec<Vec<usize>> {
        let k = self.items;
        let either = |i: usize, j: usize| self.reach[i * k + j] || self.reach[j * k + i];
        let taken = (0..k * k).map(|cell| f64::from(u8::from(either(cell / k, cell % k)))).collect();
        let both_ways = Fit { items: k, reach: Points { items: k, taken }.reach(), log_strength: Vec::new() };
        both_ways.groups(Fit::reaches)
    }
}

/// Log strengths, of sum 0, that maximise the likelihood of the points within a group that is linked in a circle.
fn strongest(points: &Points, group: &[usize]) -> Vec<f64> {
    let mut at = vec![0.0; group.len()];
    if group.len() < 2 {
        return at;
    }
    let mut likelihood = log_likelihood(points, group, &at);
    // steps are at most 2 long and the maximum is at most ~ items · ln(points) away; the last steps are quadratic
    for _ in 0..1000 {
        let Some(step) = newton_step(points, group, &at) else { break };
        let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let mut length = (2.0 / longest).min(1.0);
        let mut moved = false;
        while length * longest > 1e-13 && !moved {
            let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + length * s).collect();
            let found = log_likelihood(points, group, &next);
            moved = found > likelihood || longest < 1e-6;
            if moved {
                (at, likelihood) = (next, found);
            }
            length /= 2.0;
        }
        if !moved || longest < 1e-10 {
            break;
        }
    }
    at
}

/// `Σ w_ij ln P(i beats j)`.
fn log_likelihood(points: &Points, group: &[usize], at: &[f64]) -> f64 {
    let cells = (0..group.len()).flat_map(|a| (0..group.len()).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let of = |(a, b): (usize, usize)| points.taken(group[a], group[b]) * ln_logistic(at[a] - at[b]);
    cells.map(of).sum()
}

/// `ln( 1 / (1 + e^{−x}) )`.
fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// Solution of `(H + 1) δ = g`, with `H` minus the second derivatives and `g` the first. `H` has the null vector
/// `(1, 1, …)`, to which `g` is orthogonal; adding 1 to each entry keeps `Σδ = 0` and makes the matrix definite.
fn newton_step(points: &Points, group: &[usize], at: &[f64]) -> Option<Vec<f64>> {
    let k = group.len();
    let (mut matrix, mut gradient) = (vec![1.0; k * k], vec![0.0; k]);
    for (a, b) in pairs(k) {
        let (won, lost) = (points.taken(group[a], group[b]), points.taken(group[b], group[a]));
        let p = ln_logistic(at[a] - at[b]).exp();
        let q = ln_logistic(at[b] - at[a]).exp();
        let (pull, weight) = (won * q - lost * p, (won + lost) * p * q);
        gradient[a] += pull;
        gradient[b] -= pull;
        matrix[a * k + a] += weight;
        matrix[b * k + b] += weight;
        matrix[a * k + b] -= weight;
        matrix[b * k + a] -= weight;
    }
    solved(matrix, gradient)
}

/// `x` with `matrix · x = right`, for a symmetric positive definite matrix (Cholesky); `None` if rounding makes it look
/// otherwise.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let k = right.len();
    for row in 0..k {
        for column in 0..=row {
            let inner: f64 = (0..column).map(|c| matrix[row * k + c] * matrix[column * k + c]).sum();
            let rest = matrix[row * k + column] - inner;
            matrix[row * k + column] = if row > column {
                rest / matrix[column * k + column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    for row in 0..k {
        let inner: f64 = (0..row).map(|c| matrix[row * k + c] * right[c]).sum();
        right[row] = (right[row] - inner) / matrix[row * k + row];
    }
    for row in (0..k).rev() {
        let inner: f64 = (row + 1..k).map(|c| matrix[c * k + row] * right[c]).sum();
        right[row] = (right[row] - inner) / matrix[row * k + row];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}

/// Reads bounds from resampled fits.
struct Reader<'a> {
    tail: f64,
    units: usize,
    r: &'a Resampling,
}

impl Reader<'_> {
    fn strength(&self, item: usize, fit: &Fit, replicates: &[Fit]) -> Strength {
        let drawn = replicates.iter().map(|f| f.centred(item)).collect();
        Strength { item, log_strength: fit.centred(item), bounds: self.bounds(drawn) }
    }

    fn contrast(&self, (item, against): (usize, usize), fit: &Fit, replicates: &[Fit]) -> Contrast {
        let drawn = replicates.iter().map(|f| f.log_odds(item, against)).collect();
        Contrast { item, against, log_odds: fit.log_odds(item, against), bounds: self.bounds(drawn) }
    }

    /// A NaN counts as −∞ below and as ∞ above.
    fn bounds(&self, drawn: Vec<f64>) -> Bounds {
        let (method, tail) = match self.r.method {
            IntervalMethod::Percentile => (IntervalMethod::Percentile, self.tail),
            _ if self.units > 1 => (IntervalMethod::Expanded, expanded(self.tail, self.units)),
            _ => (IntervalMethod::Expanded, self.tail),
        };
        let at = |p, undetermined| {
            let known = |x: &f64| if x.is_nan() { undetermined } else { *x };
            quantile_of_sorted(&sorted(drawn.iter().map(known).collect()), p).and_then(finite)
        };
        let (low, high) = (at(tail, f64::NEG_INFINITY), at(1.0 - tail, f64::INFINITY));
        Bounds { low, high, level: self.r.level, method, degenerate: low.is_some() && low == high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(first: usize, second: usize) -> Vec<Comparison> {
        vec![Comparison { first, second, outcome: Outcome::First }]
    }

    fn quick() -> Resampling {
        Resampling { resamples: 400, ..Resampling::default() }
    }

    fn reason(items: usize, units: &[Vec<Comparison>]) -> NoStrengths {
        bradley_terry(items, units, &quick()).expect_err("no strengths")
    }

    #[test]
    fn two_items_have_the_log_ratio_of_their_wins() {
        let units: Vec<_> = (0..12).map(|i| if i < 9 { won(0, 1) } else { won(1, 0) }).collect();
        let found = bradley_terry(2, &units, &quick()).expect("exists");
        assert!((found.contrasts[0].log_odds + 3f64.ln()).abs() < 1e-12, "{found:?}");
        assert!((found.strengths[0].log_strength - 3f64.ln() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn one_loss_in_a_million_is_found() {
        let one = |outcome| Comparison { first: 0, second: 1, outcome };
        let mut unit = vec![one(Outcome::First); 999_999];
        unit.push(one(Outcome::Second));
        let found = bradley_terry(2, &[unit], &quick()).expect("exists");
        assert!((found.contrasts[0].log_odds + 999_999f64.ln()).abs() < 1e-9, "{found:?}");
        assert_eq!((found.resamples, found.contrasts[0].bounds.low), (0, None));
    }

    #[test]
    fn who_never_loses_is_named() {
        let units = [won(0, 1), won(1, 0), won(2, 0), won(1, 3)];
        let expected = NoStrengths::Unbounded { never_beaten: vec![2], never_winning: vec![3] };
        assert_eq!(reason(4, &units), expected);
    }

    #[test]
    fn groups_that_never_met_are_named() {
        let units = [won(0, 2), won(2, 0), won(1, 3)];
        assert_eq!(reason(5, &units), NoStrengths::Apart(vec![vec![0, 2], vec![1, 3], vec![4]]));
        assert_eq!(reason(2, &[]), NoStrengths::Apart(vec![vec![0], vec![1]]));
    }

    #[test]
    fn what_is_no_comparison_is_refused() {
        assert_eq!(reason(2, &[won(0, 2)]), NoStrengths::NotAComparison(won(0, 2)[0]));
        assert_eq!(reason(2, &[won(1, 1)]), NoStrengths::NotAComparison(won(1, 1)[0]));
        assert_eq!(reason(1, &[]), NoStrengths::ItemCount);
        assert_eq!(reason(usize::MAX, &[]), NoStrengths::ItemCount);
        let level = Resampling { level: f64::NAN, ..quick() };
        assert_eq!(bradley_terry(2, &[won(0, 1)], &level), Err(NoStrengths::Level));
    }

    /// A resample misses the only loss with probability (19/20)²⁰ = 0.36: no upper bound, and a lower one all the same.
    #[test]
    fn one_loss_in_twenty_has_one_bound() {
        let units: Vec<_> = (0..20).map(|i| if i > 0 { won(1, 0) } else { won(0, 1) }).collect();
        let found = bradley_terry(2, &units, &quick()).expect("exists");
        let bounds = found.contrasts[0].bounds;
        assert!(bounds.low.is_some_and(|l| l > 0.5) && bounds.high.is_none(), "{found:?}");
        assert!(found.unbounded.abs_diff(143) < 50, "{found:?}");
    }

    #[test]
    fn ties_alone_are_equal_strengths() {
        let tie = vec![Comparison { first: 0, second: 1, outcome: Outcome::Tie }];
        let found = bradley_terry(2, &[tie.clone(), tie], &quick()).expect("exists");
        assert_eq!((found.contrasts[0].log_odds, found.ties), (0.0, 2));
        let bounds = found.contrasts[0].bounds;
        assert_eq!((bounds.low, bounds.degenerate), (Some(0.0), true));
    }

    #[test]
    fn the_first_place_wins_too_often() {
        let mut all = [won(0, 1), won(1, 0), won(0, 1)].concat();
        all.push(Comparison { first: 1, second: 0, outcome: Outcome::Second });
        all.push(Comparison { first: 1, second: 0, outcome: Outcome::Tie });
        let bias = position_bias(&all, 0.95).expect("exists");
        assert_eq!((bias.first_wins.estimate, bias.decided, bias.ties), (0.75, 4, 1));
        assert_eq!(position_bias(&all[4..], 0.95), None);
    }
}
