//! The table of variants: a row per number, a column per variant, in as many blocks as the width asks for.

use crate::minus::{level, points};
use eval_format::{Report, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::Layer;
use eval_spec::units::Usd;

use super::Show;
use super::layout::{GAP, columns, duration, widest};
use crate::terminal::names::layer_name;

/// Columns of a variant's name, at most.
const NAME: usize = 24;

/// The table, with a newline behind every line.
pub(super) fn variants<R>(report: &Report<R>, show: Show) -> String {
    let rows = rows(report);
    let numbers: Vec<Vec<String>> =
        report.meta.variants.iter().enumerate().filter_map(|(i, name)| column(report, show, &rows, i, name)).collect();
    let labels: Vec<String> = std::iter::once(String::new()).chain(rows.iter().map(|row| show.text(&row.0))).collect();
    blocks(&labels, &numbers, show.columns())
}

type CellText = fn(Show, &VariantSummary) -> String;

/// The rows that say anything.
fn rows<R>(report: &Report<R>) -> Vec<(Message, CellText)> {
    let some = |value: fn(&VariantSummary) -> bool| report.summary.values().any(value);
    let mut rows: Vec<(Message, CellText)> = vec![
        (msg!("report-row-score"), score),
        (msg!("report-row-interval", level = level(report.summary.values().filter_map(|of| of.ci.as_ref()))), interval),
    ];
    let layers: [CellText; 3] = [
        |show, of| layer(show, of, Layer::Fact),
        |show, of| layer(show, of, Layer::Behavior),
        |show, of| layer(show, of, Layer::Judge),
    ];
    for (which, cell) in Layer::ALL.into_iter().zip(layers) {
        if report.summary.values().any(|of| of.layers.get(which).is_some()) {
            rows.push((layer_name(which), cell));
        }
    }
    rows.push((msg!("report-row-checks"), checks));
    rows.push((msg!("report-row-answered"), answered));
    rows.push((msg!("report-row-cost"), cost));
    if some(|of| of.avg_duration_ms.is_some()) {
        rows.push((msg!("report-row-time"), time));
    }
    if some(|of| of.avg_total_tokens.is_some()) {
        rows.push((msg!("report-row-tokens"), tokens));
    }
    rows
}

fn column<R>(
    report: &Report<R>,
    show: Show,
    rows: &[(Message, CellText)],
    i: usize,
    name: &str,
) -> Option<Vec<String>> {
    let of = report.summary.get(name)?;
    let name = clip(name, NAME);
    let head = match (i, report.meta.variants.len()) {
        (0, 2..) => show.text(&msg!("report-control", name = name)),
        _ => name,
    };
    Some(std::iter::once(head).chain(rows.iter().map(|(_, cell)| cell(show, of))).collect())
}

/// As many columns beside the labels as fit, then the next block.
pub(super) fn blocks(labels: &[String], numbers: &[Vec<String>], width: usize) -> String {
    let label_width = widest(labels);
    let mut blocks: Vec<String> = Vec::new();
    let mut left = numbers;
    while !left.is_empty() {
        let mut used = label_width;
        let fits = |column: &&Vec<String>| {
            used += GAP.len() + widest(*column);
            used <= width
        };
        let taken = left.iter().take_while(fits).count().max(1);
        let (block, rest) = left.split_at(taken);
        let row = |(i, label): (usize, &String)| {
            std::iter::once(label.clone()).chain(block.iter().map(|column| column[i].clone())).collect::<Vec<String>>()
        };
        let rows: Vec<Vec<String>> = labels.iter().enumerate().map(row).collect();
        blocks.push(columns(&rows).join("\n") + "\n");
        left = rest;
    }
    blocks.join("\n")
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

fn checks(show: Show, of: &VariantSummary) -> String {
    ratio(show, of.checks.passed, of.checks.passed + of.checks.failed)
}

fn answered(show: Show, of: &VariantSummary) -> String {
    ratio(show, of.outcomes.answered, of.outcomes.total())
}

fn ratio(show: Show, part: u64, whole: u64) -> String {
    show.text(&msg!("report-of", part = part, whole = whole))
}

fn cost(show: Show, of: &VariantSummary) -> String {
    of.avg_cost_usd.map_or_else(|| show.text(&msg!("report-unknown")), |usd| Usd(usd).to_string())
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
fn time(show: Show, of: &VariantSummary) -> String {
    of.avg_duration_ms.map_or_else(|| show.text(&msg!("report-unknown")), |ms| duration(ms as f64))
}

fn tokens(show: Show, of: &VariantSummary) -> String {
    of.avg_total_tokens.map_or_else(|| show.text(&msg!("report-unknown")), |tokens| tokens.to_string())
}
