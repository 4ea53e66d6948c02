//! Holm's adjustment.

use eval_stats::*;

#[test]
fn adjusted_values_keep_the_order_of_p_values() {
    assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
}

#[test]
fn a_test_without_result_counts_as_the_weakest() {
    assert_eq!(holm(&[f64::NAN, 0.02]), [1.0, 0.04]);
    assert!(holm(&[]).is_empty());
}
