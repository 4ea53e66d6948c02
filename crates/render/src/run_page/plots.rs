//! Plots as inline SVG without a `viewBox`: positions in percent, sizes in pixels, so that marks keep their size on a
//! narrow page. The caption says what there is to see; the same numbers stand as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::minus::{bound, points, signed};
use eval_format::{Analysis, Ci, Comparison, Difference, PartDifference};
use eval_message::plain::clip;
use eval_message::{Lang, msg};
use eval_spec::Layer;
use eval_spec::units::Usd;
use unicode_width::UnicodeWidthStr;

use super::labels::{NamedPoint, places};
use super::story::{plot_anchor, worst_first};
use crate::minus::minus;

/// Differences that have a mark each; more are a histogram.
const MOST_MARKS: usize = 150;
/// Columns in which marks are stacked, and bars.
const COLUMNS: usize = 48;
/// Pixels of a mark, and of the plot's axis with its labels.
const MARK: usize = 15;
const AXIS: usize = 50;
/// The tallest stack, in marks.
const TALLEST: usize = 6;
/// Treatments that have plots of their own.
const MOST_TREATMENTS: usize = 8;
/// Capabilities that have an interval each.
const MOST_PARTS: usize = 12;
/// Layers and capabilities that are shown at once; the others are folded.
const SHOWN_PARTS: usize = 7;
/// The height of one of them, in pixels.
const PART: usize = 26;

pub(super) struct RunPlot {
    /// The id of its figure, where something leads to it.
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) svg: String,
    /// The part that would push the samples from the first screen, with its title.
    pub(super) folded: Option<(String, String)>,
}

/// The range of an axis around 0, in points, and where values lie on it.
#[derive(Clone, Copy)]
struct Axis {
    reach: f64,
}

impl Axis {
    /// One that holds all of the values: a round number to each side.
    fn around(values: impl Iterator<Item = f64>) -> Axis {
        let most = values.filter(|value| value.is_finite()).map(f64::abs).fold(0.0, f64::max);
        let reach = [0.25, 0.5, 1.0, 2.0, 3.0, 4.0].into_iter().find(|reach| *reach >= most).unwrap_or(4.0);
        Axis { reach }
    }

    /// The place of a value, in percent of the width.
    fn at(self, value: f64) -> f64 {
        if value.is_nan() {
            return 50.0;
        }
        50.0 + (value / self.reach).clamp(-1.0, 1.0) * 47.0
    }

    fn ticks(self) -> [f64; 5] {
        [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| share * self.reach)
    }
}

/// The differences of each treatment, on one axis.
pub(super) fn differences(analysis: &Analysis, lang: Lang) -> Vec<RunPlot> {
    let mut shown = worst_first(analysis);
    shown.retain(|(_, of)| !of.pairs.is_empty());
    shown.truncate(MOST_TREATMENTS);
    let bounds = |of: &&Comparison| of.diff.ci.into_iter().flat_map(|ci| [ci.low, ci.high]);
    let values = shown.iter().flat_map(|(_, of)| of.pairs.iter().map(|pair| pair.diff).chain(bounds(of)));
    let axis = Axis::around(values.chain([analysis.meta.settings.min_effect * 1.5]));
    let one = |&(at, of): &(usize, &Comparison)| RunPlot {
        anchor: plot_anchor(at),
        ..difference_plot(analysis, of, axis, lang)
    };
    shown.iter().map(one).collect()
}

fn difference_plot(analysis: &Analysis, of: &Comparison, axis: Axis, lang: Lang) -> RunPlot {
    let limit = analysis.meta.settings.min_effect;
    let mut stacks: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for pair in &of.pairs {
        stacks.entry(column(axis, pair.diff)).or_default().push(pair.diff);
    }
    let tallest = stacks.values().map(Vec::len).max().unwrap_or(1);
    let is_marked = of.pairs.len() <= MOST_MARKS && tallest <= TALLEST * 3;
    let rows = if is_marked { tallest.clamp(3, TALLEST) } else { 7 };
    let base = rows * MARK + 6;
    let mut shapes = String::new();
    ground(&mut shapes, axis, limit, base, rows * MARK);
    match is_marked {
        true => marks(&mut shapes, axis, &stacks, base, tallest),
        false => bars(&mut shapes, &stacks, base, tallest),
    }
    estimate(&mut shapes, axis, &of.diff, base + 16);
    labels(&mut shapes, axis, base + AXIS - 8);
    let caption = caption(of, limit, lang);
    let title = match analysis.comparisons.len() > 1 {
        true => msg!("page-plot-differences-of", treatment = clip(&of.treatment, 40)).text(lang),
        false => msg!("page-plot-differences").text(lang),
    };
    let svg = svg("plot differences", base + AXIS, &shapes, &format!("{title}. {caption}"));
    RunPlot { anchor: String::new(), title, caption, svg, folded: None }
}

