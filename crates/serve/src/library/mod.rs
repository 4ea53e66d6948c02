//! The stored reports of one directory: their rows, each of them opened, and the runs that have none yet.

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

/// Where reports are, and what journals say of runs that have none.
pub struct ReportsAt {
    /// The directory of the reports.
    pub reports: PathBuf,
    /// The program's home, with journals and cache.
    pub home: PathBuf,
    /// Whether every comparison is read blind until its names are revealed.
    pub blind: bool,
    /// What the header of a journal says of its run; `None` for runs of other programs.
    pub facts: ReadFacts,
}

/// Reads what the header of a journal says of its run.
pub type ReadFacts = Box<dyn Fn(&Header) -> Option<RunFacts> + Send + Sync>;

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
    /// It is read blind now, under this name.
    Closed(String),
    /// It can't be read.
    Unreadable(Message),
}

impl Library {
    /// The reports of a directory, which need not exist yet.
    #[must_use]
    pub fn new(at: ReportsAt) -> Library {
        let rows = RowIndex::of(&at.home, &at.reports, at.blind);
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
    /// When there is none, or it is read blind.
    pub fn path(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let path = self.file(name)?;
        self.refuse_closed(&path).map(|()| path)
    }

    fn file(&self, name: &str) -> Result<PathBuf, LibraryError> {
        let candidates = [format!("{name}.json"), format!("{RESULT}-{name}.json")];
        let paths = || candidates.iter().filter(|_| is_name(name)).map(|file| self.at.reports.join(file));
        if let Some(path) = paths().find(|path| path.is_file()) {
            return Ok(path);
        }
        // A pipe, a folder or a link to nothing in the place of a report isn't the same as a run that has none yet.
        let odd = paths().find(|path| path.symlink_metadata().is_ok()).ok_or(LibraryError::NoReport)?;
        let source = read_regular(&odd, u64::MAX).err().unwrap_or_else(|| ErrorKind::NotFound.into());
        Err(LibraryError::Unreadable(ReportError::File { path: odd, source }.message()))
    }

    /// A report, without its results: those are read one at a time.
    ///
    /// # Errors
    /// When there is none, it can't be read, or it is read blind.
    pub fn open(&self, name: &str) -> Result<Arc<OpenReport>, LibraryError> {
        self.opened(&self.path(name)?)
    }

    fn opened(&self, path: &Path) -> Result<Arc<OpenReport>, LibraryError> {
        let stamp = FileStamp::of(path).ok_or(LibraryError::NoReport)?;
        if let Some(known) = locked(&self.opened).get(path, &stamp) {
            return Ok(known);
        }
        let report = Arc::new(OpenReport::read(path).map_err(LibraryError::Unreadable)?);
        locked(&self.opened).put(path.to_owned(), stamp, Arc::clone(&report));
        Ok(report)
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
