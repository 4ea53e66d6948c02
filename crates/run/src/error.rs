//! What can keep a run from starting or going on.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::record::JOURNAL_VERSION;

/// Why a journal or cache can't be used. `path` is the file or folder, `why` what the parser or the system said.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum RunError {
    /// There is no such journal.
    Missing { path: PathBuf },
    /// A journal of that name is there already.
    Exists { path: PathBuf },
    /// Another process writes to the journal.
    Locked { path: PathBuf },
    /// The journal has a version that this program does not read.
    OtherVersion { path: PathBuf, version: u32 },
    /// The journal was cut before its first line was whole, so nothing had run.
    NoHeader { path: PathBuf },
    /// The first line of the journal can't be read.
    BadHeader { path: PathBuf, why: String },
    /// A line of the journal was changed after it was written.
    Edited {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Lines of the journal were deleted, or emptied of all that they held.
    Deleted { path: PathBuf, lines: u64 },
    /// A line of the journal can't be read, and it isn't the torn end of a killed run.
    Corrupt {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        why: String,
    },
    /// What the run was started with is no longer the same.
    PlanChanged {
        id: String,
        /// The inputs that changed, by name; empty when only settings or the program did.
        inputs: Vec<String>,
    },
    /// The journal of a new run can't be created.
    Create { path: PathBuf, why: String },
    /// A journal can't be locked: its file system has no locks.
    Lock { path: PathBuf, why: String },
    /// A file or folder can't be opened or read.
    Open { path: PathBuf, why: String },
    /// A file can't be written: the disk is full, or gone.
    Write { path: PathBuf, why: String },
}

impl RunError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            RunError::Missing { path } => msg!("run-journal-missing", path = show(path)),
            RunError::Exists { path } => msg!("run-journal-exists", path = show(path)),
            RunError::Locked { path } => msg!("run-journal-locked", path = show(path)),
            RunError::Lock { path, why } => msg!("run-cannot-lock", path = show(path), why = why),
            RunError::OtherVersion { path, version } => {
                msg!("run-journal-version", path = show(path), version = *version, reads = JOURNAL_VERSION)
            }
            RunError::NoHeader { path } => msg!("run-journal-no-header", path = show(path)),
            RunError::BadHeader { path, why } => msg!("run-journal-bad-header", path = show(path), why = why),
            RunError::Edited { path, line } => {
                msg!("run-journal-edited", path = show(path), line = line.to_string())
            }
            RunError::Deleted { path, lines } => {
                msg!("run-journal-deleted", path = show(path), count = *lines)
            }
            RunError::Corrupt { path, line, why } => {
                msg!("run-journal-corrupt", path = show(path), line = line.to_string(), why = why)
            }
            RunError::PlanChanged { id, inputs } if inputs.is_empty() => {
                msg!("run-settings-changed", id = id)
            }
            RunError::PlanChanged { id, inputs } => {
                let names: Vec<String> = inputs.iter().map(|name| format!("`{name}`")).collect();
                msg!("run-inputs-changed", id = id, inputs = names.join(", "))
            }
            RunError::Create { path, why } => msg!("run-cannot-create", path = show(path), why = why),
            RunError::Open { path, why } => msg!("run-cannot-open", path = show(path), why = why),
            RunError::Write { path, why } => msg!("run-cannot-write", path = show(path), why = why),
        }
    }

    pub(crate) fn open(path: &Path, error: &std::io::Error) -> RunError {
        match error.kind() {
            std::io::ErrorKind::NotFound => RunError::Missing { path: path.to_owned() },
            std::io::ErrorKind::AlreadyExists => RunError::Exists { path: path.to_owned() },
            _ => RunError::Open { path: path.to_owned(), why: error.to_string() },
        }
    }

    pub(crate) fn create(path: &Path, error: &std::io::Error) -> RunError {
        RunError::Create { path: path.to_owned(), why: error.to_string() }
    }

    pub(crate) fn write(path: &Path, error: &std::io::Error) -> RunError {
        RunError::Write { path: path.to_owned(), why: error.to_string() }
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
