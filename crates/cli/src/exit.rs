//! Exit codes and the failures that lead to them.
//!
//! The exit code of a run with a report is that of its verdict: `decision` in `eval-verdict` (0, 1, 3, 130). The
//! others:
//! | code | cause | where |
//! |---|---|---|
//! | 2 | invalid flags, files or surroundings; nothing was executed | [`CommandError::exit_code`] |
//! | 3 | a report or an export could not be analysed, shown or written | `drive` and `report` in [`driver`](crate::driver) |
//! | 3 | the journal or the cache failed during the run | [`CommandError::Stopped`] |
//! | 3 | too few executions for a report, where the command writes none then | `without_report` in [`driver`](crate::driver) |
//! | 3 | standard output could not be written, for example because the disk is full | [`Terminal::end`](crate::Terminal::end) |

use eval_format::ReportError;
use eval_format::skills::FileError;
use eval_message::{Message, MessageKey, key, msg};
use eval_run::RunError;
use eval_spec::source::Place;
use eval_spec::{Context, Diagnostics};

pub use eval_verdict::exit::{INTERRUPTED, INVALID, OK, REFUSED, USAGE};

/// Every exit code with the key of its meaning, for the docs.
pub const CODES: &[(u8, MessageKey)] = &[
    (OK, key!("cli-exit-ok")),
    (REFUSED, key!("cli-exit-refused")),
    (USAGE, key!("cli-exit-usage")),
    (INVALID, key!("cli-exit-invalid")),
    (INTERRUPTED, key!("cli-exit-interrupted")),
];

/// Failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The input files have errors.
    #[error("{0}")]
    Input(#[from] Diagnostics),
    /// Flags, configuration or environment are invalid.
    #[error("{message}")]
    Usage { message: Message, help: Option<Message> },
    /// The executor can't be built.
    #[error("{error}")]
    Executor {
        /// The missing or invalid part.
        error: eval_exec::BuildError,
        /// Place in `eval.yaml` that names the executor.
        place: Option<Box<Place>>,
        /// Executor that was probably meant.
        meant: Option<&'static str>,
        /// Alternative, which differs by command.
        instead: Option<Box<Message>>,
    },
    /// A journal or the cache can't be used, before anything is executed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// A journal or the cache of a run that has begun can't be read or written.
    #[error("{0}")]
    Stopped(RunError),
    #[error("{0}")]
    Report(#[from] ReportError),
    /// Reading or writing failed.
    #[error("{message}: {source}")]
    Io {
        /// The failed action.
        message: Message,
        /// The system's error.
        source: std::io::Error,
    },
}

impl CommandError {
    /// Makes a usage error with advice.
    pub fn usage(message: Message, help: impl Into<Option<Message>>) -> CommandError {
        CommandError::Usage { message, help: help.into() }
    }

    /// Makes an I/O error with the failed action.
    pub fn io(message: Message) -> impl FnOnce(std::io::Error) -> CommandError {
        move |source| CommandError::Io { message, source }
    }

    /// Makes the error that the folder of temporary files can't be used.
    pub fn temporary(context: &Context) -> impl FnOnce(std::io::Error) -> CommandError {
        let folder = context.var("TMPDIR").map_or_else(|| "/tmp".to_owned(), str::to_owned);
        move |error| {
            // Its text contains a random file name, so only its kind is shown.
            let cause = std::io::Error::from(error.kind()).to_string();
            CommandError::usage(msg!("cli-temporary", folder = folder, cause = cause), msg!("cli-temporary-help"))
        }
    }

    /// Makes the error of a stored file, with its path as people see it.
    pub fn file(context: &Context, error: &FileError) -> CommandError {
        CommandError::usage(error.told(&|path| context.display(path)), error.help())
    }

    /// Returns the exit code of a command that failed with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            CommandError::Stopped(_) | CommandError::Report(_) => INVALID,
            _ => USAGE,
        }
    }
}
