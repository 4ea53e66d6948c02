//! A row for each task result.

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult};
use serde_json::{Map, Value, json};

use crate::view::rows::{RowField, Rows};

struct SkillResult<'r> {
    of: &'r SkillEvaluation,
    skill: &'r SkillCompletionReport,
    result: &'r TaskResult,
}

type SkillResultField = fn(&SkillResult<'_>) -> RowField;

/// The value of a key that is more than a text.
type TaskResultValue = fn(&TaskResult) -> Value;

const COLUMNS: &[(&str, SkillResultField)] = &[
    ("evaluation", |e| RowField::text(&e.of.id)),
    ("benchmark", |e| RowField::text(&e.of.benchmark.id)),
    ("skill", |e| RowField::text(&e.skill.skill_id)),
    ("skill_version", |e| RowField::text(&e.skill.skill_version)),
    ("task", |e| RowField::text(&e.result.task_id)),
    ("run", |e| RowField::figure(e.result.run)),
    ("status", |e| RowField::figure(e.result.status.name())),
    ("score", |e| RowField::known(e.result.score)),
    ("scorer", |e| RowField::figure(e.result.scorer.name())),
    ("latency_ms", |e| RowField::known(e.result.latency_ms)),
    ("start_ms", |e| RowField::known(e.result.start_ms)),
    ("attempts", |e| RowField::figure(e.result.attempts)),
    ("tokens", |e| RowField::known(e.result.tokens)),
    ("tags", |e| RowField::text(&e.result.tags.join(" "))),
    ("description", |e| RowField::text(&e.result.description)),
    ("reason", |e| RowField::optional(e.result.reason.as_ref())),
    ("error", |e| RowField::optional(e.result.error.as_ref())),
    ("input", |e| RowField::json(&e.result.input)),
    ("expected", |e| RowField::json(&e.result.expected)),
    ("output", |e| e.result.output.as_ref().map_or_else(|| RowField::figure(""), RowField::json)),
    ("schema_mismatches", |e| RowField::text(&e.result.schema_mismatches.join("; "))),
    ("stderr", |e| RowField::optional(e.result.stderr.as_ref())),
];

/// Keys that are one text in a table, and more than that in JSON.
const VALUES: &[(&str, TaskResultValue)] = &[
    ("tags", |of| json!(of.tags)),
    ("weight", |of| json!(of.weight)),
    ("input", |of| of.input.clone()),
    ("expected", |of| of.expected.clone()),
    ("output", |of| json!(of.output)),
    ("schema_mismatches", |of| json!(of.schema_mismatches)),
];

/// The task results as JSON objects: the columns, with values as they are.
pub(crate) fn objects(of: &SkillEvaluation) -> impl Iterator<Item = Map<String, Value>> {
    let object = |of: SkillResult<'_>| {
        let columns = COLUMNS.iter().map(|(name, field)| ((*name).to_owned(), field(&of).into_value()));
        let values = VALUES.iter().map(|(name, value)| ((*name).to_owned(), value(of.result)));
        columns.chain(values).collect()
    };
    of.skills.iter().flat_map(move |skill| results(of, skill)).map(object)
}

pub(crate) fn rows(of: &SkillEvaluation) -> Rows<'_> {
    let row = |of: SkillResult<'_>| COLUMNS.iter().map(|(_, field)| field(&of)).collect();
    Rows {
        heads: COLUMNS.iter().map(|(name, _)| *name).collect(),
        rows: Box::new(of.skills.iter().flat_map(move |skill| results(of, skill)).map(row)),
    }
}

fn results<'r>(of: &'r SkillEvaluation, skill: &'r SkillCompletionReport) -> impl Iterator<Item = SkillResult<'r>> {
    skill.task_results.iter().map(move |result| SkillResult { of, skill, result })
}
