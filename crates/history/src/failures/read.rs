//! One pass over a report's results: the failing checks and the beginning of the answer of each failed result.

use std::collections::{BTreeMap, HashMap, HashSet};

use eval_analysis::grouping::{label_of, question_key_in_report};
use eval_analysis::measure::{Counting, average};
use eval_format::{AssertionDetail, Ending, SampleResult, VariantResult};
use eval_spec::Failure;

use super::EXCERPT;

/// The facts about failures.
#[derive(Debug, Default)]
pub(super) struct FailureFacts {
    /// The samples with a failed result, in the report's order.
    pub(super) samples: Vec<String>,
    /// The failed results, in the report's order, variants by name.
    pub(super) failed: Vec<Failed>,
    /// Results of those samples that tell nothing, since they never ran or have no score.
    pub(super) open: HashSet<(usize, String)>,
    /// The checks that failed anywhere.
    pub(super) checks: Checks,
    /// Every result, by variant; complete once [`FailureFacts::settle`] was called.
    pub(super) tallies: BTreeMap<String, FailureTally>,
    /// The status of each result, until it is known which samples count.
    seen: Vec<SeenResult>,
    /// All samples and variants, by their places in `seen`.
    all_samples: Vec<Box<str>>,
    all_variants: Vec<String>,
}

/// One result.
#[derive(Clone, Copy, Debug)]
struct SeenResult {
    sample: u32,
    variant: u32,
    what: ResultStatus,
}

/// The status of a result.
#[derive(Clone, Copy, Debug)]
enum ResultStatus {
    Scored,
    Unscored,
    NotRun,
    /// The run was decided without it.
    NotNeeded,
    /// Its sample is meant to fail.
    Tripwire,
    /// Its sample is held out: reading its failures would be tuning on it.
    HeldOut,
}

/// Counts of results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FailureTally {
    pub(super) results: u64,
    pub(super) unscored: u64,
    pub(super) not_run: u64,
    /// Results that the run was decided without.
    pub(super) not_needed: u64,
    /// Results of samples that are meant to fail.
    pub(super) tripwires: u64,
    /// Results of held-out samples.
    pub(super) held_out: u64,
    /// Results of samples that were only under way when the run was decided.
    pub(super) beyond: u64,
}

/// One result that failed or may have failed: judged scores are compared with the threshold later.
#[derive(Debug)]
pub(super) struct Failed {
    /// Its place in `samples`.
    pub(super) sample: usize,
    pub(super) variant: String,
    pub(super) why: FailureCause,
    pub(super) composite: Option<f64>,
    /// The beginning of the answer, or the error.
    pub(super) excerpt: Box<str>,
}

/// Why a result failed.
#[derive(Debug)]
pub(super) enum FailureCause {
    /// No answer came: the class of the failure, or how it ended.
    NoAnswer(String),
    /// These checks failed, and these questions were judged so, by their places in `checks`.
    Checks { failed: Vec<usize>, judged: Vec<(usize, f64)> },
}

/// The distinct checks.
#[derive(Debug, Default)]
pub(super) struct Checks {
    known: HashMap<String, usize>,
    /// Type (or the judged question) and label.
    pub(super) names: Vec<(String, String)>,
}

impl Checks {
    fn place(&mut self, key: String, name: impl FnOnce() -> (String, String)) -> usize {
        let names = &mut self.names;
        *self.known.entry(key).or_insert_with(|| {
            names.push(name());
            names.len() - 1
        })
    }

    fn of_assertion(&mut self, of: &AssertionDetail) -> usize {
        self.place(format!("assertion\u{0}{:x}", question_key_in_report(of)), || (of.kind.clone(), label(of)))
    }

    fn of_question(&mut self, dimension: Option<&str>) -> usize {
        let label = dimension.map_or_else(|| "rubric".to_owned(), |name| format!("rubric {name}"));
        self.place(format!("rubric\u{0}{}", dimension.unwrap_or_default()), || (label.clone(), label.clone()))
    }
}

fn label(of: &AssertionDetail) -> String {
    let own = label_of(&of.kind, of.not, &of.written);
    if of.children.is_empty() {
        return own;
    }
    format!("{own} ({})", of.children.iter().map(label).collect::<Vec<_>>().join(", "))
}

impl FailureFacts {
    /// Leaves out the results of samples that don't count, and counts all.
    pub(super) fn settle(&mut self, counting: &Counting) {
        let is_beyond: Vec<bool> = self.all_samples.iter().map(|id| counting.is_beyond(id)).collect();
        for seen in std::mem::take(&mut self.seen) {
            let tally = self.tallies.entry(self.all_variants[seen.variant as usize].clone()).or_default();
            match (seen.what, is_beyond[seen.sample as usize]) {
                (ResultStatus::Tripwire, _) => tally.tripwires += 1,
                (ResultStatus::HeldOut, _) => tally.held_out += 1,
                (_, true) => tally.beyond += 1,
                (ResultStatus::NotNeeded, false) => tally.not_needed += 1,
                (what, false) => {
                    tally.results += 1;
                    tally.unscored += u64::from(matches!(what, ResultStatus::Unscored));
                    tally.not_run += u64::from(matches!(what, ResultStatus::NotRun));
                }
            }
        }
        let samples = &self.samples;
        self.failed.retain(|failed| !counting.is_beyond(&samples[failed.sample]));
    }

