//! Interval of a mean, or of a mean paired difference: the one number every verdict reads.

use crate::bounds::{Replicates, Statistic, acceleration};
use crate::describe::{Deviations, all_finite, is_constant, mean, sd, sorted};
use crate::distribution::t_upper_quantile;
use crate::draw::{Streams, Urn};

/// How an interval is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IntervalMethod {
    /// Percentile bootstrap whose tails are widened for small samples: `α'/2 = Φ( −sqrt(n/(n−1)) · t_{1−α/2, n−1} )`
    /// in place of `α/2`. Hesterberg (2015), "What teachers should know about the bootstrap", *The American
    /// Statistician* 69, §3.3. The default.
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

/// How to resample, and what to make of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    /// The only source of randomness: same seed, same answer.
    pub seed: u64,
    /// Number of bootstrap resamples.
    pub resamples: u32,
    /// Coverage asked for, between 0 and 1, for example 0.95.
    pub level: f64,
    /// Kind of interval.
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
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Coverage asked for, between 0 and 1.
    pub level: f64,
    /// How it was made.
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

    /// Whether `x` is in it, bounds included.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    pub(crate) fn point(at: f64, level: f64, method: IntervalMethod) -> Self {
        Self { low: at, high: at, level, method, degenerate: true }
    }

    /// `None` if a bound is not finite.
    pub(crate) fn new((low, high): (f64, f64), level: f64, method: IntervalMethod) -> Option<Self> {
        (low.is_finite() && high.is_finite()).then_some(Self { low, high, level, method, degenerate: false })
    }
}

/// Interval of the mean of independent values — scores per sample, or paired differences per sample.
///
/// The bootstrap methods resample the values with replacement `r.resamples` times and read quantiles of the resampled
/// means; [`IntervalMethod`] gives each formula and source. When the values have few levels (at most one per 64
/// values), the counts of the levels are drawn, from the multinomial distribution that drawing value by value has.
///
/// Values without spread (range at most 1e-12 of their magnitude) give the point interval, flagged `degenerate`.
/// `None` below two values, when a value is not finite or sums overflow, when the level is not in (0, 1), and, except
/// for [`IntervalMethod::T`], with no resamples.
///
/// The order of the values doesn't matter. Two values have no resampled mean outside their range, so with fewer than
/// about 5 values every bootstrap interval is too narrow.
pub fn mean_interval(values: &[f64], r: &Resampling) -> Option<Interval> {
    let tail = r.tail()?;
    if values.len() < 2 || !all_finite(values) {
        return None;
    }
    if is_constant(values) {
        return Some(Interval::point(mean(values)?, r.level, r.method));
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

/// Bounds of one column's mean as a function of the tail probability, from one set of resamples.
pub(crate) struct MeanBounds {
    mean: f64,
    scale: f64,
    source: ResampleSource,
}

/// In units of `scale`, about the mean.
enum ResampleSource {
    Student { standard_error: f64, df: f64 },
    Resampled(Replicates),
}

impl MeanBounds {
    /// For at least two finite values that are not all equal.
    pub(crate) fn new(values: &[f64], r: &Resampling) -> Option<Self> {
        let deviations = Deviations::of(&sorted(values.to_vec()))?;
        let source = match r.method {
            IntervalMethod::T => student(&deviations.scaled)?,
            _ => ResampleSource::Resampled(resampled(&deviations.scaled, r)?),
        };
        Some(Self { mean: deviations.mean, scale: deviations.scale, source })
    }

    pub(crate) fn interval(&self, tail: f64, r: &Resampling) -> Option<Interval> {
        let (low, high) = match &self.source {
            ResampleSource::Student { standard_error, df } => {
                let reach = t_upper_quantile(tail, *df) * standard_error;
                (-reach, reach)
            }
            ResampleSource::Resampled(replicates) => replicates.bounds(tail, r.method)?,
        };
        let place = |x: f64| self.mean + self.scale * x;
        Interval::new((place(low), place(high)), r.level, r.method)
    }
}

fn student(deviations: &[f64]) -> Option<ResampleSource> {
    let n = deviations.len() as f64;
    Some(ResampleSource::Student { standard_error: sd(deviations)? / n.sqrt(), df: n - 1.0 })
}

/// Resampled means of ascending deviations from the mean.
fn resampled(deviations: &[f64], r: &Resampling) -> Option<Replicates> {
    let n = deviations.len();
    let (levels, counts) = levels(deviations);
    let (urn, by_level) = Urn::new(&counts)?;
    let values = if by_level { &levels } else { deviations };
    let streams = Streams::bootstrap(r.seed);
    let means = urn.replicates(&streams, r.resamples, |draw| draw.sum(values) / n as f64);
    // leaving one value out moves the mean against its deviation
    let left_out: Vec<f64> = deviations.iter().map(|u| -u).collect();
    let statistic = Statistic { estimate: 0.0, n, acceleration: acceleration(&left_out)? };
    Replicates::new(means, statistic)
}

/// Distinct values of an ascending slice, and how often each occurs.
pub(crate) fn levels(ascending: &[f64]) -> (Vec<f64>, Vec<u32>) {
    ascending.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u32)).unzip()
}
