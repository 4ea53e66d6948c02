//! Intervals of means: worked examples and degenerate columns.

use eval_stats::*;

const SCORES: [f64; 6] = [3.0, 4.0, 4.0, 5.0, 2.0, 4.0];

fn with(method: IntervalMethod) -> Resampling {
    Resampling { method, ..Resampling::default() }
}

#[test]
fn expanded_is_wider_than_percentile() {
    let percentile = mean_interval(&SCORES, &with(IntervalMethod::Percentile));
    let expanded = mean_interval(&SCORES, &with(IntervalMethod::Expanded));
    let (p, e) = percentile.zip(expanded).expect("both exist");
    assert!(e.low < p.low && e.high > p.high, "{e:?} {p:?}");
}

#[test]
fn no_spread_is_a_point() {
    let point = mean_interval(&[0.1 + 0.2, 0.3, 0.3], &Resampling::default());
    assert!(point.is_some_and(|i| i.degenerate && i.width() == 0.0));
}

#[test]
fn questions_without_an_answer() {
    let r = Resampling::default();
    assert_eq!(mean_interval(&[1.0], &r), None);
    assert_eq!(mean_interval(&[1.0, f64::INFINITY], &r), None);
    assert_eq!(mean_interval(&[f64::MAX, -f64::MAX], &r), None);
    assert_eq!(mean_interval(&SCORES, &Resampling { level: 1.0, ..r }), None);
    assert_eq!(mean_interval(&SCORES, &Resampling { resamples: 0, ..r }), None);
}

/// Blocks of coins (see `half`) are drawn here; the central limit says what must come out.
#[test]
fn a_hundred_thousand_values_have_the_interval_of_student() {
    let values: Vec<f64> = (0..100_000_u32).map(|i| f64::from(i % 7 * (i % 7) % 7 + i % 3)).collect();
    let (drawn, student) = (mean_interval(&values, &Resampling::default()), t_interval(&values, 0.95));
    let (drawn, student) = drawn.zip(student).expect("both exist");
    assert!((drawn.width() / student.width() - 1.0).abs() < 0.03, "{drawn:?} {student:?}");
    assert!((drawn.centre() - student.centre()).abs() < 0.03 * student.width(), "{drawn:?} {student:?}");
}

#[test]
fn two_values_reach_to_their_range_and_no_further() {
    let i = mean_interval(&[1.0, 3.0], &Resampling::default());
    assert!(i.is_some_and(|i| (i.low, i.high) == (1.0, 3.0)));
}