    pub(super) fn add(&mut self, result: &SampleResult) {
        let (before, sample) = (self.failed.len(), self.samples.len());
        let mut open = Vec::new();
        for (variant, of) in &result.variants {
            let what = match (result.tripwire, result.holdout) {
                (true, _) => ResultStatus::Tripwire,
                (_, true) => ResultStatus::HeldOut,
                _ => self.take(variant, of),
            };
            if matches!(what, ResultStatus::Unscored | ResultStatus::NotRun | ResultStatus::NotNeeded) {
                open.push((sample, variant.clone()));
            }
            let variant = self.variant(variant);
            self.seen.push(SeenResult { sample: place(self.all_samples.len()), variant, what });
        }
        self.all_samples.push(result.sample_id.as_str().into());
        if self.failed.len() > before {
            self.samples.push(result.sample_id.clone());
            self.open.extend(open);
        }
    }

    fn variant(&mut self, name: &String) -> u32 {
        let known = self.all_variants.iter().position(|known| known == name);
        place(known.unwrap_or_else(|| {
            self.all_variants.push(name.clone());
            self.all_variants.len() - 1
        }))
    }

    /// Takes in a result.
    fn take(&mut self, variant: &str, of: &VariantResult) -> ResultStatus {
        match self.why(of) {
            None if of.executions().iter().all(|run| run.outcome == Ending::NotNeeded) => ResultStatus::NotNeeded,
            None => ResultStatus::NotRun,
            Some(FailureCause::Checks { failed, judged }) if failed.is_empty() && judged.is_empty() => {
                if of.composite_score.is_none() { ResultStatus::Unscored } else { ResultStatus::Scored }
            }
            Some(why) => {
                self.failed.push(Failed {
                    sample: self.samples.len(),
                    variant: variant.to_owned(),
                    composite: of.composite_score,
                    excerpt: excerpt(of).into(),
                    why,
                });
                ResultStatus::Scored
            }
        }
    }

    /// Why a result failed; `None` if it never ran.
    fn why(&mut self, of: &VariantResult) -> Option<FailureCause> {
        let runs = of.executions();
        let lost = runs.iter().find(|run| run.outcome != Ending::Answered).map(class);
        let failing = of.assertions.details.iter().filter(|detail| detail.passed == Some(false));
        let failed: Vec<usize> = failing.map(|detail| self.checks.of_assertion(detail)).collect();
        let is_answered = runs.iter().any(|run| run.outcome == Ending::Answered);
        let judged = self.judged(runs);
        match lost {
            Some(class) if !is_answered => class.map(FailureCause::NoAnswer),
            // a repeat without an answer is the cause where nothing else failed
            Some(Some(class)) if failed.is_empty() && judged.is_empty() => Some(FailureCause::NoAnswer(class)),
            _ => Some(FailureCause::Checks { failed, judged }),
        }
    }

    /// The rubric's or the dimensions' scores, as means over the repeats; full marks are left out.
    fn judged(&mut self, runs: &[VariantResult]) -> Vec<(usize, f64)> {
        const FULL: f64 = 5.0;
        let mut scores: BTreeMap<Option<&str>, Vec<f64>> = BTreeMap::new();
        for judged in runs.iter().flat_map(|run| &run.judged) {
            scores.entry(judged.dimension.as_deref()).or_default().extend(judged.score);
        }
        let means = scores.into_iter().filter_map(|(dimension, scores)| Some((dimension, average(&scores)?)));
        let low: Vec<_> = means.filter(|(_, mean)| *mean < FULL).collect();
        low.into_iter().map(|(dimension, mean)| (self.checks.of_question(dimension), mean)).collect()
    }
}

/// A place in a list that fits into memory many times over.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The failure class of an execution without an answer; `None` if it never ran.
fn class(run: &VariantResult) -> Option<String> {
    let name = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    };
    match (run.outcome, &run.error) {
        (Ending::NotRun | Ending::NotNeeded | Ending::OverBudget, _) => None,
        (_, Some(error)) if matches!(error.failure, Failure::Interrupted | Failure::Budget) => None,
        (_, Some(error)) => Some(name(serde_json::to_value(error.failure))),
        (outcome, None) => Some(name(serde_json::to_value(outcome))),
    }
}

/// The answer that failed: with repeats, the first run in which a check did.
fn excerpt(of: &VariantResult) -> String {
    let failing = |run: &&VariantResult| run.assertions.details.iter().any(|detail| detail.passed == Some(false));
    let runs = of.executions();
    let run = runs.iter().find(failing).or_else(|| runs.iter().find(|run| run.full_output.is_some())).unwrap_or(of);
    let text = run.full_output.as_deref().filter(|text| !text.trim().is_empty());
    let said = || run.error.as_ref().map(|error| error.detail.as_deref().unwrap_or(&error.message));
    text.or_else(said).unwrap_or_default().chars().take(EXCERPT).collect()
}
