//! A hash of a working directory's content, which decides what an agent answers.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use eval_spec::files::{changed_nanoseconds, nanoseconds};
use eval_spec::hash::Sha256;
use ignore::{DirEntry, WalkBuilder};

use super::directory::is_executable;

/// Files up to this size are hashed by content, larger ones by size and time of change.
const CONTENT_LIMIT: u64 = 1024 * 1024;
/// The same for a skill's files, among which are programs.
const SKILL_CONTENT_LIMIT: u64 = 32 * 1024 * 1024;
/// After this much content, all further files are hashed by size and time of change.
const TOTAL_CONTENT_LIMIT: u64 = 256 * 1024 * 1024;
/// More files than this are refused: hashing them before every run would take too long.
const MAX_FILES: usize = 200_000;

/// The fingerprint of a directory's tree, as 64 hex digits: path, kind, executable bit and content
/// of every file, in the order of the paths.
///
/// `.gitignore` files in the tree and, in a repository, above it are obeyed, and `.git` is left out; the user's own git
/// settings have no say, so that equal repositories are equal on any machine. Files in `also` count although they are
/// ignored.
/// Files above 1 MiB count by size and time of change, as do all files after the first 256 MiB.
/// Links count by their target's path; they are not followed. Paths in `except` are left out: a
/// run's own journal and reports would change the fingerprint.
///
/// # Errors
/// The directory itself can't be read, or there are more than 200,000 files. A file that is deleted during
/// the walk, or that we may not read, is left out.
pub fn cwd_fingerprint(dir: &Path, except: &[PathBuf], also: &[PathBuf]) -> std::io::Result<String> {
    let mut hash = Sha256::default();
    if !dir.is_dir() {
        // Also the case of a directory that is not there, which the walk would take for one that has just gone.
        return Err(Error::from(if dir.exists() { ErrorKind::NotADirectory } else { ErrorKind::NotFound }));
    }
    let (mut files, mut content) = (0, 0);
    for entry in walk(dir, except) {
        let entry = match entry.map_err(into_io) {
            Err(error) if is_passing(&error) => continue,
            entry => entry?,
        };
        if entry.depth() == 0 {
            if !entry.path().is_dir() {
                return Err(Error::from(ErrorKind::NotADirectory));
            }
            continue;
        }
        files += 1;
        if files > MAX_FILES {
            return Err(Error::from(ErrorKind::FileTooLarge));
        }
        match add(entry.path(), dir, &mut content, CONTENT_LIMIT, &mut hash) {
            Err(error) if is_passing(&error) => {}
            added => added?,
        }
    }
    for path in also.iter().filter(|path| !except.iter().any(|except| path.starts_with(except))) {
        match add(path, dir, &mut content, CONTENT_LIMIT, &mut hash) {
            Err(error) if is_passing(&error) => {}
            added => added?,
        }
    }
    Ok(hash.hex())
}

/// What a fingerprint covers.
fn walk(dir: &Path, except: &[PathBuf]) -> ignore::Walk {
    let except = except.to_vec();
    let counts = move |entry: &DirEntry| {
        entry.depth() == 0 || (entry.file_name() != ".git" && !except.iter().any(|path| path == entry.path()))
    };
    let is_inside = dir.ancestors().any(|folder| folder.join(".git").exists());
    WalkBuilder::new(dir)
        .standard_filters(false)
        .git_ignore(true)
        .require_git(is_inside)
        .parents(is_inside)
        .filter_entry(counts)
        .sort_by_file_name(Ord::cmp)
        .build()
}

/// Something that changed in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedPath {
    /// A file that is new or was written to.
    Written(PathBuf),
    /// A directory of which something was removed.
    RemovedFrom(PathBuf),
}

/// What changed below a directory after a time, as far as its [fingerprint](cwd_fingerprint) covers it: files that are new or
/// written to, and, where there is none, directories of which something was removed.
#[must_use]
pub fn changed_since(dir: &Path, except: &[PathBuf], since: SystemTime) -> Vec<ChangedPath> {
    let since = nanoseconds(since);
    let is_later = |about: &Metadata| changed_nanoseconds(about) > since;
    let changed = |entry: DirEntry| {
        let about = entry.path().symlink_metadata().ok().filter(is_later)?;
        Some((about.is_dir(), entry.into_path()))
    };
    let (folders, files): (Vec<_>, Vec<_>) = walk(dir, except).flatten().filter_map(changed).partition(|(is, _)| *is);
    let paths = |of: Vec<(bool, PathBuf)>| of.into_iter().map(|(_, path)| path);
    match files.is_empty() {
        false => paths(files).map(ChangedPath::Written).collect(),
        true => paths(folders).map(ChangedPath::RemovedFrom).collect(),
    }
}

/// The most entries of a skill's directory that are hashed.
const MAX_SKILL_FILES: usize = 10_000;
/// Directories of installed packages, caches and builds.
const INSTALLED: [&str; 4] = ["node_modules", "__pycache__", "target", "venv"];
/// The files of runs that were started in the skill's own directory.
const OWN: [&str; 2] = ["reports", "eval-skills.db"];

