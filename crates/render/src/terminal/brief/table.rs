//! The variants by row: as many columns as the width holds, those that matter most first.

use crate::minus::{bound, level, points, signed};
use eval_format::{Comparison, Report, VariantSummary};
use eval_message::msg;
use eval_message::plain::clip;
use eval_spec::Layer;
use eval_spec::units::Usd;
use unicode_width::UnicodeWidthStr;

use crate::terminal::Show;
use crate::terminal::layout::{GAP, columns, duration, widest};

/// Variants that have a row: all, if they are no more than so many, else fewer.
const ROWS: usize = 8;
const FEWER: usize = 6;

/// A head and a cell for each variant. Those of the lowest rank stay longest.
struct BriefColumn {
    rank: u8,
    cells: Vec<String>,
}

/// The table, with a newline behind every line.
pub(super) fn variants<R>(report: &Report<R>, show: Show) -> String {
    let arms: Vec<(String, &VariantSummary)> = report
        .meta
        .variants
        .iter()
        .enumerate()
        .filter_map(|(i, name)| Some((label(show, i, report.meta.variants.len(), name), report.summary.get(name)?)))
        .collect();
    let shown = if arms.len() > ROWS { &arms[..FEWER] } else { &arms[..] };
    let labels: Vec<String> =
        std::iter::once(String::new()).chain(shown.iter().map(|(label, _)| label.clone())).collect();
    let names = &report.meta.variants[..];
    let all = wanted(report, show, &shown.iter().map(|(_, of)| *of).collect::<Vec<_>>(), names);
    let kept = fitting(&all, show.columns().saturating_sub(widest(&labels)));
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .enumerate()
        .map(|(row, label)| std::iter::once(label).chain(kept.iter().map(|cells| cells[row].clone())).collect())
        .collect();
    let mut text = columns(&rows).join("\n") + "\n";
    if arms.len() > shown.len() {
        text += &show.text(&msg!("report-brief-more-treatments", count = arms.len() - shown.len()));
        text.push('\n');
    }
    text
}

/// The columns that fit, in their order.
fn fitting(all: &[BriefColumn], width: usize) -> Vec<&[String]> {
    let mut by_rank: Vec<&BriefColumn> = all.iter().collect();
    by_rank.sort_by_key(|of| of.rank);
    let mut used = 0;
    let fits = by_rank.into_iter().take_while(|of| {
        used += GAP.width() + widest(&of.cells);
        of.rank == 0 || used <= width
    });
    let ranks: Vec<u8> = fits.map(|of| of.rank).collect();
    all.iter().filter(|of| ranks.contains(&of.rank)).map(|of| &*of.cells).collect()
}

fn label(show: Show, i: usize, variants: usize, name: &str) -> String {
    let name = clip(name, (show.columns() / 4).clamp(10, 40));
    match (i, variants) {
        (0, 2..) => show.text(&msg!("report-control", name = name)),
        _ => name,
    }
}

type CellOfVariant = fn(Show, &VariantSummary) -> String;
type CellOfComparison = fn(Show, &Comparison) -> String;

