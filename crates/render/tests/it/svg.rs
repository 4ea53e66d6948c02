//! Bars and intervals as SVG.

use eval_render::internals::{bars, interval};

#[test]
fn hostile_numbers_and_names_stay_inside() {
    let bar = interval(Some(f64::NAN), Some((-3.0, f64::INFINITY)), Some(7.0), "<script>\"'&");
    assert!(bar.contains("&lt;script&gt;&quot;&#39;&amp;") && !bar.contains("NaN") && !bar.contains("inf"));
    let plot =
        bars(&[(f64::NAN, "</title>".to_owned()), (f64::INFINITY, String::new()), (2.0, String::new())], &[], "");
    assert!(!plot.contains("NaN") && !plot.contains("inf") && !plot.contains("</title></title>"), "{plot}");
    assert!(bars(&[], &[f64::NAN], "").contains("<svg"));
}
