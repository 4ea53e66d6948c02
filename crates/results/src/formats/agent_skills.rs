//! Agent Skills: `benchmark.json`, runs with and without a skill, or with two versions of it.

use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, milliseconds};
use crate::source::{BoundedList, ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "agent-skills",
    tool: Some("skill-creator"),
    files: "benchmark.json, a folder of grading.json",
    detect,
    read,
};

fn detect(source: &ResultSource) -> bool {
    source.is_object_with(&["runs", "eval_id", "configuration", "run_number"])
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let benchmark: SkillBenchmark = source.json()?;
    let mut rows = RowSink::new(source);
    for (position, run) in (0..).zip(benchmark.runs.0) {
        rows.push(row(position, run))?;
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

pub(super) fn row(position: u64, run: SkillBenchmarkRun) -> ForeignRow {
    let passes: Vec<bool> = run.expectations.iter().filter_map(|item| item.passed).collect();
    // without all verdicts the rate is unknown
    let unjudged = run.expectations.iter().find(|item| item.passed.is_none());
    // the summary's rate is rounded, and 0 if there is no summary
    #[expect(clippy::cast_precision_loss, reason = "a handful of expectations")]
    let rate = match (unjudged, passes.is_empty()) {
        (Some(_), _) => None,
        (None, false) => Some(passes.iter().filter(|passed| **passed).count() as f64 / passes.len() as f64),
        (None, true) => run.result.pass_rate.filter(|_| run.result.total.is_some_and(|total| total > 0)),
    };
    let all = (unjudged.is_none() && !passes.is_empty()).then(|| passes.iter().all(|passed| *passed));
    let rate = rate.map(|rate| RowScore::number("pass_rate", rate));
    let pass = all.map(|passed| RowScore::passed("pass", passed));
    let failed =
        run.expectations.iter().filter(|item| item.passed == Some(false)).filter_map(|item| item.text.as_deref());
    let reason: Vec<&str> = failed.collect();
    let id: Option<Arc<str>> = match &run.eval_id {
        Value::Null => None,
        Value::String(text) => Some(text.as_str().into()),
        other => Some(other.to_string().into()),
    };
    ForeignRow {
        position,
        id,
        arm: vec![("configuration".into(), run.configuration.into())],
        trial: run.run_number.map(|number| number.to_string().into()),
        end: RowEnd::Graded,
        scores: rate.into_iter().chain(pass).collect(),
        missing_reason: unjudged.map(|item| format!("not judged: {}", item.text.as_deref().unwrap_or_default())),
        reason: (!reason.is_empty()).then(|| reason.join("; ")),
        // 0 means unknown
        latency_ms: run.result.time_seconds.filter(|seconds| *seconds > 0.0).and_then(milliseconds),
        ..ForeignRow::default()
    }
}
