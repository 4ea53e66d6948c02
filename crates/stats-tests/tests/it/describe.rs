//! Means, spreads and quantiles of extreme, constant and empty columns.

use eval_stats::*;

#[test]
fn a_constant_column_has_its_value_as_mean_and_no_spread() {
    assert_eq!(mean(&[0.1; 10]), Some(0.1));
    assert_eq!(sd(&[0.1; 10]), Some(0.0));
}

#[test]
fn undefined_descriptions_are_none() {
    assert_eq!(mean(&[]), None);
    assert_eq!(mean(&[1.0, f64::NAN]), None);
    assert_eq!(mean(&[f64::MAX, -f64::MAX, f64::INFINITY]), None);
    assert_eq!(sd(&[1.0]), None);
    assert_eq!(quantile(&[], 0.5), None);
    assert_eq!(quantile(&[1.0], f64::NAN), None);
}

#[test]
fn spread_of_extreme_values_neither_overflows_nor_vanishes() {
    assert_eq!(sd(&[0.0, 2e200]), Some(2f64.sqrt() * 1e200));
    assert!(sd(&[0.0, 2e-200]).is_some_and(|s| s > 1e-200));
}

#[test]
fn median_is_the_middle() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
}
