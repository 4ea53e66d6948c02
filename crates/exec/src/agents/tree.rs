//! What of a working directory its copies have: what Git would not ignore, or tracks all the same, without what is withheld.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_process::programs::find;
use eval_process::{Launch, run_blocking};
use eval_spec::Context;
use eval_spec::files::odd_git_file;
use eval_spec::surroundings::{UncopiedWhy, Withheld};
use ignore::{DirEntry, WalkBuilder};

use crate::places::RUN_PREFIX;

/// The most files that are copied: a run would spend its time on it.
const MAX_COPIED_FILES: usize = 50_000;
/// The most bytes that are copied.
const MAX_COPIED_BYTES: u64 = 2 << 30;
/// More than Git compresses in some seconds.
const LARGE_BYTES: u64 = 128 << 20;
/// How long Git may look for files that it tracks.
const GIT_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest list of them, in bytes.
const MAX_LISTED: usize = 64 << 20;

/// Why there is no copy.
#[derive(Debug)]
pub enum CopyError {
    /// The directory has too many files, or too much in them.
    TooLarge,
    /// A `.gitignore` is no file, such as a pipe, that can't be read to its end.
    NoFile(PathBuf),
    /// A file could not be read or written.
    Io(Error),
}

impl CopyError {
    /// What can't be copied, and what to do.
    #[must_use]
    pub fn message(&self, directory: &Path) -> Message {
        let directory = directory.display().to_string();
        match self {
            CopyError::TooLarge => msg!(
                "exec-agent-copy-size",
                directory = directory,
                files = MAX_COPIED_FILES,
                gib = MAX_COPIED_BYTES >> 30
            ),
            CopyError::NoFile(path) => msg!("exec-agent-copy-pipe", path = path.display().to_string()),
            CopyError::Io(_) => msg!("exec-agent-copy", directory = directory),
        }
    }
}

impl From<Error> for CopyError {
    fn from(error: Error) -> CopyError {
        CopyError::Io(error)
    }
}

/// What decides about the copies of a directory besides the paths in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// What is withheld, and isn't so by its path alone: links to artifacts, copies and other versions of them. What such a
    /// file says decides no answer.
    pub left_out: Vec<PathBuf>,
    /// Files that are copied although a `.gitignore` names them, since Git tracks them.
    pub tracked: Vec<PathBuf>,
    /// Other paths that the copies lack; a directory that is left out as a whole stands for all in it.
    pub uncopied: Vec<(PathBuf, UncopiedWhy)>,
}

/// Looks through a directory whose agents work in copies without what is `withheld`; without it, they work in the directory
/// itself.
///
/// # Errors
/// It can't be copied.
pub fn survey(source: &Path, withheld: Option<&Arc<Withheld>>, context: &Context) -> Result<Survey, CopyError> {
    let git = find("git", context);
    let Some(withheld) = withheld else {
        let everything = Arc::new(Withheld::default());
        let tree = CopiedTree::new(source, &everything, &[])?;
        tree.walk(|path| !path.ends_with(".git")).try_for_each(|path| path.map(drop))?;
        return Ok(Survey { tracked: tree.tracked(git.as_deref()), ..Survey::default() });
    };
    let tree = CopiedTree::new(source, withheld, &[])?;
    let left_out = Arc::new(Mutex::new(Vec::new()));
    let (seen, of) = (Arc::clone(&left_out), tree.clone());
    let counts = move |path: &Path| {
        let is_out = of.is_other_artifact(path);
        if is_out {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        }
        !is_out && !of.is_out_by_name(path)
    };
    let mut size = CopiedSize::default();
    let mut walked = BTreeSet::new();
    for path in tree.walk(counts) {
        let path = path?;
        size.add(&path)?;
        walked.insert(path);
    }
    let tracked = tree.tracked(git.as_deref());
    tracked.iter().try_for_each(|path| size.add(path))?;
    let left_out = std::mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    let copied = walked.into_iter().chain(tracked.iter().cloned()).collect();
    let uncopied = tree.uncopied(&copied, &left_out);
    Ok(Survey { left_out, tracked, uncopied })
}

/// How much was copied.
#[derive(Default)]
pub(super) struct CopiedSize {
    files: usize,
    bytes: u64,
}

impl CopiedSize {
    /// Adds a file.
    pub(super) fn add(&mut self, path: &Path) -> Result<(), CopyError> {
        self.files += 1;
        let about = path.symlink_metadata().ok().filter(fs::Metadata::is_file);
        self.bytes += about.map_or(0, |about| about.len());
        match self.files > MAX_COPIED_FILES || self.bytes > MAX_COPIED_BYTES {
            true => Err(CopyError::TooLarge),
            false => Ok(()),
        }
    }
}

