//! The stored reports of one directory: their rows, opened reports, and runs without a report.

mod analyses;
mod closed;
mod files;
mod index;
mod live;
mod open;
mod sets;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eval_format::ReportError;
use eval_format::skills::RESULT;
use eval_message::Message;
use eval_spec::files::read_regular;
use eval_spec::record::Header;

use self::files::{FileStamp, is_name, stored_files};
use self::index::RowIndex;
use self::live::LiveRuns;
use self::open::OpenedReports;

pub use self::analyses::{ListedAnalyses, StoredAnalyses};
pub use self::closed::token_of;
pub use self::index::{ListedReports, UnreadableReport};
pub use self::live::RunFacts;
pub(crate) use self::open::is_evaluation;
pub use self::open::{OpenComparison, OpenReport};
pub use self::sets::{AnswerSet, AnswerSets};

/// Settings of a library.
pub struct LibrarySettings {
    /// Directory of the reports.
    pub reports: PathBuf,
    /// Home of the program, with journals and cache.
    pub home: PathBuf,
    /// Every comparison is closed until its names are revealed.
    pub blind: bool,
    /// Reads facts about a run from its journal's header; `None` for runs of other programs.
    pub facts: ReadFacts,
}

pub type ReadFacts = Box<dyn Fn(&Header) -> Option<RunFacts> + Send + Sync>;

/// The reports of one directory.
pub struct Library {
    settings: LibrarySettings,
    rows: Mutex<RowIndex>,
    opened: Mutex<OpenedReports>,
    live: Mutex<LiveRuns>,
}

/// Error of looking up a report.
#[derive(Debug)]
pub enum LibraryError {
    /// No report has this name.
    NoReport,
    /// The comparison is closed now; the name is that of its blind page.
    Closed(String),
    /// The file can't be read.
    Unreadable(Message),
}

impl Library {
    /// The directory need not exist yet.
    #[must_use]
    pub fn new(settings: LibrarySettings) -> Library {
        let rows = RowIndex::open(&settings.home, &settings.reports, settings.blind);
        Library { settings, rows: Mutex::new(rows), opened: Mutex::default(), live: Mutex::default() }
    }

    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.settings.reports
    }

    /// Returns the current row of each report. Only new and changed files are read.
    #[must_use]
    pub fn rows(&self) -> Arc<ListedReports> {
        let files = stored_files(&self.settings.reports);
        locked(&self.rows).updated(files)
    }

    /// Returns the file of a report, by its name without extension, or by the id of an evaluation; an error if it is
    /// closed.
    pub fn path(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let path = self.file(name)?;
        self.refuse_closed(&path).map(|()| path)
    }

    fn file(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let candidates = [format!("{name}.json"), format!("{RESULT}-{name}.json")];
        let paths = || candidates.iter().filter(|_| is_name(name)).map(|file| self.settings.reports.join(file));
        if let Some(path) = paths().find(|path| path.is_file()) {
            return Ok(path);
        }
        // A pipe, a folder or a link to nothing in the place of a report isn't the same as a run that has none yet.
        let odd = paths().find(|path| path.symlink_metadata().is_ok()).ok_or(LibraryError::NoReport)?;
        let source = read_regular(&odd, u64::MAX).err().unwrap_or_else(|| ErrorKind::NotFound.into());
        Err(LibraryError::Unreadable(ReportError::File { path: odd, source }.message()))
    }

    /// Opens a report that isn't closed, without its results, which are read one at a time.
    pub fn open(&self, name: &str) -> Result<Arc<OpenReport>, LibraryError> {
        self.opened(&self.path(name)?)
    }

    fn opened(&self, path: &Path) -> Result<Arc<OpenReport>, LibraryError> {
        let stamp = FileStamp::read(path).ok_or(LibraryError::NoReport)?;
        if let Some(report) = locked(&self.opened).get(path, &stamp) {
            return Ok(report);
        }
        let report = Arc::new(OpenReport::read(path).map_err(LibraryError::Unreadable)?);
        locked(&self.opened).put(path.to_owned(), stamp, Arc::clone(&report));
        Ok(report)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
