//! All runs: `benchmark.json`.

use std::collections::BTreeMap;

use eval_analysis::agent_skills::{Configuration, RunResult, RunStatistics, Statistics};
use eval_format::{Report, SampleResult};
use eval_message::{Lang, Message, msg};
use serde::Serialize;
use serde_json::Value;

use super::{GradedExpectation, GradingFile, Variants};

/// `benchmark.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BenchmarkFile {
    pub metadata: BenchmarkMetadata,
    /// The runs with a pass rate: by eval, with the skill first.
    pub runs: Vec<BenchmarkRun>,
    /// Means over those runs.
    pub run_summary: RunStatistics,
    pub notes: Vec<String>,
    /// The runs without a pass rate; not part of the format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ungraded_runs: Vec<UngradedRun>,
    /// Statistics of the report; not part of the format.
    pub omk: Statistics,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BenchmarkMetadata {
    pub skill_name: String,
    pub skill_path: String,
    /// The model that answered, or the executor where none is named.
    pub executor_model: String,
    /// The judge; not part of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grader_model: Option<String>,
    pub timestamp: String,
    pub evals_run: Vec<Value>,
    /// Runs of each eval and configuration.
    pub runs_per_configuration: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BenchmarkRun {
    pub eval_id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval_name: Option<String>,
    pub configuration: Configuration,
    /// From 1.
    pub run_number: u32,
    pub result: RunResult,
    pub expectations: Vec<GradedExpectation>,
    /// Nothing: the executor leaves no notes of its own.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct UngradedRun {
    pub eval_id: Value,
    pub configuration: Configuration,
    /// From 1.
    pub run_number: u32,
    pub why: String,
}

/// One run of one eval, graded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GradedRun {
    pub(super) id: Value,
    pub(super) name: Option<String>,
    pub(super) configuration: Configuration,
    /// From 1.
    pub(super) number: u32,
    pub(super) tokens: Option<u64>,
    pub(super) grading: GradingFile,
}

impl GradedRun {
    fn result(&self) -> Option<RunResult> {
        let GradingFile { summary, execution_metrics, timing, .. } = &self.grading;
        Some(RunResult {
            pass_rate: summary.pass_rate?,
            passed: summary.passed,
            failed: summary.failed,
            total: summary.total,
            time_seconds: timing.total_duration_seconds,
            tokens: self.tokens,
            tool_calls: execution_metrics.total_tool_calls,
            errors: execution_metrics.errors_encountered,
        })
    }
}

pub(super) fn benchmark(report: &Report, variants: &Variants<'_>, all: &[GradedRun], lang: Lang) -> BenchmarkFile {
    let (mut runs, mut ungraded) = (Vec::new(), Vec::new());
    for of in all {
        match of.result() {
            Some(result) => runs.push(run(of, result)),
            None => ungraded.push(without_rate(of, lang)),
        }
    }
    let mut notes: Vec<Message> = with_files(report).into_iter().chain(noticed(&runs)).collect();
    if !ungraded.is_empty() {
        notes.push(msg!("skills-evals-note-ungraded", count = ungraded.len(), all = all.len()));
    }
    let results: Vec<(Configuration, RunResult)> = runs.iter().map(|run| (run.configuration, run.result)).collect();
    BenchmarkFile {
        run_summary: RunStatistics::of(&results),
        notes: notes.iter().map(|note| note.text(lang)).collect(),
        omk: Statistics::of(report, variants.with_skill, variants.without_skill),
        metadata: metadata(report, variants),
        runs,
        ungraded_runs: ungraded,
    }
}

/// Evals whose files an answer may have lacked.
fn with_files(report: &Report) -> Option<Message> {
    let names_files = |result: &&SampleResult| result.eval.as_ref().is_some_and(|eval| !eval.files.is_empty());
    let count = report.results.iter().filter(names_files).count();
    (count > 0).then(|| msg!("skills-evals-note-files", count = count))
}

fn metadata(report: &Report, variants: &Variants<'_>) -> BenchmarkMetadata {
    let meta = &report.meta;
    let skill = meta.artifacts.as_ref().and_then(|artifacts| artifacts.get(variants.with_skill));
    BenchmarkMetadata {
        skill_name: variants.with_skill.to_owned(),
        skill_path: skill.map(|of| of.origin.clone().unwrap_or_else(|| of.reference.clone())).unwrap_or_default(),
        executor_model: if meta.model.is_empty() { meta.executor.clone() } else { meta.model.clone() },
        grader_model: meta.judge_models.first().cloned(),
        timestamp: meta.timestamp.clone(),
        evals_run: report.results.iter().filter_map(|result| Some(result.eval.as_ref()?.id.clone())).collect(),
        runs_per_configuration: meta.repeat,
    }
}

fn run(of: &GradedRun, result: RunResult) -> BenchmarkRun {
    BenchmarkRun {
        eval_id: of.id.clone(),
        eval_name: of.name.clone(),
        configuration: of.configuration,
        run_number: of.number,
        result,
        expectations: of.grading.expectations.clone(),
        notes: Vec::new(),
    }
}

fn without_rate(of: &GradedRun, lang: Lang) -> UngradedRun {
    let why = of.grading.unscored.first().map(|unscored| unscored.why.clone());
    UngradedRun {
        eval_id: of.id.clone(),
        configuration: of.configuration,
        run_number: of.number,
        why: why.unwrap_or_else(|| msg!("skills-evals-nothing-expected").text(lang)),
    }
}

/// Expectations that tell nothing of the skill: they hold in every run, or in none.
fn noticed(runs: &[BenchmarkRun]) -> Vec<Message> {
    let mut verdicts: BTreeMap<(String, &str), [Vec<bool>; 2]> = BTreeMap::new();
    for run in runs {
        for one in &run.expectations {
            let verdicts = verdicts.entry((shown(&run.eval_id), &one.text)).or_default();
            verdicts[usize::from(run.configuration == Configuration::WithoutSkill)].push(one.passed);
        }
    }
    let all = |verdicts: &[Vec<bool>; 2], wanted: bool| {
        verdicts.iter().all(|of| !of.is_empty() && of.iter().all(|passed| *passed == wanted))
    };
    let note = |((eval, text), verdicts): (&(String, &str), &[Vec<bool>; 2])| match verdicts {
        verdicts if all(verdicts, true) => Some(msg!("skills-evals-note-always", eval = eval, text = *text)),
        verdicts if all(verdicts, false) => Some(msg!("skills-evals-note-never", eval = eval, text = *text)),
        _ => None,
    };
    verdicts.iter().filter_map(note).collect()
}

/// An id without quotes.
pub(super) fn shown(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