impl CopiedSize {
    /// Whether Git would take long to compress it.
    pub(super) fn is_large(&self) -> bool {
        self.bytes > LARGE_BYTES
    }
}

/// A directory of which copies are made.
#[derive(Clone)]
pub(super) struct CopiedTree {
    source: PathBuf,
    root: PathBuf,
    withheld: Arc<Withheld>,
    /// The paths that are withheld, links followed.
    hidden: Vec<PathBuf>,
    /// Names of files and directories that the agent would read by itself, at any depth.
    unasked: &'static [&'static str],
}

impl CopiedTree {
    pub(super) fn new(
        source: &Path,
        withheld: &Arc<Withheld>,
        unasked: &'static [&'static str],
    ) -> io::Result<CopiedTree> {
        let root = source.canonicalize()?;
        // A directory that was asked for can't be withheld from itself.
        let is_around = |hidden: &PathBuf| root.starts_with(hidden) && root != *hidden;
        let hidden = withheld.paths.iter().filter_map(|path| path.canonicalize().ok());
        let hidden = hidden.filter(|hidden| !is_around(hidden)).collect();
        Ok(CopiedTree { source: source.to_owned(), root, withheld: Arc::clone(withheld), hidden, unasked })
    }

    /// Every path that is copied, directories before what is in them.
    pub(super) fn copied(&self, git: Option<&Path>) -> impl Iterator<Item = Result<PathBuf, CopyError>> {
        let of = self.clone();
        let walk = self.walk(move |path| !of.is_out_by_name(path) && !of.is_other_artifact(path));
        walk.chain(self.tracked(git).into_iter().map(Ok))
    }

    /// Whether Git has a say: the directory is in a repository.
    pub(super) fn is_in_repository(&self) -> bool {
        self.source.ancestors().any(|folder| folder.join(".git").exists())
    }

    /// A walk through what Git would not ignore, by the `.gitignore` files up to the repository's root, as far as it `counts`.
    /// Files that are deleted meanwhile, or that can't be read by us, are passed over: the agent could not read them either.
    fn walk(
        &self,
        counts: impl Fn(&Path) -> bool + Send + Sync + 'static,
    ) -> Box<dyn Iterator<Item = Result<PathBuf, CopyError>>> {
        let is_inside = self.is_in_repository();
        let above = self.source.ancestors().take_while(|_| is_inside).chain([self.source.as_path()]);
        if let Some(pipe) = above.map(gitignore_of).find(|path| is_no_file(path)) {
            return Box::new(std::iter::once(Err(CopyError::NoFile(pipe))));
        }
        let pipe = Arc::new(Mutex::new(None));
        let found = Arc::clone(&pipe);
        let enters = move |entry: &DirEntry| {
            let path = entry.path();
            let counted = entry.depth() == 0 || counts(path);
            let ignore = gitignore_of(path);
            let is_bad = counted && entry.file_type().is_some_and(|kind| kind.is_dir()) && is_no_file(&ignore);
            if is_bad {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(ignore);
            }
            counted && !is_bad
        };
        let mut walk = WalkBuilder::new(&self.source);
        walk.standard_filters(false).git_ignore(true).require_git(is_inside).parents(is_inside);
        let walk = walk.filter_entry(enters).sort_by_file_name(Ord::cmp).build();
        let paths = walk.filter_map(|entry| match entry.map_err(into_io) {
            Ok(entry) => (entry.depth() > 0).then(|| Ok(entry.into_path())),
            Err(error) if is_passing(&error) => None,
            Err(error) => Some(Err(CopyError::Io(error))),
        });
        // After all others: the directory that has it was left out.
        let last = std::iter::from_fn(move || pipe.lock().unwrap_or_else(PoisonError::into_inner).take());
        Box::new(paths.chain(last.map(|path| Err(CopyError::NoFile(path)))))
    }

    /// The files that Git tracks although a `.gitignore` names them, without those that are left out.
    fn tracked(&self, git: Option<&Path>) -> Vec<PathBuf> {
        // Git would wait for the end of a pipe.
        let is_readable = || odd_git_file(&self.source).is_none();
        let Some(git) = git.filter(|_| self.is_in_repository() && is_readable()) else { return Vec::new() };
        let within = |path: &PathBuf| {
            let mut above = path.ancestors().take_while(|above| *above != self.source);
            path.symlink_metadata().is_ok_and(|about| !about.is_dir())
                && !above.any(|path| self.is_out_by_name(path) || self.is_other_artifact(path))
        };
        ignored_but_tracked(git, &self.source).into_iter().map(|path| self.source.join(path)).filter(within).collect()
    }

    /// Lists the paths in the `copied` directories that are neither copied nor `left_out`.
    fn uncopied(&self, copied: &BTreeSet<PathBuf>, left_out: &[PathBuf]) -> Vec<(PathBuf, UncopiedWhy)> {
        let is_denied = |error: &Error| error.kind() == io::ErrorKind::PermissionDenied;
        let mut lacking = Vec::new();
        for path in std::iter::once(&self.source).chain(copied) {
            let Ok(about) = path.symlink_metadata() else { continue };
            // Opening a pipe would wait for somebody who writes to it.
            if about.is_file() && File::open(path).is_err_and(|error| is_denied(&error)) {
                lacking.push((path.clone(), UncopiedWhy::Unreadable));
            }
            if !(about.is_dir() || path == &self.source) {
                continue;
            }
            match fs::read_dir(path) {
                Err(error) if is_denied(&error) => lacking.push((path.clone(), UncopiedWhy::Unreadable)),
                Err(_) => {}
                Ok(entries) => {
                    let inside = entries.filter_map(|entry| Some(entry.ok()?.path()));
                    let lacks = |path: &PathBuf| {
                        !copied.contains(path) && !self.is_out_by_name(path) && !left_out.contains(path)
                    };
                    lacking.extend(inside.filter(lacks).map(|path| (path, UncopiedWhy::Ignored)));
                }
            }
        }
        lacking.sort();
        lacking
    }

    fn is_out_by_name(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        // The temporary directory may lie within.
        let is_ours = name.as_encoded_bytes().starts_with(RUN_PREFIX.as_bytes());
        name == ".git" || is_ours || self.unasked.iter().any(|unasked| name == *unasked)
    }

    /// Whether a path is an artifact, leads to one by a link, is another version of one, or shows what an agent did with one.
    fn is_other_artifact(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.leads_to_hidden(&path))
            || is_version(path, &self.withheld)
            || super::recording::is_recording(path)
    }

    fn leads_to_hidden(&self, end: &Path) -> bool {
        // A link out of the directory to what holds it leads to it as well.
        let leads_around = !end.starts_with(&self.root) && self.hidden.iter().any(|hidden| hidden.starts_with(end));
        leads_around || self.hidden.iter().any(|hidden| end.starts_with(hidden) && end != self.root)
    }
}

