//! What two reports have in common: samples, variants, and the surroundings that numbers depend on.

use std::collections::BTreeSet;

use eval_format::Report;
use eval_message::{Message, msg};
use serde::Serialize;
use serde_json::{Value, json};

use super::sides::SlimReport;

/// The samples of two reports, by what makes up their scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SampleSets {
    /// The same in both.
    pub common: u64,
    /// Other in prompt, context, rubric, assertions, mocks or environment.
    pub changed: Vec<String>,
    /// In B only.
    pub added: Vec<String>,
    /// In A only.
    pub removed: Vec<String>,
}

impl SampleSets {
    /// Whether every sample is the same in both.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

/// Why two reports can't be held against each other.
#[derive(Clone, Debug)]
pub enum DiffError {
    /// They are of different test sets.
    OtherSamples(Box<SampleSets>),
    /// No sample is the same in both.
    NothingInCommon,
    /// Which variants belong together must be said.
    Variants(Message),
    /// There is no such variant.
    NoVariant {
        /// What was asked for.
        variant: String,
        /// The report.
        report: String,
        /// What there is.
        known: Vec<String>,
    },
    /// One variant only.
    Alone,
}

/// By the samples' hashes; one without a hash can't be told to be the same.
pub(super) fn samples(a: &SlimReport, b: &SlimReport) -> SampleSets {
    let ids = |of: &SlimReport| of.results.iter().map(|sample| sample.sample_id.clone()).collect::<BTreeSet<_>>();
    let (in_a, in_b) = (ids(a), ids(b));
    let is_same = |id: &&String| {
        let hashes = (a.meta.sample_hashes.get(*id), b.meta.sample_hashes.get(*id));
        std::ptr::eq(a, b) || (hashes.0.is_some() && hashes.0 == hashes.1)
    };
    let (same, changed): (Vec<&String>, Vec<&String>) = in_a.intersection(&in_b).partition(is_same);
    let owned = |ids: Vec<&String>| ids.into_iter().cloned().collect::<Vec<_>>();
    SampleSets {
        common: eval_analysis::measure::count(same.len()),
        changed: owned(changed),
        added: owned(in_b.difference(&in_a).collect()),
        removed: owned(in_a.difference(&in_b).collect()),
    }
}

/// The name that a blind report hides.
fn own<'r>(of: &'r SlimReport, label: &'r String) -> &'r String {
    of.meta.blind_mapping.as_ref().and_then(|names| names.get(label)).unwrap_or(label)
}

/// Which variants belong together: those that are named, or those of one name. Labels of blind reports hide names, so
/// the names decide and are not shown; a blind report and an open one would tell them.
pub(super) fn variants(
    a: &SlimReport,
    b: &SlimReport,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, DiffError> {
    if !given.is_empty() {
        return known(a, b, given);
    }
    if a.meta.settings.blind != b.meta.settings.blind {
        return Err(DiffError::Variants(msg!("report-diff-one-blind")));
    }
    let of_a = |name: &String| a.meta.variants.iter().find(|label| own(a, label) == name);
    let pairs: Vec<(String, String)> =
        b.meta.variants.iter().filter_map(|label| Some((of_a(own(b, label))?.clone(), label.clone()))).collect();
    match (pairs.is_empty(), a.meta.variants.as_slice(), b.meta.variants.as_slice()) {
        (false, ..) => Ok(pairs),
        (true, [of_a], [of_b]) => Ok(vec![(of_a.clone(), of_b.clone())]),
        _ => Err(DiffError::Variants(msg!("report-diff-no-pair"))),
    }
}

/// The variants that are named, if there are such.
pub(super) fn known(
    a: &SlimReport,
    b: &SlimReport,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, DiffError> {
    for (of_a, of_b) in given {
        for (report, name) in [(a, of_a), (b, of_b)] {
            if !report.meta.variants.contains(name) {
                let known = report.meta.variants.clone();
                return Err(DiffError::NoVariant { variant: name.clone(), report: report.id.clone(), known });
            }
        }
    }
    Ok(given.to_vec())
}

/// Something that differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunDifference {
    /// What, as the report calls it.
    pub what: String,
    /// In A.
    pub a: Value,
    /// In B.
    pub b: Value,
}

/// What numbers depend on, beside artifacts and samples.
pub(crate) type Surroundings = Vec<(&'static str, Value)>;

/// A new line is all that a new setting needs.
pub(crate) fn surroundings<R>(of: &Report<R>) -> Surroundings {
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
        ("stopWhenDecided", json!(settings.stop_when_decided)),
        ("cliVersion", json!(meta.cli_version)),
        ("status", json!(of.status)),
    ]
}

/// Everything that is not the same.
pub(crate) fn differs(a: &Surroundings, b: &Surroundings) -> Vec<RunDifference> {
    let unlike = a.iter().zip(b).filter(|((_, a), (_, b))| a != b);
    unlike.map(|((what, a), (_, b))| RunDifference { what: (*what).to_owned(), a: a.clone(), b: b.clone() }).collect()
}

/// The first of many.
fn some(ids: &[String]) -> String {
    const LISTED: usize = 20;
    let mut list = ids.iter().take(LISTED).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    if ids.len() > LISTED {
        list.push_str(", …");
    }
    list
}

impl DiffError {
    /// The text for people, and what to do.
    #[must_use]
    pub fn messages(&self) -> (Message, Option<Message>) {
        let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            DiffError::OtherSamples(sets) => (
                msg!(
                    "report-diff-samples",
                    changed = sets.changed.len(),
                    added = sets.added.len(),
                    removed = sets.removed.len(),
                    changedList = some(&sets.changed),
                    addedList = some(&sets.added),
                    removedList = some(&sets.removed)
                ),
                Some(match sets.common {
                    0 => msg!("report-diff-nothing"),
                    common => msg!("report-diff-force", count = common),
                }),
            ),
            DiffError::NothingInCommon => (msg!("report-diff-nothing"), Some(msg!("report-diff-nothing-help"))),
            DiffError::Variants(why) => (why.clone(), Some(msg!("report-diff-name-variants"))),
            DiffError::NoVariant { variant, report, known } => (
                msg!("report-diff-no-variant", variant = variant, report = report),
                Some(msg!("report-diff-variants", variants = list(known))),
            ),
            DiffError::Alone => (msg!("report-diff-alone"), Some(msg!("report-diff-second"))),
        }
    }
}
