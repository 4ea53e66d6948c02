//! Maximum-likelihood strengths of one set of comparisons; finds infinite and undetermined ones.

use super::{NoStrengths, PairComparison, PairOutcome, Weighing};

/// Returns the pairs `(1, 0), (2, 0), (2, 1), …`
pub(super) fn pairs(items: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..items).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// Points of one item against another in one unit: the winner, the loser, twice the points, and the number of
/// comparisons that share one point (1, or all comparisons of the two in that unit).
pub(super) type Taken = (usize, usize, u64, u64);

/// Sums up the points of each unit, in an order that doesn't depend on the order of units and comparisons.
pub(super) fn points_per_unit(items: usize, units: &[&[PairComparison]], weighing: Weighing) -> Vec<Vec<Taken>> {
    let unit = |comparisons: &&[PairComparison]| {
        let mut taken = vec![0_u64; items * items];
        for c in *comparisons {
            let (to_first, to_second) = match c.outcome {
                PairOutcome::First => (2, 0),
                PairOutcome::Second => (0, 2),
                PairOutcome::Tie => (1, 1),
            };
            taken[c.first * items + c.second] += to_first;
            taken[c.second * items + c.first] += to_second;
        }
        let sharing = |by: usize, from: usize| match weighing {
            Weighing::Comparisons => 1,
            Weighing::Units => (taken[by * items + from] + taken[from * items + by]) / 2,
        };
        let cells = taken.iter().enumerate().filter(|(_, points)| **points > 0);
        let place = |(cell, points): (usize, &u64)| (cell / items, cell % items, *points);
        cells.map(place).map(|(by, from, points)| (by, from, points, sharing(by, from))).collect()
    };
    let mut all: Vec<Vec<Taken>> = units.iter().map(unit).collect();
    all.sort_unstable();
    all
}

/// Points that each item took from each other one.
pub(super) struct PointTable {
    items: usize,
    taken: Vec<f64>,
}

impl PointTable {
    pub(super) fn sum<'a>(items: usize, units: impl Iterator<Item = &'a Vec<Taken>>) -> Self {
        let mut taken = vec![0.0; items * items];
        let points = |half: u64, sharing: u64| half as f64 / 2.0 / sharing as f64;
        units.flatten().for_each(|&(by, from, half, sharing)| taken[by * items + from] += points(half, sharing));
        Self { items, taken }
    }

    fn taken(&self, by: usize, from: usize) -> f64 {
        self.taken[by * self.items + from]
    }

    /// Returns for each ordered pair of items if a chain of points leads from one to the other (Warshall).
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

/// Maximum-likelihood log strengths within each group of items linked by a cycle of points; between groups the log odds
/// are infinite or undetermined (Ford 1957, "Solution of a ranking problem from binary comparisons").
pub(super) struct StrengthFit {
    items: usize,
    reach: Vec<bool>,
    log_strength: Vec<f64>,
}

