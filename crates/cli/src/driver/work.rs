//! What a command fills in: [`Evaluation`] is what runs, [`Reporting`] what it comes to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_exec::Recorder;
use eval_message::{Lang, Message};
use eval_run::pairs::Compare;
use eval_run::{Executors, Guard, Journal, RunEnd, RunLimits, Stop, Watch};
use eval_spec::plan::Plan;
use eval_spec::record::Record;
use eval_spec::{Call, Cell, CellKey, Context, Diagnostic, Grader};
use jiff::Timestamp;
use serde_json::Value;

use crate::exit::CommandError;
use crate::terminal::Terminal;
use crate::terminal::progress;

/// Where a run begins.
pub enum Start {
    /// Nowhere: only the plan is shown (`--dry-run`).
    Preview,
    /// With a journal of its own.
    New,
    /// Where this journal ends.
    GoOn(Box<Journal>),
}

/// What the header of a new journal says, beside id, time and plan.
pub struct JournalStart {
    /// What was asked for; keys in command lines are masked before they are written.
    pub settings: Value,
    /// Hashes by name, to say what changed when the run can't go on.
    pub inputs: Value,
    /// The working directory.
    pub cwd: String,
    /// The run whose answers are graded anew.
    pub regrade_of: Option<String>,
    /// The seed of the order.
    pub order_seed: u64,
}

/// What the driver made for one run.
pub struct RunSetup<'a> {
    /// Where the run prints.
    pub terminal: &'a Terminal,
    /// Limits and budget, which all calls share.
    pub guard: &'a Arc<Guard>,
    /// Where the run is written down.
    pub journal: &'a Arc<Journal>,
    /// Ends the run.
    pub stop: &'a Stop,
    /// An empty directory for agents that judge: nothing there tells of the project.
    pub nowhere: &'a Path,
}

/// What the engine runs with.
pub struct Parts {
    /// What executes the cells.
    pub executors: Executors,
    /// What grades the answers.
    pub grader: Arc<dyn Grader>,
    /// Has judges compare two answers.
    pub compare: Box<Compare<'static>>,
    /// What records executions; its notes are printed when the run has ended.
    pub recorder: Option<Arc<Recorder>>,
}

/// The comparison of a run without pairs.
#[must_use]
pub fn nothing_to_compare() -> Box<Compare<'static>> {
    Box::new(|_| Box::pin(async { Vec::new() }))
}

/// Inputs that are loaded and planned, and can be run.
pub trait Evaluation: Sync {
    /// What lives as long as cells run, and a little longer: processes, a store.
    type Running: Sync;

    /// The surroundings that the run began in.
    fn context(&self) -> &Context;

    /// What was wrong with the inputs, but not wrong enough.
    fn warnings(&self) -> &[Diagnostic] {
        &[]
    }

    /// Refuses what can't be run as it was asked for.
    ///
    /// # Errors
    /// Why.
    fn check(&self) -> Result<(), CommandError> {
        Ok(())
    }

    /// Every cell in its order.
    fn plan(&self) -> &Plan;

    /// The part of the plan that can be run; `None` where that is all of it.
    ///
    /// # Errors
    /// The journal can't be read.
    fn runnable(&self, _journal: &Journal) -> Result<Option<Plan>, CommandError> {
        Ok(None)
    }

    /// What a new journal says.
    ///
    /// # Errors
    /// It can't be written down.
    fn beginning(&self) -> Result<JournalStart, CommandError>;

    /// An id for a run that begins at this time, of which some are taken.
    fn fresh_id(&self, at: Timestamp, taken: &dyn Fn(&str) -> bool) -> String;

    /// Takes over what earlier runs answered.
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

    /// Builds what executes and grades.
    ///
    /// # Errors
    /// It can't be built.
    fn start(&self, setup: &RunSetup<'_>) -> Result<(Parts, Self::Running), CommandError>;

    /// Is handed every finished cell.
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
    fn watch(&self) -> Watch<'_> {
        Box::new(|_, _| false)
    }

    /// What progress calls a cell.
    fn cell_name(&self) -> fn(&CellKey, Lang) -> String {
        progress::plain
    }
}

/// A run that was made, whole or in part.
pub struct Ran<'a> {
    /// All results.
    pub journal: &'a Journal,
    /// How it ended.
    pub end: RunEnd,
}

/// The files of a report.
#[derive(Default)]
pub struct WrittenFiles {
    /// Those that were written.
    pub paths: Vec<PathBuf>,
    /// Why others were not.
    pub failures: Vec<CommandError>,
}

/// What is reported of a run that ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialRun {
    /// Everything that was measured; the report says what is missing.
    Reported,
    /// The same, unless somebody stopped the run.
    ReportedUnlessInterrupted,
    /// Nothing.
    Unreported,
}

/// What becomes of results: numbers, a decision, files, text, an exit code.
pub trait Reporting<W: Evaluation> {
    /// The numbers with what was decided on them.
    type Analysis;

    /// Whether the run's id is printed when it begins.
    const ANNOUNCES_ID: bool = true;

    /// What is reported of a run that ended early.
    fn partial(&self) -> PartialRun;

    /// What to type to go on with the run of this id.
    fn resume_command(&self, id: &str) -> String;

    /// Shows the plan.
    ///
    /// # Errors
    /// What the plan is made of can't be read.
    fn preview(&self, work: &W) -> Result<(), CommandError>;

    /// Makes sure that the report can be written.
    ///
    /// # Errors
    /// It can't.
    fn prepare(&self, work: &W) -> Result<(), CommandError>;

    /// Analyses and decides.
    ///
    /// # Errors
    /// The journal can't be read, or nothing can be made of it.
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

    /// The exit code of a report that was written.
    fn code(&self, work: &W, ran: &Ran<'_>, analysis: &Self::Analysis) -> u8;

    /// Says why a part of the report could not be written.
    fn unwritten(&self, work: &W, failure: &CommandError);

    /// Why the report is incomplete, where that was not said yet.
    fn incomplete(&self, _analysis: &Self::Analysis) -> Option<Message> {
        None
    }
}
