//! Reports that are read blind: which they are, under which address, and what a list says of them.

use std::sync::Arc;

use eval_format::{BlindFile, ReportError};
use eval_history::ReportRow;
use eval_spec::hash::short_hash;

use super::{BlindReading, Library, LibraryError, ListedReports};

impl Library {
    /// Whether a comparison is read blind now.
    ///
    /// # Errors
    /// When there is none, or the file beside it can't be read.
    pub fn is_closed(&self, name: &str) -> Result<bool, LibraryError> {
        let beside = BlindFile::beside(&self.path(name)?).map_err(unreadable)?;
        Ok(self.hides(BlindReading::of(beside.as_ref())))
    }

    fn hides(&self, reading: BlindReading) -> bool {
        match reading {
            BlindReading::Sealed => true,
            BlindReading::Open => self.at.blind,
            BlindReading::Revealed => false,
        }
    }

    /// The name of the comparison that is read blind under this address; `None` for one that is open by now, too.
    #[must_use]
    pub fn of_token(&self, token: &str) -> Option<String> {
        self.rows()
            .rows
            .iter()
            .find(|row| row.is_comparison() && token_of(&row.name) == token)
            .map(|row| row.name.clone())
    }

    /// A row for each report, without what blind reading hides.
    #[must_use]
    pub fn shown_rows(&self) -> Arc<ListedReports> {
        let listed = self.rows();
        let is_hidden = |row: &ReportRow| {
            row.is_comparison() && self.hides(listed.reading.get(&row.name).copied().unwrap_or_default())
        };
        if !listed.rows.iter().any(is_hidden) {
            return listed;
        }
        let row = |row: &ReportRow| if is_hidden(row) { row.sealed(&token_of(&row.name)) } else { row.clone() };
        Arc::new(ListedReports {
            rows: listed.rows.iter().map(row).collect(),
            paths: listed.paths.clone(),
            reading: listed.reading.clone(),
            unreadable: listed.unreadable.clone(),
        })
    }
}

/// The address of a comparison that is read blind: its name often has those of its variants.
#[must_use]
pub fn token_of(name: &str) -> String {
    short_hash(format!("blind/{name}").as_bytes(), 16)
}

fn unreadable(error: ReportError) -> LibraryError {
    LibraryError::Unreadable(error.message())
}
