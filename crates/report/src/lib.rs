//! From records to what a reader sees.
//!
//! In come a suite, its plan and the records of its cells, read one at a time. Out go the summary of each variant, the
//! paired comparisons, the verdict with its exit code, the report as JSON, and the summary for a terminal.
//!
//! This crate never runs or grades anything, never prints, never reads the clock, and never invents a number: what is
//! not known is `null`. Memory is bounded: of each record a few numbers are kept, and outputs go straight from the
//! journal into the file.

mod advice;
pub mod agent_skills;
mod analyse;
mod compare;
pub mod contract;
mod counting;
mod diff;
mod earlier;
pub mod failures;
mod family;
mod gate;
mod gold;
mod grid;
pub mod holdout;
mod insight;
mod judging;
mod length_shift;
mod likeness;
mod model;
mod numbers;
mod page;
mod pair_judges;
mod pairwise;
mod power;
pub mod preference;
mod preview;
mod quality;
mod reading;
mod recompute;
mod results;
pub mod saturation;
mod schema;
mod shares;
pub mod skills;
mod sound;
mod stopping;
mod store;
mod summary;
mod svg;
pub mod terminal;
mod trend;
mod tripwire;
mod variance;
pub mod verdict;

pub use analyse::{JudgeMeta, Meta, RunStatus, Template, analyse};
pub use contract::{Analysis, IncompleteReason, Report, SCHEMA_VERSION, Status};
pub use diff::{
    Diff, DiffError, Differs, PreferenceDiff, Preferred, SampleSets, SlimReport, SlimSample, VariantDiff, diff,
    diff_inside, read_slim,
};
pub use earlier::{PlannedPower, PlannedTreatment, planned_power};
pub use failures::{FailureClusters, Failures, read_failures};
pub use gate::{ThresholdGate, threshold_gate};
pub use gold::trust::{GoldDiffInputs, GoldInputs};
pub use gold::{GoldItem, compare_gold, gold_items, gold_questions};
pub use length_shift::{DifferenceShift, LengthShift, Shift, VariantShift, length_shift, length_shift_text};
pub use power::{PowerAnswer, PowerQuestion, SpreadOf, power_of_given, power_of_pilot};
pub use preview::{CostEstimate, JudgeRequests, PlanPreview, preview};
pub use recompute::{AsStored, NotFollowing, Recomputed, recompute};
pub use schema::schema;
pub use stopping::{Decider, FIRST_LOOK, Sequences, raise_limits};
pub use store::{read, read_analysis, report_id, report_json, write};
pub use terminal::{
    Show, diff_text, failures_text, gold_text, plan_text, power_text, recomputed_text, summary_text, trend_text,
};
pub use trend::{Trend, Wanted, trend};
pub use verdict::{Tier, Verdict, VerdictInputs, verdict};

use std::path::PathBuf;

use eval_spec::Pair;
use eval_spec::plan::Plan;
use eval_spec::record::Record;

/// Why a record could not be read: whatever the journal says.
pub type ReadError = Box<dyn std::error::Error + Send + Sync>;

/// The cells of a run and how to get at their records. Every record is read at most twice, and those
/// of samples with gold once more.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The record of a cell, by its place in the plan; `None` if it was not run. Called from several threads.
    pub read: &'a (dyn Fn(usize) -> Result<Option<Record>, ReadError> + Sync),
    /// What judges said of two cells that they compared, by their places in the plan, the earlier variant's first;
    /// `None` if they were not asked.
    pub pair: &'a (dyn Fn([usize; 2]) -> Result<Option<Pair>, ReadError> + Sync),
}

/// Why there is no report.
#[derive(Debug)]
pub enum ReportError {
    /// A record could not be read.
    Read(ReadError),
    /// The suite has no variant.
    NoVariant,
    /// There is no such interval.
    UnknownInterval {
        /// What was asked for.
        method: String,
    },
    /// The id is no file name.
    BadId {
        /// The id.
        id: String,
    },
    /// The file of a newer program, which is not overwritten, or can't be read.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The file is no report.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file can't be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file says what no run can have been, or not enough to compute it again.
    Unverifiable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: eval_spec::Message,
    },
    /// The output the report goes to can't be written.
    Output {
        /// Why.
        source: std::io::Error,
    },
}

impl std::fmt::Display for ReportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ReportError {}

/// What is wrong with a file that is no report, and where, in words that need no knowledge of how it is read.
fn damaged(path: String, source: &serde_json::Error) -> eval_spec::Message {
    use eval_spec::msg;
    let (line, column) = (source.line(), source.column());
    let text = source.to_string();
    let field = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match (source.classify(), field) {
        (serde_json::error::Category::Eof, _) => msg!("report-error-cut", path = path, line = line),
        (serde_json::error::Category::Syntax, _) => {
            msg!("report-error-json", path = path, line = line, column = column)
        }
        (_, Some(field)) => msg!("report-error-field", path = path, field = field, line = line),
        (_, None) => msg!("report-error-damaged", path = path, line = line, column = column),
    }
}

impl ReportError {
    /// The text for people, in any language.
    #[must_use]
    pub fn message(&self) -> eval_spec::Message {
        use eval_spec::msg;
        let shown = |path: &PathBuf| path.display().to_string();
        match self {
            ReportError::Read(why) => msg!("report-error-record", why = why.to_string()),
            ReportError::NoVariant => msg!("report-error-no-variant"),
            ReportError::UnknownInterval { method } => msg!("report-error-interval", method = method),
            ReportError::BadId { id } => msg!("report-error-id", id = id),
            ReportError::Newer { path, version } => {
                msg!("report-error-newer", path = shown(path), version = *version)
            }
            ReportError::Damaged { path, source } => damaged(shown(path), source),
            ReportError::File { path, source } => {
                msg!("report-error-file", path = shown(path), why = source.to_string())
            }
            ReportError::Unverifiable { path, why } => {
                msg!("report-error-unverifiable", path = shown(path), why = why.to_string())
            }
            ReportError::Output { source } => msg!("report-error-output", why = source.to_string()),
        }
    }
}
