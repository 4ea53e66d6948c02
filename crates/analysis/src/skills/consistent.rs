//! Consistency of a stored evaluation: every number is in its range, and the summaries follow from the task results.
//! An edited rate would change the ranking of `select` and the comparison of `report diff`.

use std::collections::{BTreeSet, HashSet};

use eval_format::skills::{
    Contradiction, EvaluationStatus, RateInterval, SkillCompletionReport, SkillEvaluation, TaskResult,
};
use serde_json::{Value, json};

use super::summary::{Design, summarised};

/// Rates that must be there wherever something counted.
const ALWAYS: [&str; 3] = ["completionRate", "errorRate", "partialScore"];

/// Checks a whole evaluation.
pub(crate) fn check(of: &SkillEvaluation) -> Result<(), Contradiction> {
    let settings = of.settings.runs;
    if settings == 0 {
        return Err(impossible("", "settings.runs", json!(settings)));
    }
    of.skills.iter().try_for_each(|skill| one(of, skill))?;
    same("", "unsound", &json!(of.unsound), &json!(of.is_unsound()))?;
    share("", "gate.minCompletion", of.gate.as_ref().map(|gate| gate.min_completion))?;
    same("", "gate", &json!(of.gate), &json!(super::evaluate::gate_again(of)))
}

fn one(of: &SkillEvaluation, skill: &SkillCompletionReport) -> Result<(), Contradiction> {
    let id = &skill.skill_id;
    let runs = of.settings.runs;
    // before anything is counted up to it
    if skill.runs.len() != runs as usize {
        return Err(contradiction(id, "runs", &json!(skill.runs.len()), &json!(runs)));
    }
    results(of, skill)?;
    let summary = &skill.summary;
    interval(id, "summary.completionInterval", summary.completion_interval.as_ref())?;
    for (tag, of) in &skill.tag_results {
        interval(id, &format!("tagResults.{tag}.completionInterval"), of.completion_interval.as_ref())?;
    }
    let design = Design {
        tasks: of.benchmark.tasks,
        runs,
        limit_ms: of.benchmark.max_latency_ms,
        method: of.benchmark.scoring_method,
        has_schema: summary.output_schema_mismatches.is_some(),
        seed: None,
    };
    let again = summarised(&skill.task_results, &design);
    same(id, "summary", &json!(summary), &json!(again.summary))?;
    same(id, "counts", &json!(skill.counts), &json!(again.counts))?;
    let (status, there) = (of.status, skill.counts.counted() + skill.counts.uncounted());
    if status == EvaluationStatus::Complete && there != skill.counts.total {
        return Err(contradiction(id, "status", &json!(status), &json!(EvaluationStatus::Interrupted)));
    }
    same(id, "runs", &json!(skill.runs), &json!(again.runs))?;
    same(id, "tagResults", &json!(skill.tag_results), &json!(again.tag_results))
}

/// Each task once in each run, and no more than there are; scores and times that can be.
fn results(of: &SkillEvaluation, skill: &SkillCompletionReport) -> Result<(), Contradiction> {
    let id = &skill.skill_id;
    let mut seen = HashSet::new();
    for (at, result) in skill.task_results.iter().enumerate() {
        let field = |name: &str| format!("taskResults[{at}].{name}");
        share(id, &field("score"), result.score)?;
        if result.weight.is_some_and(|weight| !weight.is_finite() || weight < 0.0) {
            return Err(impossible(id, &field("weight"), json!(result.weight)));
        }
        for (name, ms) in [("latencyMs", result.latency_ms), ("startMs", result.start_ms)] {
            if ms.is_some_and(|ms| !ms.is_finite() || ms < 0.0) {
                return Err(impossible(id, &field(name), json!(ms)));
            }
        }
        let TaskResult { task_id, run, .. } = result;
        if !(1..=of.settings.runs).contains(run) || !seen.insert((task_id, run)) {
            return Err(impossible(id, &field("run"), json!(run)));
        }
    }
    let tasks = skill.task_results.iter().map(|result| &result.task_id).collect::<HashSet<_>>().len();
    match tasks > of.benchmark.tasks {
        true => Err(contradiction("", "benchmark.tasks", &json!(of.benchmark.tasks), &json!(tasks))),
        false => Ok(()),
    }
}

/// Intervals are not computed again, which takes long.
fn interval(skill: &str, field: &str, of: Option<&RateInterval>) -> Result<(), Contradiction> {
    let Some(of) = of else { return Ok(()) };
    share(skill, &format!("{field}.low"), Some(of.low))?;
    share(skill, &format!("{field}.high"), Some(of.high))?;
    match of.low > of.high {
        true => Err(impossible(skill, &format!("{field}.low"), json!(of.low))),
        false => Ok(()),
    }
}

fn share(skill: &str, field: &str, value: Option<f64>) -> Result<(), Contradiction> {
    match value.is_some_and(|value| !(0.0..=1.0).contains(&value)) {
        true => Err(impossible(skill, field, json!(value))),
        false => Ok(()),
    }
}

/// Compares a stored value with what follows. Another number that isn't stored says nothing wrong; and the last digits are
/// the machine's.
fn same(skill: &str, field: &str, stored: &Value, follows: &Value) -> Result<(), Contradiction> {
    let below = |key: &str| format!("{field}.{key}");
    match (stored, follows) {
        (Value::Object(_), Value::Null) if field.ends_with("completionInterval") => Ok(()),
        (Value::Object(of), Value::Object(again)) => {
            let keys: BTreeSet<&String> = of.keys().chain(again.keys()).collect();
            let get = |of: &serde_json::Map<String, Value>, key: &String| of.get(key).cloned().unwrap_or_default();
            keys.into_iter().try_for_each(|key| same(skill, &below(key), &get(of, key), &get(again, key)))
        }
        (Value::Array(of), Value::Array(again)) if of.len() == again.len() => {
            let mut pairs = of.iter().zip(again).enumerate();
            pairs.try_for_each(|(at, (of, again))| same(skill, &format!("{field}[{at}]"), of, again))
        }
        (Value::Null, _) if !ALWAYS.iter().any(|name| field.ends_with(name)) => Ok(()),
        (Value::Number(of), Value::Number(again)) if is_close(of.as_f64(), again.as_f64()) => Ok(()),
        (of, again) if of == again => Ok(()),
        (of, again) => Err(contradiction(skill, field, of, again)),
    }
}

fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0))
}

fn impossible(skill: &str, field: &str, stored: Value) -> Contradiction {
    Contradiction { follows: None, ..contradiction(skill, field, &stored, &Value::Null) }
}

fn contradiction(skill: &str, field: &str, stored: &Value, follows: &Value) -> Contradiction {
    let shown = |value: &Value| match value {
        Value::Object(_) | Value::Array(_) => "{…}".to_owned(),
        // such as 1e300, which has 301 digits otherwise
        Value::Number(number) => match number.as_f64() {
            Some(large) if large.abs() >= 1e15 => format!("{large:e}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    };
    Contradiction {
        skill: skill.to_owned(),
        field: eval_message::plain::shortened(field, 200),
        stored: shown(stored),
        follows: Some(shown(follows)),
    }
}
