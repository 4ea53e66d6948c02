//! The stored observations of one directory. They are few: each request reads them anew.

use std::path::{Path, PathBuf};

use eval_format::{GAP_STATUS_FILE, Observation, read_observation};
use eval_message::Message;
use eval_render::site::AnalysisRow;

use super::files::{is_name, stem, stored_files};
use super::index::UnreadableReport;

/// Observations that are listed, the newest.
const MOST: usize = 200;

/// A directory of stored observations.
#[derive(Debug, Default)]
pub struct StoredAnalyses {
    directory: Option<PathBuf>,
}

/// The observations of a directory, the newest first.
#[derive(Debug, Default)]
pub struct ListedAnalyses {
    /// A row for each.
    pub rows: Vec<AnalysisRow>,
    /// Files that can't be read.
    pub unreadable: Vec<UnreadableReport>,
    /// How many older files are not looked at.
    pub more: usize,
}

impl StoredAnalyses {
    /// Those of a directory, which need not exist yet; `None` for a program without any.
    #[must_use]
    pub fn new(directory: Option<PathBuf>) -> StoredAnalyses {
        StoredAnalyses { directory }
    }

    /// Whether there is any.
    #[must_use]
    pub fn is_any(&self) -> bool {
        let entries = self.directory.iter().filter_map(|directory| std::fs::read_dir(directory).ok());
        entries.flatten().flatten().any(|entry| is_observation(&entry.path()))
    }

    /// A row for each.
    #[must_use]
    pub fn listed(&self) -> ListedAnalyses {
        let files = self.directory.iter().flat_map(|directory| stored_files(directory));
        let mut files: Vec<PathBuf> = files.map(|(path, _)| path).filter(|path| is_observation(path)).collect();
        // names begin with the time; `T-2` comes after `T`, and `T-2.json` before `T.json`
        files.sort_by_cached_key(|path| std::cmp::Reverse(stem(path)));
        let mut all = ListedAnalyses { more: files.len().saturating_sub(MOST), ..ListedAnalyses::default() };
        for path in files.into_iter().take(MOST) {
            match read_observation(&path, &path.display().to_string()) {
                Ok(found) => all.rows.push(AnalysisRow::new(stem(&path), &found)),
                Err(why) => all.unreadable.push(UnreadableReport { path, why }),
            }
        }
        all
    }

    /// An observation by its name; `None` where there is none.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn find(&self, name: &str) -> Result<Option<Observation>, Message> {
        let path = self.directory.as_ref().filter(|_| is_name(name)).map(|of| of.join(format!("{name}.json")));
        let path = path.filter(|path| path.is_file() && is_observation(path));
        path.map(|path| read_observation(&path, &path.display().to_string())).transpose()
    }
}

/// Whether a file is named as observations are: what people decided on gaps lies beside them.
fn is_observation(path: &Path) -> bool {
    path.extension().is_some_and(|of| of == "json") && !path.ends_with(GAP_STATUS_FILE)
}
