//! What a program with a folder of its own among those of others may read: everything but these.
//!
//! Landlock forbids nothing below what it allows, so what lies beside the path to the folder is allowed piece by piece.

use std::io::{self, Error};
use std::path::{Path, PathBuf};

/// The most pieces: each is opened for each call.
const MAX_PIECES: usize = 10_000;

/// What may be read beside a private folder, without what is below these `secret` paths; with it where that would be too many
/// pieces.
pub(crate) fn readable(path: &Path, hidden: &str, secret: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let path = path.canonicalize()?;
    let Some(temporary) = path.parent().and_then(Path::parent) else { return Err(Error::other("no folder of a run")) };
    let secret: Vec<PathBuf> = secret.iter().filter_map(|of| of.canonicalize().ok()).collect();
    let around = Around { temporary, hidden, secret: &secret }.pieces();
    let mut readable = around.or_else(|_| Around { temporary, hidden, secret: &[] }.pieces())?;
    readable.push(path);
    Ok(readable)
}

/// What lies around the folders of runs, whose names begin with `hidden`, in `temporary`.
pub(crate) fn around(temporary: &Path, hidden: &str) -> io::Result<Vec<PathBuf>> {
    Around { temporary: &temporary.canonicalize()?, hidden, secret: &[] }.pieces()
}

/// What is hidden: the folders of runs in `temporary`, whose names begin with `hidden`, and the `secret` paths.
struct Around<'a> {
    temporary: &'a Path,
    hidden: &'a str,
    secret: &'a [PathBuf],
}

impl Around<'_> {
    fn pieces(&self) -> io::Result<Vec<PathBuf>> {
        let mut pieces = Vec::new();
        self.add(Path::new("/"), &mut pieces)?;
        Ok(pieces)
    }

    /// Adds the entries of a folder in which something is hidden.
    fn add(&self, folder: &Path, pieces: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            let is_of_runs = folder == self.temporary && entry.file_name().to_string_lossy().starts_with(self.hidden);
            // What a link leads to is allowed where it lies.
            if is_of_runs || self.secret.contains(&path) || entry.file_type()?.is_symlink() {
                continue;
            }
            let hides = std::iter::once(self.temporary).chain(self.secret.iter().map(PathBuf::as_path));
            match hides.into_iter().any(|of| of.starts_with(&path)) {
                true => self.add(&path, pieces)?,
                false => pieces.push(path),
            }
            if pieces.len() > MAX_PIECES {
                return Err(Error::other(format!("{} has too many entries", folder.display())));
            }
        }
        Ok(())
    }
}
