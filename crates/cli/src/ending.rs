//! How runs end: by themselves, by a signal, or for want of something.

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

/// Waits for the end of a run, tells its stop of signals, and the heartbeat of the time.
///
/// # Errors
/// When the run fails, or signals can't be listened to.
pub async fn until_it_ends(
    run: impl Future<Output = Result<RunEnd, RunError>>,
    stop: &Stop,
    progress: &Progress<'_>,
) -> Result<RunEnd, CommandError> {
    tokio::pin!(run);
    let mut signals = Signals::new().map_err(CommandError::io(msg!("cli-runtime")))?;
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            end = &mut run => return Ok(end?),
            hard = signals.next() => {
                progress.interrupted();
                if hard { stop.kill() } else { stop.drain() }
            }
            _ = second.tick() => progress.tick(),
        }
    }
}

/// What a report says of it.
pub fn status(ended: &RunEnding) -> RunStatus {
    match ended {
        RunEnding::Complete | RunEnding::Decided => RunStatus::Complete,
        RunEnding::Interrupted => RunStatus::Incomplete { reason: IncompleteReason::Interrupted, detail: None },
        RunEnding::BudgetExhausted { why } => {
            RunStatus::Incomplete { reason: IncompleteReason::BudgetExhausted, detail: Some(why.message()) }
        }
        RunEnding::Aborted { error } => {
            RunStatus::Incomplete { reason: IncompleteReason::Aborted, detail: Some(error.message.clone()) }
        }
    }
}

/// Says that somebody stopped a run, and how it goes on.
pub fn interrupted(terminal: &Terminal, end: &RunEnd, resume: &Message) -> u8 {
    terminal.interrupted(&msg!("cli-interrupted", done = end.done, total = end.total), resume);
    exit::INTERRUPTED
}

/// Why there are cells that nobody ran.
pub fn ended_early(end: &RunEnd, journal: &Journal, lang: Lang) -> Option<Message> {
    match &end.ended {
        RunEnding::Complete | RunEnding::Decided | RunEnding::Interrupted => None,
        RunEnding::BudgetExhausted { why } => {
            Some(msg!("cli-incomplete-budget", done = end.done, total = end.total, why = why.message().text(lang)))
        }
        RunEnding::Aborted { error } if end.done <= 1 && journal.answers() == 0 => {
            Some(msg!("cli-incomplete-first-call", error = said(error, lang)))
        }
        RunEnding::Aborted { error } => Some(msg!("cli-incomplete-aborted", error = said(error, lang))),
    }
}

/// An execution's failure, with what the other side said of it.
fn said(error: &ExecError, lang: Lang) -> String {
    let message = error.message.text(lang);
    match &error.detail {
        Some(detail) => format!("{message}: {detail}"),
        None => message,
    }
}
