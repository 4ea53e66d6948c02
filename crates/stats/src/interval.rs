//! Interval of a mean, or of a mean paired difference, which every verdict reads.

use std::collections::BTreeMap;

use crate::bounds::{Replicates, Statistic, acceleration};
use crate::describe::{Deviations, all_finite, is_constant, sorted};
use crate::draw::{Draw, Streams, Urn};
use crate::oriented::Oriented;
use crate::student::Student;

/// Method of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IntervalMethod {
    /// Percentile bootstrap whose tails are widened for small samples: `α'/2 = Φ( −sqrt(n/(n−1)) · t_{1−α/2, n−1} )`
    /// in place of `α/2`. Hesterberg (2015), "What teachers should know about the bootstrap", *The American
    /// Statistician* 69, §3.3. Of a mean, each side is the farther of this bound and Student's with a term for skewness
    /// ([`mean_interval`]). The default.
    #[default]
    Expanded,
    /// Percentile bootstrap: the quantiles `α/2` and `1 − α/2` of the resampled statistic. Efron & Tibshirani (1993),
    /// *An Introduction to the Bootstrap*, ch. 13. Too narrow below some 30 values.
    Percentile,
    /// Bias-corrected and accelerated bootstrap. Efron (1987), "Better bootstrap confidence intervals", *JASA* 82.
    Bca,
    /// Student's t, no resampling, with `n − 1` degrees of freedom for a mean; an estimator with a standard error of its
    /// own says which. Student (1908), "The probable error of a mean".
    T,
}

/// Settings of resampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    /// The only source of randomness: same seed, same answer.
    pub seed: u64,
    /// Number of bootstrap resamples.
    pub resamples: u32,
    /// Nominal coverage, between 0 and 1, for example 0.95.
    pub level: f64,
    pub method: IntervalMethod,
}

impl Default for Resampling {
    /// 10,000 resamples, 95 %, expanded percentile, seed 0.
    fn default() -> Self {
        Self { seed: 0, resamples: 10_000, level: 0.95, method: IntervalMethod::Expanded }
    }
}

impl Resampling {
    /// Probability outside on each side, `α/2 = (1 − level)/2`; `None` if the level is not between 0 and 1.
    pub(crate) fn tail(&self) -> Option<f64> {
        tail_of(self.level)
    }
}

pub(crate) fn tail_of(level: f64) -> Option<f64> {
    (level > 0.0 && level < 1.0).then_some((1.0 - level) / 2.0)
}

/// A two-sided interval, in the unit of the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    /// Nominal coverage, between 0 and 1.
    pub level: f64,
    pub method: IntervalMethod,
    /// The values had no spread, so the interval is a point and says nothing about uncertainty.
    pub degenerate: bool,
}

impl Interval {
    /// Middle, `(low + high) / 2`.
    pub fn centre(&self) -> f64 {
        self.low / 2.0 + self.high / 2.0
    }

    /// Length, `high − low`.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Returns `true` if `x` is inside, bounds included.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    pub(crate) fn point(value: f64, level: f64, method: IntervalMethod) -> Self {
        Self { low: value, high: value, level, method, degenerate: true }
    }

    /// `None` if a bound is not finite. A bound of −0 is 0.
    pub(crate) fn new((low, high): (f64, f64), level: f64, method: IntervalMethod) -> Option<Self> {
        let (low, high) = (low + 0.0, high + 0.0);
        (low.is_finite() && high.is_finite()).then_some(Self { low, high, level, method, degenerate: false })
    }
}

/// Interval of the mean of independent values — scores per sample, or paired differences per sample.
///
/// The bootstrap methods resample the values with replacement `r.resamples` times and read quantiles of the resampled
/// means; [`IntervalMethod`] gives each formula and source. When the values have few levels (at most one per 64
/// values), the counts of the levels are drawn, from the multinomial distribution that drawing value by value has.
///
/// [`IntervalMethod::Expanded`], the default, takes on each side the farther of two bounds. With the expanded percentile
/// interval `E`, mean `m`, standard deviation `s`, `t = t_{1−α/2, n−1}`, skewness
/// `G = sqrt(n(n−1))/(n−2) · (Σ(x−m)³/n) / (Σ(x−m)²/n)^{3/2}` and `k = s·G·(2t² + 1)/(3n)`, 0 below three values:
///
/// ```text
/// low  = min( E_low,  m − t·s/√n + min(k, 0) )
/// high = max( E_high, m + t·s/√n + max(k, 0) )
/// ```
///
/// A few values of a skewed distribution show too little of its long tail, and resampling them can't show more. The mean of
/// such values leans by `s·G·(2t² + 1)/(6n)` to first order (Johnson 1978, "Modified t tests and confidence intervals for
/// asymmetrical populations", *JASA* 73; Hall 1992, "On the removal of skewness by transformation", *JRSS B* 54; Hesterberg
/// 2015, §5); `k` is twice that, on the side of the long tail only, because `G` is estimated too small as well. The
/// factor 2 was chosen by simulation (`stats-tests/examples/methods.rs`, `skewed`).
///
/// Values without spread (range at most 1e-12 of their magnitude) give the point interval, flagged `degenerate`.
/// `None` below two values, when a value is not finite or sums overflow, when the level is not in (0, 1), and, except
/// for [`IntervalMethod::T`], with no resamples.
///
/// The order of the values doesn't matter, and values with the opposite signs have exactly the opposite bounds: of the values
/// and their mirror image, the one whose long tail points down is resampled; if they are the same, the
/// bootstrap's bounds are moved to be equally far from the mean. Two values have no resampled mean outside their range,
/// so with fewer than about 5 values the percentile and BCa intervals are too narrow.
pub fn mean_interval(values: &[f64], r: &Resampling) -> Option<Interval> {
    let tail = r.tail()?;
    if values.len() < 2 || !all_finite(values) {
        return None;
    }
    if is_constant(values) {
        let mean = Deviations::balanced(&sorted(values.to_vec()))?.mean;
        return Some(Interval::point(mean, r.level, r.method));
    }
    MeanBounds::new(values, r)?.interval(tail, r)
}

