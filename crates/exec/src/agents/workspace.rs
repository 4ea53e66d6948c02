//! Copies of working directories: each call of an agent gets one of its own, without the artifacts under test.
//!
//! The first call of a directory makes the original: what Git would not ignore, without what is withheld, in a fresh
//! repository where it came from one (a history holds artifacts). Each call gets a copy of the original, so that no call
//! sees what another one wrote, nor what the user changes meanwhile. The file system shares the blocks where it can.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_process::{Launch, run_blocking};
use eval_spec::surroundings::Withheld;
use ignore::{DirEntry, WalkBuilder};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::places::RUN_PREFIX;

/// The most files that are copied: a run would spend its time on it.
pub(super) const MAX_COPIED_FILES: usize = 50_000;
/// The most bytes that are copied.
pub(super) const MAX_COPIED_BYTES: u64 = 2 << 30;
/// How long each of Git's commands may take.
const GIT_TIMEOUT: Duration = Duration::from_secs(120);

/// The originals of the copies, by the directory that they were made of.
#[derive(Default)]
pub(super) struct Workspaces {
    originals: Mutex<HashMap<PathBuf, Arc<OnceCell<TempDir>>>>,
}

/// How an original is made.
#[derive(Clone)]
pub(super) struct Copying {
    /// Where it is made.
    pub(super) below: PathBuf,
    /// What it lacks.
    pub(super) withheld: Arc<Withheld>,
    /// Names of files and directories that the agent would read by itself, at any depth.
    pub(super) unasked: &'static [&'static str],
    /// The program, if it is there.
    pub(super) git: Option<PathBuf>,
}

/// Why there is no copy.
#[derive(Debug)]
pub(super) enum CopyError {
    /// The directory has too many files, or too much in them.
    TooLarge,
    /// A file could not be read or written.
    Io(Error),
}

impl From<Error> for CopyError {
    fn from(error: Error) -> CopyError {
        CopyError::Io(error)
    }
}

impl Workspaces {
    /// A copy of `source` at `target`, which is not there yet.
    pub(super) async fn copy(&self, source: &Path, target: PathBuf, how: &Copying) -> Result<(), CopyError> {
        let cell = {
            let mut originals = self.originals.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(originals.entry(source.to_owned()).or_default())
        };
        let make = || async {
            let (source, how) = (source.to_owned(), how.clone());
            unblocked(move || original(&source, &how)).await
        };
        let original = cell.get_or_try_init(make).await?.path().to_owned();
        unblocked(move || copy_tree(&original, &target).map_err(CopyError::Io)).await
    }
}

/// Waits for files on a thread of their own.
async fn unblocked<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CopyError> + Send + 'static,
) -> Result<T, CopyError> {
    tokio::task::spawn_blocking(work).await.map_err(Error::other)?
}

/// What is withheld from the copies of a directory, and isn't so by its path alone: links to artifacts, copies and other
/// versions of them. What such a file says decides no answer.
pub(crate) fn left_out(source: &Path, withheld: &Arc<Withheld>) -> Vec<PathBuf> {
    let Ok(is_withheld) = leads_to_withheld(source, withheld) else { return Vec::new() };
    let (found, withheld) = (Arc::new(Mutex::new(Vec::new())), Arc::clone(withheld));
    let seen = Arc::clone(&found);
    let counts = move |entry: &DirEntry| {
        let leads_to = || entry.path().canonicalize().is_ok_and(|path| is_withheld(&path));
        let is_out = entry.depth() > 0 && (leads_to() || is_version(entry, &withheld));
        if is_out {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
        }
        !is_out && entry.file_name() != ".git"
    };
    of_git(source).filter_entry(counts).build().for_each(drop);
    std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Whether a path, with its links followed, is withheld from the copies of a directory.
fn leads_to_withheld(source: &Path, how: &Withheld) -> io::Result<impl Fn(&Path) -> bool + Send + Sync + 'static> {
    let root = source.canonicalize()?;
    // A directory that was asked for can't be withheld from itself.
    let is_around = |hidden: &PathBuf| root.starts_with(hidden) && root != *hidden;
    let withheld = how.paths.iter().filter_map(|path| path.canonicalize().ok());
    let withheld: Vec<PathBuf> = withheld.filter(|hidden| !is_around(hidden)).collect();
    // A link out of the directory to what holds it leads to it as well.
    let leads_around = {
        let (root, withheld) = (root.clone(), withheld.clone());
        move |end: &Path| !end.starts_with(&root) && withheld.iter().any(|hidden| hidden.starts_with(end))
    };
    Ok(move |path: &Path| leads_around(path) || withheld.iter().any(|hidden| path.starts_with(hidden) && path != root))
}

