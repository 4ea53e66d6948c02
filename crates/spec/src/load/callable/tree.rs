//! Where skills are: a file, a directory, or a tree of directories, within bounds.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::absolute;
use super::SKILL_FILE;
use crate::{Context, Diagnostic, Diagnostics, msg};

/// How deep a tree is searched.
const MAX_DEPTH: usize = 16;
/// How many directory entries are looked at below one path.
const MAX_ENTRIES: usize = 200_000;
/// Directories of other programs, which may hold a file of our name by chance.
const FOREIGN: [&str; 4] = ["node_modules", "__pycache__", "target", "venv"];

/// Files, each once, in the order in which they were found.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
}

impl Files {
    pub(super) fn extend(&mut self, files: Vec<PathBuf>) {
        for file in files {
            if self.seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
                self.files.push(file);
            }
        }
    }

    pub(super) fn into_vec(self) -> Vec<PathBuf> {
        self.files
    }
}

/// The `skill.json` files at `path`, which is one, or has one, or has directories with some.
pub(super) fn locate(context: &Context, path: &Path) -> Result<Vec<PathBuf>, Diagnostics> {
    search(context, path, &|directory| {
        let file = directory.join(SKILL_FILE);
        file.is_file().then_some(file)
    })
}

/// What `wanted` finds in the directories at `path`; below a directory where it finds something, it isn't asked.
pub(super) fn search(
    context: &Context,
    path: &Path,
    wanted: &dyn Fn(&Path) -> Option<PathBuf>,
) -> Result<Vec<PathBuf>, Diagnostics> {
    let path = absolute(context, path);
    let shown = context.display(&path);
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            let mut walk = Walk { context, wanted, found: Vec::new(), seen: HashSet::new(), entries: 0 };
            walk.directory(&path, 0)?;
            Ok(walk.found)
        }
        Ok(_) if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) => {
            let directory = path.parent().unwrap_or(Path::new(""));
            wanted(directory).map(|file| vec![file]).ok_or_else(|| nothing(context, directory).into())
        }
        Ok(_) => Ok(vec![path]),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Diagnostic::error(msg!("skills-load-path-missing", path = shown), None).into())
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

struct Walk<'a> {
    context: &'a Context,
    wanted: &'a dyn Fn(&Path) -> Option<PathBuf>,
    found: Vec<PathBuf>,
    /// Real directories that were entered: links may lead in circles.
    seen: HashSet<PathBuf>,
    entries: usize,
}

impl Walk<'_> {
    fn directory(&mut self, directory: &Path, depth: usize) -> Result<(), Diagnostics> {
        let real = directory.canonicalize().map_err(|error| super::unreadable(self.context, directory, &error))?;
        if !self.seen.insert(real) {
            return Ok(());
        }
        if let Some(file) = (self.wanted)(directory) {
            self.found.push(file);
            return Ok(());
        }
        let is_foreign = directory.file_name().and_then(|name| name.to_str()).is_some_and(|n| FOREIGN.contains(&n));
        if depth >= MAX_DEPTH || depth > 0 && is_foreign {
            return Ok(());
        }
        let entries = std::fs::read_dir(directory);
        let mut below = Vec::new();
        for entry in entries.map_err(|error| super::unreadable(self.context, directory, &error))?.flatten() {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                let message =
                    msg!("skills-load-tree-too-large", path = self.context.display(directory), limit = MAX_ENTRIES);
                return Err(Diagnostic::error(message, None).help(msg!("skills-load-tree-too-large-help")).into());
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_hidden && entry.path().is_dir() {
                below.push(entry.path());
            }
        }
        below.sort_unstable();
        below.iter().try_for_each(|path| self.directory(path, depth + 1))
    }
}