/// The columns that say anything. Several treatments have their differences here instead of the intervals of scores.
fn wanted<R>(report: &Report<R>, show: Show, arms: &[&VariantSummary], names: &[String]) -> Vec<BriefColumn> {
    let some = |value: fn(&VariantSummary) -> bool| report.summary.values().any(value);
    // the one score of another tool is no layer beside others
    let is_ours = report.meta.imported.is_none();
    let has_layer = |layer: Layer| is_ours && report.summary.values().any(|of| of.layers.get(layer).is_some());
    let is_several = report.comparisons.len() > 1;
    let level = match is_several {
        true => level(report.comparisons.iter().filter_map(|of| of.diff.ci.as_ref())),
        false => level(report.summary.values().filter_map(|of| of.ci.as_ref())),
    };
    let head = |what: &'static str| show.text(&msg!("report-brief-head", what = what, level = &level));
    let own = |(what, rank, is_wanted, cell): (&'static str, u8, bool, CellOfVariant)| {
        let cells = std::iter::once(head(what)).chain(arms.iter().map(|of| cell(show, of))).collect();
        is_wanted.then_some(BriefColumn { rank, cells })
    };
    let compared = |(what, rank, cell): (&'static str, u8, CellOfComparison)| {
        let of = |name| report.comparisons.iter().find(|of| &of.treatment == name);
        let cells = names.iter().take(arms.len()).map(|name| of(name).map_or_else(String::new, |of| cell(show, of)));
        is_several.then(|| BriefColumn { rank, cells: std::iter::once(head(what)).chain(cells).collect() })
    };
    let scores: [(&'static str, u8, bool, CellOfVariant); 2] = [
        ("score", 0, some(|of| of.planned_scores > 0), score),
        ("interval", 1, !is_several && some(|of| of.ci.is_some()), interval),
    ];
    let differences: [(&'static str, u8, CellOfComparison); 3] = [
        ("difference", 1, |show, of| of.diff.mean.map_or_else(|| show.text(&msg!("report-unknown")), signed)),
        ("interval", 2, |show, of| match of.diff.ci.filter(|ci| !ci.degenerate) {
            Some(ci) => show.text(&msg!("report-range", low = bound(ci.low), high = bound(ci.high))),
            None => "–".to_owned(),
        }),
        ("pairs", 4, |_, of| of.n.to_string()),
    ];
    let others: [(&'static str, u8, bool, CellOfVariant); 8] = [
        ("fact", 6, has_layer(Layer::Fact), |show, of| layer(show, of, Layer::Fact)),
        ("behavior", 7, has_layer(Layer::Behavior), |show, of| layer(show, of, Layer::Behavior)),
        ("judge", 8, has_layer(Layer::Judge), |show, of| layer(show, of, Layer::Judge)),
        ("checks", 5, some(|of| of.checks.passed + of.checks.failed > 0), |_, of| {
            format!("{}/{}", of.checks.passed, of.checks.passed + of.checks.failed)
        }),
        ("answered", 3, true, |_, of| format!("{}/{}", of.outcomes.answered, of.outcomes.total())),
        ("cost", 9, some(|of| of.avg_cost_usd.is_some()), |show, of| {
            of.avg_cost_usd.map_or_else(|| show.text(&msg!("report-unknown")), |usd| Usd(usd).to_string())
        }),
        ("time", 10, some(|of| of.avg_duration_ms.is_some()), time),
        ("tokens", 11, some(|of| of.avg_total_tokens.is_some()), |show, of| {
            of.avg_total_tokens.map_or_else(|| show.text(&msg!("report-unknown")), |tokens| tokens.to_string())
        }),
    ];
    let (scores, others) = (scores.into_iter().filter_map(own), others.into_iter().filter_map(own));
    scores.chain(differences.into_iter().filter_map(compared)).chain(others).collect()
}

fn score(show: Show, of: &VariantSummary) -> String {
    match of.avg_composite_score {
        Some(score) if of.planned_scores > 0 => points(score),
        _ => show.text(&msg!("report-unknown")),
    }
}

fn interval(show: Show, of: &VariantSummary) -> String {
    match of.ci {
        None => "–".to_owned(),
        Some(ci) if ci.degenerate => show.text(&msg!("report-no-spread")),
        Some(ci) => show.text(&msg!("report-range", low = points(ci.low), high = points(ci.high))),
    }
}

fn layer(show: Show, of: &VariantSummary, layer: Layer) -> String {
    match of.layers.get(layer) {
        None => "–".to_owned(),
        Some(of) => of.mean.map_or_else(|| show.text(&msg!("report-unknown")), points),
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
fn time(show: Show, of: &VariantSummary) -> String {
    of.avg_duration_ms.map_or_else(|| show.text(&msg!("report-unknown")), |ms| duration(ms as f64))
}