fn original(source: &Path, how: &Copying) -> Result<TempDir, CopyError> {
    let folder = tempfile::Builder::new().prefix("omk-tree-").tempdir_in(&how.below)?;
    let is_withheld = leads_to_withheld(source, &how.withheld)?;
    let (mut files, mut bytes) = (0, 0);
    for entry in walk(source, how, is_withheld) {
        let entry = match entry.map_err(into_io) {
            Err(error) if is_passing(&error) => continue,
            entry => entry?,
        };
        if entry.depth() == 0 {
            continue;
        }
        files += 1;
        bytes += entry.metadata().map(|file| if file.is_file() { file.len() } else { 0 }).unwrap_or_default();
        if files > MAX_COPIED_FILES || bytes > MAX_COPIED_BYTES {
            return Err(CopyError::TooLarge);
        }
        let Ok(relative) = entry.path().strip_prefix(source) else { continue };
        match copy_entry(entry.path(), &folder.path().join(relative), Some((source, relative))) {
            Err(error) if is_passing(&error) => {}
            copied => copied?,
        }
    }
    if let Some(git) = how.git.as_ref().filter(|_| source.ancestors().any(|folder| folder.join(".git").exists())) {
        repository(git, folder.path())?;
    }
    Ok(folder)
}

fn walk(source: &Path, how: &Copying, is_withheld: impl Fn(&Path) -> bool + Send + Sync + 'static) -> ignore::Walk {
    let (withheld, unasked) = (Arc::clone(&how.withheld), how.unasked);
    let counts = move |entry: &DirEntry| {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name();
        let leads_to = || entry.path().canonicalize().is_ok_and(|path| is_withheld(&path));
        // The temporary directory may lie within.
        let is_ours = name.as_encoded_bytes().starts_with(RUN_PREFIX.as_bytes());
        !(name == ".git"
            || is_ours
            || unasked.iter().any(|unasked| name == *unasked)
            || leads_to()
            || is_version(entry, &withheld))
    };
    of_git(source).filter_entry(counts).sort_by_file_name(Ord::cmp).build()
}

/// A walk through what Git would not ignore.
fn of_git(source: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(source);
    walk.standard_filters(false).git_ignore(true).require_git(false);
    walk
}

/// Whether an entry is a copy of an artifact, or another version of it as a skill.
fn is_version(entry: &DirEntry, withheld: &Withheld) -> bool {
    let path = entry.path();
    let is_text = |path: &Path| {
        let size = path.metadata().map(|file| file.len()).unwrap_or_default();
        let same_size = || withheld.texts.iter().filter(|text| !text.is_empty() && text.len() as u64 == size);
        same_size().next().is_some() && fs::read(path).is_ok_and(|bytes| same_size().any(|text| **text == *bytes))
    };
    if path.is_dir() {
        let of_skill = path.parent().and_then(Path::file_name).is_some_and(|parent| parent == "skills")
            && withheld.skills.iter().any(|name| entry.file_name() == name.as_str());
        return of_skill || is_text(&path.join("SKILL.md"));
    }
    let of_skill = || {
        let name = path.file_stem().unwrap_or_default();
        path.extension().is_some_and(|extension| extension == "md")
            && path.parent().and_then(Path::file_name).is_some_and(|parent| parent == "skills")
            && withheld.skills.iter().any(|skill| name == skill.as_str())
    };
    of_skill() || (path.is_file() && is_text(path))
}

