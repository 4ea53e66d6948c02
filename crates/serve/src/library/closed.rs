//! Closed comparisons, which are judged blind: opening them, their addresses, and their rows in lists.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_history::ReportRow;
use eval_spec::hash::short_hash;

use super::files::stored_files;
use super::{Library, LibraryError, ListedReports, OpenReport, locked};

impl Library {
    /// Opens a report even if it is closed, for code that shows nothing hidden. Returns its file, too.
    pub fn open_closed(&self, name: &str) -> Result<(PathBuf, Arc<OpenReport>), LibraryError> {
        let path = self.file(name)?;
        self.opened(&path).map(|report| (path, report))
    }

    /// Rejects a report that is closed now.
    pub(super) fn refuse_closed(&self, path: &Path) -> Result<(), LibraryError> {
        let mut rows = locked(&self.rows);
        rows.updated(stored_files(&self.settings.reports));
        match rows.closed(path) {
            Ok(None) => Ok(()),
            Ok(Some(name)) => Err(LibraryError::Closed(name)),
            Err(why) => Err(LibraryError::Unreadable(why)),
        }
    }

    /// Returns the name of the comparison with this token, closed or not.
    #[must_use]
    pub fn of_token(&self, token: &str) -> Option<String> {
        let listed = self.rows();
        let open = listed.rows.iter().filter(|row| row.is_comparison()).map(|row| &row.name);
        listed.closed.values().chain(open).find(|name| token_of(name) == token).cloned()
    }

    /// Returns a row for each report, without the names that blind judging hides.
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

/// Returns the token of a blind page's address: a report's name often contains names of variants.
#[must_use]
pub fn token_of(name: &str) -> String {
    short_hash(format!("blind/{name}").as_bytes(), 16)
}
