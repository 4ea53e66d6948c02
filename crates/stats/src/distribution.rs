//! The two distributions everything is compared with: normal and Student's t.
//!
//! `statrs` supplies the functions; two of its weak spots are covered here and pinned by the oracle tests: its t
//! quantile is off by 1e-9 … 1e-4 above 100 degrees of freedom (so it is only the start of Newton's method), and its
//! incomplete beta loses digits above 10⁵ degrees (where the normal approximation is better).

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

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

/// Upper tail `P(T > x)` of Student's t for `df > 0`.
///
/// Above 10⁵ degrees of freedom: Abramowitz & Stegun 26.7.8, `Φ( −x (1 − 1/4ν) / sqrt(1 + x²/2ν) )`.
pub(crate) fn t_tail(x: f64, df: f64) -> f64 {
    if df > NEARLY_NORMAL {
        let z = x * (1.0 - 0.25 / df) / (1.0 + x * x / (2.0 * df)).sqrt();
        return normal_cdf(-z);
    }
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.cdf(-x))
}

/// The `x ≥ 0` with `P(T > x) = tail`, for `0 < tail ≤ 1/2` and `df > 0`.
///
/// Newton's method on the logarithm of the tail, which is nearly straight far out.
pub(crate) fn t_upper_quantile(tail: f64, df: f64) -> f64 {
    let Ok(t) = StudentsT::new(0.0, 1.0, df) else {
        return f64::NAN;
    };
    let mut x = start(&t, tail, df);
    for _ in 0..30 {
        let reached = t_tail(x, df);
        let step = (reached / tail).ln() * reached / t.pdf(x);
        if !step.is_finite() {
            break;
        }
        x += step;
        if step.abs() <= 1e-14 * x.abs() {
            break;
        }
    }
    x
}

fn start(t: &StudentsT, tail: f64, df: f64) -> f64 {
    let x = if df > NEARLY_NORMAL { -normal_quantile(tail) } else { -t.inverse_cdf(tail) };
    if x.is_finite() { x } else { 1.0 }
}