fn column(axis: Axis, value: f64) -> usize {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 48")]
    let at = ((axis.at(value) / 100.0 * COLUMNS as f64).floor().max(0.0) as usize).min(COLUMNS - 1);
    at
}

fn caption(of: &Comparison, limit: f64, lang: Lang) -> String {
    let counts = msg!("page-plot-counts", wins = of.wins, losses = of.losses, ties = of.ties).text(lang);
    let estimate = of.diff.mean.map(|mean| match of.diff.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => msg!(
            "page-plot-mean",
            mean = signed(mean),
            low = bound(ci.low),
            high = bound(ci.high),
            limit = points(limit)
        ),
        None => msg!("page-plot-mean-point", mean = signed(mean), limit = points(limit)),
    });
    let estimate = estimate.map(|message| message.text(lang)).unwrap_or_default();
    format!("{counts} {estimate}")
}

/// The band of differences that don't matter, and the line at 0.
fn ground(shapes: &mut String, axis: Axis, limit: f64, base: usize, height: usize) {
    let (left, right) = (axis.at(-limit), axis.at(limit));
    let width = right - left;
    let _ = write!(
        shapes,
        r#"<rect class="p-band" x="{left:.2}%" y="0" width="{width:.2}%" height="{base}"/><line class="p-zero" x1="50%" x2="50%" y1="0" y2="{}"/><line class="p-axis" x1="3%" x2="97%" y1="{base}" y2="{base}"/>"#,
        height + 34
    );
}

/// A mark for each difference, stacked; a stack that is too tall is pressed together.
fn marks(shapes: &mut String, axis: Axis, stacks: &BTreeMap<usize, Vec<f64>>, base: usize, tallest: usize) {
    #[expect(clippy::cast_precision_loss, reason = "a few marks")]
    let step = (MARK as f64).min((TALLEST * MARK) as f64 / tallest.max(1) as f64);
    for values in stacks.values() {
        for (place, value) in values.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a few marks")]
            let y = base as f64 - 8.0 - step * place as f64;
            let x = axis.at(middle(values));
            let _ = write!(shapes, r#"<svg x="{x:.2}%" y="{y:.1}" overflow="visible">{}</svg>"#, mark(*value));
        }
    }
}

fn middle(values: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few marks")]
    let count = values.len().max(1) as f64;
    values.iter().sum::<f64>() / count
}

