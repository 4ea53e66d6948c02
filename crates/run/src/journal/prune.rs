//! Old journals, and their removal.

use std::fs::{File, remove_file};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use eval_spec::record::Header;

use super::{Journal, find};
use crate::error::RunError;

/// A journal as it lies on the disk.
#[derive(Clone, Debug)]
pub struct StoredJournal {
    /// The file.
    pub path: PathBuf,
    /// The run's id.
    pub id: String,
    /// When something was last written to it.
    pub written: SystemTime,
    /// Its size.
    pub bytes: u64,
}

/// Which journals are too many. Without any limit none is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalLimits {
    /// What wasn't written to for longer is too old.
    pub age: Option<Duration>,
    /// So many of the latest stay.
    pub count: Option<usize>,
    /// The latest stay as long as they have no more bytes together.
    pub bytes: Option<u64>,
}

/// The journals of those runs whose header `is_meant`, the latest first. What isn't a readable journal is passed over.
///
/// # Errors
/// When the folder is there but can't be read.
pub fn stored_journals(home: &Path, is_meant: impl Fn(&Header) -> bool) -> Result<Vec<StoredJournal>, RunError> {
    let stored = |path: PathBuf| {
        let id = Journal::read_header(&path).ok().filter(&is_meant)?.id;
        let data = path.metadata().ok()?;
        Some(StoredJournal { path, id, written: data.modified().ok()?, bytes: data.len() })
    };
    let mut all: Vec<StoredJournal> = find::journals(home)?.into_iter().filter_map(stored).collect();
    all.sort_by(|one, other| other.written.cmp(&one.written).then_with(|| other.id.cmp(&one.id)));
    Ok(all)
}

impl JournalLimits {
    /// Those of `all`, the latest first, that are too many at `now`.
    #[must_use]
    pub fn excess<'a>(&self, all: &'a [StoredJournal], now: SystemTime) -> Vec<&'a StoredJournal> {
        let mut kept_bytes = 0_u64;
        let is_excess = |(at, of): &(usize, &StoredJournal)| {
            let age = now.duration_since(of.written).unwrap_or_default();
            kept_bytes = kept_bytes.saturating_add(of.bytes);
            self.age.is_some_and(|most| age > most)
                || self.count.is_some_and(|most| *at >= most)
                || self.bytes.is_some_and(|most| kept_bytes > most)
        };
        all.iter().enumerate().filter(is_excess).map(|(_, of)| of).collect()
    }
}

impl StoredJournal {
    /// Removes it; false when a run is writing it.
    ///
    /// # Errors
    /// The file can't be removed.
    pub fn remove(&self) -> Result<bool, RunError> {
        let failed = |error: std::io::Error| RunError::write(&self.path, &error);
        let file = File::open(&self.path).map_err(failed)?;
        if file.try_lock().is_err() {
            return Ok(false);
        }
        remove_file(&self.path).map_err(failed)?;
        Ok(true)
    }
}
