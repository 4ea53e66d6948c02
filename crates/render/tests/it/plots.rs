//! Plots of the site.

use eval_render::internals::{TrendMark, around_zero, trend};

#[test]
fn numbers_that_are_none_stay_inside() {
    let plot = around_zero(f64::NAN, Some((f64::NEG_INFINITY, f64::INFINITY)), 0.0);
    assert!(!plot.contains("NaN") && !plot.contains("inf"), "{plot}");
    let marks = [(Some(f64::NAN), false), (None, true), (Some(9.0), true)];
    let marks: Vec<TrendMark> = marks
        .into_iter()
        .map(|(mean, is_break)| TrendMark { mean, range: Some((0.0, 9.0)), is_break, is_event: true })
        .collect();
    assert!(trend(&marks, 1.0..=5.0).contains("m-break") && trend(&[], 1.0..=5.0).ends_with("</svg>"));
}
