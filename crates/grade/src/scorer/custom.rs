//! `custom`: a script in the embedded engine, without files, network or processes; imports stay in the script's
//! folder.
//!
//! `export default function (output, task, skill)`, sync or async:
//!
//! - `output`: the whole output, any JSON value,
//! - `task`: `{ id, description, inputData, expectedOutput, tags }`,
//! - `skill`: `{ id, name, version, description, tags, metadata }`.
//!
//! It returns a number (the score), a boolean (1 or 0), or `{ score, passed?, reason? }`. The score is clamped to 0–1;
//! `passed` decides where it is there, else a score of at least 0.5. Without a score `passed` is 1 or 0. A script that
//! throws, takes too long or returns anything else leaves the task unscored: it says nothing about the answer.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, Task};
use eval_spec::halves::read_mended;
use serde_json::{Value, json};

use crate::excerpt::{EVIDENCE, excerpt};
use crate::finding::CheckFinding;
use crate::scorer::scored::{CompiledScorer, PASSING, ScoredOutput, ScorerScope};
use crate::script::{self, CustomScript, Input, Returned, ScriptSubject, Trouble};
use crate::setup::GraderSetup;

pub(super) fn compile(path: &Path, task: &Task, scope: &ScorerScope<'_>) -> Result<CompiledScorer, Message> {
    let (folder, name) = (path.parent().unwrap_or(Path::new("/")), path.file_name().unwrap_or_default());
    let setup = GraderSetup { limits: scope.setup.limits, ..GraderSetup::default() };
    let script = scope.scripts.load(folder, &name.to_string_lossy(), &setup)?;
    let task = of_task(task).to_string();
    Ok(CompiledScorer::slow(move |seen| score(&script, &task, seen)))
}

fn of_task(task: &Task) -> Value {
    json!({
        "id": task.id,
        "description": task.description,
        "inputData": task.input,
        "expectedOutput": task.expected,
        "tags": task.tags,
    })
}

fn of_skill(skill: &CallableSkill) -> Value {
    json!({
        "id": skill.id,
        "name": skill.name,
        "version": skill.version,
        "description": skill.description,
        "tags": skill.tags,
        "metadata": skill.metadata,
    })
}

fn score(script: &CustomScript, task: &str, seen: &ScoredOutput<'_>) -> CheckFinding {
    let context = vec![task.to_owned(), of_skill(&seen.skill.skill).to_string()];
    let input = Input { output: ScriptSubject::Json(seen.json.to_owned()), context };
    match script.returned(input) {
        Ok(Returned { value, log }) => logged(read(value.as_deref()), log),
        Err(Trouble { why, log }) => logged(CheckFinding::unscored(why), log),
    }
}

fn logged(finding: CheckFinding, log: Vec<String>) -> CheckFinding {
    match log.is_empty() {
        true => finding,
        false => finding.having_seen(json!({ "log": log })),
    }
}

/// What a script returned, as JSON; `None` for `undefined`.
fn read(json: Option<&str>) -> CheckFinding {
    let value = json.and_then(|json| read_mended::<Value>(json).ok());
    let read = match &value {
        Some(Value::Bool(passed)) => Some((None, Some(*passed), None)),
        Some(Value::Number(score)) => Some((score.as_f64(), None, None)),
        Some(Value::Object(fields)) => {
            let (score, passed) = (fields.get("score"), fields.get("passed").or_else(|| fields.get("pass")));
            let proper = score.is_none_or(Value::is_number)
                && passed.is_none_or(Value::is_boolean)
                && (score.is_some() || passed.is_some());
            let reason = fields.get("reason").or_else(|| fields.get("message")).filter(|reason| !reason.is_null());
            proper.then(|| (score.and_then(Value::as_f64), passed.and_then(Value::as_bool), reason.map(script::words)))
        }
        _ => None,
    };
    let Some((score, passed, reason)) = read else {
        let found = excerpt(json.unwrap_or("undefined"), EVIDENCE);
        return CheckFinding::unscored(msg!("skills-grade-custom-improper", found = found));
    };
    let score = score.unwrap_or(if passed == Some(true) { 1.0 } else { 0.0 }).clamp(0.0, 1.0);
    let reason = match reason {
        Some(text) => msg!("grade-custom-said", text = text),
        None => msg!("skills-grade-custom-score", score = score),
    };
    CheckFinding::partial(passed.unwrap_or(score >= PASSING), score, reason)
}
