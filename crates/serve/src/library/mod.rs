//! The stored reports of one directory: their rows, each of them opened, and the runs that have none yet.

mod index;
mod live;
mod open;

use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use eval_format::skills::RESULT;
use eval_message::Message;
use eval_spec::record::Header;
use serde::{Deserialize, Serialize};

use self::index::RowIndex;
use self::live::LiveRuns;
use self::open::OpenedReports;

pub use self::index::{ListedReports, UnreadableReport};
pub use self::live::RunFacts;
pub use self::open::{OpenComparison, OpenReport};

/// Files of a directory that are looked at, the newest.
const MOST_FILES: usize = 20_000;

/// Where reports are, and what journals say of runs that have none.
pub struct ReportsAt {
    /// The directory of the reports.
    pub reports: PathBuf,
    /// The program's home, with journals and cache.
    pub home: PathBuf,
    /// What the header of a journal says of its run; `None` for runs of other programs.
    pub facts: Box<dyn Fn(&Header) -> Option<RunFacts> + Send + Sync>,
}

/// The reports of one directory.
pub struct Library {
    at: ReportsAt,
    rows: Mutex<RowIndex>,
    opened: Mutex<OpenedReports>,
    live: Mutex<LiveRuns>,
}

/// Why a report can't be had.
#[derive(Debug)]
pub enum LibraryError {
    /// There is none of this name.
    NoReport,
    /// It can't be read.
    Unreadable(Message),
}

impl Library {
    /// The reports of a directory, which need not exist yet.
    #[must_use]
    pub fn new(at: ReportsAt) -> Library {
        let rows = RowIndex::of(&at.home, &at.reports);
        Library { at, rows: Mutex::new(rows), opened: Mutex::default(), live: Mutex::default() }
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.at.reports
    }

    /// A row for each report as it is now. Only files that are new or changed are read.
    #[must_use]
    pub fn rows(&self) -> Arc<ListedReports> {
        let files = stored_files(&self.at.reports);
        locked(&self.rows).updated(files)
    }

    /// The file of a report, by its name without extension, or by the id of an evaluation.
    ///
    /// # Errors
    /// When there is none.
    pub fn path(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
        let candidates = [format!("{name}.json"), format!("{RESULT}-{name}.json")];
        let mut paths = candidates.iter().filter(|_| is_name).map(|file| self.at.reports.join(file));
        paths.find(|path| path.is_file()).ok_or(LibraryError::NoReport)
    }

    /// A report, without its results: those are read one at a time.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn open(&self, name: &str) -> Result<Arc<OpenReport>, LibraryError> {
        let path = self.path(name)?;
        let stamp = FileStamp::of(&path).ok_or(LibraryError::NoReport)?;
        if let Some(known) = locked(&self.opened).get(&path, &stamp) {
            return Ok(known);
        }
        let report = Arc::new(OpenReport::read(&path).map_err(LibraryError::Unreadable)?);
        locked(&self.opened).put(path, stamp, Arc::clone(&report));
        Ok(report)
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells one version of a file from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    /// Nanoseconds since 1970.
    modified: u128,
    bytes: u64,
}

impl FileStamp {
    fn of(path: &Path) -> Option<FileStamp> {
        FileStamp::from(&path.metadata().ok().filter(Metadata::is_file)?)
    }

    fn from(metadata: &Metadata) -> Option<FileStamp> {
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Some(FileStamp { modified, bytes: metadata.len() })
    }
}

/// Files that may be reports, by name; the newest ones where there are too many.
fn stored_files(directory: &Path) -> Vec<(PathBuf, FileStamp)> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden = |path: &Path| path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let files = entries.filter(|path| path.extension() == Some(OsStr::new("json")) && !is_hidden(path));
    let mut files: Vec<(PathBuf, FileStamp)> =
        files.filter_map(|path| FileStamp::of(&path).map(|stamp| (path, stamp))).collect();
    if files.len() > MOST_FILES {
        files.sort_by_key(|(_, stamp)| std::cmp::Reverse(stamp.modified));
        files.truncate(MOST_FILES);
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    files
}

/// A file's name without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
