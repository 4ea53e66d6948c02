//! The inputs of a run and how it ended, reconstructed from its report.

use std::collections::{BTreeMap, HashMap};

use eval_analysis::recomputing::settings_of;
use eval_analysis::{EarlierRates, GapHistory, HedgingReview, JudgeMeta, JudgeTemplate, Meta, RunStatus};
use eval_format::{Analysis, ArmInputs, AssertionDetail, IncompleteReason, SampleResult, VariantResult, VerdictInputs};
use eval_spec::plan::Plan;
use eval_spec::sample::Metadata;
use eval_spec::variant::Artifact;
use eval_spec::{Assertion, JudgeMode, Pair, Sample, Suite, Variant};

use super::records;
use super::shape::ReportShape;

/// Every execution of a sample and variant.
pub(super) fn runs(of: &VariantResult) -> Vec<&VariantResult> {
    of.runs.as_ref().map_or_else(|| vec![of], |runs| runs.iter().collect())
}

/// The suite as far as a report tells of it, its samples aside. `own` are the names behind a blind report's labels.
pub(super) fn suite(stored: &Analysis, own: Option<&BTreeMap<String, String>>) -> Suite {
    let variant = |label: &String| {
        let name = own.and_then(|names| names.get(label)).unwrap_or(label);
        Variant::new(name.clone(), Artifact::baseline())
    };
    Suite {
        samples: Vec::new(),
        variants: stored.meta.variants.iter().map(variant).collect(),
        settings: settings_of(&stored.meta),
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    }
}

/// A sample as far as its results tell of it.
pub(super) fn sample(stored: &SampleResult, compared: bool) -> Sample {
    let questions = &stored.questions;
    let is_rubric = questions.iter().all(|name| name == "rubric") && (!questions.is_empty() || compared);
    let details = stored.variants.values().next().map(|of| of.assertions.details.as_slice()).unwrap_or_default();
    Sample {
        id: stored.sample_id.clone(),
        prompt: String::new(),
        context: None,
        keeps_urls: false,
        is_plain: false,
        inlined: None,
        compared: None,
        prompt_place: None,
        context_place: None,
        cwd: None,
        rubric: is_rubric.then(String::new),
        dimensions: if is_rubric {
            Vec::new()
        } else {
            questions.iter().map(|name| (name.clone(), String::new())).collect()
        },
        assertions: details.iter().map(assertion).collect(),
        metadata: Metadata {
            capability: stored.capability.clone(),
            cluster: stored.cluster.clone(),
            difficulty: stored.difficulty,
            construct: stored.construct.clone(),
            provenance: stored.provenance,
        },
        mocks: Vec::new(),
        mock_places: Vec::new(),
        mocks_strict: false,
        tripwire: stored.tripwire,
        judge: Some(if stored.pairwise || compared { JudgeMode::Pairwise } else { JudgeMode::Rubric }),
        environment: None,
        eval: None,
        trigger: stored.trigger.clone(),
        place: None,
    }
}

/// An assertion as far as its result tells of it.
fn assertion(detail: &AssertionDetail) -> Assertion {
    Assertion {
        kind: detail.kind.clone(),
        weight: detail.weight,
        not: detail.not,
        written: detail.written.clone(),
        children: detail.children.iter().map(assertion).collect(),
        base: std::path::PathBuf::new(),
        place: None,
        field_places: BTreeMap::new(),
    }
}

/// The plan, and for each of its cells its [place](Shape::place): repeats outermost, or whole samples in a drawn order
/// where the run could end after any of them.
pub(super) fn plan(stored: &Analysis, suite: &Suite, shape: &ReportShape) -> (Plan, Vec<usize>) {
    let variants = shape.variants.len();
    let drawn = stored.stopping.as_ref().map(|of| of.order.as_slice()).unwrap_or_default();
    let rank: HashMap<&str, usize> = drawn.iter().enumerate().map(|(i, id)| (id.as_str(), i)).collect();
    let mut places: Vec<usize> = (0..shape.samples * variants * shape.repeat).collect();
    places.retain(|place| {
        place / variants / shape.samples < shape.repeats_of(place / variants % shape.samples, place % variants)
    });
    if !rank.is_empty() {
        let of = |place: &usize| rank.get(suite.samples[place / variants % shape.samples].id.as_str());
        places.sort_by_key(|place| of(place).copied().unwrap_or(usize::MAX));
    }
    let cell = |&place: &usize| {
        let sample = place / variants % shape.samples;
        shape.cell(sample, &suite.samples[sample].id, place % variants, place / variants / shape.samples)
    };
    (Plan { cells: places.iter().map(cell).collect(), hash: String::new() }, places)
}

