//! Saturation curves: worked examples, and undefined values with their reasons.

use eval_stats::*;

/// Likert-like differences, as varied at the end as at the beginning.
fn steady(n: usize) -> Vec<f64> {
    shuffled(&(0..n).map(|i| (i % 5) as f64 - 2.0).collect::<Vec<_>>(), 3)
}

#[test]
fn steady_samples_follow_the_law_and_are_never_saturated() {
    let curve = saturation(&steady(400), 0.95, 0.2).expect("exists");
    assert_eq!(curve.saturated, Some(false));
    for w in curve.windows.iter().filter(|w| w.n > 50) {
        assert!((w.width.expect("spread") / w.expected_width - 1.0).abs() < 0.1, "{w:?}");
    }
    let last = curve.windows.last().expect("windows");
    assert!((last.width.expect("spread") - last.expected_width).abs() < 1e-12);
}

#[test]
fn samples_that_get_wilder_saturate() {
    let wilder: Vec<f64> = (0..100).map(|i| f64::from(i) * if i % 2 == 0 { 0.02 } else { -0.02 }).collect();
    assert_eq!(saturation(&wilder, 0.95, 0.2).expect("exists").saturated, Some(true));
}

#[test]
fn shuffling_ignores_the_order_given_and_loses_nothing() {
    let (up, down): (Vec<f64>, Vec<f64>) = (0..50).map(|i| (f64::from(i), f64::from(49 - i))).unzip();
    assert_eq!(shuffled(&up, 9), shuffled(&down, 9));
    assert_ne!(shuffled(&up, 9), shuffled(&up, 10));
    let mut again = shuffled(&up, 9);
    again.sort_unstable_by(f64::total_cmp);
    assert_eq!(again, up);
    assert!(shuffled(&[], 1).is_empty());
}

#[test]
fn every_value_comes_first_equally_often() {
    let first = |seed| shuffled(&[0.0, 1.0, 2.0], seed)[0];
    let count = (0..6000).filter(|&seed| first(seed) == 2.0).count();
    assert!(count.abs_diff(2000) < 150, "{count}");
}

#[test]
fn questions_without_an_answer() {
    let windows = |d: &[f64]| saturation(d, 0.95, 0.2).map(|s| s.windows.len());
    assert_eq!(windows(&[1.0, 2.0, 3.0, 4.0, 5.0]), Err(Undefined::TooFew));
    assert_eq!(windows(&[1.0; 30]), Err(Undefined::NoVariance));
    assert_eq!(windows(&[f64::NAN; 30]), Err(Undefined::NotFinite));
    assert_eq!(saturation(&steady(30), 1.0, 0.2), Err(Undefined::Level));
    assert_eq!(saturation(&steady(30), 0.95, 0.0), Err(Undefined::NotFinite));
    let flat_start: Vec<f64> = [vec![0.0; 40], vec![1.0]].concat();
    let curve = saturation(&flat_start, 0.95, 0.2).expect("exists");
    assert!(curve.saturated.is_none() && curve.windows[0].width.is_none());
    assert_eq!(saturation(&steady(10), 0.95, 0.2).expect("exists").saturated, None);
}

#[test]
fn windows_grow_by_a_quarter_up_to_all_samples() {
    let sizes = |n| {
        let curve = saturation(&steady(n), 0.95, 0.2).expect("exists");
        curve.windows.iter().map(|window| window.n).collect::<Vec<_>>()
    };
    assert_eq!(sizes(20), [7, 9, 12, 16, 20]);
    for n in 6..500 {
        let sizes = sizes(n);
        assert_eq!(sizes.last(), Some(&n));
        assert!(sizes[0] >= 6 && (sizes[0] as f64 / WINDOW_GROWTH) < 6.0);
        assert!(sizes.windows(2).all(|w| w[1] as f64 >= WINDOW_GROWTH * w[0] as f64));
    }
}

#[test]
fn pairs_for_min_effect_are_the_fewest() {
    let n = pairs_for_half_width(1.3, 0.2, 0.95).expect("exists");
    let half_width = |n| {
        let values = steady(n);
        let interval = t_interval(&values, 0.95).expect("exists");
        1.3 / sd(&values).expect("exists") * (interval.high - interval.low) / 2.0
    };
    assert!(half_width(n) <= 0.2 && half_width(n - 1) > 0.2, "{n}");
    assert_eq!(pairs_for_half_width(1.0, 1e-9, 0.95), None);
    assert_eq!(pairs_for_half_width(0.0, 0.2, 0.95), None);
    assert_eq!(pairs_for_half_width(1.0, 1e9, 0.95), Some(2));
}
