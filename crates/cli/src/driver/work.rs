//! The traits that a command implements: [`Evaluation`] for what runs, [`Reporting`] for its results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_exec::Recorder;
use eval_message::{Lang, Message};
use eval_run::pairs::Compare;
use eval_run::{Executors, Guard, Journal, RunEnd, RunEnding, RunError, RunLimits, Stop, Watch};
use eval_spec::page::InlinedUrl;
use eval_spec::plan::Plan;
use eval_spec::record::Record;
use eval_spec::{BoxFuture, Call, Cell, CellKey, Context, Diagnostic, Event, Grader};
use jiff::Timestamp;
use serde_json::Value;

use crate::exit::CommandError;
use crate::terminal::Terminal;
use crate::terminal::progress;

/// Start of a run.
pub enum Start {
    /// Only the plan is shown (`--dry-run`).
    Preview,
    /// With a new journal.
    New,
    /// Continues this journal.
    GoOn(Box<Journal>),
}

/// Header of a new journal, without id, time and plan.
pub struct JournalStart {
    /// Settings; secrets in command lines are masked before they are written.
    pub settings: Value,
    /// Hashes by name, to report what changed when the run can't be resumed.
    pub inputs: Value,
    /// Working directory.
    pub cwd: String,
    /// Run whose answers are regraded.
    pub regrade_of: Option<String>,
    /// Seed of the order of cells.
    pub order_seed: u64,
    /// Samples whose control is executed again although the cache has its answers, sorted.
    pub asked_again: Vec<String>,
    /// Samples that each planned look reads in addition to those of the look before, in order.
    pub looks: Vec<Vec<String>>,
    /// URLs of the samples, and the texts that replace them.
    pub urls: Vec<InlinedUrl>,
}

/// Parts of a run that the driver makes.
pub struct RunSetup<'a> {
    pub terminal: &'a Terminal,
    /// Limits and budget, shared by all calls.
    pub guard: &'a Arc<Guard>,
    pub journal: &'a Arc<Journal>,
    /// Stops the run.
    pub stop: &'a Stop,
    /// Empty directory for agents that judge: they must not see the project.
    pub nowhere: &'a Path,
}

/// Parts of a run that the command makes for the engine.
pub struct Parts {
    /// Executors of the cells.
    pub executors: Executors,
    pub grader: Arc<dyn Grader>,
    /// Asks judges to compare two answers.
    pub compare: Box<Compare<'static>>,
    /// Records executions; its notes are printed at the end of the run.
    pub recorder: Option<Arc<Recorder>>,
}

/// Parts of a run for its last, optional requests.
pub struct Afterwards<'a> {
    pub guard: &'a Guard,
    pub journal: &'a Journal,
    /// Ending of the run so far.
    pub ended: &'a RunEnding,
    /// Receives progress events.
    pub on_event: &'a (dyn Fn(Event) + Sync),
}

/// Returns the comparison of a run without pairs.
pub fn nothing_to_compare() -> Box<Compare<'static>> {
    Box::new(|_| Box::pin(async { Vec::new() }))
}

/// Loaded and planned inputs that can be run.
pub trait Evaluation: Sync {
    /// Resources needed until the analysis: processes, a store.
    type Running: Sync;

    /// Context in which the run began.
    fn context(&self) -> &Context;

