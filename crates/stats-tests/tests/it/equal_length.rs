//! Differences at equal length: worked examples, and undefined values with their reasons.

use eval_stats::*;

fn pairs(values: &[(f64, f64)]) -> Vec<LengthPair> {
    values.iter().map(|&(longer_by, difference)| LengthPair { difference, longer_by }).collect()
}

#[test]
fn a_difference_that_is_all_length_is_none_at_equal_length() {
    let all_length: Vec<(f64, f64)> = (-1..=6).map(|l| (f64::from(l) * 100.0, f64::from(l) * 0.25)).collect();
    let estimate = difference_at_equal_length(&pairs(&all_length), 0.95).expect("exists");
    assert!(estimate.difference.abs() < 1e-12 && estimate.interval.degenerate);
    assert!((estimate.slope / estimate.length_sd - 0.0025).abs() < 1e-12 && estimate.n == 8);
}

#[test]
fn a_difference_without_length_stays() {
    let constant: Vec<(f64, f64)> = (0..8).map(|l| (f64::from(l * l), 0.5)).collect();
    let estimate = difference_at_equal_length(&pairs(&constant), 0.95).expect("exists");
    assert_eq!((estimate.difference, estimate.slope), (0.5, 0.0));
    assert!(estimate.interval.degenerate && estimate.slope_interval.degenerate);
}

#[test]
fn questions_without_an_answer() {
    let reason = |values: &[(f64, f64)], level| difference_at_equal_length(&pairs(values), level).err();
    let good = [(-1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 1.0), (5.0, 0.0), (9.0, 2.0)];
    assert_eq!(reason(&good, 0.95), None);
    assert_eq!(reason(&good[..5], 0.95), Some(Undefined::TooFew));
    assert_eq!(reason(&good.map(|p| (7.0, p.1)), 0.95), Some(Undefined::NoVariance));
    assert_eq!(reason(&good.map(|p| (f64::from(p.0 > 8.0), p.1)), 0.95), Some(Undefined::OneSampleDecides));
    assert_eq!(reason(&good.map(|p| (p.0 + 2.0, p.1)), 0.95), Some(Undefined::OutsideTheData));
    assert_eq!(reason(&good.map(|p| (p.0 - 10.0, p.1)), 0.95), Some(Undefined::OutsideTheData));
    assert_eq!(reason(&good.map(|p| (p.0, p.1 / 0.0)), 0.95), Some(Undefined::NotFinite));
    assert_eq!(reason(&good, 0.0), Some(Undefined::Level));
}