/// Up, down or a dot: the direction shows without colour.
fn mark(value: f64) -> &'static str {
    if value > 0.0 {
        r#"<path class="p-better" d="M0-6 6 5-6 5z"/>"#
    } else if value < 0.0 {
        r#"<path class="p-worse" d="M0 6 6-5-6-5z"/>"#
    } else {
        r#"<circle class="p-equal" r="4.5"/>"#
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn bars(shapes: &mut String, stacks: &BTreeMap<usize, Vec<f64>>, base: usize, tallest: usize) {
    let width = 100.0 / COLUMNS as f64;
    for (&at, values) in stacks {
        let class = match values[0] {
            value if value > 0.0 => "p-better",
            value if value < 0.0 => "p-worse",
            _ => "p-equal",
        };
        let height = (values.len() as f64 / tallest as f64 * (7 * MARK) as f64).max(2.0);
        let (x, y) = (at as f64 * width + width * 0.08, base as f64 - height);
        let _ = write!(
            shapes,
            r#"<rect class="{class}" x="{x:.2}%" y="{y:.1}" width="{:.2}%" height="{height:.1}"/>"#,
            width * 0.84
        );
    }
}

fn estimate(shapes: &mut String, axis: Axis, of: &Difference, y: usize) {
    if let Some(ci) = of.ci.filter(|ci| !ci.degenerate) {
        whiskers(shapes, axis, &ci, y);
    }
    if let Some(mean) = of.mean {
        let x = axis.at(mean);
        let _ = write!(
            shapes,
            r#"<svg x="{x:.2}%" y="{y}" overflow="visible"><path class="p-mean" d="M0-7 7 0 0 7-7 0z"/></svg>"#
        );
    }
}

fn whiskers(shapes: &mut String, axis: Axis, ci: &Ci, y: usize) {
    let (low, high) = (axis.at(ci.low), axis.at(ci.high));
    let (top, bottom) = (y.saturating_sub(5), y + 5);
    let _ = write!(
        shapes,
        r#"<line class="p-line" x1="{low:.2}%" x2="{high:.2}%" y1="{y}" y2="{y}"/><line class="p-line" x1="{low:.2}%" x2="{low:.2}%" y1="{top}" y2="{bottom}"/><line class="p-line" x1="{high:.2}%" x2="{high:.2}%" y1="{top}" y2="{bottom}"/>"#
    );
}

fn labels(shapes: &mut String, axis: Axis, y: usize) {
    for tick in axis.ticks() {
        let x = axis.at(tick);
        let text = if tick == 0.0 { "0".to_owned() } else { minus(&format!("{tick:+}")) };
        let _ = write!(shapes, r#"<text class="p-label" x="{x:.2}%" y="{y}">{text}</text>"#);
    }
}

fn svg(class: &str, height: usize, shapes: &str, name: &str) -> String {
    let name = crate::svg::escaped(name);
    format!(r#"<svg class="{class}" height="{height}" role="img" aria-label="{name}">{shapes}</svg>"#)
}

/// The composite, layers, dimensions and capabilities of each treatment: their intervals on one axis.
pub(super) fn parts(analysis: &Analysis, lang: Lang) -> Vec<RunPlot> {
    let several = analysis.comparisons.len() > 1;
    worst_first(analysis)
        .into_iter()
        .take(MOST_TREATMENTS)
        .filter_map(|(_, of)| parts_plot(of, several, lang))
        .collect()
}

fn parts_plot(of: &Comparison, is_named: bool, lang: Lang) -> Option<RunPlot> {
    let layers = Layer::ALL.into_iter().filter_map(|layer| {
        let name = msg!("report-md-layer", layer = layer.name()).text(lang);
        Some((name, of.layers.get(layer)?.clone()))
    });
    // what fell most is neither cut nor folded
    let mut parts: Vec<&PartDifference> = of.dimensions.iter().chain(&of.capabilities).collect();
    parts.sort_by(|a, b| a.mean.unwrap_or(f64::MAX).total_cmp(&b.mean.unwrap_or(f64::MAX)));
    let capabilities = parts.into_iter().take(MOST_PARTS).map(|part| {
        let alone = Difference { n: part.n, mean: part.mean, ..Difference::default() };
        (clip(&part.name, 24), part.diff.clone().unwrap_or(alone))
    });
    let whole = (msg!("report-row-score").text(lang), of.diff.clone());
    let rows: Vec<PartRow> = std::iter::once(whole).chain(layers).chain(capabilities).collect();
    if rows.len() < 3 {
        return None;
    }
    let values =
        rows.iter().flat_map(|(_, diff)| diff.mean.into_iter().chain(diff.ci.iter().flat_map(|ci| [ci.low, ci.high])));
    let axis = Axis::around(values);
    let title = match is_named {
        true => msg!("page-plot-parts-of", treatment = clip(&of.treatment, 40)).text(lang),
        false => msg!("page-plot-parts").text(lang),
    };
    let named = |rows: &[PartRow]| svg_of_parts(rows, axis, &title);
    let (shown, rest) = rows.split_at(rows.len().min(SHOWN_PARTS));
    let folded = (!rest.is_empty()).then(|| (msg!("page-plot-parts-more", count = rest.len()).text(lang), named(rest)));
    Some(RunPlot { anchor: String::new(), svg: named(shown), folded, caption: String::new(), title })
}

type PartRow = (String, Difference);

fn svg_of_parts(rows: &[PartRow], axis: Axis, title: &str) -> String {
    let texts: Vec<String> = rows.iter().map(|(name, diff)| format!("{name} {}", in_words(diff))).collect();
    let mut shapes = String::new();
    let height = rows.len() * PART;
    let _ = write!(shapes, r#"<line class="p-zero" x1="50%" x2="50%" y1="0" y2="{height}"/>"#);
    for (row, ((name, diff), text)) in rows.iter().zip(&texts).enumerate() {
        let y = row * PART + 20;
        let figure = text.strip_prefix(name.as_str()).unwrap_or(text).trim();
        let _ = write!(
            shapes,
            r#"<text class="p-name" x="0" y="{}">{}</text><text class="p-figure" x="100%" y="{}">{figure}</text>"#,
            y - 9,
            crate::svg::escaped(name),
            y - 9
        );
        let class = diff.mean.map_or("p-equal", |mean| if mean < 0.0 { "p-worse" } else { "p-better" });
        if let Some(ci) = diff.ci.filter(|ci| !ci.degenerate) {
            whiskers(&mut shapes, axis, &ci, y);
        }
        if let Some(mean) = diff.mean {
            let _ = write!(
                shapes,
                r#"<svg x="{:.2}%" y="{y}" overflow="visible"><path class="{class}" d="M0-6 6 0 0 6-6 0z"/></svg>"#,
                axis.at(mean)
            );
        }
    }
    labels(&mut shapes, axis, height + 18);
    let name = format!("{title}. {}", texts.join("; "));
    svg("plot", height + 24, &shapes, &name)
}

/// `+0.60 (+0.20 to +1.00)`.
fn in_words(diff: &Difference) -> String {
    let mean = diff.mean.map_or_else(|| "–".to_owned(), signed);
    match diff.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => format!("{mean} ({} … {})", bound(ci.low), bound(ci.high)),
        None => mean,
    }
}

/// The price of an answer against the score, a point for each variant; `None` while a price is unknown.
pub(super) fn costs(analysis: &Analysis, lang: Lang) -> Option<RunPlot> {
    let one = |name: &String| {
        let of = analysis.summary.get(name)?;
        Some((clip(name, 20), of.avg_cost_usd?, of.avg_composite_score.filter(|_| of.planned_scores > 0)?, of.ci))
    };
    let arms: Vec<(String, f64, f64, Option<Ci>)> = analysis.meta.variants.iter().map(one).collect::<Option<_>>()?;
    let most = arms.iter().map(|(_, cost, ..)| *cost).fold(0.0, f64::max);
    if arms.len() < 2 || most <= 0.0 {
        return None;
    }
    let x = |cost: f64| 8.0 + cost / most * 80.0;
    let y = |score: f64| 150.0 - (score.clamp(1.0, 5.0) - 1.0) / 4.0 * 138.0;
    let mut shapes = String::from(
        r#"<line class="p-axis" x1="6%" x2="97%" y1="152" y2="152"/><line class="p-axis" x1="6%" x2="6%" y1="8" y2="152"/>"#,
    );
    for (score, label) in [(1.0, "1"), (3.0, "3"), (5.0, "5")] {
        let _ = write!(shapes, r#"<text class="p-name" x="0" y="{:.0}">{label}</text>"#, y(score) + 4.0);
    }
    for (_, cost, score, ci) in &arms {
        if let Some(ci) = ci.filter(|ci| !ci.degenerate) {
            let left = x(*cost);
            let _ = write!(
                shapes,
                r#"<line class="p-line" x1="{left:.2}%" x2="{left:.2}%" y1="{:.1}" y2="{:.1}"/>"#,
                y(ci.low),
                y(ci.high)
            );
        }
        let is_best = !arms
            .iter()
            .any(|(_, other, better, _)| other < cost && better >= score || other <= cost && better > score);
        let class = if is_best { "p-mean" } else { "p-equal" };
        let _ = write!(
            shapes,
            r#"<svg x="{:.2}%" y="{:.1}" overflow="visible"><circle class="{class}" r="6"/></svg>"#,
            x(*cost),
            y(*score)
        );
    }
    let named: Vec<(&str, f64, f64)> =
        arms.iter().map(|(name, cost, score, _)| (&**name, x(*cost), y(*score))).collect();
    names(&mut shapes, &named);
    let told: Vec<String> =
        arms.iter().map(|(name, cost, score, _)| format!("{name} {} {}", Usd(*cost), points(*score))).collect();
    let _ = write!(
        shapes,
        r#"<text class="p-name" x="6%" y="170">$0</text><text class="p-figure" x="97%" y="170">{}</text>"#,
        Usd(most)
    );
    let title = msg!("page-plot-costs").text(lang);
    let caption = msg!("page-plot-costs-caption", list = told.join("; ")).text(lang);
    Some(RunPlot {
        anchor: String::new(),
        svg: svg("plot", 176, &shapes, &format!("{title}. {caption}")),
        folded: None,
        caption,
        title,
    })
}

/// The names of points, with a line to each that had to give way; the caption has those that there is no room for.
fn names(shapes: &mut String, all: &[(&str, f64, f64)]) {
    #[expect(clippy::cast_precision_loss, reason = "a few characters")]
    let width = |name: &str| name.width() as f64 * 7.5;
    let points: Vec<NamedPoint> = all.iter().map(|&(name, x, y)| NamedPoint { x, y, width: width(name) }).collect();
    for ((name, x, y), at) in all.iter().zip(places(&points, 2.0, 150.0)) {
        let Some(at) = at else { continue };
        let (side, class) = if at.is_left { (-10.0, "p-figure") } else { (10.0, "p-name") };
        let aside = at.y - y;
        let line = match aside == 0.0 {
            true => String::new(),
            false => format!(r#"<line class="p-axis" x2="{}" y2="{aside:.1}"/>"#, side * 0.9),
        };
        let _ = write!(
            shapes,
            r#"<svg x="{x:.2}%" y="{y:.1}" overflow="visible">{line}<text class="{class} p-tag" x="{side}" y="{:.1}">{}</text></svg>"#,
            aside + 4.0,
            crate::svg::escaped(name)
        );
    }
}

/// The width of the interval as samples came in, beside the 1/√n law.
pub(super) fn saturation(windows: &[(u64, f64, f64)], lang: Lang) -> Option<RunPlot> {
    let (_, last) = (windows.first()?, windows.last()?);
    if windows.len() < 3 {
        return None;
    }
    let widest = windows.iter().flat_map(|(_, width, expected)| [*width, *expected]).fold(0.0, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "counts of samples")]
    let x = |n: u64| 6.0 + n as f64 / last.0 as f64 * 90.0;
    let y = |width: f64| 112.0 - width / widest * 100.0;
    let mut shapes = String::from(r#"<line class="p-axis" x1="6%" x2="97%" y1="114" y2="114"/>"#);
    for pair in windows.windows(2) {
        let [(from, before, law), (to, after, next)] = pair else { continue };
        let _ = write!(
            shapes,
            r#"<line class="p-law" x1="{0:.2}%" x2="{1:.2}%" y1="{2:.1}" y2="{3:.1}"/><line class="p-line" x1="{0:.2}%" x2="{1:.2}%" y1="{4:.1}" y2="{5:.1}"/>"#,
            x(*from),
            x(*to),
            y(*law),
            y(*next),
            y(*before),
            y(*after)
        );
    }
    for (n, width, _) in windows {
        let _ = write!(
            shapes,
            r#"<svg x="{:.2}%" y="{:.1}" overflow="visible"><circle class="p-mean" r="4"/></svg>"#,
            x(*n),
            y(*width)
        );
    }
    let _ = write!(shapes, r#"<text class="p-figure" x="97%" y="132">{}</text>"#, last.0);
    let title = msg!("page-plot-saturation").text(lang);
    let caption = msg!("page-plot-saturation-caption", n = last.0, width = points(last.1)).text(lang);
    Some(RunPlot {
        anchor: String::new(),
        svg: svg("plot", 138, &shapes, &format!("{title}. {caption}")),
        folded: None,
        caption,
        title,
    })
}
