//! The normal and Student's t distributions, and searches for quantiles and sample sizes.
//!
//! `statrs` supplies the distribution functions. Its t quantile is not used: it is off by 1e-9 … 1e-4 above 100 degrees of
//! freedom and panics for tiny tails. Its incomplete beta loses digits above 10⁵ degrees, where the normal approximation
//! is better.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Degrees of freedom above which t is read from the normal distribution.
pub(crate) const NEARLY_NORMAL: f64 = 1e5;

/// `Φ(x)`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// `Φ⁻¹(p)`; −∞ at 0 and ∞ at 1. `p` must not be NaN.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(0.0, 1.0))
}

/// Upper tail `P(T > x)` of Student's t for `df > 0` and `x ≥ 0`; NaN for a NaN.
///
/// Above 10⁵ degrees of freedom: Abramowitz & Stegun 26.7.8, `Φ( −x (1 − 1/4ν) / sqrt(1 + x²/2ν) )`.
pub(crate) fn t_tail(x: f64, df: f64) -> f64 {
    if !x.is_finite() {
        return if x.is_nan() { x } else { 0.0 };
    }
    if df > NEARLY_NORMAL {
        let z = x * (1.0 - 0.25 / df) / (1.0 + x * x / (2.0 * df)).sqrt();
        return normal_cdf(-z);
    }
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.cdf(-x))
}

/// The `x ≥ 0` with `P(T > x) = tail`, for `0 < tail ≤ 1/2` and `df > 0`.
pub(crate) fn t_upper_quantile(tail: f64, df: f64) -> f64 {
    let beyond = |x: f64| t_tail(x, df) <= tail;
    let high = (0..1023).map(|i| 2f64.powi(i)).find(|&x| beyond(x));
    where_reached(-tail, 0.0, high.unwrap_or(f64::MAX), |x| -t_tail(x, df))
}

/// The `x` in `low..=high` where an increasing function reaches `target`, by halving; the nearer end if it never does.
pub(crate) fn where_reached(target: f64, mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..90 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

/// The largest sample size that is returned.
const MOST: usize = 1_000_000_000;

/// The least `n ≥ 2` with which a condition holds that stays true as `n` grows, by doubling and halving; `None` where
/// the condition has no value, or a thousand million would not do.
pub(crate) fn fewest(is_enough: impl Fn(usize) -> Option<bool>) -> Option<usize> {
    let mut high = 2;
    while !is_enough(high)? {
        high = high.checked_mul(2).filter(|&n| n <= 2 * MOST)?;
    }
    let mut low = high / 2; // not enough, or 1
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_enough(middle)? { high = middle } else { low = middle }
    }
    (high <= MOST).then_some(high)
}
