//! A row for each task result.

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult};

use crate::view::rows::{Field, Rows};

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
) -> impl Iterator<Item = Vec<Field>> + use<'r> {
    skill.task_results.iter().map(move |result| {
        let mut row: Vec<Field> =
            [&of.id, &of.benchmark.id, &skill.skill_id, &skill.skill_version].map(|id| Field::text(id)).into();
        row.extend(result_fields(result));
        row
    })
}

fn result_fields(of: &TaskResult) -> [Field; 18] {
    [
        Field::text(&of.task_id),
        Field::figure(of.run),
        Field::figure(of.status.name()),
        Field::known(of.score),
        Field::figure(of.scorer.name()),
        Field::known(of.latency_ms),
        Field::known(of.start_ms),
        Field::figure(of.attempts),
        Field::known(of.tokens),
        Field::text(&of.tags.join(" ")),
        Field::text(&of.description),
        Field::optional(of.reason.as_ref()),
        Field::optional(of.error.as_ref()),
        Field::json(&of.input),
        Field::json(&of.expected),
        of.output.as_ref().map_or_else(|| Field::figure(""), Field::json),
        Field::text(&of.schema_mismatches.join("; ")),
        Field::optional(of.stderr.as_ref()),
    ]
}
