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

/// How a run starts.
pub enum Start {
    /// Not at all: only the plan is shown (`--dry-run`).
    Preview,
    /// With a new journal.
    New,
    /// From the end of this journal.
    GoOn(Box<Journal>),
}

/// The header of a new journal, beside id, time and plan.
pub struct JournalStart {
    /// The settings; secrets in command lines are masked before they are written.
    pub settings: Value,
    /// Hashes by name, to report what changed when the run can't be resumed.
    pub inputs: Value,
    /// The working directory.
    pub cwd: String,
    /// The run whose answers are regraded.
    pub regrade_of: Option<String>,
    /// The seed of the order.
    pub order_seed: u64,
    /// Samples whose control is asked again though the cache has its answers, sorted.
    pub asked_again: Vec<String>,
    /// The samples that each planned look reads beyond those of the look before, in order.
    pub looks: Vec<Vec<String>>,
    /// The URLs of the samples, and what stands in their place.
    pub urls: Vec<InlinedUrl>,
}

/// The parts of a run that the driver makes.
pub struct RunSetup<'a> {
    /// Where the run prints.
    pub terminal: &'a Terminal,
    /// Limits and budget, which all calls share.
    pub guard: &'a Arc<Guard>,
    /// The journal of the run.
    pub journal: &'a Arc<Journal>,
    /// Stops the run.
    pub stop: &'a Stop,
    /// An empty directory for agents that judge: they must see nothing of the project.
    pub nowhere: &'a Path,
}

/// The parts that the engine runs with.
pub struct Parts {
    /// Execute the cells.
    pub executors: Executors,
    /// Grades the answers.
    pub grader: Arc<dyn Grader>,
    /// Has judges compare two answers.
    pub compare: Box<Compare<'static>>,
    /// Records executions; its notes are printed at the end of the run.
    pub recorder: Option<Arc<Recorder>>,
}

/// What a run asks its last questions with.
pub struct Afterwards<'a> {
    /// Limits and budget.
    pub guard: &'a Guard,
    /// The journal of the run.
    pub journal: &'a Journal,
    /// How the run ended so far.
    pub ended: &'a RunEnding,
    /// Receives the progress.
    pub on_event: &'a (dyn Fn(Event) + Sync),
}

/// The comparison of a run without pairs.
pub fn nothing_to_compare() -> Box<Compare<'static>> {
    Box::new(|_| Box::pin(async { Vec::new() }))
}

/// Inputs that are loaded and planned, and can be run.
pub trait Evaluation: Sync {
    /// Resources that live until the analysis: processes, a store.
    type Running: Sync;

    /// The context that the run began in.
    fn context(&self) -> &Context;

