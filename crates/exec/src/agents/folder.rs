//! The files of one call.

use std::cell::OnceCell;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder for the files of one call, made on first use and removed with all its contents after the call.
///
/// Only this user can enter it. It also serves as the scratch home of an agent's configuration.
pub(crate) struct CallFolder<'a> {
    temporary: &'a Path,
    folder: OnceCell<TempDir>,
}

impl<'a> CallFolder<'a> {
    /// A folder below the temporary directory.
    pub(super) fn below(temporary: &'a Path) -> CallFolder<'a> {
        CallFolder { temporary, folder: OnceCell::new() }
    }

    /// Its path.
    pub(super) fn path(&self) -> io::Result<&Path> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder.path());
        }
        let only_for_us = PermissionsExt::from_mode(0o700);
        let folder =
            tempfile::Builder::new().prefix("omk-call-").permissions(only_for_us).tempdir_in(self.temporary)?;
        Ok(self.folder.get_or_init(|| folder).path())
    }

    /// Writes a file that only this user can read.
    pub(super) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path()?.join(name);
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?.write_all(text.as_bytes())?;
        Ok(path)
    }
}
