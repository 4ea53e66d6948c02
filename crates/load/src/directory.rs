//! Directory skills: every file of them, within bounds.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::Context;
use eval_spec::files::mode;
use eval_spec::variant::ArtifactFile;

use super::file::{ReadProblem, read_bytes};

/// The largest file of a skill.
pub(super) const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// The largest skill.
pub(super) const MAX_TOTAL_BYTES: u64 = 64 * 1024 * 1024;
/// The most files of a skill.
pub(super) const MAX_FILES: usize = 10_000;
const MAX_DEPTH: usize = 32;

/// All files below `root`, sorted by path; `.git` is left out.
///
/// A link to a file inside `root` counts as that file; any other link is refused, because its content is not part of
/// the skill's hash and record.
pub(super) fn read(context: &Context, root: &Path) -> Result<Vec<ArtifactFile>, Vec<Message>> {
    let mut walk = DirectoryWalk { context, root: root.to_owned(), files: Vec::new(), bytes: 0, problems: Vec::new() };
    match root.canonicalize() {
        Ok(real) => walk.root = real,
        Err(error) => return Err(vec![walk.io(root, &error)]),
    }
    let root = walk.root.clone();
    walk.directory(&root, "", 0);
    match walk.problems.is_empty() {
        true => {
            walk.files.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(walk.files)
        }
        false => Err(walk.problems),
    }
}

struct DirectoryWalk<'a> {
    context: &'a Context,
    root: PathBuf,
    files: Vec<ArtifactFile>,
    bytes: u64,
    problems: Vec<Message>,
}

impl DirectoryWalk<'_> {
    fn io(&self, path: &Path, error: &std::io::Error) -> Message {
        msg!("load-file-unreadable", path = self.context.display(path), detail = error.to_string())
    }

    fn directory(&mut self, directory: &Path, prefix: &str, depth: usize) {
        if depth > MAX_DEPTH {
            self.problems.push(msg!("load-skill-too-deep", path = self.context.display(directory)));
            return;
        }
        let entries = match std::fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) => return self.problems.push(self.io(directory, &error)),
        };
        for entry in entries {
            match entry {
                Ok(entry) if entry.file_name() == ".git" => {}
                Ok(entry) => self.entry(&entry.path(), prefix, depth),
                Err(error) => self.problems.push(self.io(directory, &error)),
            }
            if self.over_limits() {
                return;
            }
        }
    }

    fn entry(&mut self, path: &Path, prefix: &str, depth: usize) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return self.problems.push(msg!("load-name-not-utf8", path = self.context.display(path)));
        };
        let relative = format!("{prefix}{name}");
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => self.directory(path, &format!("{relative}/"), depth + 1),
            Ok(metadata) if metadata.is_symlink() => self.link(path, relative),
            Ok(_) => self.file(path, relative),
            Err(error) => self.problems.push(self.io(path, &error)),
        }
    }

    fn link(&mut self, path: &Path, relative: String) {
        match path.canonicalize() {
            Ok(target) if target.starts_with(&self.root) && target.is_file() => self.file(&target, relative),
            _ => self.problems.push(msg!("load-skill-link", path = self.context.display(path))),
        }
    }

    fn file(&mut self, path: &Path, relative: String) {
        match read_bytes(path, MAX_FILE_BYTES) {
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                self.files.push(ArtifactFile { path: relative, bytes, executable: is_executable(path) });
            }
            Err(ReadProblem::Io(error)) => self.problems.push(self.io(path, &error)),
            Err(problem) => self.problems.push(problem.diagnostic(&self.context.display(path)).message),
        }
    }

    /// Reports the bound that was passed, once.
    fn over_limits(&mut self) -> bool {
        if self.files.len() <= MAX_FILES && self.bytes <= MAX_TOTAL_BYTES {
            return false;
        }
        let message = too_large(&self.context.display(&self.root));
        if !self.problems.contains(&message) {
            self.problems.push(message);
        }
        true
    }
}

/// The message for a skill above the bounds.
pub(super) fn too_large(path: &str) -> Message {
    msg!("load-skill-too-large", path = path, files = MAX_FILES, mib = MAX_TOTAL_BYTES / 1024 / 1024)
}

/// Whether the executable bit is set; never where the system has none.
pub(super) fn is_executable(path: &Path) -> bool {
    path.metadata().ok().and_then(|about| mode(&about)).is_some_and(|mode| mode & 0o111 != 0)
}
