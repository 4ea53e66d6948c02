//! Turns arranged results into what a run of ours has: a suite, a plan, and a record for each cell.

use std::sync::Arc;

use eval_message::msg;
use eval_spec::call::{Cost, CostSource};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::sample::Metadata;
use eval_spec::suite::Settings;
use eval_spec::units::Usd;
use eval_spec::variant::Artifact;
use eval_spec::{
    Assertion, Cell, CellKey, Check, CheckOutcome, ExecError, Failure, Grade, Layer, Outcome, Output, Sample, Suite,
    Variant,
};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::arrange::{ArrangedCase, ArrangedResults, ArrangedTrial};
use crate::row::RowEnd;

/// Assertion type of the only check of an imported sample.
const SCORE_TYPE: &str = "score";

/// Imported results in the form of a run of ours.
pub struct ImportedRun {
    /// Cases as samples, arms as variants.
    pub suite: Suite,
    /// Planned trials, as far as the files show them.
    pub plan: Plan,
    /// One record for each cell of the plan, in the same order.
    pub records: Vec<Record>,
}

/// Makes a run with these settings; `mask` hides secrets in answers, reasons and errors.
#[must_use]
pub fn imported_run(arranged: &ArrangedResults, settings: Settings, mask: &dyn Fn(&str) -> String) -> ImportedRun {
    let most_planned =
        |case: &ArrangedCase| (0..arranged.arms.len()).map(|arm| arranged.planned(case, arm)).max().unwrap_or_default();
    let planned = arranged.cases.iter().map(most_planned).max().unwrap_or_default().max(1);
    let settings = Settings { repeat: u32::try_from(planned).unwrap_or(u32::MAX), judge: false, ..settings };
    let assertion = assertion(&arranged.imported.score);
    let suite = Suite {
        samples: arranged.cases.iter().map(|case| sample(case, &assertion)).collect(),
        variants: arranged.arms.iter().map(|arm| Variant::new(arm.clone(), Artifact::baseline())).collect(),
        settings,
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    };
    let tool = arranged.imported.tool.clone().unwrap_or_else(|| arranged.imported.format.clone());
    let rules =
        ImportRules { tool: &tool, names_models: names_models(arranged), is_pass_fail: is_pass_fail(arranged), mask };
    let arms: Vec<Arc<str>> = arranged.arms.iter().map(|arm| arm.as_str().into()).collect();
    let ids: Vec<Arc<str>> = arranged.cases.iter().map(|case| case.id.as_str().into()).collect();
    let (mut cells, mut records) = (Vec::new(), Vec::new());
    for repeat in 0..planned {
        for (sample, case) in arranged.cases.iter().enumerate() {
            for (subject, trials) in
                case.trials.iter().enumerate().filter(|(arm, _)| repeat < arranged.planned(case, *arm))
            {
                let number = u32::try_from(repeat).unwrap_or(u32::MAX);
                let (sample_id, subject_name) = (Arc::clone(&ids[sample]), Arc::clone(&arms[subject]));
                let key = CellKey { sample: sample_id, subject: subject_name, repeat: number };
                records.push(record(&key, trials.get(repeat), &assertion, &rules));
                cells.push(Cell { key, sample, subject, fingerprint: "".into() });
            }
        }
    }
    ImportedRun { suite, plan: Plan { cells, hash: String::new() }, records }
}

/// Returns whether records name their models. They don't if each arm has exactly one model and these differ: then the arms
/// are the models, and a difference of models is no warning.
fn names_models(arranged: &ArrangedResults) -> bool {
    let models: Vec<&Vec<String>> = arranged.imported.models.values().collect();
    let has_one_each = models.len() == arranged.arms.len() && models.iter().all(|models| models.len() == 1);
    let differ = models.iter().any(|names| *names != models[0]);
    !(has_one_each && differ)
}

/// Returns whether every score is 0 or 1.
fn is_pass_fail(arranged: &ArrangedResults) -> bool {
    let trials = arranged.cases.iter().flat_map(|case| &case.trials).flatten();
    trials.filter_map(|trial| trial.share).all(|share| share.get() <= 0.0 || share.get() >= 1.0)
}

