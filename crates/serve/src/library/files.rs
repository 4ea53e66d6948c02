//! Files of a directory that may be reports.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use eval_format::blind_path;
use eval_spec::files::changed_nanoseconds;
use serde::{Deserialize, Serialize};

/// Most files looked at, the newest.
const MOST_FILES: usize = 20_000;

/// Identifies a version of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    /// Nanoseconds since 1970.
    modified: u128,
    /// When it was put there: a copy may keep the time of its original, and its size.
    changed: i64,
    bytes: u64,
    /// Modification time and size of the file with the report's blind state, which lies next to it.
    blind_file: Option<(u128, u64)>,
}

impl FileStamp {
    /// Returns true if both are of the same version of the report itself, whatever lies next to it.
    pub(super) fn is_same_report(&self, other: &FileStamp) -> bool {
        (self.modified, self.changed, self.bytes) == (other.modified, other.changed, other.bytes)
    }

    pub(super) fn read(path: &Path) -> Option<FileStamp> {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        let modified =
            |file: &Metadata| Some(file.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos());
        let blind_file =
            blind_path(path).metadata().ok().and_then(|metadata| Some((modified(&metadata)?, metadata.len())));
        Some(FileStamp {
            modified: modified(&metadata)?,
            changed: changed_nanoseconds(&metadata),
            bytes: metadata.len(),
            blind_file,
        })
    }
}

/// Returns the files that may be reports, by name; the newest ones if there are too many.
pub(super) fn stored_files(directory: &Path) -> Vec<(PathBuf, FileStamp)> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden = |path: &Path| path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let files = entries.filter(|path| path.extension() == Some(OsStr::new("json")) && !is_hidden(path));
    let mut files: Vec<(PathBuf, FileStamp)> =
        files.filter_map(|path| FileStamp::read(&path).map(|stamp| (path, stamp))).collect();
    if files.len() > MOST_FILES {
        files.sort_by_key(|(_, stamp)| std::cmp::Reverse(stamp.modified));
        files.truncate(MOST_FILES);
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    files
}

/// Returns `true` if a name stays inside its directory.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// Returns a file's name without extension.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
