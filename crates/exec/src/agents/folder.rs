//! The files of one run, and of one call.

use std::fs::{File, OpenOptions, read_dir, remove_dir_all, rename};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use eval_spec::files::FileMode;
use tempfile::TempDir;

use crate::places::{CALL_PREFIX, RUN_PREFIX};

/// In each of them: locked as long as its run goes on.
const LOCK: &str = "lock";

/// What the name of a folder that is being removed begins with. Its lock goes first: who is killed meanwhile leaves the rest.
const GONE: &str = "omk-run-gone-";

/// The folder for the files of one run: those of its calls, and what they share.
///
/// It is removed at the end, or by the next run where this one is killed.
pub(super) struct RunFolder {
    folder: TempDir,
    _lock: File,
}

impl RunFolder {
    /// A folder below the temporary directory, from which those of runs that were killed are removed.
    pub(super) fn below(temporary: &Path) -> io::Result<RunFolder> {
        for entry in read_dir(temporary)?.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(GONE) {
                // Another user's, or another run has just removed it.
                drop(remove_dir_all(entry.path()));
            } else if name.starts_with(RUN_PREFIX)
                && let Some(_lock) = lock_of_an_ended_run(&entry.path())
            {
                remove(&entry.path());
            }
        }
        loop {
            let folder = private_folder(RUN_PREFIX, temporary)?;
            #[cfg(target_os = "linux")]
            spread(folder.path());
            let path = folder.path().join(LOCK);
            let lock = File::create(&path)?;
            lock.lock()?;
            // Another run that began meanwhile may have taken the lock first, and removed the folder.
            if path.exists() {
                return Ok(RunFolder { folder, _lock: lock });
            }
        }
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        remove(self.folder.path());
    }
}

/// Removes the folder of a run that has ended, or leaves it to the next run where this one is killed.
fn remove(folder: &Path) {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let gone = folder.with_file_name(format!("{GONE}{name}"));
    drop(rename(folder, &gone).and_then(|()| remove_dir_all(gone)));
}

/// Makes a folder that only this user can enter; on Windows it inherits the access rights of the one above.
fn private_folder(prefix: &str, parent: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(parent)
}

/// Asks ext4 to place each call's files in a block group of its own. For five seconds ext4 doesn't reuse the inodes of removed
/// files, but looks through them for each new file. In the group of the last call's files that takes ten times as long.
#[cfg(target_os = "linux")]
fn spread(folder: &Path) {
    use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
    let Ok(folder) = File::open(folder) else { return };
    // Other file systems have no such flag, nor the need.
    if let Ok(flags) = ioctl_getflags(&folder) {
        ioctl_setflags(&folder, flags | IFlags::TOPDIR).unwrap_or_default();
    }
}

/// The lock of a run's folder if its run has ended; held until the folder is removed.
fn lock_of_an_ended_run(folder: &Path) -> Option<File> {
    let lock = File::open(folder.join(LOCK)).ok()?;
    lock.try_lock().ok().map(|()| lock)
}

/// A folder for the files of one call, made on first use and removed with all its contents after the call.
///
/// Only this user can enter it. It also serves as the scratch home of an agent's configuration.
pub(crate) struct CallFolder<'a> {
    temporary: &'a Path,
    folder: OnceLock<TempDir>,
}

impl<'a> CallFolder<'a> {
    /// A folder below the temporary directory.
    pub(super) fn below(temporary: &'a Path) -> CallFolder<'a> {
        CallFolder { temporary, folder: OnceLock::new() }
    }

    /// Its path.
    pub(super) fn path(&self) -> io::Result<&Path> {
        if let Some(folder) = self.folder.get() {
            return Ok(folder.path());
        }
        let folder = private_folder(CALL_PREFIX, self.temporary)?;
        Ok(self.folder.get_or_init(|| folder).path())
    }

    /// Removes it on a thread of its own: other calls go on meanwhile.
    pub(super) async fn remove(self) {
        if let Some(folder) = self.folder.into_inner() {
            // It is gone in any case, at the latest with the run's folder.
            drop(tokio::task::spawn_blocking(move || drop(folder)).await);
        }
    }

    /// Writes a file that only this user can read.
    pub(super) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path()?.join(name);
        OpenOptions::new().write(true).create_new(true).file_mode(0o600).open(&path)?.write_all(text.as_bytes())?;
        Ok(path)
    }
}
