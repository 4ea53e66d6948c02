//! Agent Skills: the `benchmark.json` of a skill with and without itself, or in two versions.

use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
use crate::source::{BoundedList, ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "agent-skills",
    tool: Some("skill-creator"),
    files: "benchmark.json, a folder of grading.json",
    detect,
    read,
};

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    head.trim_start().starts_with('{')
        && ["runs", "eval_id", "configuration", "run_number"].iter().all(|key| head.contains(&format!("\"{key}\"")))
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let benchmark: SkillBenchmark = source.json()?;
    let mut rows = RowSink::new(source);
    for (at, run) in (0..).zip(benchmark.runs.0) {
        rows.push(row(at, run))?;
    }
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Entry("/runs"),
        rows: rows.rows(),
        overall: Some("pass_rate".into()),
        directions: ScoreDirections::rising(),
        unknown: UnknownFact::ALL.into_iter().filter(|fact| *fact != UnknownFact::ToolVersion).collect(),
        notes: Vec::new(),
    })
}

#[derive(Deserialize)]
struct SkillBenchmark {
    runs: BoundedList<SkillBenchmarkRun>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SkillBenchmarkRun {
    pub(super) eval_id: Value,
    pub(super) configuration: String,
    pub(super) run_number: Option<u64>,
    pub(super) result: SkillBenchmarkResult,
    pub(super) expectations: Vec<SkillBenchmarkExpectation>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SkillBenchmarkResult {
    pub(super) pass_rate: Option<f64>,
    pub(super) total: Option<u64>,
    pub(super) time_seconds: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SkillBenchmarkExpectation {
    pub(super) text: Option<String>,
    pub(super) passed: Option<bool>,
}

pub(super) fn row(at: u64, of: SkillBenchmarkRun) -> ForeignRow {
    let verdicts: Vec<bool> = of.expectations.iter().filter_map(|one| one.passed).collect();
    // the others say nothing of one that was not judged
    let open = of.expectations.iter().find(|one| one.passed.is_none());
    // the rate of the summary is rounded, and 0 where the summary lacks
    #[expect(clippy::cast_precision_loss, reason = "a handful of expectations")]
    let rate = match (open, verdicts.is_empty()) {
        (Some(_), _) => None,
        (None, false) => Some(verdicts.iter().filter(|passed| **passed).count() as f64 / verdicts.len() as f64),
        (None, true) => of.result.pass_rate.filter(|_| of.result.total.is_some_and(|total| total > 0)),
    };
    let all = (open.is_none() && !verdicts.is_empty()).then(|| verdicts.iter().all(|passed| *passed));
    let rate = rate.map(|rate| RowScore { name: "pass_rate".into(), value: ScoreValue::Number(rate) });
    let pass = all.map(|passed| RowScore { name: "pass".into(), value: ScoreValue::Passed(passed) });
    let failed = of.expectations.iter().filter(|one| one.passed == Some(false)).filter_map(|one| one.text.as_deref());
    let reason: Vec<&str> = failed.collect();
    let id: Option<Arc<str>> = match &of.eval_id {
        Value::Null => None,
        Value::String(text) => Some(text.as_str().into()),
        other => Some(other.to_string().into()),
    };
    ForeignRow {
        at,
        id,
        arm: vec![("configuration".into(), of.configuration.into())],
        trial: of.run_number.map(|number| number.to_string().into()),
        end: RowEnd::Graded,
        scores: rate.into_iter().chain(pass).collect(),
        lacks: open.map(|one| format!("not judged: {}", one.text.as_deref().unwrap_or_default())),
        reason: (!reason.is_empty()).then(|| reason.join("; ")),
        // 0 stands for a time that isn't known
        latency_ms: of.result.time_seconds.filter(|seconds| *seconds > 0.0).and_then(milliseconds),
        ..ForeignRow::default()
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a count")]
fn milliseconds(seconds: f64) -> Option<u64> {
    (0.0..1e12).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}
