//! Two independent groups of runs: Welch's t.

use serde::{Deserialize, Serialize};

use crate::describe::{finite, mean, sd};
use crate::distribution::t_tail;

/// Welch's test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Welch {
    /// Test statistic, `mean(a) − mean(b)` in standard errors.
    pub t: f64,
    /// Degrees of freedom by Welch and Satterthwaite.
    pub df: f64,
    /// Two-sided p-value.
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
    let (va, vb) = (squared_error(a)?, squared_error(b)?);
    let variance = va + vb;
    let t = finite((mean(a)? - mean(b)?) / variance.sqrt())?;
    let (share_a, share_b) = (va / variance, vb / variance);
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let df = finite(1.0 / (share_a * share_a / (na - 1.0) + share_b * share_b / (nb - 1.0)))?;
    let p_value = finite(2.0 * t_tail(t.abs(), df))?.min(1.0);
    Some(Welch { t, df, p_value })
}

/// `s²/n`.
fn squared_error(xs: &[f64]) -> Option<f64> {
    let s = sd(xs)?;
    finite(s * s / xs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_the_groups_turns_the_sign() {
        let (a, b) = ([1.0, 2.0, 4.0], [2.0, 5.0, 5.5, 7.0]);
        let (there, back) = welch(&a, &b).zip(welch(&b, &a)).expect("both exist");
        assert_eq!((there.t, there.df, there.p_value), (-back.t, back.df, back.p_value));
    }

    #[test]
    fn no_spread_has_no_t() {
        assert_eq!(welch(&[1.0, 1.0], &[2.0, 2.0]), None);
        assert_eq!(welch(&[1.0], &[2.0, 3.0]), None);
    }
}
