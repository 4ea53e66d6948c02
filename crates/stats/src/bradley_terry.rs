//! Strengths from pairwise comparisons, and position bias.

mod fit;

use self::fit::{PointTable, StrengthFit, Taken, pairs, points_per_unit};
use crate::bounds::expanded;
use crate::describe::{finite, quantile_of_sorted, sorted};
use crate::draw::{Draw, Streams, Urn};
use crate::interval::{IntervalMethod, Resampling};
use crate::rate::{WilsonInterval, wilson_of_share};

/// Most items: the work grows with their cube, and is done for each resample.
const MOST_ITEMS: usize = 64;

/// One judgement of two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairComparison {
    /// Item whose answer was shown first, counted from 0.
    pub first: usize,
    /// Item whose answer was shown second.
    pub second: usize,
    pub outcome: PairOutcome,
}

/// Which answer won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairOutcome {
    /// The one shown first.
    First,
    /// The one shown second.
    Second,
    Tie,
}

/// Unit of weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weighing {
    /// Each comparison counts once.
    #[default]
    Comparisons,
    /// Each pair of items counts once per unit: its comparisons there share one point, as repeats of a measurement are
    /// averaged. So no unit counts more because it has more comparisons.
    Units,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BradleyTerry {
    /// One per item, in the order of the items.
    pub strengths: Vec<StrengthEstimate>,
    /// One per pair of items, `(1, 0), (2, 0), (2, 1), (3, 0), …`.
    pub contrasts: Vec<Contrast>,
    /// Units (samples) with a comparison: what was resampled.
    pub units: usize,
    pub comparisons: usize,
    /// Comparisons without a winner.
    pub ties: usize,
    /// Resamples drawn; 0 with fewer than two units.
    pub resamples: u32,
    /// Resamples in which an item won or lost everything, so that a strength is infinite or undetermined.
    pub unbounded: u32,
}

/// Strength of one item on the log scale; the strengths of all items sum to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthEstimate {
    pub item: usize,
    /// `ln` of its strength.
    pub log_strength: f64,
    pub bounds: StrengthBounds,
}

/// One item against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    pub item: usize,
    /// The item it is compared with.
    pub against: usize,
    /// Log odds that `item` wins, the difference of the log strengths: above 0, `item` is the stronger one.
    pub log_odds: f64,
    pub bounds: StrengthBounds,
}

/// Two bounds, either of which may be missing because the data set no limit on that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthBounds {
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Nominal coverage, between 0 and 1.
    pub level: f64,
    /// Method, [`IntervalMethod::Percentile`] or [`IntervalMethod::Expanded`].
    pub method: IntervalMethod,
    /// All resamples gave one value, so the bounds are a point and say nothing about uncertainty.
    pub degenerate: bool,
}

/// Why there are no strengths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NoStrengths {
    /// Fewer than two items, or more than 64.
    ItemCount,
    /// A comparison names an item that doesn't exist, or one item twice.
    NotAComparison(PairComparison),
    /// Some items were never compared with the others, directly or through third ones; the value lists the groups.
    Apart(Vec<Vec<usize>>),
    /// Some items never lost to, or tied with, an item outside their group, so no finite strength is large enough.
    Unbounded {
        /// Items that never lost to, or tied with, an item outside their group.
        never_beaten: Vec<usize>,
        /// Items that never won against, or tied with, an item outside their group.
        never_winning: Vec<usize>,
    },
    /// The level isn't between 0 and 1.
    Level,
}

/// How often the answer shown first won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionBiasEstimate {
    /// Share of the decided comparisons that the answer shown first won, with Wilson's interval; one half is no bias.
    pub first_wins: WilsonInterval,
    /// Comparisons with a winner.
    pub decided: u64,
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
/// [`Weighing`] sets the weights; ask both orders of every pair, or the estimate includes position bias. With two items
/// the log odds are `ln(w₁/w₀)`. Where everything is `Unbounded`, the share of samples won
/// ([`probability_of_superiority`], [`wilson`]) still has an interval. Three items, both orders, 10, 20 and 50 samples,
/// with and without a common effect of the sample and a preference for the first place: bounds of log odds cover
/// 0.946–0.955 (nominal 0.95, `stats-tests/examples/judge_coverage.rs`, 5,000 data sets).
///
/// [`probability_of_superiority`]: crate::probability_of_superiority
/// [`wilson`]: crate::wilson()
pub fn bradley_terry<U>(
    items: usize,
    units: &[U],
    weighing: Weighing,
    r: &Resampling,
) -> Result<BradleyTerry, NoStrengths>
where
    U: AsRef<[PairComparison]>,
{
    let tail = r.tail().ok_or(NoStrengths::Level)?;
    let units: Vec<&[PairComparison]> = units.iter().map(AsRef::as_ref).filter(|u| !u.is_empty()).collect();
    check(items, &units)?;
    let points = points_per_unit(items, &units, weighing);
    let fit = StrengthFit::new(&PointTable::sum(items, points.iter()));
    fit.all_finite()?;
    let replicates = resampled(items, &points, r);
    let read = Reader { tail, units: points.len(), r };
    Ok(BradleyTerry {
        strengths: (0..items).map(|i| read.strength(i, &fit, &replicates)).collect(),
        contrasts: pairs(items).map(|pair| read.contrast(pair, &fit, &replicates)).collect(),
        units: points.len(),
        comparisons: units.iter().map(|u| u.len()).sum(),
        ties: units.iter().copied().flatten().filter(|c| c.outcome == PairOutcome::Tie).count(),
        resamples: replicates.len() as u32,
        unbounded: replicates.iter().filter(|fit| fit.all_finite().is_err()).count() as u32,
    })
}

