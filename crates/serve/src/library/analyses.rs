//! The stored observations of one directory. They are few: each request reads them anew.

use std::path::PathBuf;

use eval_format::{Observation, read_observation};
use eval_render::site::AnalysisRow;

use super::files::{stem, stored_files};
use super::{Library, LibraryError, UnreadableReport, is_name};

/// Observations that are listed, the newest.
const MOST: usize = 200;

/// The observations of a directory, the newest first.
#[derive(Debug, Default)]
pub struct StoredAnalyses {
    /// A row for each.
    pub rows: Vec<AnalysisRow>,
    /// Files that can't be read.
    pub unreadable: Vec<UnreadableReport>,
    /// How many older files are not looked at.
    pub more: usize,
}

impl Library {
    /// Whether there is any observation.
    #[must_use]
    pub fn has_analyses(&self) -> bool {
        let entries = self.at.analyses.iter().filter_map(|directory| std::fs::read_dir(directory).ok());
        entries.flatten().flatten().any(|entry| entry.path().extension().is_some_and(|of| of == "json"))
    }

    /// A row for each observation.
    #[must_use]
    pub fn analyses(&self) -> StoredAnalyses {
        let mut files: Vec<PathBuf> =
            self.at.analyses.iter().flat_map(|directory| stored_files(directory)).map(|(path, _)| path).collect();
        // names begin with the time
        files.reverse();
        let mut all = StoredAnalyses { more: files.len().saturating_sub(MOST), ..StoredAnalyses::default() };
        for path in files.into_iter().take(MOST) {
            match read_observation(&path, &path.display().to_string()) {
                Ok(found) => all.rows.push(AnalysisRow::new(stem(&path), &found)),
                Err(why) => all.unreadable.push(UnreadableReport { path, why }),
            }
        }
        all
    }

    /// An observation by its name.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn analysis(&self, name: &str) -> Result<Observation, LibraryError> {
        let directory = self.at.analyses.as_ref().filter(|_| is_name(name)).ok_or(LibraryError::NoReport)?;
        let path = directory.join(format!("{name}.json"));
        match path.is_file() {
            true => read_observation(&path, &path.display().to_string()).map_err(LibraryError::Unreadable),
            false => Err(LibraryError::NoReport),
        }
    }
}
