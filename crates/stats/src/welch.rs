//! Two independent groups of values: the difference of their means, and a test of it.

use crate::describe::{all_finite, finite, is_constant, mean, sd};
use crate::distribution::{t_tail, t_upper_quantile};
use crate::interval::{Interval, IntervalMethod, tail_of};

/// Welch's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// Test statistic, `mean(a) − mean(b)` in standard errors.
    pub t: f64,
    /// Degrees of freedom by Welch and Satterthwaite.
    pub df: f64,
    pub p_value: f64,
}

/// Welch's t test of equal means without equal variances (Welch 1947, "The generalization of 'Student's' problem when
/// several different population variances are involved"):
///
/// `t = (ā − b̄) / sqrt(v_a + v_b)`, `v = s²/n`, `ν = (v_a + v_b)² / ( v_a²/(n_a−1) + v_b²/(n_b−1) )`,
/// `p = 2 P(T_ν > |t|)`.
///
/// For runs that are independent of each other; samples shared by both groups belong in a paired test.
/// `None` if a group has fewer than two values or one that is not finite, if neither has any spread, or if squares of
/// the values over- or underflow.
pub fn welch(a: &[f64], b: &[f64]) -> Option<Welch> {
    let (error, df) = error_and_df(a, b)?;
    let t = finite((mean(a)? - mean(b)?) / error)?;
    let p_value = finite(2.0 * t_tail(t.abs(), df))?.min(1.0);
    Some(Welch { t, df, p_value })
}

/// Interval of `mean(a) − mean(b)` of two independent groups without equal variances (Welch 1938, "The significance of
/// the difference between two means when the population variances are unequal"), with the degrees of freedom of
/// [`welch`]:
///
/// `(ā − b̄) ± t_{1−α/2, ν} · sqrt(s_a²/n_a + s_b²/n_b)`.
///
/// For groups that share nothing, such as two parts of a test set; values of the same samples belong in a paired
/// interval. Where neither group has any spread it is the point, flagged `degenerate`. `None` if a group has fewer than
/// two values or one that is not finite, the level is not in (0, 1), or squares over- or underflow.
pub fn welch_interval(a: &[f64], b: &[f64], level: f64) -> Option<Interval> {
    let tail = tail_of(level)?;
    if a.len() < 2 || b.len() < 2 || !all_finite(a) || !all_finite(b) {
        return None;
    }
    let difference = finite(mean(a)? - mean(b)?)?;
    if is_constant(a) && is_constant(b) {
        return Some(Interval::point(difference, level, IntervalMethod::T));
    }
    let (error, df) = error_and_df(a, b)?;
    let reach = t_upper_quantile(tail, df) * error;
    Interval::new((difference - reach, difference + reach), level, IntervalMethod::T)
}

/// The standard error of the difference of means, and its degrees of freedom.
fn error_and_df(a: &[f64], b: &[f64]) -> Option<(f64, f64)> {
    let squared_error = |xs: &[f64]| sd(xs).and_then(|s| finite(s * s / xs.len() as f64));
    let (va, vb) = (squared_error(a)?, squared_error(b)?);
    let variance = va + vb;
    let (share_a, share_b) = (va / variance, vb / variance);
    let freedom = |xs: &[f64]| (xs.len() - 1) as f64;
    let df = finite(1.0 / (share_a * share_a / freedom(a) + share_b * share_b / freedom(b)))?;
    Some((variance.sqrt(), df))
}