/// Share of the comparisons with a winner that the answer shown first won, with Wilson's interval. `None` if none has a
/// winner or the level is not in (0, 1).
///
/// Comparisons come by unit (sample): several judges, repeats and orders of one sample are no independent evidence, so
/// the interval takes the number of **units** with a winner for the number of trials, as if all of a unit said the same.
/// One half means no bias only if both orders of each pair were asked; two orders of one pair then go different ways
/// when content decides, and the interval is too wide rather than too narrow.
pub fn position_bias<U: AsRef<[PairComparison]>>(units: &[U], level: f64) -> Option<PositionBiasEstimate> {
    let all = || units.iter().flat_map(AsRef::as_ref);
    let count = |outcome| all().filter(|c| c.outcome == outcome).count() as u64;
    let (first, second) = (count(PairOutcome::First), count(PairOutcome::Second));
    let decided = first + second;
    let has_winner = |unit: &&U| unit.as_ref().iter().any(|c| c.outcome != PairOutcome::Tie);
    let trials = units.iter().filter(has_winner).count() as f64;
    let first_wins = wilson_of_share(first as f64 / decided as f64, trials, level)?;
    Some(PositionBiasEstimate { first_wins, decided, ties: count(PairOutcome::Tie) })
}

fn check(items: usize, units: &[&[PairComparison]]) -> Result<(), NoStrengths> {
    if !(2..=MOST_ITEMS).contains(&items) {
        return Err(NoStrengths::ItemCount);
    }
    let wrong = |c: &&PairComparison| c.first >= items || c.second >= items || c.first == c.second;
    let invalid = units.iter().copied().flatten().find(wrong);
    invalid.map_or(Ok(()), |c| Err(NoStrengths::NotAComparison(*c)))
}

fn resampled(items: usize, points: &[Vec<Taken>], r: &Resampling) -> Vec<StrengthFit> {
    let Some(balls) = u32::try_from(points.len()).ok().filter(|&n| n > 1) else {
        return Vec::new();
    };
    let streams = Streams::joint_bootstrap(r.seed);
    Urn::Balls(balls).replicates(&streams, r.resamples, |draw| match draw {
        Draw::Balls(units) => StrengthFit::new(&PointTable::sum(items, units.iter().map(|&u| &points[u as usize]))),
        Draw::Colours(_) => StrengthFit::new(&PointTable::sum(items, [].into_iter())), // an urn of balls draws balls
    })
}

/// Computes bounds from resampled fits.
struct Reader<'a> {
    tail: f64,
    units: usize,
    r: &'a Resampling,
}

impl Reader<'_> {
    fn strength(&self, item: usize, fit: &StrengthFit, replicates: &[StrengthFit]) -> StrengthEstimate {
        let drawn = replicates.iter().map(|f| f.centred(item)).collect();
        StrengthEstimate { item, log_strength: fit.centred(item), bounds: self.bounds(drawn) }
    }

    fn contrast(&self, (item, against): (usize, usize), fit: &StrengthFit, replicates: &[StrengthFit]) -> Contrast {
        let drawn = replicates.iter().map(|f| f.log_odds(item, against)).collect();
        Contrast { item, against, log_odds: fit.log_odds(item, against), bounds: self.bounds(drawn) }
    }

    /// A NaN counts as −∞ for the lower bound and as ∞ for the upper one.
    fn bounds(&self, drawn: Vec<f64>) -> StrengthBounds {
        let (method, tail) = match self.r.method {
            IntervalMethod::Percentile => (IntervalMethod::Percentile, self.tail),
            _ if self.units > 1 => (IntervalMethod::Expanded, expanded(self.tail, self.units)),
            _ => (IntervalMethod::Expanded, self.tail),
        };
        let quantile = |p, undetermined| {
            let number = |x: &f64| if x.is_nan() { undetermined } else { *x };
            quantile_of_sorted(&sorted(drawn.iter().map(number).collect()), p).and_then(finite)
        };
        let (low, high) = (quantile(tail, f64::NEG_INFINITY), quantile(1.0 - tail, f64::INFINITY));
        StrengthBounds { low, high, level: self.r.level, method, degenerate: low.is_some() && low == high }
    }
}
