//! The end of a run: complete, by a signal, or early for a reason.

use std::time::Duration;

use eval_analysis::RunStatus;
use eval_format::IncompleteReason;
use eval_message::{Lang, Message, msg};
use eval_run::{Journal, RunEnd, RunEnding, RunError, Stop};
use eval_spec::ExecError;

use crate::exit::{self, CommandError};
use crate::signals::Signals;
use crate::terminal::Terminal;
use crate::terminal::progress::Progress;

/// Waits for the end of a run; forwards signals to `stop`, and ticks to the progress once a second.
pub(crate) async fn until_it_ends(
    run: impl Future<Output = Result<RunEnd, RunError>>,
    stop: &Stop,
    progress: &Progress<'_>,
) -> Result<RunEnd, CommandError> {
    tokio::pin!(run);
    let mut signals = Signals::new().map_err(CommandError::io(msg!("cli-runtime")))?;
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            end = &mut run => return end.map_err(CommandError::Stopped),
            hard = signals.next() => {
                progress.interrupted(signals.is_in_grace());
                if hard { stop.kill() } else { stop.drain() }
            }
            _ = second.tick() => progress.tick(),
        }
    }
}

/// Returns the report's status for this ending.
pub fn status(ended: &RunEnding) -> RunStatus {
    match ended {
        RunEnding::Complete | RunEnding::Decided => RunStatus::Complete,
        RunEnding::Interrupted => RunStatus::Incomplete { reason: IncompleteReason::Interrupted, detail: None },
        RunEnding::BudgetExhausted { why } => {
            RunStatus::Incomplete { reason: IncompleteReason::BudgetExhausted, detail: Some(why.message()) }
        }
        RunEnding::JudgeFailed { error } => {
            RunStatus::Incomplete { reason: IncompleteReason::JudgeFailed, detail: Some(error.message.clone()) }
        }
        RunEnding::Aborted { error } => {
            RunStatus::Incomplete { reason: IncompleteReason::Aborted, detail: Some(error.message.clone()) }
        }
    }
}

/// Prints how to resume an interrupted run.
pub(crate) fn interrupted(terminal: &Terminal, end: &RunEnd, resume: &Message) -> u8 {
    terminal.interrupted(&msg!("cli-interrupted", done = end.done, total = end.total), resume);
    exit::INTERRUPTED
}

/// Returns the message about a run that stopped early; `None` if it is complete, decided or interrupted.
pub(crate) fn ended_early(end: &RunEnd, journal: &Journal, lang: Lang) -> Option<Message> {
    match &end.ended {
        RunEnding::Complete | RunEnding::Decided | RunEnding::Interrupted => None,
        RunEnding::BudgetExhausted { why } => {
            Some(msg!("cli-incomplete-budget", done = end.done, total = end.total, why = why.message().text(lang)))
        }
        RunEnding::JudgeFailed { error } => Some(msg!("cli-incomplete-judge", error = with_detail(error, lang))),
        RunEnding::Aborted { error } if end.done <= 1 && journal.answers() == 0 => {
            Some(msg!("cli-incomplete-first-call", error = with_detail(error, lang)))
        }
        RunEnding::Aborted { error } if journal.answers() == 0 => {
            Some(msg!("cli-incomplete-start", error = with_detail(error, lang)))
        }
        RunEnding::Aborted { error } => Some(msg!("cli-incomplete-aborted", error = with_detail(error, lang))),
    }
}

/// Formats an error with its detail.
fn with_detail(error: &ExecError, lang: Lang) -> String {
    let message = error.message.text(lang);
    match &error.detail {
        Some(detail) => format!("{message}: {detail}"),
        None => message,
    }
}
