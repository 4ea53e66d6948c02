//! Stored observations of one directory. They are few: each request reads them again.

use std::path::{Path, PathBuf};

use eval_format::{GAP_STATUS_FILE, Observation, read_observation};
use eval_message::Message;
use eval_render::site::AnalysisRow;

use super::files::{is_name, stem, stored_files};
use super::index::UnreadableReport;

/// Most observations in the list, the newest.
const MOST: usize = 200;

/// A directory of stored observations.
#[derive(Debug, Default)]
pub struct StoredAnalyses {
    directory: Option<PathBuf>,
}

/// Observations of a directory, the newest first.
#[derive(Debug, Default)]
pub struct ListedAnalyses {
    pub rows: Vec<AnalysisRow>,
    /// Unreadable files.
    pub unreadable: Vec<UnreadableReport>,
    /// Number of older files left out.
    pub more: usize,
}

impl StoredAnalyses {
    /// The directory need not exist yet; `None` for a program without observations.
    #[must_use]
    pub fn new(directory: Option<PathBuf>) -> StoredAnalyses {
        StoredAnalyses { directory }
    }

    /// Returns `true` if there is an observation.
    #[must_use]
    pub fn is_any(&self) -> bool {
        let entries = self.directory.iter().filter_map(|directory| std::fs::read_dir(directory).ok());
        entries.flatten().flatten().any(|entry| is_observation(&entry.path()))
    }

    #[must_use]
    pub fn listed(&self) -> ListedAnalyses {
        let files = self.directory.iter().flat_map(|directory| stored_files(directory));
        let mut files: Vec<PathBuf> = files.map(|(path, _)| path).filter(|path| is_observation(path)).collect();
        // names begin with the time; `T-2` comes after `T`, and `T-2.json` before `T.json`
        files.sort_by_cached_key(|path| std::cmp::Reverse(stem(path)));
        let mut all = ListedAnalyses { more: files.len().saturating_sub(MOST), ..ListedAnalyses::default() };
        for path in files.into_iter().take(MOST) {
            match read_observation(&path, &path.display().to_string()) {
                Ok(observation) => all.rows.push(AnalysisRow::new(stem(&path), &observation)),
                Err(why) => all.unreadable.push(UnreadableReport { path, why }),
            }
        }
        all
    }

    /// Reads an observation by its name; `None` if there is none.
    pub fn find(&self, name: &str) -> Result<Option<Observation>, Message> {
        let path =
            self.directory.as_ref().filter(|_| is_name(name)).map(|directory| directory.join(format!("{name}.json")));
        let path = path.filter(|path| path.is_file() && is_observation(path));
        path.map(|path| read_observation(&path, &path.display().to_string())).transpose()
    }
}

/// Returns `true` for file names of observations; the file of decisions on gaps is in the same directory.
fn is_observation(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json") && !path.ends_with(GAP_STATUS_FILE)
}