/// Copies one entry. `moved` is the directory that it is taken out of, and its path there: links stay within the copy, and
/// those that lead out of it lead to the same place.
fn copy_entry(source: &Path, target: &Path, moved: Option<(&Path, &Path)>) -> io::Result<()> {
    let metadata = source.symlink_metadata()?;
    if metadata.is_dir() {
        return fs::create_dir_all(target);
    }
    if metadata.is_symlink() {
        let leads_to = fs::read_link(source)?;
        return symlink(moved.map_or_else(|| leads_to.clone(), |moved| link_of(source, &leads_to, moved)), target);
    }
    // Pipes and sockets have no content.
    if metadata.is_file() {
        copy_file(source, target, &metadata)?;
    }
    Ok(())
}

/// Copies a file with its mode and its time, so that what builds by time finds nothing changed. With each file opened once: an
/// agent's run begins and ends with as many as there are in the directory.
fn copy_file(source: &Path, target: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    let mut from = File::open(source)?;
    let mut to = File::options().write(true).create_new(true).mode(0o600).open(target)?;
    io::copy(&mut from, &mut to)?;
    to.set_permissions(metadata.permissions())?;
    match metadata.modified() {
        Ok(time) => to.set_modified(time),
        Err(_) => Ok(()),
    }
}

fn link_of(link: &Path, leads_to: &Path, (root, relative): (&Path, &Path)) -> PathBuf {
    let (Ok(end), Ok(root)) = (link.canonicalize(), root.canonicalize()) else { return leads_to.to_owned() };
    match end.strip_prefix(&root) {
        Ok(_) if leads_to.is_relative() => leads_to.to_owned(),
        Ok(inside) => {
            relative.parent().into_iter().flatten().map(|_| Path::new("..")).collect::<PathBuf>().join(inside)
        }
        Err(_) => end,
    }
}

/// Copies a directory with all that is in it.
fn copy_tree(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(target)?;
    for entry in fs::read_dir(source)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), target.join(entry.file_name()))
        };
        match path.symlink_metadata()?.is_dir() {
            true => copy_tree(&path, &target)?,
            false => copy_entry(&path, &target, None)?,
        }
    }
    Ok(())
}

/// A repository with one commit, the same on every machine, in few files: each copy has all of them.
fn repository(git: &Path, folder: &Path) -> io::Result<()> {
    let variables = [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_AUTHOR_NAME", "omk"),
        ("GIT_AUTHOR_EMAIL", "omk@localhost"),
        ("GIT_AUTHOR_DATE", "2000-01-01T00:00:00Z"),
        ("GIT_COMMITTER_NAME", "omk"),
        ("GIT_COMMITTER_EMAIL", "omk@localhost"),
        ("GIT_COMMITTER_DATE", "2000-01-01T00:00:00Z"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ];
    let environment: Vec<(OsString, OsString)> =
        variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let commands: [&[&str]; 4] = [
        &["init", "--quiet", "--template=", "--initial-branch", "main"],
        &["add", "--all"],
        &["commit", "--quiet", "--allow-empty", "--message", "Working directory"],
        &["repack", "-a", "-d", "--quiet"],
    ];
    for arguments in commands {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let launch = Launch {
            program: git,
            arguments: &arguments,
            environment: &environment,
            cwd: folder.to_owned(),
            stdin: &[],
            timeout: GIT_TIMEOUT,
        };
        let (exit, _) = run_blocking(&launch, 1 << 20).map_err(|error| Error::other(format!("git: {error:?}")))?;
        if !exit.status.success() {
            return Err(Error::other(format!("git {}: {}", arguments[0].display(), exit.stderr)));
        }
    }
    Ok(())
}

/// Whether a file was deleted during the walk or can't be read by us: the agent could not read it either.
fn is_passing(error: &Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

fn into_io(error: ignore::Error) -> Error {
    let text = error.to_string();
    error.into_io_error().unwrap_or_else(|| Error::other(text))
}
