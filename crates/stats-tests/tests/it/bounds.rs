//! Intervals from resampled values.

use eval_stats::internals::expanded;
use eval_stats::*;

const STATISTIC: Statistic = Statistic { estimate: 2.0, n: 10, acceleration: 0.0 };

#[test]
fn bca_without_bias_and_acceleration_is_the_percentile_interval() {
    let replicates: Vec<f64> = (0..=400).map(|i| f64::from(i) / 100.0).collect();
    let bounds = |m| replicate_interval(&replicates, &STATISTIC, 0.9, m).map(|i| (i.low, i.high));
    let (b, p) = (bounds(IntervalMethod::Bca), bounds(IntervalMethod::Percentile));
    let ((bl, bh), (pl, ph)) = b.zip(p).expect("both exist");
    assert!((bl - pl).abs() < 1e-9 && (bh - ph).abs() < 1e-9);
}

#[test]
fn replicates_on_one_side_have_no_bca_interval() {
    let one_side = replicate_interval(&[3.0, 4.0], &STATISTIC, 0.95, IntervalMethod::Bca);
    assert_eq!(one_side, None);
}

#[test]
fn an_infinite_bound_is_no_interval() {
    let wild = [1.0, 2.0, f64::INFINITY];
    let interval = replicate_interval(&wild, &STATISTIC, 0.95, IntervalMethod::Percentile);
    assert_eq!(interval, None);
}

#[test]
fn widened_tails_come_near_the_nominal_ones_with_n() {
    assert!((expanded(0.025, 5) - 0.000_955).abs() < 1e-6);
    assert!((expanded(0.025, 100_000) - 0.025).abs() < 1e-5);
}
