//! The preview of a run: `--dry-run`.

use std::collections::{BTreeMap, HashSet};

use eval_analysis::measure::count;
use eval_analysis::permissions;
use eval_format::SampleQuality;
use eval_format::report::Note;
use eval_message::Message;
use eval_spec::Suite;
use eval_spec::page::PageRoute;
use eval_spec::plan::Plan;
use eval_spec::sandbox::ProgramSandbox;
use eval_spec::suite::{ArmPart, PermissionMode};
use eval_spec::surroundings::UncopiedFiles;
use serde::Serialize;

use crate::earlier::PlannedPower;

/// How many cells of the order are shown.
const SHOWN: usize = 6;

/// The preview of a run, the document of `--dry-run --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanPreview {
    /// Samples that are run.
    pub samples: u64,
    /// Samples of the file beyond the last look (`--max-samples`), which are not; absent where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub samples_left: u64,
    /// The variants, the control first.
    pub variants: Vec<PlannedVariant>,
    /// In what the treatments differ from the control; all else is the same for every variant.
    pub differs: Vec<ArmPart>,
    /// Executions of each sample and variant.
    pub repeat: u32,
    /// Calls that the plan holds: samples × variants × repeats.
    pub calls: u64,
    /// Calls that the cache would answer; `null` when it was not asked.
    pub cached: Option<u64>,
    /// Those of them that are made all the same: the control is asked again for some samples, beside a new treatment. Absent
    /// where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_again: Option<u64>,
    /// Calls at once, at most.
    pub concurrency: u64,
    /// The executor.
    pub executor: String,
    /// The sandbox of its programs; absent where they run without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<ProgramSandbox>,
    /// Per variant: what its agent may do without asking; absent where all have the default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub permissions: BTreeMap<String, PermissionMode>,
    /// Files of working directories that the agents' copies lack, by directory and reason; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncopied: Vec<UncopiedFiles>,
    /// The model; empty means the executor's default.
    pub model: String,
    /// The URLs in prompts and contexts, which the run would fetch; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<PlannedUrl>,
    /// Assertions over all samples.
    pub assertions: u64,
    /// Samples that a judge would score.
    pub judged_samples: u64,
    /// Requests to judges, unusable replies aside.
    pub judge_requests: JudgeRequests,
    /// Their estimated cost; `null` when unknown.
    pub judge_cost: Option<CostEstimate>,
    /// The classifier of hedging; absent where none is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hedging: Option<PlannedClassifier>,
    /// Samples with nothing to score.
    pub unscored_samples: Vec<String>,
    /// Defects of the samples themselves that are visible before a run.
    pub sample_quality: SampleQuality,
    /// The estimated cost of the calls; `null` when unknown.
    pub cost: Option<CostEstimate>,
    /// The money limit.
    #[serde(rename = "budgetUSD")]
    pub budget_usd: Option<f64>,
    /// Whether the run may end before all of it is done, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopping: Option<Note>,
    /// Which look at the same two artifacts it would be; absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_looks: Option<Note>,
    /// The first cells, in the order in which they start.
    pub order: Vec<String>,
    /// The plan's hash.
    pub plan_hash: String,
    /// The smallest difference that matters, in points.
    pub min_effect: f64,
    /// The expected power with this number of samples, from an earlier report; `null` without one.
    pub power: Option<PlannedPower>,
}

/// A URL that a run would fetch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedUrl {
    /// The URL; secrets are masked.
    pub url: String,
    /// The samples that name it.
    pub samples: Vec<String>,
    /// How it would be fetched.
    pub via: PageRoute,
}

/// Requests to judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JudgeRequests {
    /// Scores: answers × questions × judges × opinions.
    pub scores: u64,
    /// Comparisons: pairs of answers × questions × judges × opinions × 2 orders.
    pub comparisons: u64,
}

/// The classifier of hedging, which is asked about what agents will have said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedClassifier {
    /// `executor:model`.
    pub model: String,
    /// Requests, at most.
    pub requests: u64,
    /// What these would cost at most; `null` when unknown.
    pub cost: Option<CostEstimate>,
}

/// A variant to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedVariant {
    /// Its name.
    pub name: String,
    /// The reference as written.
    pub reference: String,
    /// 12 hex digits of SHA-256 over the artifact.
    pub hash: String,
}

/// An estimated cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CostEstimate {
    /// US dollars, from.
    pub low: f64,
    /// US dollars, to.
    pub high: f64,
    /// The basis of the estimate.
    pub basis: Note,
}

impl CostEstimate {
    /// An estimate between two sums in US dollars, with its basis.
    #[must_use]
    pub fn new(low: f64, high: f64, basis: Message) -> CostEstimate {
        CostEstimate { low, high, basis: basis.into() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The preview of a run of `plan`. The caller knows prices, cache, earlier reports and the requests to judges.
#[must_use]
pub fn preview(
    suite: &Suite,
    plan: &Plan,
    executor: &str,
    cached: Option<usize>,
    cost: Option<CostEstimate>,
    power: Option<PlannedPower>,
) -> PlanPreview {
    let settings = &suite.settings;
    let judged = |sample: &&eval_spec::Sample| settings.judge && sample.has_rubric();
    let unscored = suite.samples.iter().filter(|sample| sample.assertions.is_empty() && !judged(sample));
    let run: HashSet<usize> = plan.cells.iter().map(|cell| cell.sample).collect();
    PlanPreview {
        samples: count(run.len()),
        samples_left: count(suite.samples.len() - run.len()),
        variants: suite.variants.iter().map(planned).collect(),
        differs: Vec::new(),
        repeat: settings.repeat,
        calls: count(plan.cells.len()),
        cached: cached.map(count),
        asked_again: None,
        concurrency: count(settings.concurrency),
        executor: executor.to_owned(),
        sandbox: None,
        permissions: permissions(suite, &suite.variants.iter().map(|of| of.name.clone()).collect::<Vec<_>>()),
        uncopied: Vec::new(),
        model: settings.model.clone(),
        urls: Vec::new(),
        assertions: count(suite.samples.iter().map(|sample| sample.assertions.len()).sum()),
        judged_samples: count(suite.samples.iter().filter(judged).count()),
        judge_requests: JudgeRequests::default(),
        judge_cost: None,
        hedging: None,
        unscored_samples: unscored.map(|sample| sample.id.clone()).collect(),
        sample_quality: eval_analysis::sample_quality::of_samples(suite),
        cost,
        budget_usd: settings.budget_usd,
        stopping: None,
        earlier_looks: None,
        order: plan.cells.iter().take(SHOWN).map(|cell| cell.key.to_string()).collect(),
        plan_hash: plan.hash.clone(),
        min_effect: settings.min_effect,
        power,
    }
}

fn planned(variant: &eval_spec::Variant) -> PlannedVariant {
    PlannedVariant {
        name: variant.name.clone(),
        reference: variant.artifact.reference.clone(),
        hash: variant.artifact.hash(),
    }
}
