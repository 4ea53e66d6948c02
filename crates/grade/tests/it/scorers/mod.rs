//! Scoring through the crate's door: what a skill returned, as the engine hands it on.

pub(crate) mod benchmarks;
mod exact;
mod gaia;
mod hostile;
mod judge;
mod others;
mod quality;
mod schemas;
mod tool_calls;

use std::path::PathBuf;
use std::sync::Arc;

use eval_grade::scorer::{Scoring, ScoringSetup};
use eval_spec::callable::{AdapterConfig, AdapterType, CallableSkill, Scorer, Task, score_check};
use eval_spec::{Cell, CellKey, Check, CheckOutcome, Diagnostics, Grade, Grader, Output};
use serde_json::{Map, Value, json};

pub(crate) fn task(scorer: Scorer) -> Task {
    Task {
        id: "t1".into(),
        description: "Adds".to_owned(),
        input: json!({"expression": "2+3"}),
        expected: json!({"value": "5"}),
        scorer,
        timeout: None,
        weight: None,
        tags: vec!["math".to_owned()],
        place: None,
    }
}

pub(crate) fn skill() -> CallableSkill {
    CallableSkill {
        id: "calc".into(),
        name: "Calc".to_owned(),
        version: "1.0.0".to_owned(),
        description: "Evaluates arithmetic expressions and gives the value back".to_owned(),
        tags: vec!["math".to_owned()],
        input_schema: None,
        output_schema: None,
        adapter: AdapterType::Subprocess,
        entrypoint: "python3 skill.py".to_owned(),
        metadata: Map::new(),
        config: AdapterConfig::default(),
        directory: PathBuf::from("/nonexistent"),
        file: PathBuf::from("/nonexistent/skill.json"),
        hash: "00".into(),
    }
}

pub(crate) fn cell() -> Cell {
    let key = CellKey { sample: "t1".into(), subject: "calc".into(), repeat: 0 };
    Cell { key, sample: 0, subject: 0, fingerprint: Arc::from("f") }
}

pub(crate) fn grade_with(
    task: Task,
    skill: CallableSkill,
    setup: ScoringSetup,
    json: &str,
) -> Result<Grade, Diagnostics> {
    let scoring = Scoring::new(&[task], &[skill], setup)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    Ok(runtime.block_on(scoring.grade(&cell(), &Output::text(json))))
}

/// The scorer's check of an output, given as JSON.
pub(crate) fn check(scorer: Scorer, json: &str) -> Check {
    let grade = grade_with(task(scorer), skill(), ScoringSetup::default(), json).unwrap();
    score_check(&grade).unwrap().clone()
}

/// Passed, and the score: as a report reads them.
pub(crate) fn verdict(check: &Check) -> Option<(bool, f64)> {
    let passed = check.outcome.passed()?;
    Some((passed, check.score.map_or(f64::from(u8::from(passed)), eval_spec::units::Ratio::get)))
}

pub(crate) fn score(scorer: Scorer, output: &Value) -> Option<(bool, f64)> {
    verdict(&check(scorer, &output.to_string()))
}

pub(crate) fn why(check: &Check) -> String {
    match &check.outcome {
        CheckOutcome::Unscored { why } => why.to_string(),
        _ => check.message.as_ref().map(ToString::to_string).unwrap_or_default(),
    }
}

/// What is wrong with a task's scorer, in English.
pub(crate) fn refusal(scorer: Scorer) -> String {
    let refused = Scoring::new(&[task(scorer)], &[skill()], ScoringSetup::default());
    refused.err().map(|problems| problems.to_string()).unwrap_or_default()
}