pub(super) type PairKey<'a> = (&'a str, u32, &'a str, &'a str);

/// The judges' comparisons of answers.
pub(super) fn pairs(stored: &Analysis) -> HashMap<PairKey<'_>, Pair> {
    let all = stored.pairwise.iter().flat_map(|of| &of.pairs).filter(|pair| !pair.questions.is_empty());
    all.map(|of| {
        let pair = Pair {
            sample: of.sample_id.as_str().into(),
            repeat: of.repeat,
            earlier: of.earlier.as_str().into(),
            later: of.later.as_str().into(),
            questions: of
                .questions
                .iter()
                .map(|asked| records::numbered(asked, stored.meta.settings.judge_repeat))
                .collect(),
        };
        ((of.sample_id.as_str(), of.repeat, of.earlier.as_str(), of.later.as_str()), pair)
    })
    .collect()
}

/// The metadata of a run.
pub(super) fn meta(stored: &Analysis) -> Meta {
    let meta = &stored.meta;
    Meta {
        id: stored.id.clone(),
        labels: meta.variants.clone(),
        timestamp: meta.timestamp.parse().unwrap_or_default(),
        cli_version: meta.cli_version.clone(),
        node_version: meta.node_version.clone(),
        seed: meta.seed,
        test_set_path: meta.test_set.path.clone(),
        test_set_id: meta.test_set.id.clone(),
        project: meta.test_set.project.clone(),
        sample_hashes: meta.sample_hashes.clone(),
        not_read: meta.not_read.clone(),
        urls: meta.urls.clone(),
        executor: meta.executor_runtime.clone(),
        judge: judge(stored),
        hedging: meta.hedging_classifier.clone().map(|meta| HedgingReview { meta, verdicts: BTreeMap::new() }),
        regrade_of: meta.regrade_of.clone(),
        imported: meta.imported.clone(),
        earlier_looks: meta.earlier_looks.clone(),
        gap_history: GapHistory {
            earlier: arms(&stored.verdict.inputs).map(earlier).collect(),
            decisions: BTreeMap::new(),
        },
        lost_calls: meta.lost_calls,
        skill_isolation: BTreeMap::new(),
        uncopied: meta.uncopied.clone(),
        git: None,
        artifact_commits: BTreeMap::new(),
        gold: None,
    }
}

/// Of what gap rates are compared with, the report has no more than the last one.
fn earlier(arm: &ArmInputs) -> EarlierRates {
    let last = arm.gap_guard.as_ref().and_then(|of| of.earlier().cloned());
    EarlierRates { last, ..EarlierRates::default() }
}

fn arms(inputs: &VerdictInputs) -> impl Iterator<Item = &ArmInputs> {
    std::iter::once(&inputs.control).chain(inputs.treatments.iter().map(|of| &of.arm))
}

fn judge(stored: &Analysis) -> Option<JudgeMeta> {
    let meta = &stored.meta;
    let judging = stored.judging.as_ref();
    let template = meta.judge_template.clone().or_else(|| judging?.template.clone());
    let pairwise = stored.pairwise.as_ref();
    (template.is_some() || pairwise.is_some() || meta.judge_runtime.is_some()).then(|| JudgeMeta {
        models: meta.judge_models.clone(),
        template: template.unwrap_or_default(),
        prompt_hash: meta.judge_prompt_hash.clone().unwrap_or_default(),
        cost: meta.judge_cost.and_then(|cost| cost.total_usd),
        known_cost: meta.judge_cost.map_or(0.0, |cost| cost.known_usd),
        requests: Vec::new(),
        runtimes: match meta.judge_runtimes.is_empty() {
            true => meta.judge_runtime.iter().cloned().collect(),
            false => meta.judge_runtimes.clone(),
        },
        pairwise: pairwise.map(|of| JudgeTemplate { name: of.template.clone(), hash: of.prompt_hash.clone() }),
    })
}

/// How the run ended, as far as its records don't tell.
pub(super) fn ended(stored: &Analysis) -> RunStatus {
    match stored.incomplete_reason {
        Some(
            reason @ (IncompleteReason::Interrupted
            | IncompleteReason::BudgetExhausted
            | IncompleteReason::Aborted
            | IncompleteReason::JudgeFailed),
        ) => RunStatus::Incomplete { reason, detail: None },
        // what was not run was not needed, though nothing was decided: the answers of an earlier run ended there
        None if stored.stopping.as_ref().is_some_and(|of| of.calls_saved > 0 && of.decided_after.is_none()) => {
            RunStatus::AnswersEnd
        }
        Some(IncompleteReason::RecordsMissing | IncompleteReason::TooManyFailures) | None => RunStatus::Complete,
    }
}
