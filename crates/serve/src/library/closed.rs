//! Reports that are read blind: which they are, under which address, and what a list says of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_history::ReportRow;
use eval_spec::hash::short_hash;

use super::files::stored_files;
use super::{Library, LibraryError, ListedReports, OpenReport, locked};

impl Library {
    /// A report, whether it is read blind or not: for those who show nothing of it that is hidden. Its file, too.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn open_closed(&self, name: &str) -> Result<(PathBuf, Arc<OpenReport>), LibraryError> {
        let path = self.file(name)?;
        self.opened(&path).map(|report| (path, report))
    }

    /// Refuses a report that is read blind now.
    pub(super) fn refuse_closed(&self, path: &Path) -> Result<(), LibraryError> {
        let mut rows = locked(&self.rows);
        rows.updated(stored_files(&self.at.reports));
        match rows.closed(path) {
            Ok(None) => Ok(()),
            Ok(Some(name)) => Err(LibraryError::Closed(name)),
            Err(why) => Err(LibraryError::Unreadable(why)),
        }
    }

    /// The name of the comparison that is, or was, read blind under this address.
    #[must_use]
    pub fn of_token(&self, token: &str) -> Option<String> {
        let listed = self.rows();
        let open = listed.rows.iter().filter(|row| row.is_comparison()).map(|row| &row.name);
        listed.closed.values().chain(open).find(|name| token_of(name) == token).cloned()
    }

    /// A row for each report, without what blind reading hides.
    #[must_use]
    pub fn shown_rows(&self) -> Arc<ListedReports> {
        let listed = self.rows();
        if listed.closed.is_empty() {
            return listed;
        }
        let closed = |row: &ReportRow| listed.closed.get(listed.paths.get(&row.name)?);
        let row = |row: &ReportRow| closed(row).map_or_else(|| row.clone(), |name| row.sealed(&token_of(name)));
        Arc::new(ListedReports {
            rows: listed.rows.iter().map(row).collect(),
            paths: listed.paths.clone(),
            closed: listed.closed.clone(),
            unreadable: listed.unreadable.clone(),
        })
    }
}

/// The address of a comparison that is read blind: its name often has those of its variants.
#[must_use]
pub fn token_of(name: &str) -> String {
    short_hash(format!("blind/{name}").as_bytes(), 16)
}
