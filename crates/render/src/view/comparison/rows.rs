//! A row for each execution: sample × variant × repeat.

use eval_format::{Report, SampleResult, VariantResult};
use serde::Serialize;

use crate::view::rows::{Field, Rows};

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

fn sample_rows<'r>(report: &'r Report, sample: &'r SampleResult) -> impl Iterator<Item = Vec<Field>> + use<'r> {
    let of_variant = move |(place, name): (usize, &'r String)| {
        let result = sample.variants.get(name)?;
        let role = if place == 0 { "control" } else { "treatment" };
        let before = move |repeat: u32| {
            [
                Field::text(&report.id),
                Field::text(&sample.sample_id),
                Field::text(name),
                Field::figure(role),
                Field::figure(repeat),
            ]
        };
        Some((0..).zip(result.executions()).map(move |(repeat, one)| {
            let mut row: Vec<Field> = before(one.repeat.unwrap_or(repeat)).into();
            row.extend(numbers(one));
            row.extend(circumstances(sample, one));
            row
        }))
    };
    report.meta.variants.iter().enumerate().filter_map(of_variant).flatten()
}

fn numbers(of: &VariantResult) -> [Field; 16] {
    let layers = &of.layered_scores;
    [
        Field::figure(word(&of.outcome)),
        Field::known(score(of)),
        Field::known(layers.fact_score),
        Field::known(layers.behavior_score),
        Field::known(layers.judge_score),
        Field::figure(of.assertions.passed),
        Field::figure(of.assertions.total),
        Field::known(of.cost_usd),
        Field::known(of.failed_attempts_cost.and_then(|cost| cost.total_usd)),
        Field::figure(of.cached),
        Field::known(of.input_tokens),
        Field::known(of.output_tokens),
        Field::known(of.total_tokens),
        Field::known(of.duration_ms),
        Field::figure(of.attempts),
        Field::known(of.turns),
    ]
}

fn circumstances(sample: &SampleResult, of: &VariantResult) -> [Field; 7] {
    [
        Field::optional(of.model.as_ref()),
        Field::optional(of.started_at.as_ref()),
        Field::figure(sample.tripwire),
        Field::figure(sample.holdout),
        Field::figure(sample.pairwise),
        Field::known(of.error.as_ref().map(|error| word(&error.failure))),
        Field::optional(of.error.as_ref().map(|error| &error.message)),
    ]
}

/// The composite. The scale begins at 1; the 0 of a report stands for a sample that plans nothing to score.
pub(super) fn score(of: &VariantResult) -> Option<f64> {
    of.composite_score.filter(|score| *score > 0.0)
}

/// The word that JSON has for it.
pub(super) fn word<T: Serialize>(of: &T) -> String {
    serde_json::to_value(of).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
