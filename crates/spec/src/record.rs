//! The lines of the journal: one JSON line per event, versioned; replaying them rebuilds any report.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::call::{ExecError, Output};
use crate::grade::Grade;
use crate::page::InlinedUrl;
use crate::paired::Pair;
use crate::plan::CellKey;
use crate::units::Usd;

/// The version of the journal's lines. A reader refuses every other one.
pub const JOURNAL_VERSION: u32 = 5;

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Header),
    /// A call that has left: without the line that ends it, the run was killed meanwhile.
    Begun(BegunCall),
    /// A finished execution.
    Execution(Execution),
    /// A finished request to a judge, for the answer of its cell.
    Judgement(Execution),
    /// A finished grade of an execution on an earlier line.
    Grade(GradeLine),
    /// Two answers on earlier lines, compared; executing one of them again voids it.
    Pair(Pair),
}

/// A call that has left, before anything is known of its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BegunCall {
    /// The cell it is for.
    pub key: CellKey,
    /// Whether it is a request to a judge of the cell's answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_judgement: bool,
    /// What it may cost at most, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Usd>,
    /// When it left.
    pub at: Timestamp,
}

/// What a run was started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// [`JOURNAL_VERSION`] of the writer.
    pub version: u32,
    /// The run's id, which is the report's.
    pub id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// The plan's hash; a resumed run must have the same.
    pub plan_hash: String,
    /// The settings as resolved, so that `--resume ID` needs no other flag.
    pub settings: Value,
    /// Hashes of the inputs by name, to say what changed when the plan's hash differs.
    pub inputs: Value,
    /// The working directory.
    pub cwd: String,
    /// The version of the program.
    pub program: String,
    /// The run whose answers this one grades anew: its own executor is never asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regrade_of: Option<String>,
    /// The seed that the order was drawn from: without a seed in the settings it follows from the test set, and the
    /// answers of a run that ended early are graded anew in the order in which they were given.
    pub order_seed: u64,
    /// Samples whose control is asked again beside the treatment, though the cache has its answers. Absent where there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_again: Vec<String>,
    /// The samples that each planned look reads beyond those of the look before, in order. Absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Vec<String>>,
    /// The URLs of the samples, and the hashes of the pages that stand in their place. Absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<InlinedUrl>,
    /// The files that standard output and standard error went to. Absent where there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<PathBuf>,
}

/// An earlier report in which the same two artifacts were compared on samples like those of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierLook {
    /// Its id; empty in a blind report, which it would tell the names.
    pub report: String,
    /// Whether it had the samples of this run, but for a tenth of them at most.
    pub same_samples: bool,
    /// Whether it ended before its plan did, and showed differences all the same; absent where it didn't.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended_early: bool,
    /// Whether a variant ran alone there, or beside another control; absent where the same two were compared. It counts where this run
    /// has the scores of such a run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// The treatments of this run that were compared there, too, by their place among the variants; 0 is the control, alone.
    pub treatments: BTreeMap<usize, EarlierTreatment>,
}

/// A treatment in an earlier report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierTreatment {
    /// The hashes of the scores of control and treatment; the first is empty where one ran alone.
    pub scores: [String; 2],
    /// The scores of control and treatment, by sample, where they decide how the look counts: of a run that ended early, of results of
    /// another tool, and of a set that changed by a tenth at most. Absent elsewhere.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pairs: BTreeMap<String, [f64; 2]>,
    /// The differences, in points, of samples that this run doesn't have, or has changed, by their ids, as they were last measured
    /// in this report or an older one; absent where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left: BTreeMap<String, f64>,
}

/// A finished execution, or a finished request to a judge: there the fingerprint is that of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// The cell.
    pub key: CellKey,
    /// What decided the output; a record is only re-used when it is the same.
    pub fingerprint: String,
    /// When the first attempt left the queue.
    pub started_at: Timestamp,
    /// When the last one ended.
    pub finished_at: Timestamp,
    /// Every attempt that failed before the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<ExecError>,
    /// The failures of earlier runs that asked the same, as the cache has them, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_failures: Vec<Failure>,
    /// How it ended.
    pub result: Executed,
    /// Whether the output came from the cache: no new observation, nothing paid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// When an output from the cache was given; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_at: Option<Timestamp>,
}

impl Execution {
    /// The failures of all attempts before the last, after those of the executions that it replaces, oldest first.
    #[must_use]
    pub fn failures_after(&self, replaced: &[Failure]) -> Vec<Failure> {
        let own = self.failed_attempts.iter().map(|error| error.failure);
        // the cache knows of those that were replaced, too, unless it was off
        let replaced = if self.earlier_failures.ends_with(replaced) { &[][..] } else { replaced };
        self.earlier_failures.iter().chain(replaced).copied().chain(own).collect()
    }
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Executed {
    /// With an output.
    Output(Box<Output>),
    /// With an infrastructure failure.
    Failed(ExecError),
}

/// A finished grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GradeLine {
    /// The cell.
    pub key: CellKey,
    /// The grade.
    pub grade: Grade,
}

/// The execution and the grade of one cell, from which summary, findings and verdict are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its execution.
    pub execution: Execution,
    /// Its grade; `None` unless it was answered.
    pub grade: Option<Grade>,
    /// The other variants whose artifacts its agent read; no line of the journal has it.
    pub artifacts_read: Vec<String>,
    /// The failures of executions of this cell that this one replaced, oldest first: it was asked for again.
    pub replaced_failures: Vec<Failure>,
}

impl Record {
    /// The failures of all attempts before the last, oldest first.
    #[must_use]
    pub fn failures_before(&self) -> Vec<Failure> {
        self.execution.failures_after(&self.replaced_failures)
    }
}
