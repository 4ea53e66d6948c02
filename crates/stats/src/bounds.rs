//! Resampled statistics → bounds: the quantiles that each bootstrap method reads.

use crate::describe::{Deviations, finite, quantile_of_sorted, sd, sorted};
use crate::distribution::{normal_cdf, normal_quantile, t_upper_quantile};
use crate::interval::{Interval, IntervalMethod, tail_of};

/// A statistic of the original data, as its interval needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// Value on the original data.
    pub estimate: f64,
    /// Number of samples it was computed from.
    pub n: usize,
    /// Efron's acceleration, from [`acceleration`]; read by [`IntervalMethod::Bca`] only.
    pub acceleration: f64,
}

/// Acceleration `a = Σu³ / ( 6 (Σu²)^{3/2} )`, where `u_i = θ̄₍·₎ − θ₍ᵢ₎` and `θ₍ᵢ₎` is the statistic without sample *i*
/// (Efron 1987; Efron & Tibshirani 1993, eq. 14.15). No unit; 0 when the values are all equal.
///
/// `None` if the slice is empty or a value is not finite.
pub fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let deviations = Deviations::new(jackknife)?.scaled;
    let squares: f64 = deviations.iter().map(|u| u * u).sum();
    let cubes: f64 = deviations.iter().map(|u| -u * u * u).sum();
    Some(if squares == 0.0 { 0.0 } else { cubes / (6.0 * squares.powf(1.5)) })
}

/// Interval of any statistic from its resampled values, which may include infinities.
///
/// [`IntervalMethod`] gives formula and source of the three quantile methods; [`IntervalMethod::T`] here is
/// `θ̂ ± t_{1−α/2, n−1} · sqrt(n/(n−1)) · sd(θ*)`, the bootstrap standard error corrected for its narrowness
/// (Hesterberg 2015, §3.2). Equal replicates give a point, flagged `degenerate`.
///
/// `None` if there are no replicates or one is NaN, if `n < 2`, the level is not in (0, 1), all replicates lie on one
/// side of the estimate (BCa), or a bound is not finite.
pub fn replicate_interval(
    replicates: &[f64],
    statistic: &Statistic,
    level: f64,
    method: IntervalMethod,
) -> Option<Interval> {
    let tail = tail_of(level)?;
    let replicates = Replicates::new(replicates.to_vec(), *statistic)?;
    match replicates.only_value() {
        Some(value) => finite(value).map(|value| Interval::point(value, level, method)),
        None => Interval::new(replicates.bounds(tail, method)?, level, method),
    }
}

/// Resampled values of a statistic, ascending.
pub(crate) struct Replicates {
    ascending: Vec<f64>,
    statistic: Statistic,
}

impl Replicates {
    /// `None` for no values, a NaN among them, or fewer than two samples.
    pub(crate) fn new(values: Vec<f64>, statistic: Statistic) -> Option<Self> {
        let usable = !values.is_empty() && statistic.n >= 2 && statistic.estimate.is_finite();
        (usable && !values.iter().any(|v| v.is_nan())).then(|| Self { ascending: sorted(values), statistic })
    }

    fn only_value(&self) -> Option<f64> {
        let (first, last) = (self.ascending.first()?, self.ascending.last()?);
        (first == last).then_some(*first)
    }

    /// Lower and upper bound, each with `tail` (at most one half) outside.
    pub(crate) fn bounds(&self, tail: f64, method: IntervalMethod) -> Option<(f64, f64)> {
        match method {
            IntervalMethod::Percentile => self.between(tail, 1.0 - tail),
            IntervalMethod::Expanded => {
                let tail = expanded(tail, self.statistic.n);
                self.between(tail, 1.0 - tail)
            }
            IntervalMethod::Bca => {
                let z0 = finite(normal_quantile(self.share_below()))?;
                let quantile = |p| corrected(p, z0, self.statistic.acceleration);
                self.between(quantile(tail), quantile(1.0 - tail))
            }
            IntervalMethod::T => self.normal_theory(tail),
        }
    }

    fn between(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        Some((quantile_of_sorted(&self.ascending, low)?, quantile_of_sorted(&self.ascending, high)?))
    }

    fn normal_theory(&self, tail: f64) -> Option<(f64, f64)> {
        let n = self.statistic.n as f64;
        let error = sd(&self.ascending)? * (n / (n - 1.0)).sqrt();
        let reach = t_upper_quantile(tail, n - 1.0) * error;
        Some((self.statistic.estimate - reach, self.statistic.estimate + reach))
    }

    /// Share of replicates below the estimate, those equal to it counted half. Equal means nearer than 1e-12 of the
    /// largest distance: sums of the same scores in another order differ by rounding only.
    fn share_below(&self) -> f64 {
        let distance = |v: &f64| v - self.statistic.estimate;
        let largest = self.ascending.iter().map(|v| distance(v).abs());
        let slack = 1e-12 * largest.filter(|d| d.is_finite()).fold(0.0, f64::max);
        let below = self.ascending.partition_point(|v| distance(v) < -slack);
        let upto = self.ascending.partition_point(|v| distance(v) <= slack);
        (below + upto) as f64 / (2 * self.ascending.len()) as f64
    }
}

/// Hesterberg's widened tail, `Φ( −sqrt(n/(n−1)) · t_{1−tail, n−1} )`.
pub fn expanded(tail: f64, n: usize) -> f64 {
    let n = n as f64;
    normal_cdf(-(n / (n - 1.0)).sqrt() * t_upper_quantile(tail, n - 1.0))
}

/// BCa's probability in place of `p`: `Φ( z₀ + (z₀ + z_p) / (1 − a (z₀ + z_p)) )`, its limit beyond the pole.
fn corrected(p: f64, z0: f64, acceleration: f64) -> f64 {
    let z = z0 + normal_quantile(p);
    let divisor = 1.0 - acceleration * z;
    if divisor > 0.0 {
        normal_cdf(z0 + z / divisor)
    } else if z > 0.0 {
        1.0
    } else {
        0.0
    }
}