    /// Warnings about the inputs.
    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }

    /// Checks that the run is possible with these settings.
    ///
    /// # Errors
    /// It is not.
    fn check(&self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Every cell in its order.
    fn plan(&self) -> &Plan;

    /// Returns the least number of bytes that the report has, whatever the answers are.
    fn least_report_bytes(&self) -> u64;

    /// The part of the plan that can be run; `None` for all of it.
    ///
    /// # Errors
    /// The journal can't be read.
    fn runnable(&self, _journal: &Journal) -> Result<Option<Plan>, CommandError> {
        Ok(None)
    }

    /// The header of a new journal.
    ///
    /// # Errors
    /// It can't be serialised.
    fn beginning(&self) -> Result<JournalStart, CommandError>;

    /// An id for a run that begins at this time; some ids are `taken`.
    fn fresh_id(&self, at: Timestamp, taken: &dyn Fn(&str) -> bool) -> String;

    /// Copies the answers of earlier runs.
    ///
    /// # Errors
    /// A journal can't be read or written.
    fn adopt(&self, _journal: &Journal) -> Result<(), CommandError> {
        Ok(())
    }

    /// Concurrency, retries, rates and budget.
    fn limits(&self) -> RunLimits;

    /// The seed of waiting times.
    fn seed(&self) -> u64;

    /// The call of a cell.
    fn call(&self, cell: &Cell) -> Call;

    /// Builds executors and grader.
    ///
    /// # Errors
    /// One can't be built.
    fn start(&self, setup: &RunSetup<'_>) -> Result<(Parts, Self::Running), CommandError>;

    /// Receives every finished cell.
    fn finished(&self, _running: &Self::Running, _record: &Record) {}

    /// The pairs of answers that judges compare.
    fn pairs(&self) -> Vec<[&Cell; 2]> {
        Vec::new()
    }

    /// Whether [`Evaluation::watch`] may end the run.
    fn may_end_early(&self) -> bool {
        false
    }

    /// Receives each finished sample, and returns whether the run may end.
    fn watch(&self, _journal: &Journal) -> Watch<'_> {
        Box::new(|_, _| false)
    }

    /// Whether a cell is asked again though the cache has its answer.
    fn is_asked_again(&self, _journal: &Journal, _cell: &Cell) -> bool {
        false
    }

    /// The cells that are asked again when everything else is done, by their place in the plan.
    ///
    /// # Errors
    /// The journal can't be read.
    fn asked_again_after(&self, _terminal: &Terminal, _journal: &Journal) -> Result<Vec<usize>, RunError> {
        Ok(Vec::new())
    }

    /// Asks what can be asked once all answers are there and the report can do without; returns whether that came to an
    /// end, with a warning if there is one.
    fn afterwards<'a>(
        &'a self,
        _running: &'a Self::Running,
        _setup: &'a Afterwards<'a>,
    ) -> BoxFuture<'a, (bool, Option<Message>)> {
        Box::pin(async { (true, None) })
    }

    /// The name of a cell in progress.
    fn cell_name(&self) -> fn(&CellKey, Lang) -> String {
        progress::plain
    }
}

/// A run that has ended, complete or not.
pub struct Ran<'a> {
    /// All results.
    pub journal: &'a Journal,
    /// How it ended.
    pub end: RunEnd,
}

/// The files of a report.
#[derive(Default)]
pub struct WrittenFiles {
    /// The files that were written.
    pub paths: Vec<PathBuf>,
    /// The failures of the others.
    pub failures: Vec<CommandError>,
}

/// How a run that ended early is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialRun {
    /// Everything that was measured; the report names what is missing.
    Reported,
    /// The same, unless the run was interrupted.
    ReportedUnlessInterrupted,
    /// Not at all.
    Unreported,
}

/// From results to numbers, a decision, files, text and an exit code.
pub trait Reporting<W: Evaluation> {
    /// The numbers and the decision.
    type Analysis;

    /// Whether the run's id is printed when it begins.
    const ANNOUNCES_ID: bool = true;

    /// How a run that ended early is reported.
    fn partial(&self) -> PartialRun;

    /// The command that resumes the run of this id.
    fn resume_command(&self, id: &str) -> String;

    /// Shows the plan.
    ///
    /// # Errors
    /// Something that the plan depends on can't be read.
    fn preview(&self, work: &W) -> Result<(), CommandError>;

    /// Checks that the report can be written.
    ///
    /// # Errors
    /// It can't.
    fn prepare(&self, work: &W) -> Result<(), CommandError>;

    /// Analyses and decides.
    ///
    /// # Errors
    /// The journal can't be read, or has nothing to analyse.
    fn analyse(&self, work: &W, ran: &Ran<'_>, running: W::Running) -> Result<Self::Analysis, CommandError>;

    /// Writes the report.
    fn write(&self, work: &W, ran: &Ran<'_>, analysis: &Self::Analysis) -> WrittenFiles;

    /// Shows the result.
    ///
    /// # Errors
    /// The results can't be read.
    fn show(
        &self,
        work: &W,
        ran: &Ran<'_>,
        analysis: &Self::Analysis,
        files: &WrittenFiles,
    ) -> Result<(), CommandError>;

    /// The exit code of a report, before the driver turns lost files into [`exit::INVALID`](crate::exit::INVALID).
    fn code(&self, work: &W, ran: &Ran<'_>, analysis: &Self::Analysis) -> u8;

    /// Why the report is incomplete, if that is not printed yet.
    fn incomplete(&self, _analysis: &Self::Analysis) -> Option<Message> {
        None
    }
}
