//! What a program with a folder of its own among those of others may read: everything but these.
//!
//! Landlock forbids nothing below what it allows, so what lies beside the path to the folder is allowed piece by piece.

use std::io::{self, Error};
use std::path::{Path, PathBuf};

/// The most pieces: each is opened for each call.
const MAX_PIECES: usize = 10_000;

/// What may be read beside a private folder.
pub(crate) fn readable(path: &Path, hidden: &str) -> io::Result<Vec<PathBuf>> {
    let path = path.canonicalize()?;
    let Some(temporary) = path.parent().and_then(Path::parent) else { return Err(Error::other("no folder of a run")) };
    let mut readable = around(temporary, hidden)?;
    readable.push(path);
    Ok(readable)
}

/// What lies around the folders of runs, whose names begin with `hidden`, in `temporary`.
pub(crate) fn around(temporary: &Path, hidden: &str) -> io::Result<Vec<PathBuf>> {
    let temporary = temporary.canonicalize()?;
    let mut readable = Vec::new();
    for folder in temporary.ancestors() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let is_hidden = folder == temporary && entry.file_name().to_string_lossy().starts_with(hidden);
            // What a link leads to is allowed where it lies.
            if !is_hidden && !temporary.starts_with(entry.path()) && !entry.file_type()?.is_symlink() {
                readable.push(entry.path());
            }
            if readable.len() > MAX_PIECES {
                return Err(Error::other(format!("{} has too many entries", folder.display())));
            }
        }
    }
    Ok(readable)
}
