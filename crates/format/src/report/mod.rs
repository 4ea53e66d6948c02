//! The report as it is stored, served and read again: the contract of `schemas/report.schema.json`.
//!
//! Every field name of the first report format is kept; what came later stands beside it. A value that is not known
//! is `null`, never 0. Scores are points on the 1–5 scale, `1 + 4·ratio`; money is US dollars; times are milliseconds.

pub(crate) mod blind;
mod cached_control;
mod comparison;
mod coverage;
pub(crate) mod feedback;
pub(crate) mod file;
mod finding;
mod gap_guard;
mod gap_trend;
mod gaps;
mod gold;
mod holdout;
mod imported;
mod judging;
mod knowledge_change;
mod known;
mod meta;
mod note;
mod pairwise;
mod quality;
mod reading;
mod resources;
mod result;
mod saturation;
mod shares;
mod stopping;
mod summary;
mod triggers;
mod verdict;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

pub use blind::{
    BlindFile, HiddenVariant, RevealedNames, Seal, blind_path, draw_labels, hide_names, letters, reveal_report,
    seal_report,
};
pub use cached_control::*;
pub use comparison::*;
pub use coverage::*;
pub use eval_spec::gold::Settled;
pub use feedback::{Feedback, add_feedback, newest_feedback, reader_name, settle_feedback, shown_feedback};
pub use finding::*;
pub use gap_guard::*;
pub use gap_trend::*;
pub use gaps::*;
pub use gold::*;
pub use holdout::*;
pub use imported::*;
pub use judging::*;
pub use knowledge_change::*;
pub use known::*;
pub use meta::*;
pub use note::*;
pub use pairwise::*;
pub use quality::*;
pub use reading::*;
pub use resources::*;
pub use result::*;
pub use saturation::*;
pub use shares::*;
pub use stopping::*;
pub use summary::*;
pub use triggers::*;
pub use verdict::*;

/// The version of the format that this program writes.
pub const SCHEMA_VERSION: u32 = 1;

// `R` is the type of `results`: all of them when a report is read, a stream while one is written, nothing in an
// [`Analysis`]. `V` is the type of `verdict`: the numbers that decide, until somebody has decided.
/// A report of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "Report"))]
pub struct Report<R = Vec<SampleResult>, V = Verdict> {
    /// Unique among the reports; the file's name without `.json`.
    pub id: String,
    /// The version of the format that the writer used.
    pub schema_version: u32,
    /// Whether every planned execution was measured.
    pub status: Status,
    /// Why the run is incomplete; `null` when it is complete.
    pub incomplete_reason: Option<IncompleteReason>,
    /// Details of the reason, such as the error that ended the run.
    pub incomplete_detail: Option<Note>,
    /// Identity, settings and environment of the run.
    pub meta: ReportMeta,
    /// The numbers of each variant alone, by name.
    pub summary: BTreeMap<String, VariantSummary>,
    /// The results of each sample, in the order of the sample file.
    pub results: R,
    /// Each treatment against the control.
    pub comparisons: Vec<Comparison>,
    /// Reliability of the judges' scores; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<Judging>,
    /// Results on tripwires (samples that are meant to fail), for each variant; absent without tripwires.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tripwires: Vec<Tripwires>,
    /// Whether agents load the skills when they should; absent unless the samples ask for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triggers: Option<TriggerReport>,
    /// The decision on each treatment, and the exit code.
    pub verdict: V,
    /// Observations beside the verdict: insights, sample quality, saturation.
    pub analysis: Findings,
    /// Agreement of the judges with people's scores; absent without gold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldReport>,
    /// With repeats only: how much the mean of a whole run varies between repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variance: Option<Variance>,
    /// With held-out samples only: whether a gain holds on them too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<Holdout>,
    /// With samples judged pairwise only: which variant's answers the judges prefer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairwise: Option<Pairwise>,
    /// With `--stop-when-decided` only: whether and when the run ended early, and what that saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<Stopping>,
    /// Samples that are one task, and count as one: near-duplicates, and samples with the same `cluster`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<Cluster>,
    /// Answers of the control from the cache, and what asking some of them again showed; absent without such answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_control: Option<CachedControl>,
    /// What people say about single answers; absent where nobody has said anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<Feedback>,
}

/// Samples that are one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cluster {
    /// The `cluster` that its samples name, or the id of one of them.
    pub name: String,
    /// The ids of its samples.
    pub samples: Vec<String>,
}

/// A report without its results: all that is decided and shown in a summary, in little memory.
pub type Analysis = Report<NoResults>;

/// A report as a file has it, with a verdict that may not follow from its inputs.
pub type UncheckedReport<R> = Report<R, UncheckedVerdict>;

/// A report with all numbers computed and without a verdict.
pub type Undecided = Report<NoResults, VerdictInputs>;

/// Results that were skipped while reading. It can't be written: a report is never stored without its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoResults;

impl<'de> Deserialize<'de> for NoResults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NoResults, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| NoResults)
    }
}

impl<T> Report<Vec<T>> {
    /// The report without its results, and these.
    pub fn take_results(mut self) -> (Analysis, Vec<T>) {
        let results = std::mem::take(&mut self.results);
        (self.with_results(NoResults), results)
    }
}

impl<R, V> Report<R, V> {
    /// The same report with other results.
    pub fn with_results<S>(self, results: S) -> Report<S, V> {
        self.with(|_, verdict| (results, verdict))
    }

    /// The same report with a verdict made of the present one.
    pub fn with_verdict<W>(self, decide: impl FnOnce(V) -> W) -> Report<R, W> {
        self.with(|results, verdict| (results, decide(verdict)))
    }

    fn with<S, W>(self, change: impl FnOnce(R, V) -> (S, W)) -> Report<S, W> {
        let (results, verdict) = change(self.results, self.verdict);
        Report {
            id: self.id,
            schema_version: self.schema_version,
            status: self.status,
            incomplete_reason: self.incomplete_reason,
            incomplete_detail: self.incomplete_detail,
            meta: self.meta,
            summary: self.summary,
            results,
            comparisons: self.comparisons,
            judging: self.judging,
            tripwires: self.tripwires,
            triggers: self.triggers,
            verdict,
            analysis: self.analysis,
            gold: self.gold,
            variance: self.variance,
            holdout: self.holdout,
            pairwise: self.pairwise,
            stopping: self.stopping,
            clusters: self.clusters,
            cached_control: self.cached_control,
            feedback: self.feedback,
        }
    }
}

/// Whether everything that was planned was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every planned execution was made, and few enough failed.
    Complete,
    /// Some were not made, or too many failed.
    Incomplete,
}

/// Why a run is not the measurement that was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IncompleteReason {
    /// It was stopped by a signal.
    Interrupted,
    /// The money or time was used up.
    BudgetExhausted,
    /// It was aborted because it could not succeed, such as with a wrong key.
    Aborted,
    /// It was aborted because a judge was away, or none of its replies was usable.
    JudgeFailed,
    /// Records of planned executions are missing, though the run ended as complete.
    RecordsMissing,
    /// Everything was run, but too much of it failed to be a measurement.
    TooManyFailures,
}
