//! A row for each execution: sample × variant × repeat.

use eval_format::{Report, VariantResult};
use eval_spec::Judged;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::executions::{ExportedExecution, executions};
use crate::view::rows::{RowField, Rows};

type ExportedField = fn(&ExportedExecution<'_>) -> RowField;

/// The value of a key that is no column.
type ExportedValue = fn(&ExportedExecution<'_>) -> Value;

/// The columns; scores are points of the 1–5 scale.
const COLUMNS: &[(&str, ExportedField)] = &[
    ("report", |e| RowField::text(&e.report.id)),
    ("sample", |e| RowField::text(&e.sample.sample_id)),
    ("variant", |e| RowField::text(e.variant)),
    ("role", |e| RowField::figure(e.role)),
    ("repeat", |e| RowField::figure(e.repeat)),
    ("outcome", |e| RowField::figure(word(&e.result.outcome))),
    ("composite", |e| RowField::known(score(e.result))),
    ("fact", |e| RowField::known(e.result.layered_scores.fact_score)),
    ("behavior", |e| RowField::known(e.result.layered_scores.behavior_score)),
    ("judge", |e| RowField::known(e.result.layered_scores.judge_score)),
    ("checks_passed", |e| RowField::figure(e.result.assertions.passed)),
    ("checks", |e| RowField::figure(e.result.assertions.total)),
    ("cost_usd", |e| RowField::known(e.result.cost_usd)),
    ("failed_attempts_cost_usd", |e| RowField::known(e.result.failed_attempts_cost.and_then(|cost| cost.total_usd))),
    ("cached", |e| RowField::figure(e.result.cached)),
    ("input_tokens", |e| RowField::known(e.result.input_tokens)),
    ("output_tokens", |e| RowField::known(e.result.output_tokens)),
    ("total_tokens", |e| RowField::known(e.result.total_tokens)),
    ("latency_ms", |e| RowField::known(e.result.duration_ms)),
    ("attempts", |e| RowField::figure(e.result.attempts)),
    ("turns", |e| RowField::known(e.result.turns)),
    ("model", |e| RowField::optional(e.result.model.as_ref())),
    ("started_at", |e| RowField::optional(e.result.started_at.as_ref())),
    ("tripwire", |e| RowField::figure(e.sample.tripwire)),
    ("held_out", |e| RowField::figure(e.sample.holdout)),
    ("pairwise", |e| RowField::figure(e.sample.pairwise)),
    ("failure", |e| RowField::known(e.result.error.as_ref().map(|error| word(&error.failure)))),
    ("error", |e| RowField::optional(e.result.error.as_ref().map(|error| &error.message))),
];

/// The executions, samples in the report's order and variants in the run's.
pub(crate) fn rows(report: &Report) -> Rows<'_> {
    let row = |of: ExportedExecution<'_>| COLUMNS.iter().map(|(_, field)| field(&of)).collect();
    Rows { heads: COLUMNS.iter().map(|(name, _)| *name).collect(), rows: Box::new(executions(report).map(row)) }
}

/// Keys that a JSON object has and a table has no room for: `null` where unknown.
const DETAILS: &[(&str, ExportedValue)] = &[
    ("cluster", |e| json!(e.sample.cluster)),
    ("capability", |e| json!(e.sample.capability)),
    ("cache_read_tokens", |e| json!(e.result.cache_read_tokens)),
    ("cache_write_tokens", |e| json!(e.result.cache_write_tokens)),
    ("stop_reason", |e| json!(e.result.stop_reason)),
    ("error_detail", |e| json!(e.result.error.as_ref().and_then(|error| error.detail.as_ref()))),
    ("assertions", |e| json!(e.result.assertions.details)),
    ("dimensions", |e| dimensions(e.result)),
    ("judged", |e| json!(e.result.judged)),
    ("missing", |e| json!(e.result.missing)),
];

/// The texts of an execution, as far as the report has them.
const TEXTS: &[(&str, ExportedValue)] = &[
    ("prompt", |e| json!(e.prompt())),
    ("rubric", |e| json!(e.sample.texts.as_ref().and_then(|texts| texts.rubric.as_ref()))),
    ("answer", |e| json!(e.result.full_output)),
];

/// The executions as JSON objects: the columns, the details, the texts, all in each.
pub(crate) fn objects(report: &Report) -> impl Iterator<Item = Map<String, Value>> {
    executions(report).map(|of| {
        let mut object = facts(&of);
        object.extend(TEXTS.iter().map(|(name, text)| ((*name).to_owned(), text(&of))));
        object
    })
}

/// The columns and the details of an execution.
pub(crate) fn facts(of: &ExportedExecution<'_>) -> Map<String, Value> {
    let columns = COLUMNS.iter().map(|(name, field)| ((*name).to_owned(), field(of).into_value()));
    let details = DETAILS.iter().map(|(name, detail)| ((*name).to_owned(), detail(of)));
    columns.chain(details).collect()
}

/// The score of each judged dimension; a rubric is called that.
fn dimensions(of: &VariantResult) -> Value {
    let score =
        |judged: &Judged| (judged.dimension.clone().unwrap_or_else(|| "rubric".to_owned()), json!(judged.score));
    Value::Object(of.judged.iter().map(score).collect())
}

/// The composite. The scale begins at 1; in a report 0 means a sample with nothing to score.
pub(crate) fn score(of: &VariantResult) -> Option<f64> {
    of.composite_score.filter(|score| *score > 0.0)
}

/// The word that JSON has for it.
pub(crate) fn word<T: Serialize>(of: &T) -> String {
    serde_json::to_value(of).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
