//! The driver of every run: load → plan → run → analyse → decide → write → show → exit code.
//!
//! A command implements two traits: [`Evaluation`] for what runs, [`Reporting`] for its results. The driver does the
//! rest: journal and id, limits, signals, progress, the engine, and the output when a run ends early or its report
//! can't be written.

mod execute;
pub mod journal;
mod work;

use std::sync::Arc;

use eval_message::{Message, msg};
use eval_run::{Journal, RunEnd, RunEnding};
use eval_spec::files::LARGEST_REPORT;

pub use work::{
    Afterwards, Evaluation, JournalStart, PartialRun, Parts, Ran, Reporting, RunSetup, Start, WrittenFiles,
    nothing_to_compare,
};

use crate::ending;
use crate::exit::{self, CommandError};
use crate::terminal::Terminal;

/// Result of a command.
pub struct Driven<A> {
    pub code: u8,
    /// Analysis; `None` if there is no report.
    pub analysis: Option<A>,
}

impl<A> Driven<A> {
    fn without_report(code: u8) -> Driven<A> {
        Driven { code, analysis: None }
    }
}

/// Runs what `load` reads and plans, and returns the exit code. A run that has begun has a journal and can be resumed.
pub fn drive<W: Evaluation, R: Reporting<W>>(
    terminal: &Terminal,
    reporting: &R,
    load: impl FnOnce() -> Result<(W, Start), CommandError>,
) -> Result<Driven<R::Analysis>, CommandError> {
    let (work, start) = load()?;
    terminal.diagnostics(work.warnings());
    work.check()?;
    refuse_unreadable(&work)?;
    let resumed = match start {
        Start::Preview => return reporting.preview(&work).map(|()| Driven::without_report(exit::OK)),
        Start::New => None,
        Start::GoOn(journal) => {
            journal.bad_lines().for_each(|bad| terminal.warn(&bad));
            Some(*journal)
        }
    };
    // Checked before anything is paid for: results that can't be written would be lost.
    reporting.prepare(&work)?;
    let journal = Arc::new(resumed.map_or_else(|| journal::create(&work), Ok)?);
    work.adopt(&journal)?;
    let id = &journal.header().id;
    if R::ANNOUNCES_ID {
        terminal.note(&msg!("cli-run-id", id = id));
    }
    let resume = msg!("cli-resume-with", command = reporting.resume_command(id));
    let executed = execute::execute(terminal, &work, &journal);
    if matches!(executed, Err(CommandError::Stopped(_))) {
        terminal.note(&resume);
    }
    let (end, running) = executed?;
    if let Some(code) = without_report(terminal, &work, reporting.partial(), &journal, &end, &resume) {
        return Ok(Driven::without_report(code));
    }
    match report(terminal, &work, reporting, &Ran { journal: &journal, end }, running, &resume) {
        // All paid results are in the journal, so the run can be resumed.
        Err(failure) => {
            terminal.failure(work.context(), &failure);
            terminal.note(&resume);
            Ok(Driven::without_report(exit::INVALID))
        }
        driven => driven,
    }
}

/// Refuses a plan whose report is larger than readers take, whatever the answers are.
fn refuse_unreadable<W: Evaluation>(work: &W) -> Result<(), CommandError> {
    let least = work.least_report_bytes();
    if least <= LARGEST_REPORT {
        return Ok(());
    }
    let problem = msg!("cli-report-large", mib = least >> 20, most = LARGEST_REPORT >> 20);
    Err(CommandError::usage(problem, msg!("cli-report-large-help")))
}

/// Prints how a run ended; returns the exit code if there is nothing to report.
fn without_report<W: Evaluation>(
    terminal: &Terminal,
    work: &W,
    partial: PartialRun,
    journal: &Journal,
    end: &RunEnd,
    resume: &Message,
) -> Option<u8> {
    if partial != PartialRun::Reported && end.ended == RunEnding::Interrupted {
        return Some(ending::interrupted(terminal, end, resume));
    }
    end.warnings.iter().for_each(|warning| terminal.warn(warning));
    let reason = ending::ended_early(end, journal, work.context().lang)?;
    match partial {
        PartialRun::Reported => None,
        PartialRun::ReportedUnlessInterrupted => {
            terminal.error(&reason, None);
            terminal.note(resume);
            None
        }
        PartialRun::Unreported => {
            terminal.usage(&reason, std::slice::from_ref(resume));
            Some(exit::INVALID)
        }
    }
}

/// Analyses, decides, writes and shows.
fn report<W: Evaluation, R: Reporting<W>>(
    terminal: &Terminal,
    work: &W,
    reporting: &R,
    ran: &Ran<'_>,
    running: W::Running,
    resume: &Message,
) -> Result<Driven<R::Analysis>, CommandError> {
    let analysis = reporting.analyse(work, ran, running)?;
    let files = reporting.write(work, ran, &analysis);
    reporting.show(work, ran, &analysis, &files)?;
    let code = reporting.code(work, ran, &analysis);
    files.failures.iter().for_each(|failure| terminal.print_failure(work.context(), failure));
    let incomplete = reporting.incomplete(&analysis);
    incomplete.iter().for_each(|why| terminal.note(why));
    if incomplete.is_some() || !files.failures.is_empty() {
        terminal.note(resume);
    }
    let code = if files.failures.is_empty() || code == exit::INTERRUPTED { code } else { exit::INVALID };
    Ok(Driven { code, analysis: Some(analysis) })
}
