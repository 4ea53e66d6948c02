//! A row for each execution: sample × variant × repeat.

use eval_format::{Report, SampleResult, VariantResult};
use serde::Serialize;

use crate::view::rows::{RowField, Rows};

const COLUMNS: &[&str] = &[
    "report",
    "sample",
    "variant",
    "role",
    "repeat",
    "outcome",
    "composite",
    "fact",
    "behavior",
    "judge",
    "checks_passed",
    "checks",
    "cost_usd",
    "failed_attempts_cost_usd",
    "cached",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "latency_ms",
    "attempts",
    "turns",
    "model",
    "started_at",
    "tripwire",
    "held_out",
    "pairwise",
    "failure",
    "error",
];

/// The executions, samples in the report's order and variants in the run's. Scores are points of the 1–5 scale.
pub(crate) fn rows(report: &Report) -> Rows<'_> {
    let of_sample = move |sample| sample_rows(report, sample);
    Rows { heads: COLUMNS, rows: Box::new(report.results.iter().flat_map(of_sample)) }
}

fn sample_rows<'r>(report: &'r Report, sample: &'r SampleResult) -> impl Iterator<Item = Vec<RowField>> + use<'r> {
    let of_variant = move |(place, name): (usize, &'r String)| {
        let result = sample.variants.get(name)?;
        let role = if place == 0 { "control" } else { "treatment" };
        let before = move |repeat: u32| {
            [
                RowField::text(&report.id),
                RowField::text(&sample.sample_id),
                RowField::text(name),
                RowField::figure(role),
                RowField::figure(repeat),
            ]
        };
        Some((0..).zip(result.executions()).map(move |(repeat, one)| {
            let mut row: Vec<RowField> = before(one.repeat.unwrap_or(repeat)).into();
            row.extend(numbers(one));
            row.extend(circumstances(sample, one));
            row
        }))
    };
    report.meta.variants.iter().enumerate().filter_map(of_variant).flatten()
}

fn numbers(of: &VariantResult) -> [RowField; 16] {
    let layers = &of.layered_scores;
    [
        RowField::figure(word(&of.outcome)),
        RowField::known(score(of)),
        RowField::known(layers.fact_score),
        RowField::known(layers.behavior_score),
        RowField::known(layers.judge_score),
        RowField::figure(of.assertions.passed),
        RowField::figure(of.assertions.total),
        RowField::known(of.cost_usd),
        RowField::known(of.failed_attempts_cost.and_then(|cost| cost.total_usd)),
        RowField::figure(of.cached),
        RowField::known(of.input_tokens),
        RowField::known(of.output_tokens),
        RowField::known(of.total_tokens),
        RowField::known(of.duration_ms),
        RowField::figure(of.attempts),
        RowField::known(of.turns),
    ]
}

fn circumstances(sample: &SampleResult, of: &VariantResult) -> [RowField; 7] {
    [
        RowField::optional(of.model.as_ref()),
        RowField::optional(of.started_at.as_ref()),
        RowField::figure(sample.tripwire),
        RowField::figure(sample.holdout),
        RowField::figure(sample.pairwise),
        RowField::known(of.error.as_ref().map(|error| word(&error.failure))),
        RowField::optional(of.error.as_ref().map(|error| &error.message)),
    ]
}

/// The composite. The scale begins at 1; in a report 0 means a sample with nothing to score.
pub(super) fn score(of: &VariantResult) -> Option<f64> {
    of.composite_score.filter(|score| *score > 0.0)
}

/// The word that JSON has for it.
pub(super) fn word<T: Serialize>(of: &T) -> String {
    serde_json::to_value(of).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
