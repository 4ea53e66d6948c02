//! What two reports of `omk` have in common: samples, variants and settings.

use std::collections::{BTreeMap, BTreeSet};

use eval_analysis::measure::{Clusters, count};
use eval_format::Report;
use eval_message::msg;
use serde_json::{Value, json};

use super::sides::{SlimReport, SlimSample};
use crate::compare::{Comparable, DiffError, Joined, SampleSets, Settings, joined};

/// A setting that differs between two runs.
pub type RunDifference = crate::compare::SettingChange<Value>;

/// The names of two variants that are compared: in A and in B.
pub(super) type VariantNames = (String, String);

/// The samples of both reports, and which of them are one task.
pub(super) struct SharedSamples<'r> {
    pub(super) common: &'r [CommonSample<'r>],
    pub(super) tasks: &'r Clusters,
}

impl Comparable for SlimReport {
    /// The variant's name.
    type Subject = String;
    type Value = Value;

    fn subjects(&self) -> Vec<(&str, &String)> {
        self.meta.variants.iter().map(|name| (name.as_str(), name)).collect()
    }

    fn settings(&self) -> Settings<Value> {
        settings(self)
    }

    fn refusal(&self, b: &SlimReport) -> Option<DiffError> {
        let (sets, _) = samples(self, b);
        (!sets.is_same()).then(|| DiffError::OtherSamples(Box::new(sets)))
    }

    fn no_pair(&self, _: &SlimReport) -> DiffError {
        DiffError::Variants(msg!("report-diff-no-pair"))
    }
}

/// The same sample in both reports.
pub(super) type CommonSample<'r> = (&'r SlimSample, &'r SlimSample);

/// The samples of both reports, and those that are the same in both, in the order of B. A sample is the same when its hash
/// is; one without a hash is the same only within one report.
pub(super) fn samples<'r>(a: &'r SlimReport, b: &'r SlimReport) -> (SampleSets, Vec<CommonSample<'r>>) {
    let is_same = |id: &str| {
        let hashes = (a.meta.sample_hashes.get(id), b.meta.sample_hashes.get(id));
        std::ptr::eq(a, b) || (hashes.0.is_some() && hashes.0 == hashes.1)
    };
    let (mut sets, mut common) = (SampleSets::default(), Vec::new());
    for (id, sample) in joined(by_id(a), by_id(b)) {
        match sample {
            Joined::Both((_, of_a), (place, of_b)) if is_same(id) => common.push((place, (of_a, of_b))),
            Joined::Both(..) => sets.changed.push(id.to_owned()),
            Joined::OnlyA(_) => sets.removed.push(id.to_owned()),
            Joined::OnlyB(_) => sets.added.push(id.to_owned()),
        }
    }
    sets.common = count(common.len());
    common.sort_by_key(|(place, _)| *place);
    (sets, common.into_iter().map(|(_, of)| of).collect())
}

/// The samples with their places in the report.
fn by_id(of: &SlimReport) -> BTreeMap<&str, (usize, &SlimSample)> {
    of.results.iter().enumerate().map(|(place, sample)| (sample.sample_id.as_str(), (place, sample))).collect()
}

/// Refuses names that a report doesn't have.
pub(super) fn check_names(a: &SlimReport, b: &SlimReport, given: &[VariantNames]) -> Result<(), DiffError> {
    for (of_a, of_b) in given {
        for (report, name) in [(a, of_a), (b, of_b)] {
            if !report.meta.variants.contains(name) {
                let known = report.meta.variants.clone();
                return Err(DiffError::NoVariant { variant: name.clone(), report: report.id.clone(), known });
            }
        }
    }
    Ok(())
}

/// What numbers depend on beside artifacts and samples. A new setting needs a new line here and nothing else.
pub(crate) fn settings<R>(of: &Report<R>) -> Settings<Value> {
    let (meta, settings) = (&of.meta, &of.meta.settings);
    let models: BTreeSet<&String> = of.summary.values().flat_map(|of| of.models.keys()).collect();
    vec![
        ("model", json!(meta.model)),
        ("answeredBy", json!(models)),
        ("executor", json!(meta.executor_runtime.executor)),
        ("executorVersion", json!(meta.executor_runtime.version)),
        ("baseUrl", json!(meta.executor_runtime.base_url)),
        ("executorDetails", json!(meta.executor_runtime.details)),
        ("effort", json!(settings.effort)),
        ("temperature", json!(settings.generation.temperature)),
        ("maxTokens", json!(settings.generation.max_tokens)),
        ("maxTurns", json!(settings.generation.max_turns)),
        ("allowedTools", json!(settings.allowed_tools)),
        ("strictBaseline", json!(settings.strict_baseline)),
        ("permissions", json!(meta.permissions)),
        ("sandbox", json!(meta.executor_runtime.sandbox.as_ref().map(|of| &of.enforced))),
        ("repeat", json!(meta.repeat)),
        ("judge", json!(settings.judge)),
        ("judgeModels", json!(meta.judge_models)),
        ("judgeVersion", json!(meta.judge_runtime.as_ref().and_then(|of| of.version.as_ref()))),
        ("judgeRepeat", json!(settings.judge_repeat)),
        ("judgeTemplate", json!(meta.judge_template)),
        ("judgePromptHash", json!(meta.judge_prompt_hash)),
        ("customRuntime", json!(settings.custom_runtime)),
        ("timeoutMs", json!(settings.timeout_ms)),
        ("threshold", json!(settings.threshold)),
        ("aa", json!(settings.aa)),
        ("looks", json!(settings.looks)),
        ("maxSamples", json!(settings.max_samples)),
        ("cliVersion", json!(meta.cli_version)),
        ("status", json!(of.status)),
    ]
}
