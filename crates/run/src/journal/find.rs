//! Where journals lie.

use std::path::{Path, PathBuf};

use eval_spec::record::Header;

use super::Journal;
use crate::error::RunError;

/// The journal of run `id`: `<home>/journal/<id>.jsonl`. Whatever in `id` could lead elsewhere is
/// replaced by `_`.
#[must_use]
pub fn journal_path(home: &Path, id: &str) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || "._-+@=,".contains(c) { c } else { '_' };
    let name: String = id.chars().map(safe).collect();
    folder(home).join(format!("{name}.jsonl"))
}

/// The journal of the run that began last of those whose header `is_meant`; `None` when there is none. What isn't a
/// readable journal is passed over.
///
/// # Errors
/// When the folder is there but can't be read.
pub fn latest_where(home: &Path, is_meant: impl Fn(&Header) -> bool) -> Result<Option<PathBuf>, RunError> {
    let journals = journals(home)?.into_iter();
    let meant = |path: PathBuf| {
        let header = Journal::read_header(&path).ok().filter(&is_meant)?;
        Some((header.started_at, path))
    };
    let latest = journals.filter_map(meant).max();
    Ok(latest.map(|(_, path)| path))
}

/// Why the first journal, by name, that has no readable header can't be read.
#[must_use]
pub fn first_unreadable(home: &Path) -> Option<RunError> {
    let mut paths = journals(home).ok()?;
    paths.sort_unstable();
    paths.iter().find_map(|path| Journal::read_header(path).err())
}

/// The files; none when there is no folder.
pub(super) fn journals(home: &Path) -> Result<Vec<PathBuf>, RunError> {
    let folder = folder(home);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(RunError::open(&folder, &e)),
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect())
}

fn folder(home: &Path) -> PathBuf {
    home.join("journal")
}
