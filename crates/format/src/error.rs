//! Why there is no report.

use std::path::PathBuf;

/// Why a record could not be read: whatever the journal says.
pub type ReadError = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no report.
#[derive(Debug)]
pub enum ReportError {
    /// A record could not be read.
    Read(ReadError),
    /// The suite has no variant.
    NoVariant,
    /// There is no such interval.
    UnknownInterval {
        /// What was asked for.
        method: String,
    },
    /// The id is no file name.
    BadId {
        /// The id.
        id: String,
    },
    /// The file has a version that this program does not read, and does not overwrite.
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
        /// The version that this program reads.
        reads: u32,
    },
    /// The file is no report.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The parser's error, with its place.
        source: serde_json::Error,
    },
    /// The file can't be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A directory of reports can't be locked.
    Lock {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file says what no run can have been, or not enough to compute it again.
    Unverifiable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: eval_message::Message,
    },
    /// The file with the names of a blind report is damaged, or lost.
    Names {
        /// Which, and the way out.
        why: eval_message::Message,
    },
    /// The output the report goes to can't be written.
    Output {
        /// The system's error.
        source: std::io::Error,
    },
}

impl std::fmt::Display for ReportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ReportError {}

/// What is wrong with a file that is no report, and where, in words that need no knowledge of how it is read.
fn damaged(path: String, source: &serde_json::Error) -> eval_message::Message {
    use eval_message::msg;
    let (line, column) = (source.line(), source.column());
    let text = source.to_string();
    let field = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match (source.classify(), field) {
        (serde_json::error::Category::Eof, _) => msg!("report-error-cut", path = path, line = line),
        (serde_json::error::Category::Syntax, _) => {
            msg!("report-error-json", path = path, line = line, column = column)
        }
        (_, Some(field)) => msg!("report-error-field", path = path, field = field, line = line),
        (_, None) => msg!("report-error-damaged", path = path, line = line, column = column),
    }
}

impl ReportError {
    /// The text for people, in any language.
    #[must_use]
    pub fn message(&self) -> eval_message::Message {
        use eval_message::msg;
        let shown = |path: &PathBuf| path.display().to_string();
        match self {
            ReportError::Read(why) => msg!("report-error-record", why = why.to_string()),
            ReportError::NoVariant => msg!("report-error-no-variant"),
            ReportError::UnknownInterval { method } => msg!("report-error-interval", method = method),
            ReportError::BadId { id } => msg!("report-error-id", id = id),
            ReportError::OtherVersion { path, version, reads } => {
                msg!("format-version", path = shown(path), version = *version, reads = *reads)
            }
            ReportError::Damaged { path, source } => damaged(shown(path), source),
            ReportError::File { path, source } => {
                msg!("report-error-file", path = shown(path), why = source.to_string())
            }
            ReportError::Lock { path, source } => {
                msg!("report-error-lock", path = shown(path), why = source.to_string())
            }
            ReportError::Unverifiable { path, why } => {
                msg!("report-error-unverifiable", path = shown(path), why = why.to_string())
            }
            ReportError::Names { why } => why.clone(),
            ReportError::Output { source } => msg!("report-error-output", why = source.to_string()),
        }
    }
}
