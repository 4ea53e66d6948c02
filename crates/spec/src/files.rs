//! Files on systems that differ: permission bits, identity, positioned access, links.
//!
//! Windows has no permission bits: what is made there inherits the access rights of its folder.

use std::fs::{DirBuilder, DirEntry, File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Sets the permission bits of what is about to be made.
pub trait FileMode {
    /// Sets the bits; does nothing where the system has none.
    fn file_mode(&mut self, mode: u32) -> &mut Self;
}

impl FileMode for OpenOptions {
    fn file_mode(&mut self, mode: u32) -> &mut Self {
        #[cfg(unix)]
        return std::os::unix::fs::OpenOptionsExt::mode(self, mode);
        #[cfg(not(unix))]
        {
            let _ = mode;
            self
        }
    }
}

impl FileMode for DirBuilder {
    fn file_mode(&mut self, mode: u32) -> &mut Self {
        #[cfg(unix)]
        return std::os::unix::fs::DirBuilderExt::mode(self, mode);
        #[cfg(not(unix))]
        {
            let _ = mode;
            self
        }
    }
}

/// Returns the permission bits of a file; `None` where the system has none.
#[must_use]
pub fn mode(about: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::MetadataExt::mode(about));
    #[cfg(not(unix))]
    {
        let _ = about;
        None
    }
}

/// Returns the device and the number of a file, by which two paths to one file are recognised; `None` where std doesn't tell.
#[must_use]
pub fn identity(about: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((about.dev(), about.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        None
    }
}

/// Returns when a file was last changed, in nanoseconds since 1970. Renaming it counts on Unix only.
#[must_use]
pub fn changed_nanoseconds(about: &Metadata) -> i64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        about.ctime().saturating_mul(1_000_000_000).saturating_add(about.ctime_nsec())
    }
    #[cfg(not(unix))]
    about.modified().map_or(0, nanoseconds)
}

/// Returns a time in nanoseconds since 1970.
#[must_use]
pub fn nanoseconds(time: std::time::SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Fills `bytes` from a place in a file.
///
/// # Errors
/// The system refuses, or the file ends before.
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset);
    #[cfg(windows)]
    return read_by_pieces(|left, at| std::os::windows::fs::FileExt::seek_read(file, left, at), bytes, offset);
}

/// Writes `bytes` to a place in a file.
///
/// # Errors
/// The system refuses.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(windows)]
    return write_by_pieces(|left, at| std::os::windows::fs::FileExt::seek_write(file, left, at), bytes, offset);
}