    /// Warnings about the inputs.
    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }

    /// Checks that the run is possible with these settings.
    fn check(&self) -> Result<(), CommandError> {
        Ok(())
    }

    /// All cells in order.
    fn plan(&self) -> &Plan;

    /// Returns the least number of bytes that the report has, whatever the answers are.
    fn least_report_bytes(&self) -> u64;

    /// Returns the part of the plan that can be run; `None` for all of it.
    fn runnable(&self, _journal: &Journal) -> Result<Option<Plan>, CommandError> {
        Ok(None)
    }

    /// Makes the header of a new journal.
    fn beginning(&self) -> Result<JournalStart, CommandError>;

    /// Returns an id for a run that begins at `start`, and is not `taken`.
    fn fresh_id(&self, start: Timestamp, taken: &dyn Fn(&str) -> bool) -> String;

    /// Copies the answers of earlier runs.
    fn adopt(&self, _journal: &Journal) -> Result<(), CommandError> {
        Ok(())
    }

    /// Concurrency, retries, rates and budget.
    fn limits(&self) -> RunLimits;

    /// Seed of retry delays.
    fn seed(&self) -> u64;

    /// Makes the call of a cell.
    fn call(&self, cell: &Cell) -> Call;

    /// Builds executors and grader.
    fn start(&self, setup: &RunSetup<'_>) -> Result<(Parts, Self::Running), CommandError>;

    /// Receives each finished cell.
    fn finished(&self, _running: &Self::Running, _record: &Record) {}

    /// Pairs of answers that judges compare.
    fn pairs(&self) -> Vec<[&Cell; 2]> {
        Vec::new()
    }

    /// Returns `true` if [`Evaluation::watch`] may end the run.
    fn may_end_early(&self) -> bool {
        false
    }

    /// Returns a function that receives each finished sample, and returns `true` to end the run.
    fn watch<'a>(&'a self, _journal: &'a Journal) -> Watch<'a> {
        Box::new(|_, _| false)
    }

    /// Returns `true` if a cell is executed again although the cache has its answer.
    fn is_asked_again(&self, _journal: &Journal, _cell: &Cell) -> bool {
        false
    }

    /// Returns the positions in the plan of cells that are executed again when everything else is done.
    fn asked_again_after(&self, _terminal: &Terminal, _journal: &Journal) -> Result<Vec<usize>, RunError> {
        Ok(Vec::new())
    }

    /// Makes the optional requests that need all answers; returns `false` if they were interrupted, and a warning if
    /// there is one.
    fn afterwards<'a>(
        &'a self,
        _running: &'a Self::Running,
        _setup: &'a Afterwards<'a>,
    ) -> BoxFuture<'a, (bool, Option<Message>)> {
        Box::pin(async { (true, None) })
    }

    /// Returns the function that names a cell in progress.
    fn cell_name(&self) -> fn(&CellKey, Lang) -> String {
        progress::plain
    }
}

/// An ended run, complete or not.
pub struct Ran<'a> {
    pub journal: &'a Journal,
    pub end: RunEnd,
}

#[derive(Default)]
pub struct WrittenFiles {
    /// Written files.
    pub paths: Vec<PathBuf>,
    /// Errors of files that could not be written.
    pub failures: Vec<CommandError>,
}

/// Reporting of a run that ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialRun {
    /// The report covers all measurements, and names what is missing.
    Reported,
    /// As [`PartialRun::Reported`], but an interrupted run is not reported.
    ReportedUnlessInterrupted,
    /// No report.
    Unreported,
}

/// Turns results into numbers, a decision, files, text and an exit code.
pub trait Reporting<W: Evaluation> {
    /// Numbers and decision.
    type Analysis;

    /// The run's id is printed when it begins.
    const ANNOUNCES_ID: bool = true;

    /// Reporting of a run that ended early.
    fn partial(&self) -> PartialRun;

    /// Returns the command that resumes the run with this id.
    fn resume_command(&self, id: &str) -> String;

    /// Shows the plan.
    fn preview(&self, work: &W) -> Result<(), CommandError>;

    /// Checks that the report can be written.
    fn prepare(&self, work: &W) -> Result<(), CommandError>;

    /// Analyses and decides.
    fn analyse(&self, work: &W, ran: &Ran<'_>, running: W::Running) -> Result<Self::Analysis, CommandError>;

    fn write(&self, work: &W, ran: &Ran<'_>, analysis: &Self::Analysis) -> WrittenFiles;

    /// Shows the result.
    fn show(
        &self,
        work: &W,
        ran: &Ran<'_>,
        analysis: &Self::Analysis,
        files: &WrittenFiles,
    ) -> Result<(), CommandError>;

    /// Returns the exit code of a report, before the driver turns lost files into
    /// [`exit::INVALID`](crate::exit::INVALID).
    fn code(&self, work: &W, ran: &Ran<'_>, analysis: &Self::Analysis) -> u8;

    /// Returns why the report is incomplete, if that is not printed yet.
    fn incomplete(&self, _analysis: &Self::Analysis) -> Option<Message> {
        None
    }
}