/// Student's t interval of a mean: `x̄ ± t_{1−α/2, n−1} · s / sqrt(n)` (Student 1908).
///
/// Exact for normal values. Values without spread give the point, flagged `degenerate`; `None` below two values, for
/// values or results that are not finite, or a level outside (0, 1).
pub fn t_interval(values: &[f64], level: f64) -> Option<Interval> {
    let settings = Resampling { level, method: IntervalMethod::T, ..Resampling::default() };
    mean_interval(values, &settings)
}

/// Bounds of a column's mean for any tail probability, from one set of resamples.
pub(crate) struct MeanBounds {
    values: Oriented,
    student: Student,
    /// `None` for [`IntervalMethod::T`], which draws nothing.
    drawn: Option<Replicates>,
}

impl MeanBounds {
    /// Expects at least two finite values that are not all equal.
    pub(crate) fn new(values: &[f64], r: &Resampling) -> Option<Self> {
        Self::of_columns(&[values], r).pop()?
    }

    /// Computes [`MeanBounds::new`] of each column, in less time: columns of one length share their draws.
    pub(crate) fn of_columns(columns: &[&[f64]], r: &Resampling) -> Vec<Option<Self>> {
        let oriented: Vec<Option<Oriented>> = columns.iter().map(|values| Oriented::new(values)).collect();
        let deviations: Vec<&[f64]> =
            oriented.iter().map(|o| o.as_ref().map_or(&[][..], |values| &values.deviations().scaled)).collect();
        let means = match r.method {
            IntervalMethod::T => vec![None; columns.len()],
            _ => resampled_means(&deviations, r),
        };
        let mut means = means.into_iter();
        let bounds = |values: Option<Oriented>| {
            let means = means.next().flatten();
            let values = values?;
            let drawn = match r.method {
                IntervalMethod::T => None,
                _ => Some(replicates(&values.deviations().scaled, means?)?),
            };
            Some(Self { student: Student::new(&values), values, drawn })
        };
        oriented.into_iter().map(bounds).collect()
    }

    /// Computes Student's bounds only.
    pub(crate) fn without_resamples(values: &[f64]) -> Option<Self> {
        let values = Oriented::new(values)?;
        Some(Self { student: Student::new(&values), values, drawn: None })
    }

    /// Student's bounds with the term for skewness.
    pub(crate) fn skewed_interval(&self, tail: f64, r: &Resampling) -> Option<Interval> {
        Interval::new(self.values.placed(self.student.skewed_bounds(tail)), r.level, r.method)
    }

    pub(crate) fn interval(&self, tail: f64, r: &Resampling) -> Option<Interval> {
        Interval::new(self.values.placed(self.about_the_mean(tail, r.method)?), r.level, r.method)
    }

    /// Bounds about the mean, in units of the largest deviation.
    fn about_the_mean(&self, tail: f64, method: IntervalMethod) -> Option<(f64, f64)> {
        let Some(drawn) = &self.drawn else { return Some(self.student.bounds(tail)) };
        let drawn = self.values.evened(drawn.bounds(tail, method)?);
        Some(match method {
            IntervalMethod::Expanded => farther(drawn, self.student.skewed_bounds(tail)),
            _ => drawn,
        })
    }
}

fn farther(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Resamples the means of columns of ascending deviations; `None` for columns that can't be drawn from.
fn resampled_means(columns: &[&[f64]], r: &Resampling) -> Vec<Option<Vec<f64>>> {
    let streams = Streams::bootstrap(r.seed);
    let mut means = vec![None; columns.len()];
    let mut drawn_by_value: BTreeMap<usize, (Urn, Vec<usize>)> = BTreeMap::new();
    for (column, deviations) in columns.iter().enumerate() {
        let n = deviations.len();
        let (levels, counts) = levels(deviations);
        match Urn::new(&counts) {
            Some((urn, true)) => {
                means[column] = Some(urn.replicates(&streams, r.resamples, |draw| draw.sum(&levels) / n as f64));
            }
            Some((urn, false)) => drawn_by_value.entry(n).or_insert_with(|| (urn, Vec::new())).1.push(column),
            None => {}
        }
    }
    for (n, (urn, members)) in drawn_by_value {
        let mean = |draw: &Draw<'_>, column: usize| draw.sum(columns[column]) / n as f64;
        let rows: Vec<Vec<f64>> =
            urn.replicates(&streams, r.resamples, |draw| members.iter().map(|&column| mean(&draw, column)).collect());
        for (place, column) in members.into_iter().enumerate() {
            means[column] = Some(rows.iter().map(|row| row[place]).collect());
        }
    }
    means
}

fn replicates(deviations: &[f64], means: Vec<f64>) -> Option<Replicates> {
    // leaving one value out moves the mean against its deviation
    let left_out: Vec<f64> = deviations.iter().map(|u| -u).collect();
    let statistic = Statistic { estimate: 0.0, n: deviations.len(), acceleration: acceleration(&left_out)? };
    Replicates::new(means, statistic)
}

/// Returns the distinct values of an ascending slice, and their counts.
pub(crate) fn levels(ascending: &[f64]) -> (Vec<f64>, Vec<u32>) {
    ascending.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u32)).unzip()
}