#[cfg(windows)]
fn read_by_pieces(read: impl Fn(&mut [u8], u64) -> Result<usize>, mut left: &mut [u8], mut at: u64) -> Result<()> {
    use std::io::ErrorKind;
    while !left.is_empty() {
        match read(left, at) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(length) => (left, at) = (&mut left[length..], at + length as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn write_by_pieces(write: impl Fn(&[u8], u64) -> Result<usize>, mut left: &[u8], mut at: u64) -> Result<()> {
    use std::io::ErrorKind;
    while !left.is_empty() {
        match write(left, at) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(length) => (left, at) = (&left[length..], at + length as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Syncs a folder to disk: without it a new name may be lost in a power cut, and with it the file. Windows syncs no folders.
///
/// # Errors
/// The system refuses.
pub fn sync_folder(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    return File::open(folder)?.sync_all();
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(())
    }
}

/// Returns what follows a user's home in a path as a shell has it: `~/x` or `$HOME/x`.
#[must_use]
pub fn below_home(path: &str) -> Option<&str> {
    ["~/", "$HOME/", "${HOME}/"].iter().find_map(|home| path.strip_prefix(home))
}

/// Returns the home that an absolute path is in, by the conventions of systems: transcripts come from other machines, too.
#[must_use]
pub fn home_in(path: &Path) -> Option<&Path> {
    let is_home = |folder: &&Path| {
        let parent = folder.parent().and_then(Path::to_str);
        matches!(parent, Some("/home" | "/Users" | "/var/home")) || *folder == Path::new("/root")
    };
    path.ancestors().find(is_home)
}

/// The largest stored report or observation, of either command, in bytes: 100,000 results with their outputs take about a tenth of it.
pub const LARGEST_REPORT: u64 = 2 << 30;

/// The largest file of settings or decisions, in bytes.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// The longest first line of a journal, in bytes.
pub const LARGEST_HEADER: u64 = 64 << 20;

/// The largest file of rows of results, in bytes.
pub const LARGEST_ROWS: u64 = 512 << 20;

/// Opens a regular file to read it. Checks before opening: a pipe would wait for its writer, a device never ends.
///
/// # Errors
/// The system refuses, or the file is a pipe, device or socket.
pub fn open_regular(path: &Path) -> Result<File> {
    let metadata = path.metadata()?;
    // the system has the words for a directory
    match metadata.is_file() || metadata.is_dir() {
        true => File::open(path),
        false => Err(Error::new(ErrorKind::InvalidInput, NOT_REGULAR)),
    }
}

/// Reads a regular file of up to `most` bytes.
///
/// # Errors
/// As [`open_regular`]; or the file is larger.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(length, most));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large(bytes.len() as u64, most)),
        false => Ok(bytes),
    }
}

/// Reads the text of a regular file as [`read_regular`] does.
///
/// # Errors
/// As [`read_regular`]; or the file isn't UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> Result<String> {
    let not_text = |_| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(read_regular(path, most)?).map_err(not_text)
}

const NOT_REGULAR: &str = "not a regular file (a pipe, device or socket); write its content to a file and name that";

fn too_large(bytes: u64, most: u64) -> Error {
    const MIB: u64 = 1 << 20;
    let text = format!(
        "the file has {} MiB, and at most {} MiB are read; name another file, or make a smaller one",
        bytes.div_ceil(MIB),
        most / MIB
    );
    Error::new(ErrorKind::FileTooLarge, text)
}

/// Makes a link at `link` that leads to `target`.
///
/// # Errors
/// The system refuses; Windows does so unless the user may make links.
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(windows)]
    {
        use std::os::windows::fs::{symlink_dir, symlink_file};
        let is_folder = link.parent().is_some_and(|folder| folder.join(target).is_dir());
        if is_folder { symlink_dir(target, link) } else { symlink_file(target, link) }
    }
}

/// The most references of a repository that are looked at.
const MAX_REFERENCES: usize = 10_000;

/// The most loose objects of a repository that are looked at; Git packs them at 6,700.
const MAX_OBJECTS: usize = 200_000;

/// A file of the Git repository around `folder` that is none, such as a pipe: Git would wait for its end for ever.
#[must_use]
pub fn odd_git_file(folder: &Path) -> Option<PathBuf> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    let git = if git.is_file() { linked(&git)? } else { git };
    let is_odd = |path: &PathBuf| path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir());
    let entries = |folder: &Path| folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = ["", "info", "objects/info", "objects/pack"].map(|name| git.join(name));
    if let Some(odd) =
        std::iter::once(git.clone()).chain(folders.iter().flat_map(|folder| entries(folder))).find(is_odd)
    {
        return Some(odd);
    }
    let mut folders = vec![git.join("refs")];
    let mut seen = 0;
    while let Some(folder) = folders.pop().filter(|_| seen < MAX_REFERENCES) {
        for path in entries(&folder) {
            seen += 1;
            if is_odd(&path) {
                return Some(path);
            }
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            }
        }
    }
    odd_object(&git.join("objects"))
}

/// A loose object that is no file. Folders list the type of each entry, so only links cost another call.
fn odd_object(objects: &Path) -> Option<PathBuf> {
    let folders = objects.read_dir().ok()?.flatten().filter(|folder| folder.file_name().len() == 2);
    let entries = folders.flat_map(|folder| folder.path().read_dir().into_iter().flatten().flatten());
    let is_odd = |entry: &DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_file() => false,
        _ => entry.path().metadata().is_ok_and(|about| !about.is_file() && !about.is_dir()),
    };
    entries.take(MAX_OBJECTS).find(is_odd).map(|entry| entry.path())
}

/// The folder that a file in the place of a `.git` names, as in a work tree or a submodule.
fn linked(file: &Path) -> Option<PathBuf> {
    const LONGEST: u64 = 1 << 16;
    let mut text = String::new();
    File::open(file).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(file.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}
