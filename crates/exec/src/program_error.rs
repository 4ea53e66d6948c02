//! How a program ended, as an error of an executor.

use std::path::Path;
use std::process::ExitStatus;

use eval_message::{Message, msg};
use eval_process::ProcessError;
use eval_spec::{ExecError, Failure};

/// The error of a program that was stopped; `late` is the message of a time-out, `most` the longest output in bytes.
pub(crate) fn process_error(error: ProcessError, program: &Path, late: Message, most: usize) -> ExecError {
    match error {
        ProcessError::Spawn(error) => {
            with_detail(Failure::Spawn, msg!("exec-spawn", program = program.display().to_string()), &error.to_string())
        }
        ProcessError::Timeout { stderr } => with_detail(Failure::Timeout, late, &stderr),
        ProcessError::OutputTooLong => {
            // It would print as much again, and cost as much.
            ExecError::new(Failure::Crashed, msg!("exec-command-too-long", mib = most >> 20))
        }
        ProcessError::Wait(error) => with_detail(Failure::Crashed, msg!("exec-wait"), &error.to_string()),
    }
}

pub(crate) fn with_detail(failure: Failure, message: Message, detail: &str) -> ExecError {
    let detail = Some(detail.trim().to_owned()).filter(|detail| !detail.is_empty());
    ExecError { detail, ..ExecError::new(failure, message) }
}

/// The number of the signal that ended a process, else the status as text.
pub fn signal(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return signal.to_string();
    }
    status.to_string()
}