impl StrengthFit {
    pub(super) fn new(points: &PointTable) -> Self {
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

    /// Returns the classes of an equivalence, each ascending, in the order of their first items.
    fn groups(&self, same: impl Fn(&Self, usize, usize) -> bool) -> Vec<Vec<usize>> {
        let class = |i| -> Vec<usize> { (0..self.items).filter(|&j| same(self, i, j)).collect() };
        (0..self.items).map(|i| (i, class(i))).filter(|(i, c)| c.first() == Some(i)).map(|(_, c)| c).collect()
    }

    /// Log odds of `i` against `j`: infinite if points go one way only, NaN without any chain of points.
    pub(super) fn log_odds(&self, i: usize, j: usize) -> f64 {
        match (self.reaches(i, j), self.reaches(j, i)) {
            (true, true) => self.log_strength[i] - self.log_strength[j],
            (true, false) => f64::INFINITY,
            (false, true) => f64::NEG_INFINITY,
            (false, false) => f64::NAN,
        }
    }

    /// Log strength relative to the mean of all, which is the mean of the log odds against all. NaN if the item is
    /// infinitely stronger than one and infinitely weaker than another.
    pub(super) fn centred(&self, i: usize) -> f64 {
        (0..self.items).map(|j| self.log_odds(i, j)).sum::<f64>() / self.items as f64
    }

    pub(super) fn all_finite(&self) -> Result<(), NoStrengths> {
        let all = 0..self.items;
        if pairs(self.items).all(|(i, j)| self.reaches(i, j) && self.reaches(j, i)) {
            return Ok(());
        }
        let apart = self.linked();
        if apart.len() > 1 {
            return Err(NoStrengths::Apart(apart));
        }
        // an unbeaten item also took points from every item that took points from it
        let unbeaten = |&i: &usize| all.clone().all(|j| !self.reaches(j, i) || self.reaches(i, j));
        let unwinning = |&i: &usize| all.clone().all(|j| !self.reaches(i, j) || self.reaches(j, i));
        Err(NoStrengths::Unbounded {
            never_beaten: all.clone().filter(unbeaten).collect(),
            never_winning: all.clone().filter(unwinning).collect(),
        })
    }

    /// Groups items that are linked by comparisons, in either direction.
    fn linked(&self) -> Vec<Vec<usize>> {
        let k = self.items;
        let either = |i: usize, j: usize| self.reach[i * k + j] || self.reach[j * k + i];
        let taken = (0..k * k).map(|cell| f64::from(u8::from(either(cell / k, cell % k)))).collect();
        let both_ways =
            StrengthFit { items: k, reach: PointTable { items: k, taken }.reach(), log_strength: Vec::new() };
        both_ways.groups(StrengthFit::reaches)
    }
}

/// Returns the log strengths, of sum 0, that maximise the likelihood within a group linked by a cycle of points.
fn strongest(points: &PointTable, group: &[usize]) -> Vec<f64> {
    let mut strengths = vec![0.0; group.len()];
    if group.len() < 2 {
        return strengths;
    }
    let mut likelihood = log_likelihood(points, group, &strengths);
    // a step is at most 2 long, and the maximum at most ~ items · ln(points) away; the last steps converge
    // quadratically
    for _ in 0..1000 {
        let Some(step) = newton_step(points, group, &strengths) else { break };
        let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let mut length = (2.0 / longest).min(1.0);
        let mut moved = false;
        while length * longest > 1e-13 && !moved {
            let next: Vec<f64> = strengths.iter().zip(&step).map(|(a, s)| a + length * s).collect();
            let next_likelihood = log_likelihood(points, group, &next);
            moved = next_likelihood > likelihood || longest < 1e-6;
            if moved {
                (strengths, likelihood) = (next, next_likelihood);
            }
            length /= 2.0;
        }
        if !moved || longest < 1e-10 {
            break;
        }
    }
    strengths
}

/// `Σ w_ij ln P(i beats j)`.
fn log_likelihood(points: &PointTable, group: &[usize], strengths: &[f64]) -> f64 {
    let cells = (0..group.len()).flat_map(|a| (0..group.len()).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let term = |(a, b): (usize, usize)| points.taken(group[a], group[b]) * ln_logistic(strengths[a] - strengths[b]);
    cells.map(term).sum()
}

/// `ln( 1 / (1 + e^{−x}) )`.
fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// Solution of `(H + 1) δ = g`, with `H` minus the second derivatives and `g` the first. `H` has the null vector
/// `(1, 1, …)`, to which `g` is orthogonal; adding 1 to each entry keeps `Σδ = 0` and makes the matrix definite.
fn newton_step(points: &PointTable, group: &[usize], strengths: &[f64]) -> Option<Vec<f64>> {
    let k = group.len();
    let (mut matrix, mut gradient) = (vec![1.0; k * k], vec![0.0; k]);
    for (a, b) in pairs(k) {
        let (won, lost) = (points.taken(group[a], group[b]), points.taken(group[b], group[a]));
        let p = ln_logistic(strengths[a] - strengths[b]).exp();
        let q = ln_logistic(strengths[b] - strengths[a]).exp();
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

/// Solves `matrix · x = right` for a symmetric positive definite matrix (Cholesky); `None` if rounding makes it look
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
