//! Rates and McNemar's test.

use eval_stats::*;

#[test]
fn no_success_starts_at_zero_and_no_failure_ends_at_one() {
    assert!(wilson(0, 10, 0.95).is_some_and(|w| w.low == 0.0 && w.high > 0.2));
    assert!(wilson(10, 10, 0.95).is_some_and(|w| w.high == 1.0 && w.low < 0.8));
}

#[test]
fn rates_that_are_none() {
    assert_eq!(wilson(0, 0, 0.95), None);
    assert_eq!(wilson(2, 1, 0.95), None);
    assert_eq!(wilson(1, 2, f64::NAN), None);
}

#[test]
fn mcnemar_by_hand() {
    assert_eq!(mcnemar_exact(0, 0), 1.0);
    assert!((0..200).all(|n| mcnemar_exact(n, n) == 1.0 && mcnemar_exact(n, n + 1) == 1.0));
    assert!((mcnemar_exact(5, 0) - 2.0 / 32.0).abs() < 1e-15);
    assert!((mcnemar_exact(1, 5) - 14.0 / 64.0).abs() < 1e-14);
}
