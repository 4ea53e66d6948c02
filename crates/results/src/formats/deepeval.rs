//! DeepEval: its local result files, and its database.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::database;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
use crate::source::{BoundedList, ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "deepeval",
    tool: Some("DeepEval"),
    files: "test_run_*.json, .latest_test_run.json, .latest_run_full.json, deepeval.db",
    detect,
    read,
};

/// What hyperparameters may tell of the arm, at most.
const MOST_PARAMETERS: usize = 20;

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    database::has_table(source, "test_runs")
        || (head.trim_start().starts_with('{')
            && (head.contains("\"testRunData\"")
                || ["testCases", "metricsData"].iter().all(|key| head.contains(&format!("\"{key}\"")))))
}

fn read(
    format: &'static ResultFormat,
    source: &ResultSource,
    options: &ReadOptions,
) -> Result<ReadResults, ResultsError> {
    let mut notes = Vec::new();
    let mut lists = ["/testCases", "/conversationalTestCases"];
    let run: DeepEvalRun = if database::is_database(source) {
        let stored = database::Database::open(source, &["test_runs"])?;
        let (id, note) = stored.choose_run("SELECT id FROM test_runs ORDER BY created_at DESC, id DESC", options)?;
        notes.extend(note);
        let text = stored.text("SELECT payload_json FROM test_runs WHERE id = ?1", &id)?;
        parsed(text.as_bytes(), || format!("{}: test_runs {id}", source.shown))?
    } else {
        match source.json::<DeepEvalLatest>()?.test_run_data {
            Some(run) => {
                lists = ["/testRunData/testCases", "/testRunData/conversationalTestCases"];
                run
            }
            None => source.json()?,
        }
    };
    let arm = run.arm();
    let directions = run.directions();
    let mut rows = RowSink::new(source);
    let single = u64::try_from(run.test_cases.0.len()).unwrap_or(u64::MAX);
    for (at, case) in (0..).zip(run.test_cases.0.into_iter().chain(run.conversational_test_cases.0)) {
        rows.push(row(at, &arm, case))?;
    }
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Entries(lists[0], single, lists[1]),
        rows: rows.rows(),
        overall: Some("pass".into()),
        directions,
        unknown: vec![
            UnknownFact::ToolVersion,
            UnknownFact::Models,
            UnknownFact::Order,
            UnknownFact::Seed,
            UnknownFact::Errors,
            UnknownFact::Cost,
        ],
        notes,
    })
}

/// The file of the latest run, with the run in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeepEvalLatest {
    #[serde(default)]
    test_run_data: Option<DeepEvalRun>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeepEvalRun {
    test_cases: BoundedList<DeepEvalCase>,
    #[serde(default)]
    conversational_test_cases: BoundedList<DeepEvalCase>,
    #[serde(default)]
    identifier: Option<String>,
    #[serde(default)]
    hyperparameters: Option<Map<String, Value>>,
}

impl DeepEvalRun {
    /// What the run says of itself.
    fn arm(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let identifier = self.identifier.iter().map(|text| ("identifier".into(), text.as_str().into()));
        let parameters = self.hyperparameters.iter().flatten().filter_map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => return None,
            };
            Some((name.as_str().into(), text.into()))
        });
        identifier.chain(parameters).take(MOST_PARAMETERS).collect()
    }
}

impl DeepEvalRun {
    /// Of which metrics more is better: of those that succeed above their threshold. The file says so in no other way.
    fn directions(&self) -> ScoreDirections {
        let mut seen: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for metric in
            self.test_cases.0.iter().chain(&self.conversational_test_cases.0).flat_map(|case| &case.metrics_data)
        {
            let (Some(success), Some(score), Some(threshold)) = (metric.success, metric.score, metric.threshold) else {
                continue;
            };
            // at the threshold it succeeds in either case
            let side = score.total_cmp(&threshold);
            if side.is_ne() {
                seen.entry(&metric.name).or_default()[usize::from(success == side.is_gt())] += 1;
            }
        }
        let rises = |(name, [falls, rises]): (&str, [usize; 2])| (Arc::from(name), rises > falls);
        let pass = (Arc::from("pass"), true);
        ScoreDirections { all_rise: false, told: seen.into_iter().map(rises).chain([pass]).collect() }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DeepEvalCase {
    name: Option<String>,
    input: Option<String>,
    actual_output: Option<String>,
    success: Option<bool>,
    metrics_data: Vec<DeepEvalMetric>,
    /// What a conversation is about, and what was said in it.
    scenario: Option<String>,
    turns: Vec<DeepEvalTurn>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DeepEvalTurn {
    role: String,
    content: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DeepEvalMetric {
    name: String,
    success: Option<bool>,
    score: Option<f64>,
    threshold: Option<f64>,
    reason: Option<String>,
    error: Option<String>,
}

fn row(at: u64, arm: &[(Arc<str>, Arc<str>)], of: DeepEvalCase) -> ForeignRow {
    // a score that is not a number fails there
    let no_score = |metric: &DeepEvalMetric| metric.success == Some(false) && metric.score.is_none();
    let lost = of.metrics_data.iter().find_map(|metric| match &metric.error {
        Some(error) => Some(error.clone()),
        None => no_score(metric).then(String::new),
    });
    let known = of.metrics_data.iter().filter(|metric| metric.error.is_none());
    let mut scores: Vec<RowScore> = known
        .filter_map(|metric| {
            let score = metric.score.filter(|score| score.is_finite())?;
            Some(RowScore { name: metric.name.as_str().into(), value: ScoreValue::Number(score) })
        })
        .collect();
    // a metric that could not be computed counts as failed there
    let passed = of.success.filter(|_| lost.is_none());
    scores.extend(passed.map(|passed| RowScore { name: "pass".into(), value: ScoreValue::Passed(passed) }));
    let failed = of.metrics_data.iter().find(|metric| metric.success == Some(false));
    let reason = failed.or(of.metrics_data.first()).and_then(|metric| metric.reason.clone());
    // a name that is a position says nothing of the case
    const POSITIONS: [&str; 2] = ["test_case_", "conversational_test_case_"];
    let name = of.name.filter(|name| !POSITIONS.iter().any(|position| name.starts_with(position)));
    let said = |role: &str| {
        let turns: Vec<&str> =
            of.turns.iter().filter(|turn| turn.role == role).map(|turn| turn.content.as_str()).collect();
        (!turns.is_empty()).then(|| turns.join("\n"))
    };
    ForeignRow {
        at,
        // users that are simulated say something else in each conversation
        input: of.input.or(of.scenario).or_else(|| said("user")).or_else(|| name.clone()).map(Arc::from),
        name: name.map(Arc::from),
        arm: arm.to_vec(),
        end: RowEnd::Graded,
        scores,
        lacks: lost,
        answer: of.actual_output.or_else(|| said("assistant")),
        reason,
        ..ForeignRow::default()
    }
}
