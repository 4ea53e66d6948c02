//! Analyses over stored reports.
//!
//! In come reports of earlier runs. Out go differences between two of them, trends over many, the number of samples that
//! an effect takes, clusters of failures, rows of a list, and a report computed again from its own results.
//!
//! This crate never runs a sample and never writes a report.

pub mod by_key;
mod compare;
pub mod diff;
mod earlier;
mod earlier_gaps;
mod earlier_looks;
pub mod failures;
mod knowledge_state;
pub mod listing;
pub mod power;
pub mod preview;
pub mod recompute;
pub mod skills;
mod stored;
mod taken_over;
pub mod trend;

pub use by_key::{GroupedScores, GroupingKey, by_key};
pub use compare::{DiffError, SampleSets, SettingChange};
pub use diff::{Diff, PreferenceDiff, Preferred, RunDifference, VariantDiff, diff, diff_inside};
pub use diff::{SlimReport, SlimSample, read_slim};
pub use earlier::{PlannedPower, PlannedTreatment, planned_power};
pub use earlier_gaps::{GuardedRun, earlier_gaps};
pub use earlier_looks::{LookArm, LookQuestion, earlier_looks};
pub use failures::{FailureClusters, Failures, read_failures};
pub use listing::{ListFilter, ListPage, ReportRow, RowResult};
pub use power::{PowerAnswer, PowerQuestion, SpreadOf, power_of_given, power_of_pilot};
pub use preview::{CostEstimate, JudgeRequests, PlanPreview, PlannedClassifier, PlannedUrl, preview};
pub use recompute::NotFollowing;
pub use recompute::{AsStored, Recomputed, recompute};
pub use stored::{read, read_analysis, read_revealed};
pub use taken_over::{GivenAnswer, RunCell, TakenOver, taken_over};
pub use trend::{Trend, Wanted, trend};
