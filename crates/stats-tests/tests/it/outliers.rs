//! High outliers: worked examples, and undefined values with their reasons.

use eval_stats::*;

#[test]
fn one_huge_value_cannot_hide() {
    let mut costs: Vec<f64> = (0..12).map(|i| 0.010 + 0.001 * f64::from(i)).collect();
    costs[4] = 0.9;
    let outliers = high_outliers(&costs, OUTLIER_DEVIATIONS).expect("exists");
    assert_eq!(outliers.positions, [4]);
    assert!(outliers.limit > 0.021 && outliers.limit < 0.9 && (outliers.median - 0.0165).abs() < 1e-12);
}

#[test]
fn low_values_and_skewed_ones_are_none() {
    let skewed: Vec<f64> = (0..15).map(|i| 1.5_f64.powi(i)).chain([1e-6]).collect();
    assert!(high_outliers(&skewed, 3.5).is_ok_and(|outliers| outliers.positions.is_empty()));
}

#[test]
fn mostly_equal_values_still_have_a_limit() {
    let mut values = vec![2.0; 14];
    values.extend([2.1, 40.0]);
    assert_eq!(high_outliers(&values, 3.5).map(|outliers| outliers.positions), Ok(vec![15]));
}

#[test]
fn unit_doesnt_matter_and_nothing_is_no_outlier() {
    let seconds: Vec<f64> = (1..=11).map(f64::from).chain([400.0, 0.0]).collect();
    let millis: Vec<f64> = seconds.iter().map(|x| x * 1000.0).collect();
    let positions = |values: &[f64]| high_outliers(values, 3.5).map(|outliers| outliers.positions);
    assert_eq!(positions(&seconds), Ok(vec![11]));
    assert_eq!(positions(&seconds), positions(&millis));
}

#[test]
fn questions_without_an_answer() {
    assert_eq!(high_outliers(&[1.0; 9], 3.5), Err(Undefined::TooFew));
    assert_eq!(high_outliers(&[1.0; 10], 3.5), Err(Undefined::NoVariance));
    assert_eq!(high_outliers(&[-1.0; 10], 3.5), Err(Undefined::NotFinite));
    assert_eq!(high_outliers(&[f64::NAN; 10], 3.5), Err(Undefined::NotFinite));
    assert_eq!(high_outliers(&[1.0; 10], 0.0), Err(Undefined::NotFinite));
}
