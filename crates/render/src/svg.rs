//! Plots as inline SVG: no script, no style of their own (classes are coloured by the page), a title each for people who
//! don't see them. They hold no text, so that they can be stretched to any width.

use std::fmt::Write as _;

/// A share with its interval on a track from 0 to 1, and a threshold.
pub fn interval(at: Option<f64>, range: Option<(f64, f64)>, threshold: Option<f64>, title: &str) -> String {
    let mut shapes = String::from(r#"<rect class="s-track" x="0" y="6" width="100" height="4" rx="0"/>"#);
    if let Some((low, high)) = range.map(|(low, high)| (percent(low), percent(high))) {
        let width = (high - low).max(0.0);
        let _ = write!(shapes, r#"<rect class="s-range" x="{low:.2}" y="4" width="{width:.2}" height="8"/>"#);
    }
    if let Some(threshold) = threshold.map(percent) {
        let _ = write!(shapes, r#"<line class="s-gate" x1="{threshold:.2}" x2="{threshold:.2}" y1="0" y2="16"/>"#);
    }
    if let Some(at) = at.map(percent) {
        let x = (at - 0.6).clamp(0.0, 98.8);
        let _ = write!(shapes, r#"<rect class="s-point" x="{x:.2}" y="2" width="1.2" height="12"/>"#);
    }
    whole("interval", 16, &shapes, title)
}

/// Bars next to each other; `marks` are upright lines at shares of the width. Each bar has a title of its own.
pub fn bars(heights: &[(f64, String)], marks: &[f64], title: &str) -> String {
    let most = heights.iter().map(|(height, _)| *height).filter(|height| height.is_finite()).fold(0.0, f64::max);
    bars_of(heights, most, marks, title)
}

/// [`bars`] of shares: the whole height is 1.
pub(crate) fn shares(heights: &[(f64, String)], title: &str) -> String {
    bars_of(heights, 1.0, &[], title)
}

fn bars_of(heights: &[(f64, String)], most: f64, marks: &[f64], title: &str) -> String {
    let mut shapes = String::new();
    #[expect(clippy::cast_precision_loss, reason = "a few bars")]
    let step = 100.0 / heights.len().max(1) as f64;
    let gap = (step * 0.12).min(1.0);
    let mut x = 0.0;
    for (height, name) in heights {
        let share = if most > 0.0 && height.is_finite() { (height / most).clamp(0.0, 1.0) } else { 0.0 };
        // what is there is seen
        let tall = if *height > 0.0 { (share * 60.0).max(1.0) } else { 0.0 };
        let (left, width, top) = (x + gap / 2.0, step - gap, 62.0 - tall);
        let _ = write!(
            shapes,
            r#"<rect class="s-bar" x="{left:.2}" y="{top:.2}" width="{width:.2}" height="{tall:.2}"><title>{}</title></rect>"#,
            escaped(name)
        );
        x += step;
    }
    shapes.push_str(r#"<line class="s-base" x1="0" x2="100" y1="62" y2="62"/>"#);
    for mark in marks {
        let x = percent(*mark);
        let _ = write!(shapes, r#"<line class="s-mark" x1="{x:.2}" x2="{x:.2}" y1="0" y2="62"/>"#);
    }
    whole("plot", 64, &shapes, title)
}

fn whole(class: &str, height: u32, shapes: &str, title: &str) -> String {
    let title = escaped(title);
    format!(
        r#"<svg class="{class}" viewBox="0 0 100 {height}" preserveAspectRatio="none" role="img"><title>{title}</title>{shapes}</svg>"#
    )
}

/// A share in per cent of the width; values outside of 0..=1 are clamped.
fn percent(share: f64) -> f64 {
    if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) * 100.0 }
}

pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
