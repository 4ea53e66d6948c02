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

/// Blocks of coins (see `half`) are drawn here; the central limit theorem gives the expected interval.
#[test]
fn a_hundred_thousand_values_have_the_interval_of_student() {
    let values: Vec<f64> = (0..100_000_u32).map(|i| f64::from(i % 7 * (i % 7) % 7 + i % 3)).collect();
    let (drawn, student) = (mean_interval(&values, &Resampling::default()), t_interval(&values, 0.95));
    let (drawn, student) = drawn.zip(student).expect("both exist");
    assert!((drawn.width() / student.width() - 1.0).abs() < 0.03, "{drawn:?} {student:?}");
    assert!((drawn.centre() - student.centre()).abs() < 0.03 * student.width(), "{drawn:?} {student:?}");
}

/// No resampled mean leaves the range of the values; Student's bound, which the default includes, does.
#[test]
fn two_values_reach_to_their_range_and_by_student_beyond() {
    let interval = |method| mean_interval(&[1.0, 3.0], &with(method)).expect("exists");
    let ends = |i: Interval| (i.low, i.high);
    assert_eq!(ends(interval(IntervalMethod::Percentile)), (1.0, 3.0));
    assert_eq!(ends(interval(IntervalMethod::Expanded)), ends(interval(IntervalMethod::T)));
    assert!(interval(IntervalMethod::T).low < -10.0);
}

/// `[0, 0, 0, 0, 0, 0, 0, −3]`: `m = −0.375`, `s = 1.06066`, `G = 2.82843` (SciPy's `skew(bias=False)`), `t = 2.36462`, hence
/// `k = s·G·(2t² + 1)/24 = 1.52286` beyond `m − t·s/√8 = −1.26175`.
#[test]
fn the_side_of_the_long_tail_moves_out() {
    let mut d = [0.0; 8];
    d[3] = -3.0;
    let r = Resampling::default();
    let (ours, student) = mean_interval(&d, &r).zip(t_interval(&d, 0.95)).expect("both exist");
    assert!((student.low - ours.low - 1.5228).abs() < 1e-4, "{ours:?} {student:?}");
    assert!(ours.high >= student.high && student.high - ours.low > 0.5);
    let turned = mean_interval(&d.map(|x| -x), &r).expect("exists");
    assert_eq!((turned.low, turned.high), (-ours.high, -ours.low));
}

#[test]
fn the_default_holds_student_s_and_the_bounds_that_are_drawn() {
    let skewed: Vec<f64> = (0..30).map(|i| 0.5 - f64::from(i * 17 % 31) * f64::from(i * 17 % 31) / 400.0).collect();
    for values in [&SCORES[..], &skewed] {
        let interval = |method| mean_interval(values, &with(method)).expect("exists");
        let (ours, drawn, student) =
            (interval(IntervalMethod::Expanded), interval(IntervalMethod::Percentile), interval(IntervalMethod::T));
        assert!(ours.low <= drawn.low.min(student.low) && ours.high >= drawn.high.max(student.high));
    }
}

#[test]
fn bounds_are_part_of_the_interval() {
    let i = mean_interval(&SCORES, &Resampling::default()).expect("exists");
    assert!(i.contains(i.low) && i.contains(i.high) && i.contains(i.centre()));
    assert!(!i.contains(i.low.next_down()) && !i.contains(i.high.next_up()) && !i.contains(f64::NAN));
    let point = mean_interval(&[0.0; 5], &Resampling::default()).expect("exists");
    assert!(point.contains(0.0) && point.contains(-0.0) && !point.contains(f64::MIN_POSITIVE));
}
