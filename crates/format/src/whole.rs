//! The one way in which files are written: whole or not at all.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{BufWriter, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use eval_spec::files::{self, FileMode};
use tempfile::{Builder, NamedTempFile};

/// A file that can't be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub source: std::io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for WriteError {}

/// Writes a file that appears whole, synced to disk, or not at all; its directory is made if need be. One that is there
/// is replaced and keeps its permissions, a link stays a link. A new one is readable to those whom the umask lets, but in
/// a directory that is closed to others to its owner only, wherever the file is moved. What is no regular file, such as a
/// pipe or a device, is opened and written to.
///
/// # Errors
/// When the system or `fill` refuses.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> std::result::Result<(), WriteError> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() => replace(path, there.permissions(), fill),
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => {
            synced(path, fill).and_then(|file| Ok(file.persist(path).map(drop)?)).and_then(|()| sync_directory(path))
        }
        // a directory refuses by itself; where a link leads to nothing yet, that is made
        _ => OpenOptions::new().append(true).create(true).open(path).and_then(|file| filled(&file, fill)),
    }
    .map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Writes as [`write_whole`] does, up to `most` bytes: readers refuse a larger file.
///
/// # Errors
/// When the system or `fill` refuses, or the file would be larger.
pub fn write_bounded(
    path: &Path,
    most: u64,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> std::result::Result<(), WriteError> {
    write_whole(path, |file| fill(&mut BoundedFile { file, most, left: most }))
}

/// Returns what `fill` writes, up to `most` bytes: readers refuse a larger file.
///
/// # Errors
/// When `fill` refuses, or there is more.
pub fn bounded(most: u64, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fill(&mut BoundedFile { file: &mut bytes, most, left: most })?;
    Ok(bytes)
}

/// A file that takes a bounded number of bytes.
struct BoundedFile<'f> {
    file: &'f mut dyn Write,
    most: u64,
    /// Bytes that may follow.
    left: u64,
}

impl Write for BoundedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if bytes.len() as u64 > self.left {
            let text = format!(
                "the file would have more than {} MiB, which no command reads; \
                 answers stay in the journal, so run the samples, or observe the sessions, in parts",
                self.most >> 20
            );
            return Err(std::io::Error::new(ErrorKind::FileTooLarge, text));
        }
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// Like [`write_whole`] where nothing is yet; whether there was nothing. What is there stays as it is.
///
/// # Errors
/// When the system or `fill` refuses.
pub fn write_new(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> std::result::Result<bool, WriteError> {
    let written = synced(path, fill).and_then(|file| match file.persist_noclobber(path) {
        Ok(_) => sync_directory(path).map(|()| true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    });
    written.map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Writes a file that nobody else may read, whole or not at all, in a [private folder](private_folder). It is not synced:
/// for what can be made again, such as an entry of a cache.
///
/// # Errors
/// When the system refuses.
pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    let write = || {
        let mut file = unnamed(0o600, directory(path))?;
        file.write_all(content)?;
        Ok(file.persist(path).map(drop)?)
    };
    write().or_else(|error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => private_folder(directory(path)).and_then(|()| write()),
        _ => Err(error),
    })
}

/// Makes a folder, and those above it, that nobody else can look into. One that exists stays as it is: it may be shared
/// on purpose.
///
/// # Errors
/// When it can't be made.
pub fn private_folder(path: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).file_mode(0o700).create(path)
}

fn replace(path: &Path, permissions: Permissions, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let path = path.canonicalize()?;
    let file = synced(&path, fill)?;
    file.as_file().set_permissions(permissions)?;
    file.persist(&path)?;
    sync_directory(&path)
}

/// In the same directory, so that renaming it is one step.
fn synced(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<NamedTempFile> {
    let directory = directory(path);
    std::fs::create_dir_all(directory)?;
    let is_private = files::mode(&directory.metadata()?).is_some_and(|mode| mode & 0o077 == 0);
    let file = unnamed(if is_private { 0o600 } else { 0o666 }, directory)?;
    filled(file.as_file(), fill)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// What a file is called until it is whole: hidden, and no report that a directory's listing finds.
const UNNAMED: [&str; 2] = [".write-", ".tmp"];
/// Of this age, such a file is what a program left that was killed, if the program has no lock on it any more.
const UNLOCKED: Duration = Duration::from_secs(60);
/// The same where the file system has no locks.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

#[cfg_attr(not(unix), expect(unused_variables, reason = "Windows has no permission bits"))]
fn unnamed(mode: u32, directory: &Path) -> Result<NamedTempFile> {
    let [prefix, suffix] = UNNAMED;
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(suffix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    let file = builder.tempfile_in(directory)?;
    // Where the file system has no locks, its age tells.
    let _ = file.as_file().try_lock();
    if let Ok(now) = file.as_file().metadata().and_then(|of| of.modified()) {
        sweep(directory, now);
    }
    Ok(file)
}

/// Removes what killed programs left in a directory, once for each: caches are written to often and hold many files. `now` is
/// the file system's time.
fn sweep(directory: &Path, now: SystemTime) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = SWEPT.lock().is_ok_and(|mut swept| swept.insert(directory.to_owned()));
    let entries = is_new.then(|| std::fs::read_dir(directory).ok()).flatten();
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(UNNAMED[0]) && name.ends_with(UNNAMED[1]);
        let written = entry.metadata().ok().filter(|of| is_ours && of.is_file()).and_then(|of| of.modified().ok());
        let age = written.and_then(|written| now.duration_since(written).ok());
        let Some(age) = age.filter(|age| *age >= UNLOCKED) else { continue };
        let is_abandoned = match File::open(entry.path()).map(|file| file.try_lock()) {
            Ok(Ok(())) => true,
            // Its program lives, whatever its age: clocks jump.
            Ok(Err(TryLockError::WouldBlock)) => false,
            Ok(Err(TryLockError::Error(_))) | Err(_) => age >= ABANDONED,
        };
        if is_abandoned {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn filled(file: &File, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    fill(&mut writer)?;
    writer.flush()
}

fn sync_directory(path: &Path) -> Result<()> {
    files::sync_folder(directory(path))
}
