//! `claude plugin eval`: `aggregate-result.json`, runs with and without the plugin.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::msg;
use eval_spec::Outcome;
use serde::Deserialize;

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, milliseconds};
use crate::source::{BoundedList, ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat = ResultFormat {
    name: "claude-plugin",
    tool: Some("claude plugin eval"),
    files: "aggregate-result.json",
    detect,
    read,
};

/// Prefix of the explanation of a grader that failed; the file has no other sign of it.
const GRADER_FAILED: &str = "grader threw:";
/// Part of the error of an answer that was too long.
const ANSWER_TOO_LONG: &str = "output token maximum";

fn detect(source: &ResultSource) -> bool {
    source.is_object_with(&["schemaVersion", "claudeVersion", "suite", "cases"])
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let result: PluginEval = source.json()?;
    let mut rows = RowSink::new(source);
    let mut names_models = result.suite.model_override.is_some();
    for (position, case) in (0..).zip(result.cases.0) {
        let model = case.model.as_deref().or(result.suite.model_override.as_deref()).map(Arc::from);
        names_models |= model.is_some();
        for (arm, runs) in case.arms {
            for (number, run) in (1_u64..).zip(runs) {
                let row = ForeignRow {
                    position,
                    id: Some(case.name.as_str().into()),
                    input: case.prompt_markdown.as_deref().map(Arc::from),
                    arm: vec![("arm".into(), arm.as_str().into())],
                    trial: Some(number.to_string().into()),
                    model: model.clone(),
                    ..run_row(run)
                };
                rows.push(row)?;
            }
        }
    }
    let mut unknown = vec![UnknownFact::Order, UnknownFact::Seed, UnknownFact::Answers];
    unknown.extend(result.suite.judge_model.is_none().then_some(UnknownFact::Grader));
    unknown.extend((!names_models).then_some(UnknownFact::Models));
    let note = result.partial.then(|| {
        let status = result.partial_reason.clone().unwrap_or_else(|| "partial".to_owned());
        msg!("results-log-status", file = &source.shown, status = status)
    });
    Ok(ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: result.claude_version,
        unit: PlaceUnit::Entry("/cases"),
        rows: rows.rows(),
        overall: Some("score".into()),
        directions: ScoreDirections::rising(),
        unknown,
        notes: note.into_iter().collect(),
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PluginEval {
    #[serde(default)]
    claude_version: Option<String>,
    #[serde(default)]
    partial: bool,
    #[serde(default)]
    partial_reason: Option<String>,
    #[serde(default)]
    suite: PluginSuite,
    cases: BoundedList<PluginCase>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PluginSuite {
    model_override: Option<String>,
    judge_model: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PluginCase {
    name: String,
    prompt_markdown: Option<String>,
    model: Option<String>,
    arms: BTreeMap<String, Vec<PluginRun>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PluginRun {
    score: Option<f64>,
    passed: Option<bool>,
    cost_usd: Option<f64>,
    judge_cost_usd: Option<f64>,
    duration_seconds: Option<f64>,
    error: Option<String>,
    graders: Vec<PluginGrader>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PluginGrader {
    name: String,
    passed: Option<bool>,
    explanation: Option<String>,
    scored: Option<bool>,
}

impl PluginGrader {
    fn failure(&self) -> Option<&str> {
        self.explanation.as_deref().filter(|text| text.starts_with(GRADER_FAILED))
    }
}

fn run_row(run: PluginRun) -> ForeignRow {
    let missing_reason = run.graders.iter().find_map(PluginGrader::failure).map(str::to_owned);
    let graded = run.graders.iter().filter(|grader| grader.failure().is_none() && grader.scored != Some(false));
    let mut scores: Vec<RowScore> =
        graded.filter_map(|grader| Some(RowScore::passed(&grader.name, grader.passed?))).collect();
    if missing_reason.is_none() {
        scores.extend(run.score.map(|score| RowScore::number("score", score)));
        scores.extend(run.passed.map(|passed| RowScore::passed("pass", passed)));
    }
    let end = match run.error {
        None => RowEnd::Graded,
        // the plugin's own fault; the tool counts it as 0, too
        Some(error) if error.contains(ANSWER_TOO_LONG) => RowEnd::Unanswered(Outcome::Truncated),
        Some(error) => RowEnd::Failed(error),
    };
    let failed = run.graders.iter().filter(|grader| grader.passed == Some(false));
    let reasons: Vec<String> =
        failed.filter_map(|grader| Some(format!("{}: {}", grader.name, grader.explanation.as_deref()?))).collect();
    ForeignRow {
        scores: if end == RowEnd::Graded { scores } else { Vec::new() },
        end,
        missing_reason,
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        latency_ms: run.duration_seconds.and_then(milliseconds),
        cost_usd: run.cost_usd.map(|usd| usd + run.judge_cost_usd.unwrap_or(0.0)).filter(|usd| usd.is_finite()),
        ..ForeignRow::default()
    }
}
