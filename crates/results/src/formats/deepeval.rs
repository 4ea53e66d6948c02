//! DeepEval: its local result files, and its database.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::database;
use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections};
use crate::source::{BoundedList, ResultSource, RowSink, parsed};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "deepeval",
    tool: Some("DeepEval"),
    files: "test_run_*.json, .latest_test_run.json, .latest_run_full.json, deepeval.db",
    detect,
    read,
};

/// Limit on the dimensions of an arm from hyperparameters.
const MAX_PARAMETERS: usize = 20;

fn detect(source: &ResultSource) -> bool {
    database::has_table(source, "test_runs")
        || source.is_object_with(&["testRunData"])
        || source.is_object_with(&["testCases", "metricsData"])
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
    for (position, case) in (0..).zip(run.test_cases.0.into_iter().chain(run.conversational_test_cases.0)) {
        rows.push(row(position, &arm, case))?;
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

/// The file of the latest run, which wraps the run.
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
    /// Makes the arm's dimensions from the run's identifier and hyperparameters.
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
        identifier.chain(parameters).take(MAX_PARAMETERS).collect()
    }

    /// Finds the metrics where more is better: those that mostly succeed above their threshold. The file has no other sign.
    fn directions(&self) -> ScoreDirections {
        let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for metric in
            self.test_cases.0.iter().chain(&self.conversational_test_cases.0).flat_map(|case| &case.metrics_data)
        {
            let (Some(success), Some(score), Some(threshold)) = (metric.success, metric.score, metric.threshold) else {
                continue;
            };
            // at the threshold a metric succeeds in both directions
            let side = score.total_cmp(&threshold);
            if side.is_ne() {
                counts.entry(&metric.name).or_default()[usize::from(success == side.is_gt())] += 1;
            }
        }
        let rises = |(name, [falls, rises]): (&str, [usize; 2])| (Arc::from(name), rises > falls);
        let pass = (Arc::from("pass"), true);
        ScoreDirections { all_rise: false, by_score: counts.into_iter().map(rises).chain([pass]).collect() }
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
    /// Topic of a conversation.
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

fn row(position: u64, arm: &[(Arc<str>, Arc<str>)], case: DeepEvalCase) -> ForeignRow {
    // the tool writes a score that is no number as a failure without a score
    let no_score = |metric: &DeepEvalMetric| metric.success == Some(false) && metric.score.is_none();
    let missing_reason = case.metrics_data.iter().find_map(|metric| match &metric.error {
        Some(error) => Some(error.clone()),
        None => no_score(metric).then(String::new),
    });
    let graded = case.metrics_data.iter().filter(|metric| metric.error.is_none());
    let mut scores: Vec<RowScore> = graded
        .filter_map(|metric| Some(RowScore::number(&metric.name, metric.score.filter(|score| score.is_finite())?)))
        .collect();
    // the tool counts a metric that could not be computed as failed
    let passed = case.success.filter(|_| missing_reason.is_none());
    scores.extend(passed.map(|passed| RowScore::passed("pass", passed)));
    let failed = case.metrics_data.iter().find(|metric| metric.success == Some(false));
    let reason = failed.or(case.metrics_data.first()).and_then(|metric| metric.reason.clone());
    // a default name is only the case's position
    const POSITIONS: [&str; 2] = ["test_case_", "conversational_test_case_"];
    let name = case.name.filter(|name| !POSITIONS.iter().any(|position| name.starts_with(position)));
    let turns_of = |role: &str| {
        let turns: Vec<&str> =
            case.turns.iter().filter(|turn| turn.role == role).map(|turn| turn.content.as_str()).collect();
        (!turns.is_empty()).then(|| turns.join("\n"))
    };
    ForeignRow {
        position,
        // a simulated user's words differ in each conversation: the scenario comes first
        input: case.input.or(case.scenario).or_else(|| turns_of("user")).or_else(|| name.clone()).map(Arc::from),
        name: name.map(Arc::from),
        arm: arm.to_vec(),
        end: RowEnd::Graded,
        scores,
        missing_reason,
        answer: case.actual_output.or_else(|| turns_of("assistant")),
        reason,
        ..ForeignRow::default()
    }
}
