//! Two independent groups of values: how far apart their means are.

use crate::describe::{all_finite, finite, is_constant, mean, sd};
use crate::distribution::t_upper_quantile;
use crate::interval::{Interval, IntervalMethod, tail_of};

/// Interval of `mean(a) − mean(b)` of two independent groups without equal variances (Welch 1938, "The significance of
/// the difference between two means when the population variances are unequal"; degrees of freedom by Welch and
/// Satterthwaite, as in [`welch`](crate::welch)):
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
    let (va, vb) = (squared_error(a)?, squared_error(b)?);
    let variance = va + vb;
    let (share_a, share_b) = (va / variance, vb / variance);
    let freedom = |n: usize| (n - 1) as f64;
    let df = finite(1.0 / (share_a * share_a / freedom(a.len()) + share_b * share_b / freedom(b.len())))?;
    let reach = t_upper_quantile(tail, df) * variance.sqrt();
    Interval::new((difference - reach, difference + reach), level, IntervalMethod::T)
}

/// `s²/n`.
fn squared_error(xs: &[f64]) -> Option<f64> {
    let s = sd(xs)?;
    finite(s * s / xs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::welch;

    /// SciPy 1.17.1: `stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)`.
    #[test]
    fn it_is_scipys() {
        let (a, b) = ([1.0, 2.0, 4.0, 4.5], [2.0, 5.0, 5.5, 7.0, 3.25]);
        let i = welch_interval(&a, &b, 0.95).expect("exists");
        assert!((i.low - -4.524054597890736).abs() < 1e-9 && (i.high - 1.1740545978907355).abs() < 1e-9, "{i:?}");
    }

    /// A level of `1 − p` has the difference 0 at its end: the interval is the test turned round.
    #[test]
    fn it_ends_at_zero_where_the_test_says() {
        let (a, b) = ([0.5, 1.5, 1.0, 0.0, 2.0], [0.0, 0.5, -0.5, 0.5]);
        let p = welch(&a, &b).expect("exists").p_value;
        let i = welch_interval(&a, &b, 1.0 - p).expect("exists");
        assert!(i.low.abs() < 1e-9 && i.high > 0.0, "{i:?}");
    }

    #[test]
    fn what_has_no_answer() {
        assert_eq!(welch_interval(&[1.0], &[2.0, 3.0], 0.95), None);
        assert_eq!(welch_interval(&[1.0, 2.0], &[2.0, f64::NAN], 0.95), None);
        assert_eq!(welch_interval(&[1.0, 2.0], &[2.0, 3.0], 1.0), None);
        assert!(welch_interval(&[2.0, 2.0], &[1.0, 1.0], 0.95).is_some_and(|i| i.degenerate && i.low == 1.0));
        assert!(welch_interval(&[2.0, 2.0], &[1.0, 1.5], 0.95).is_some_and(|i| !i.degenerate));
    }
}
