//! Copies of working directories: each call of an agent gets one of its own, without the artifacts under test.
//!
//! The first call of a directory makes the original: [what is copied](super::tree) of it, in a fresh repository where it came
//! from one (a history holds artifacts). Each call gets a copy of the original, so that no call sees what another one wrote,
//! nor what the user changes meanwhile. The file system shares the blocks where it can.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_process::{Launch, run_blocking};
use eval_spec::files::{FileMode, symlink};
use eval_spec::surroundings::Withheld;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::tree::{CopiedSize, CopiedTree, CopyError, is_passing};

/// How long each of Git's commands may take.
const GIT_TIMEOUT: Duration = Duration::from_secs(600);

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

fn original(source: &Path, how: &Copying) -> Result<TempDir, CopyError> {
    let folder = tempfile::Builder::new().prefix("omk-tree-").tempdir_in(&how.below)?;
    let tree = CopiedTree::new(source, &how.withheld, how.unasked)?;
    let mut size = CopiedSize::default();
    for path in tree.copied(how.git.as_deref()) {
        let path = path?;
        size.add(&path)?;
        let Ok(relative) = path.strip_prefix(source) else { continue };
        let target = folder.path().join(relative);
        // The directory of a file that Git tracks may be ignored itself.
        if let Some(above) = target.parent() {
            fs::create_dir_all(above)?;
        }
        match copy_entry(&path, &target, Some((source, relative))) {
            Err(error) if is_passing(&error) => {}
            copied => copied?,
        }
    }
    if let Some(git) = how.git.as_ref().filter(|_| tree.is_in_repository()) {
        repository(git, folder.path(), &size)?;
    }
    Ok(folder)
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
        return symlink(&moved.map_or_else(|| leads_to.clone(), |moved| link_of(source, &leads_to, moved)), target);
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
    let mut to = File::options().write(true).create_new(true).file_mode(0o600).open(target)?;
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
fn repository(git: &Path, folder: &Path, size: &CopiedSize) -> io::Result<()> {
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
    // Compressing gigabytes takes minutes. Files that are streamed aren't compared with each other.
    let packing = ["-c", "core.compression=0", "-c", "pack.window=0", "-c", "core.bigFileThreshold=1m"];
    let packing = if size.is_large() { &packing[..] } else { &[] };
    let commands: [&[&str]; 4] = [
        &["init", "--quiet", "--template=", "--initial-branch", "main"],
        // Git may ignore what it tracks.
        &["add", "--all", "--force"],
        &["commit", "--quiet", "--allow-empty", "--message", "Working directory"],
        &["repack", "-a", "-d", "--quiet"],
    ];
    for arguments in commands {
        let command = arguments[0];
        let arguments: Vec<OsString> = packing.iter().chain(arguments).map(OsString::from).collect();
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
            return Err(Error::other(format!("git {command}: {}", exit.stderr)));
        }
    }
    Ok(())
}