/// The fingerprint of a callable skill's directory, as 64 hex digits, and whether it is of the whole directory: after
/// 10,000 entries, in the order of the paths, no more are looked at.
///
/// Hidden files, caches, installed packages and build directories are left out, and so are the reports and the store of
/// runs in the directory itself. Files above 32 MiB count by size and time of change. A link to a file counts by its
/// content too.
///
/// # Errors
/// The directory itself can't be read.
pub(super) fn skill_fingerprint(dir: &Path) -> std::io::Result<(String, bool)> {
    std::fs::read_dir(dir)?;
    let (mut hash, mut content) = (Sha256::default(), 0);
    for (i, entry) in skill_walk(dir).enumerate() {
        if i > MAX_SKILL_FILES {
            return Ok((hash.hex(), false));
        }
        // An unreadable file affects no answer.
        let Ok(entry) = entry.map_err(into_io) else { continue };
        if entry.depth() > 0 && add(entry.path(), dir, &mut content, SKILL_CONTENT_LIMIT, &mut hash).is_ok() {
            add_target(&entry, &mut content, &mut hash);
        }
    }
    Ok((hash.hex(), true))
}

/// The most files of a skill that are hashed each for itself.
const MAX_LISTED: usize = 500;
/// Hexadecimal digits of the hash of one file.
const FILE_DIGITS: usize = 12;

/// Hashes each file that the fingerprint of a callable skill's directory covers for itself, by its path in the directory;
/// `None` for one that can't be read. Empty where there are more than 500.
#[must_use]
pub fn skill_files(dir: &Path) -> BTreeMap<String, Option<String>> {
    let mut hashes = BTreeMap::new();
    let mut content = 0;
    for entry in skill_walk(dir).take(MAX_SKILL_FILES).flatten() {
        if entry.path().symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            continue;
        }
        if hashes.len() == MAX_LISTED {
            return BTreeMap::new();
        }
        let mut hash = Sha256::default();
        let added = add(entry.path(), dir, &mut content, SKILL_CONTENT_LIMIT, &mut hash);
        add_target(&entry, &mut content, &mut hash);
        let digits = added.ok().map(|()| hash.hex()[..FILE_DIGITS].to_owned());
        let path = entry.path().strip_prefix(dir).unwrap_or(entry.path());
        hashes.insert(path.to_string_lossy().into_owned(), digits);
    }
    hashes
}

/// Walks over what the fingerprint of a callable skill's directory covers.
fn skill_walk(dir: &Path) -> ignore::Walk {
    let counts = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_own = entry.depth() == 1 && (OWN.contains(&&*name) || name.starts_with("eval-skills.db-"));
        entry.depth() == 0 || !(name.starts_with('.') || INSTALLED.contains(&&*name) || is_own)
    };
    WalkBuilder::new(dir)
        .standard_filters(false)
        .filter_entry(counts)
        .max_depth(Some(32))
        .sort_by_file_name(Ord::cmp)
        .build()
}

/// The content of the file that a link leads to.
fn add_target(entry: &DirEntry, content: &mut u64, hash: &mut Sha256) {
    let target = entry.path().metadata().ok().filter(|target| entry.path_is_symlink() && target.is_file());
    let Some(size) = target.map(|target| target.len()) else { return };
    if size <= SKILL_CONTENT_LIMIT && *content + size <= TOTAL_CONTENT_LIMIT {
        *content += size;
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        field(hash, b"c", &bytes);
    }
}

/// Whether a file was deleted during the walk or can't be read by us. Other programs may change the tree, and an
/// unreadable file affects no answer.
fn is_passing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied)
}

fn into_io(error: ignore::Error) -> Error {
    let text = error.to_string();
    error.into_io_error().unwrap_or_else(|| Error::other(text))
}

fn add(path: &Path, root: &Path, content: &mut u64, limit: u64, hash: &mut Sha256) -> std::io::Result<()> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let metadata = path.symlink_metadata()?;
    let size = metadata.len();
    if metadata.is_dir() {
        field(hash, b"d", relative.as_os_str().as_encoded_bytes());
    } else if metadata.is_symlink() {
        field(hash, b"l", relative.as_os_str().as_encoded_bytes());
        field(hash, b"t", std::fs::read_link(path)?.as_os_str().as_encoded_bytes());
    } else if !metadata.is_file() {
        // A pipe or a socket: only its existence is hashed.
        field(hash, b"s", relative.as_os_str().as_encoded_bytes());
    } else {
        let kind: &[u8] = if is_executable(path) { b"x" } else { b"f" };
        field(hash, kind, relative.as_os_str().as_encoded_bytes());
        if size <= limit && *content + size <= TOTAL_CONTENT_LIMIT {
            *content += size;
            field(hash, b"c", &std::fs::read(path)?);
        } else {
            field(hash, b"m", format!("{size} {:?}", metadata.modified()?).as_bytes());
        }
    }
    Ok(())
}

/// Kind and length go before the bytes, so that no two trees run together.
fn field(hash: &mut Sha256, kind: &[u8], bytes: &[u8]) {
    hash.update(kind);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
