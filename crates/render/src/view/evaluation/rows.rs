//! A row for each task result.

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult};

use crate::view::rows::{RowField, Rows};

const COLUMNS: &[&str] = &[
    "evaluation",
    "benchmark",
    "skill",
    "skill_version",
    "task",
    "run",
    "status",
    "score",
    "scorer",
    "latency_ms",
    "start_ms",
    "attempts",
    "tokens",
    "tags",
    "description",
    "reason",
    "error",
    "input",
    "expected",
    "output",
    "schema_mismatches",
    "stderr",
];

/// The task results of every skill.
pub(crate) fn rows(of: &SkillEvaluation) -> Rows<'_> {
    let of_skill = move |skill| skill_rows(of, skill);
    Rows { heads: COLUMNS, rows: Box::new(of.skills.iter().flat_map(of_skill)) }
}

fn skill_rows<'r>(
    of: &'r SkillEvaluation,
    skill: &'r SkillCompletionReport,
) -> impl Iterator<Item = Vec<RowField>> + use<'r> {
    skill.task_results.iter().map(move |result| {
        let mut row: Vec<RowField> =
            [&of.id, &of.benchmark.id, &skill.skill_id, &skill.skill_version].map(|id| RowField::text(id)).into();
        row.extend(result_fields(result));
        row
    })
}

fn result_fields(of: &TaskResult) -> [RowField; 18] {
    [
        RowField::text(&of.task_id),
        RowField::figure(of.run),
        RowField::figure(of.status.name()),
        RowField::known(of.score),
        RowField::figure(of.scorer.name()),
        RowField::known(of.latency_ms),
        RowField::known(of.start_ms),
        RowField::figure(of.attempts),
        RowField::known(of.tokens),
        RowField::text(&of.tags.join(" ")),
        RowField::text(&of.description),
        RowField::optional(of.reason.as_ref()),
        RowField::optional(of.error.as_ref()),
        RowField::json(&of.input),
        RowField::json(&of.expected),
        of.output.as_ref().map_or_else(|| RowField::figure(""), RowField::json),
        RowField::text(&of.schema_mismatches.join("; ")),
        RowField::optional(of.stderr.as_ref()),
    ]
}