fn gitignore_of(folder: &Path) -> PathBuf {
    folder.join(".gitignore")
}

/// Whether a path is there and no file: opening a pipe waits for somebody who writes to it.
fn is_no_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Paths below `folder`. None where Git can't tell.
fn ignored_but_tracked(git: &Path, folder: &Path) -> Vec<PathBuf> {
    let variables =
        [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("GIT_OPTIONAL_LOCKS", "0")];
    let environment: Vec<(OsString, OsString)> =
        variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
    // No program that the repository names is started.
    let arguments = "-c safe.directory=* -c core.fsmonitor=false ls-files -z --cached --ignored --exclude-standard";
    let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
    let launch = Launch {
        program: git,
        arguments: &arguments,
        environment: &environment,
        cwd: folder.to_owned(),
        stdin: &[],
        timeout: GIT_TIMEOUT,
    };
    match run_blocking(&launch, MAX_LISTED) {
        Ok((exit, listed)) if exit.status.success() => {
            let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            names.map(|name| PathBuf::from(String::from_utf8_lossy(name).into_owned())).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a path is a copy of an artifact, or another version of it as a skill.
fn is_version(path: &Path, withheld: &Withheld) -> bool {
    let is_text = |path: &Path| {
        let size = path.metadata().map(|file| file.len()).unwrap_or_default();
        let same_size = || withheld.texts.iter().filter(|text| !text.is_empty() && text.len() as u64 == size);
        same_size().next().is_some() && fs::read(path).is_ok_and(|bytes| same_size().any(|text| **text == *bytes))
    };
    if path.is_dir() {
        let of_skill = path.parent().and_then(Path::file_name).is_some_and(|parent| parent == "skills")
            && withheld.skills.iter().any(|name| path.file_name().is_some_and(|of| of == name.as_str()));
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

/// Whether a file was deleted during the walk or can't be read by us: the agent could not read it either.
pub(super) fn is_passing(error: &Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

fn into_io(error: ignore::Error) -> Error {
    let text = error.to_string();
    error.into_io_error().unwrap_or_else(|| Error::other(text))
}