/// Options for turning trials into records.
struct ImportRules<'a> {
    tool: &'a str,
    names_models: bool,
    is_pass_fail: bool,
    mask: &'a dyn Fn(&str) -> String,
}

fn assertion(score: &str) -> Assertion {
    let mut written = Map::new();
    if score != SCORE_TYPE {
        written.insert("value".to_owned(), Value::String(score.to_owned()));
    }
    Assertion {
        kind: SCORE_TYPE.to_owned(),
        weight: 1.0,
        not: false,
        written,
        children: Vec::new(),
        base: std::path::PathBuf::new(),
        place: None,
        field_places: std::collections::BTreeMap::new(),
    }
}

fn sample(case: &ArrangedCase, assertion: &Assertion) -> Sample {
    Sample {
        id: case.id.clone(),
        prompt: case.input.as_deref().unwrap_or(&case.id).to_owned(),
        assertions: vec![assertion.clone()],
        metadata: Metadata { cluster: case.cluster.clone(), ..Metadata::default() },
        ..Sample::default()
    }
}

fn record(key: &CellKey, trial: Option<&ArrangedTrial>, assertion: &Assertion, rules: &ImportRules<'_>) -> Record {
    let ImportRules { tool, names_models, is_pass_fail, mask } = *rules;
    let (result, grade) = match trial {
        None => (Executed::Failed(ExecError::new(Failure::Absent, msg!("results-absent"))), None),
        Some(ArrangedTrial { row, share }) => match &row.end {
            RowEnd::Failed(why) => {
                let error = ExecError::new(Failure::Recorded, msg!("results-recorded", tool = tool));
                let detail = (!why.trim().is_empty()).then(|| mask(why.trim()));
                (Executed::Failed(ExecError { detail, ..error }), None)
            }
            end => {
                let outcome = match end {
                    RowEnd::Unanswered(outcome) => *outcome,
                    _ => Outcome::Answered,
                };
                let text = row.answer.as_deref().map(mask).unwrap_or_default();
                let output = Output {
                    outcome,
                    usage: row.usage,
                    cost: row.cost_usd.map(|usd| Cost { usd: Usd(usd), source: CostSource::Reported }),
                    latency_ms: row.latency_ms,
                    model: row.model.as_ref().filter(|_| names_models).map(ToString::to_string),
                    ..Output::text(text)
                };
                let is_answered = outcome == Outcome::Answered;
                let reason = row.reason.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(mask);
                let outcome = match (share, end) {
                    (Some(share), _) if is_pass_fail && share.get() > 0.5 => CheckOutcome::Passed,
                    (Some(_), _) if is_pass_fail => CheckOutcome::Failed,
                    (Some(share), _) => CheckOutcome::Rated { ratio: *share },
                    (None, RowEnd::Ungraded(why)) if !why.trim().is_empty() => {
                        CheckOutcome::Unscored { why: msg!("results-ungraded-why", why = mask(why.trim())) }
                    }
                    (None, _) => CheckOutcome::Unscored { why: msg!("results-ungraded") },
                };
                let grade = Grade { checks: vec![check(assertion, outcome, reason)] };
                (Executed::Output(Box::new(output)), is_answered.then_some(grade))
            }
        },
    };
    let unknown = Timestamp::UNIX_EPOCH;
    let execution = Execution {
        key: key.clone(),
        fingerprint: String::new(),
        started_at: unknown,
        finished_at: unknown,
        failed_attempts: Vec::new(),
        result,
        cached: false,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() }
}

fn check(assertion: &Assertion, outcome: CheckOutcome, reason: Option<String>) -> Check {
    Check {
        kind: assertion.kind.clone(),
        layer: Layer::Fact,
        weight: assertion.weight,
        not: false,
        message: reason.filter(|_| !outcome.is_unscored()).map(|text| msg!("results-reason", text = text)),
        outcome,
        score: None,
        actual: None,
        children: Vec::new(),
        judged: None,
    }
}
