//! Where skills are: a file, a directory, or a tree of directories, within bounds.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::SKILL_FILE;
use crate::file::absolute;

/// How deep a tree is searched.
const MAX_DEPTH: usize = 16;
/// How many directory entries are looked at below one path.
const MAX_ENTRIES: usize = 200_000;
/// Directories of other programs.
const FOREIGN: [&str; 4] = ["node_modules", "__pycache__", "target", "venv"];

/// `files`, each once, wherever links lead; the first path of each stays.
pub(super) fn unique(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files
}

/// What a search has found.
#[derive(Default)]
pub(super) struct SkillSearch {
    pub(super) files: Vec<PathBuf>,
    /// Directories that can't be read, as errors; what lies too deep, as a warning.
    pub(super) problems: Vec<Diagnostic>,
}

/// The `skill.json` files at `path`, which is one, or has one, or has directories with some.
pub(super) fn locate(context: &Context, path: &Path) -> Result<SkillSearch, Diagnostics> {
    search(context, path, SearchScope::Visible, &|directory| {
        let file = directory.join(SKILL_FILE);
        file.is_file().then_some(file)
    })
}

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchScope {
    /// Neither below a match nor in hidden directories.
    Visible,
    /// Also below matches and in hidden directories, such as `.claude` of a project or `.curated` of a collection.
    Everywhere,
}

/// Hidden directories of version control, package managers and build tools.
const FOREIGN_HIDDEN: [&str; 16] = [
    ".bundle",
    ".cache",
    ".cargo",
    ".eggs",
    ".git",
    ".gradle",
    ".hg",
    ".jj",
    ".next",
    ".npm",
    ".nox",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    ".yarn",
];
/// Files that mark a directory as a cache or as a Python environment.
const FOREIGN_MARKS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// Returns whether a directory belongs to another program, which may have a file of our name in it by chance.
fn is_foreign(directory: &Path) -> bool {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_named = FOREIGN.contains(&name) || FOREIGN_HIDDEN.contains(&name);
    is_named || FOREIGN_MARKS.iter().any(|mark| directory.join(mark).is_file())
}

/// Searches the directories at `path` with `wanted`. A directory that can't
/// be read is a problem in the result, and the search goes on.
pub(super) fn search(
    context: &Context,
    path: &Path,
    scope: SearchScope,
    wanted: &dyn Fn(&Path) -> Option<PathBuf>,
) -> Result<SkillSearch, Diagnostics> {
    let path = absolute(context, path);
    let shown = context.display(&path);
    let one = |file: PathBuf| SkillSearch { files: vec![file], problems: Vec::new() };
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            // A directory that was given by name must be readable.
            std::fs::read_dir(&path).map_err(|error| super::unreadable(context, &path, &error))?;
            let search = SkillSearch::default();
            let mut walk =
                SkillWalk { context, scope, wanted, search, seen: HashSet::new(), entries: 0, is_cut: false };
            walk.directory(&path, 0)?;
            Ok(walk.search)
        }
        Ok(_) if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) => {
            let directory = path.parent().unwrap_or(Path::new(""));
            wanted(directory).map(one).ok_or_else(|| nothing(context, directory).into())
        }
        Ok(_) => Ok(one(path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let error = Diagnostic::error(msg!("skills-load-path-missing", path = shown), None);
            Err(error.help(msg!("skills-load-path-missing-help")).into())
        }
        Err(error) => Err(super::unreadable(context, &path, &error).into()),
    }
}

/// A directory without a skill.
pub(super) fn nothing(context: &Context, path: &Path) -> Diagnostic {
    let path = absolute(context, path);
    let error = Diagnostic::error(msg!("skills-load-no-skill", path = context.display(&path)), None);
    match path.join("SKILL.md").is_file() {
        true => error.help(msg!("skills-load-no-skill-text-help")),
        false => error.help(msg!("skills-load-no-skill-help")),
    }
}

struct SkillWalk<'a> {
    context: &'a Context,
    scope: SearchScope,
    wanted: &'a dyn Fn(&Path) -> Option<PathBuf>,
    search: SkillSearch,
    /// Real directories that were entered: links may lead in circles.
    seen: HashSet<PathBuf>,
    entries: usize,
    /// Whether too deep a directory was reported already.
    is_cut: bool,
}

impl SkillWalk<'_> {
    /// # Errors
    /// The tree is too large.
    fn directory(&mut self, directory: &Path, depth: usize) -> Result<(), Diagnostics> {
        let Some(real) = self.read(directory, directory.canonicalize()) else { return Ok(()) };
        if !self.seen.insert(real) {
            return Ok(());
        }
        if let Some(file) = (self.wanted)(directory) {
            self.search.files.push(file);
            if self.scope == SearchScope::Visible {
                return Ok(());
            }
        }
        if depth > 0 && is_foreign(directory) {
            return Ok(());
        }
        let Some(entries) = self.read(directory, std::fs::read_dir(directory)) else { return Ok(()) };
        let mut below = Vec::new();
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                let message =
                    msg!("skills-load-tree-too-large", path = self.context.display(directory), limit = MAX_ENTRIES);
                return Err(Diagnostic::error(message, None).help(msg!("skills-load-tree-too-large-help")).into());
            }
            let is_hidden =
                self.scope == SearchScope::Visible && entry.file_name().as_encoded_bytes().starts_with(b".");
            // A link that leads nowhere is no directory; a directory that can't be looked at is one.
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir()) || entry.path().is_dir();
            if !is_hidden && is_directory {
                below.push(entry.path());
            }
        }
        if depth >= MAX_DEPTH {
            below.first().into_iter().for_each(|path| self.cut(path));
            return Ok(());
        }
        below.sort_unstable();
        below.iter().try_for_each(|path| self.directory(path, depth + 1))
    }

    fn read<T>(&mut self, directory: &Path, read: std::io::Result<T>) -> Option<T> {
        read.map_err(|error| self.search.problems.push(super::unreadable(self.context, directory, &error))).ok()
    }

    fn cut(&mut self, path: &Path) {
        if !std::mem::replace(&mut self.is_cut, true) {
            let path = self.context.display(path);
            let message = msg!("skills-load-tree-too-deep", path = path, limit = MAX_DEPTH);
            let help = msg!("skills-load-tree-too-large-help");
            self.search.problems.push(Diagnostic::warning(message, None).help(help));
        }
    }
}
