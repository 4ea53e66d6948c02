//! One record of the engine → one task result, with everything needed to score it again.

use std::time::Duration;

use eval_format::skills::{TaskResult, TaskStatus};
use eval_message::{Lang, Message, msg};
use eval_spec::callable::{CallableSkill, SkillRun, Task, read_exactly, schema_mismatches, score_check};
use eval_spec::record::{Executed, Record};
use eval_spec::{Check, CheckOutcome, ExecError, Failure, Grade, Outcome, Output};
use serde_json::Value;

/// The result of one task in one run. `timeout` is the limit of tasks without one of their own; texts that are kept
/// for people are written in `lang`.
#[must_use]
pub fn task_result(skill: &CallableSkill, task: &Task, record: &Record, timeout: Duration, lang: Lang) -> TaskResult {
    let execution = &record.execution;
    let failed = execution.failed_attempts.iter().map(|error| error_text(error, lang)).collect::<Vec<_>>();
    let result = TaskResult {
        task_id: task.id.to_string(),
        run: execution.key.repeat.saturating_add(1),
        description: task.description.clone(),
        tags: task.tags.clone(),
        status: TaskStatus::HarnessError,
        score: None,
        weight: task.weight,
        scorer: task.scorer.kind(),
        reason: None,
        input: flat_enough(task.input.clone()),
        expected: flat_enough(task.expected.clone()),
        output: None,
        latency_ms: None,
        start_ms: None,
        attempts: u32::try_from(failed.len()).unwrap_or(u32::MAX).saturating_add(1),
        failed_attempts: failed,
        error: None,
        stderr: None,
        schema_mismatches: Vec::new(),
        tokens: None,
    };
    match &execution.result {
        Executed::Output(output) => answered(skill, result, output, record.grade.as_ref(), lang),
        Executed::Failed(error) => failure(result, record, error, task.timeout.unwrap_or(timeout), lang),
    }
}

fn answered(
    skill: &CallableSkill,
    mut result: TaskResult,
    output: &Output,
    grade: Option<&Grade>,
    lang: Lang,
) -> TaskResult {
    copy_measurements(&mut result, output);
    result.output = Some(json_of(&output.text));
    if output.outcome != Outcome::Answered {
        let error = msg!("skills-report-no-answer").text(lang);
        return TaskResult { status: TaskStatus::Error, score: Some(0.0), error: Some(error), ..result };
    }
    if skill.output_schema.is_some() {
        result.schema_mismatches = grade.and_then(schema_mismatches).unwrap_or_default();
    }
    match grade.and_then(score_check) {
        Some(check) => scored(result, check, lang),
        None => unscored(result, &msg!("skills-report-not-scored"), lang),
    }
}

fn unscored(result: TaskResult, why: &Message, lang: Lang) -> TaskResult {
    TaskResult { status: TaskStatus::Unscored, reason: Some(why.text(lang)), ..result }
}

fn scored(result: TaskResult, check: &Check, lang: Lang) -> TaskResult {
    let given = check.score.map(eval_spec::units::Ratio::get);
    let (status, score) = match &check.outcome {
        CheckOutcome::Passed => (TaskStatus::Pass, Some(given.unwrap_or(1.0))),
        CheckOutcome::Failed => (TaskStatus::Fail, Some(given.unwrap_or(0.0))),
        CheckOutcome::Unscored { why } => return unscored(result, why, lang),
        // a share alone decides nothing, and no scorer of a task gives one
        CheckOutcome::Rated { .. } => return unscored(result, &msg!("skills-report-not-scored"), lang),
    };
    TaskResult { status, score, reason: check.message.as_ref().map(|message| message.text(lang)), ..result }
}

fn failure(mut result: TaskResult, record: &Record, error: &ExecError, limit: Duration, lang: Lang) -> TaskResult {
    if let Some(partial) = &error.partial {
        copy_measurements(&mut result, partial);
        result.output = (!partial.text.is_empty()).then(|| json_of(&partial.text));
    }
    result.status = status_of(error.failure);
    result.score = result.status.counts().then_some(0.0);
    result.error = Some(error_text(error, lang));
    match result.status {
        TaskStatus::Timeout => result.latency_ms = Some(milliseconds(limit)),
        TaskStatus::Error => result.latency_ms = result.latency_ms.or_else(|| elapsed(record, result.start_ms)),
        _ => {}
    }
    result
}

/// The duration of a failure without a measured latency: from leaving the queue to the end, if there was one attempt.
fn elapsed(record: &Record, start_ms: Option<f64>) -> Option<f64> {
    let execution = &record.execution;
    let whole = execution.finished_at.duration_since(execution.started_at).as_secs_f64() * 1000.0;
    (execution.failed_attempts.is_empty() && whole >= 0.0).then(|| (whole - start_ms.unwrap_or(0.0)).max(0.0))
}

/// Whose fault a failure is.
fn status_of(failure: Failure) -> TaskStatus {
    match failure {
        Failure::Timeout => TaskStatus::Timeout,
        of if of.is_the_skills() => TaskStatus::Error,
        _ => TaskStatus::HarnessError,
    }
}

/// Copies latency, stderr, start time and tokens of the run.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of a call")]
fn copy_measurements(result: &mut TaskResult, output: &Output) {
    result.latency_ms = output.latency_ms.map(|ms| ms as f64);
    let Some(run) = output.skill.as_deref() else { return };
    let SkillRun { stderr, start_ms, start_us, latency_us, tokens, .. } = run;
    result.latency_ms = latency_us.map(|us| us as f64 / 1000.0).or(result.latency_ms);
    result.stderr = (!stderr.is_empty()).then(|| stderr.clone());
    result.start_ms = start_us.map(|us| us as f64 / 1000.0).or(start_ms.map(|ms| ms as f64));
    result.tokens = *tokens;
}

/// What a skill returned is JSON, numbers that no float holds as texts; what is not is kept as the text it is.
fn json_of(text: &str) -> Value {
    match read_exactly(text) {
        Ok(value) if !is_deeper(&value, DEEPEST) => value,
        _ => Value::String(text.to_owned()),
    }
}

/// How deep a value of a result may be nested. Readers of JSON stop at 128 levels, and a report puts some around it.
const DEEPEST: usize = 100;

/// The value, or its JSON text where it is nested deeper.
fn flat_enough(value: Value) -> Value {
    match is_deeper(&value, DEEPEST) {
        true => Value::String(value.to_string()),
        false => value,
    }
}

fn is_deeper(value: &Value, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Value::Array(_) | Value::Object(_), None) => true,
        (Value::Array(of), Some(left)) => of.iter().any(|value| is_deeper(value, left)),
        (Value::Object(of), Some(left)) => of.values().any(|value| is_deeper(value, left)),
        _ => false,
    }
}

fn error_text(error: &ExecError, lang: Lang) -> String {
    let message = error.message.text(lang);
    match error.detail.as_deref().filter(|detail| !detail.is_empty()) {
        Some(detail) => format!("{message}: {detail}"),
        None => message,
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
