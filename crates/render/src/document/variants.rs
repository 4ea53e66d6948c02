//! Numbers of each variant.

use eval_format::{LayerSummary, Report, VariantSummary};
use eval_message::{Arg, Message, msg};
use eval_spec::Layer;
use eval_spec::units::Usd;

use super::block::{Block, Table};
use super::text::name;
use crate::minus::{duration, level, points};

/// The most columns of a variant's name in a table.
const NAME: usize = 24;

pub(crate) struct VariantNumber {
    /// Word in catalogues.
    pub(crate) word: &'static str,
    pub(crate) is_known: fn(&VariantSummary) -> bool,
    pub(crate) text: fn(&VariantSummary) -> Arg,
}

const fn number(
    word: &'static str,
    is_known: fn(&VariantSummary) -> bool,
    text: fn(&VariantSummary) -> Arg,
) -> VariantNumber {
    VariantNumber { word, is_known, text }
}

pub(crate) const NUMBERS: [VariantNumber; 10] = [
    number("score", |arm| arm.planned_scores > 0, score),
    number("interval", |arm| arm.ci.is_some(), interval),
    number("fact", |arm| arm.layers.fact.is_some(), |arm| layer(arm.layers.fact.as_ref())),
    number("behavior", |arm| arm.layers.behavior.is_some(), |arm| layer(arm.layers.behavior.as_ref())),
    number("judge", |arm| arm.layers.judge.is_some(), |arm| layer(arm.layers.judge.as_ref())),
    number("checks", |arm| checks(arm).1 > 0, |arm| ratio(checks(arm))),
    number("answered", |_| true, |arm| ratio(answered(arm))),
    number(
        "cost",
        |arm| arm.avg_cost_usd.is_some(),
        |arm| or_unknown(arm.avg_cost_usd.map(|usd| Usd(usd).to_string())),
    ),
    number("time", |arm| arm.avg_duration_ms.is_some(), time),
    number(
        "tokens",
        |arm| arm.avg_total_tokens.is_some(),
        |arm| or_unknown(arm.avg_total_tokens.map(|n| n.to_string())),
    ),
];

/// Returns the checks that passed, and all that could be evaluated.
pub(crate) fn checks(summary: &VariantSummary) -> (u64, u64) {
    (summary.checks.passed, summary.checks.passed + summary.checks.failed)
}

/// Returns the executions with an answer, and all.
pub(crate) fn answered(summary: &VariantSummary) -> (u64, u64) {
    (summary.outcomes.answered, summary.outcomes.total())
}

impl VariantNumber {
    /// Returns the head of a row or column.
    pub(crate) fn head(&self, level: &str) -> Message {
        match self.word {
            "score" => msg!("report-row-score"),
            "interval" => msg!("report-row-interval", level = level),
            "checks" => msg!("report-row-checks"),
            "answered" => msg!("report-row-answered"),
            "cost" => msg!("report-row-cost"),
            "time" => msg!("report-row-time"),
            "tokens" => msg!("report-row-tokens"),
            layer => msg!("report-row-layer", layer = layer),
        }
    }
}

/// Returns a row for each number, and a column for each of these variants.
pub(crate) fn table<'r, R>(report: &'r Report<R>, variants: impl Iterator<Item = &'r String>) -> Block {
    let control = report.meta.variants.first().filter(|_| report.meta.variants.len() > 1);
    let head = |variant: &'r String| match Some(variant) == control {
        true => msg!("report-control", name = name(variant, NAME)).into(),
        false => name(variant, NAME),
    };
    let arms = variants.filter_map(|variant| Some((head(variant), report.summary.get(variant)?)));
    let (heads, arms): (Vec<Arg>, Vec<&VariantSummary>) = arms.unzip();
    let level = level(report.summary.values().filter_map(|arm| arm.ci.as_ref()));
    let is_always = |word| !Layer::ALL.iter().any(|layer| layer.name() == word) && word != "time" && word != "tokens";
    let is_shown = |number: &&VariantNumber| is_always(number.word) || report.summary.values().any(number.is_known);
    let row = |number: &VariantNumber| {
        let cells = arms.iter().map(|arm| (number.text)(arm));
        std::iter::once(number.head(&level).into()).chain(cells).collect()
    };
    Block::Table(Table {
        heads: std::iter::once("".into()).chain(heads).collect(),
        texts: &[0],
        rows: NUMBERS.iter().filter(is_shown).map(row).collect(),
        indent: 0,
    })
}

fn or_unknown(text: Option<String>) -> Arg {
    text.map_or_else(|| msg!("report-unknown").into(), Arg::Text)
}

fn score(summary: &VariantSummary) -> Arg {
    or_unknown(summary.avg_composite_score.filter(|_| summary.planned_scores > 0).map(points))
}

fn interval(summary: &VariantSummary) -> Arg {
    match summary.ci {
        None => "–".into(),
        Some(ci) if ci.degenerate => msg!("report-no-spread").into(),
        Some(ci) => msg!("report-range", low = points(ci.low), high = points(ci.high)).into(),
    }
}

fn layer(layer: Option<&LayerSummary>) -> Arg {
    layer.map_or("–".into(), |layer| or_unknown(layer.mean.map(points)))
}

fn ratio((part, whole): (u64, u64)) -> Arg {
    msg!("report-of", part = part, whole = whole).into()
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds, for people")]
fn time(summary: &VariantSummary) -> Arg {
    or_unknown(summary.avg_duration_ms.map(|ms| duration(ms as f64)))
}
