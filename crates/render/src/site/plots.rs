//! Plots of these pages: SVG without a `viewBox`, x in per cent and sizes in pixels, so that marks keep their size on a
//! narrow screen. The same numbers are text beside each.

use std::fmt::Write as _;

/// An interval around 0 on an axis from `-most` to `most`.
pub fn around_zero(mean: f64, range: Option<(f64, f64)>, most: f64) -> String {
    // marks at the ends stay inside
    let x = |value: f64| percent((value / (most * 1.08) + 1.0) / 2.0);
    let mut out = String::from(r#"<svg class="mini" aria-hidden="true" height="16">"#);
    let _ = write!(out, r#"<line class="m-zero" x1="50%" x2="50%" y1="0" y2="16"/>"#);
    if let Some((low, high)) = range {
        let _ = write!(out, r#"<line class="m-range" x1="{}" x2="{}" y1="8" y2="8"/>"#, x(low), x(high));
    }
    let _ = write!(
        out,
        r#"<svg x="{}" y="8" overflow="visible"><rect class="m-mark" x="-3" y="-3" width="6" height="6" transform="rotate(45)"/></svg></svg>"#,
        x(mean)
    );
    out
}

pub struct TrendMark {
    pub mean: Option<f64>,
    pub range: Option<(f64, f64)>,
    /// `true` if it belongs to another series than the mark before it.
    pub is_break: bool,
    /// `true` if something was changed before it whose effect the plot shows.
    pub is_event: bool,
}

const HEIGHT: f64 = 160.0;

/// Scores over runs on an axis with these ends, evenly spaced. Marks of one series are joined; a dashed line stands where another
/// series begins, a line with an arrow where an event is marked.
pub fn trend(marks: &[TrendMark], ends: std::ops::RangeInclusive<f64>) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred runs")]
    let x = |at: usize| percent((at as f64 + 0.5) / marks.len().max(1) as f64);
    let (low, high) = ends.into_inner();
    let y = |value: f64| HEIGHT - (value.clamp(low, high) - low) / (high - low) * HEIGHT;
    let mut out = format!(r#"<svg class="trend" aria-hidden="true" height="{HEIGHT}">"#);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = HEIGHT * share;
        let _ = write!(out, r#"<line class="m-grid" x1="0" x2="100%" y1="{at}" y2="{at}"/>"#);
    }
    let mut before: Option<(usize, f64)> = None;
    for (at, mark) in marks.iter().enumerate() {
        let here = x(at);
        if mark.is_break && at > 0 {
            #[expect(clippy::cast_precision_loss, reason = "a few hundred runs")]
            let edge = percent(at as f64 / marks.len() as f64);
            let _ = write!(out, r#"<line class="m-break" x1="{edge}" x2="{edge}" y1="0" y2="{HEIGHT}"/>"#);
            before = None;
        }
        if mark.is_event {
            let _ = write!(
                out,
                r#"<line class="m-event" x1="{here}" x2="{here}" y1="0" y2="{HEIGHT}"/><svg x="{here}" overflow="visible"><path class="m-event" d="M-5-4H5L0 5Z"/></svg>"#
            );
        }
        let Some(mean) = mark.mean else { continue };
        if let Some((from, other)) = before {
            let (a, b) = (y(other), y(mean));
            let _ = write!(out, r#"<line class="m-join" x1="{}" x2="{here}" y1="{a:.1}" y2="{b:.1}"/>"#, x(from));
        }
        if let Some((low, high)) = mark.range {
            let (low, high) = (y(low), y(high));
            let _ = write!(out, r#"<line class="m-range" x1="{here}" x2="{here}" y1="{low:.1}" y2="{high:.1}"/>"#);
        }
        let at_y = y(mean);
        let _ = write!(out, r#"<circle class="m-mark" cx="{here}" cy="{at_y:.1}" r="4"/>"#);
        before = Some((at, mean));
    }
    out.push_str("</svg>");
    out
}

fn percent(share: f64) -> String {
    let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
    format!("{:.2}%", share * 100.0)
}
