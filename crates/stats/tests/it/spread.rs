//! Intervals of standard deviations.

use eval_stats::*;

/// Values for which the interval holds the true one as often as it says, by its definition.
#[test]
fn a_small_pilot_knows_its_spread_badly() {
    let (low, high) = sd_interval(1.0, 8, 0.95).expect("exists");
    assert!((low - 0.6612).abs() < 1e-4 && (high - 2.0353).abs() < 1e-4, "{low} {high}");
    let (low, high) = sd_interval(1.0, 100_001, 0.95).expect("exists");
    assert!((low - 0.9956).abs() < 1e-4 && (high - 1.0044).abs() < 1e-4, "{low} {high}");
}

#[test]
fn a_bound_is_one_end_of_an_interval() {
    let (low, high) = sd_interval(0.7, 12, 0.9).expect("exists");
    assert!(sd_bound(0.7, 12, 0.95).is_some_and(|b| (b - low).abs() < 1e-12));
    assert!(sd_bound(0.7, 12, 0.05).is_some_and(|b| (b - high).abs() < 1e-12));
    assert!(sd_bound(1.0, 8, 0.35).is_some_and(|b| (b - 1.1737).abs() < 1e-4));
}

#[test]
fn questions_without_an_answer() {
    for (sd, n, level) in [(1.0, 1, 0.95), (-1.0, 9, 0.95), (f64::NAN, 9, 0.95), (1.0, 9, 1.0), (1.0, 9, 0.0)] {
        assert_eq!((sd_interval(sd, n, level), sd_bound(sd, n, level)), (None, None));
    }
    assert_eq!(sd_interval(0.0, 9, 0.95), Some((0.0, 0.0)));
}
