//! Welch's test and interval.

use eval_stats::*;

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

/// SciPy 1.17.1: `stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)`.
#[test]
fn the_interval_is_that_of_scipy() {
    let (a, b) = ([1.0, 2.0, 4.0, 4.5], [2.0, 5.0, 5.5, 7.0, 3.25]);
    let i = welch_interval(&a, &b, 0.95).expect("exists");
    assert!((i.low - -4.524054597890736).abs() < 1e-9 && (i.high - 1.1740545978907355).abs() < 1e-9, "{i:?}");
}

/// The interval inverts the test, so an interval at level `1 − p` has an end at 0.
#[test]
fn an_interval_at_one_minus_p_ends_at_zero() {
    let (a, b) = ([0.5, 1.5, 1.0, 0.0, 2.0], [0.0, 0.5, -0.5, 0.5]);
    let p = welch(&a, &b).expect("exists").p_value;
    let i = welch_interval(&a, &b, 1.0 - p).expect("exists");
    assert!(i.low.abs() < 1e-9 && i.high > 0.0, "{i:?}");
}

#[test]
fn undefined_intervals_are_none() {
    assert_eq!(welch_interval(&[1.0], &[2.0, 3.0], 0.95), None);
    assert_eq!(welch_interval(&[1.0, 2.0], &[2.0, f64::NAN], 0.95), None);
    assert_eq!(welch_interval(&[1.0, 2.0], &[2.0, 3.0], 1.0), None);
    assert!(welch_interval(&[2.0, 2.0], &[1.0, 1.0], 0.95).is_some_and(|i| i.degenerate && i.low == 1.0));
    assert!(welch_interval(&[2.0, 2.0], &[1.0, 1.5], 0.95).is_some_and(|i| !i.degenerate));
}
