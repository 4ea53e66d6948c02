//! Denials by the sandbox, in what a skill says about its failure.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_process::disk::{free_bytes, is_writable};
use eval_spec::Failure;
use eval_spec::callable::{CallableSkill, FILE_SOCKETS};

/// What languages say when the system refuses to write.
const WORDS: [&str; 6] =
    ["eacces", "eperm", "permission denied", "operation not permitted", "permissionerror", "read-only file system"];

/// What languages say when the system refuses a socket that is a file; no path stands beside it.
const NO_SOCKETS: [&str; 2] = ["eafnosupport", "address family not supported"];

/// What languages say when a disk is full.
const FULL: [&str; 5] =
    ["enospc", "no space left on device", "disk quota exceeded", "edquot", "not enough space on the disk"];

/// A disk with less free space is full, in MiB: few programs write their files whole.
const FREE_MIB: u64 = 16;

/// How much of each text is searched, from its end.
const SEARCHED: usize = 64 << 10;

/// Recognises denials by the sandbox.
pub(super) struct Denials {
    directory: PathBuf,
    writable: Vec<PathBuf>,
    /// The folder of its temporary files; absent for a service.
    pub(super) scratch: Option<PathBuf>,
}

impl Denials {
    pub(super) fn of(skill: &CallableSkill) -> Denials {
        Denials { directory: skill.directory.clone(), writable: skill.config.writable.clone(), scratch: None }
    }

    /// What kept a skill that failed, and isn't its own fault. The machine's disk: the skill says that it is full, and it is.
    /// The sandbox: to write a path that is named beside the system's words, not the skill's to write, and one that we could
    /// write; or to use a socket that is a file.
    pub(super) fn find<'a>(
        &self,
        failure: Failure,
        enforced: &[String],
        said: impl IntoIterator<Item = &'a str>,
    ) -> Option<Message> {
        if !matches!(failure, Failure::Skill | Failure::Crashed) {
            return None;
        }
        let is_guarded = |name: &str| enforced.iter().any(|guard| guard == name);
        let (guards_writing, guards_sockets) = (is_guarded("landlock-write"), is_guarded(FILE_SOCKETS));
        let lines = said
            .into_iter()
            .flat_map(|text| text[text.ceil_char_boundary(text.len().saturating_sub(SEARCHED))..].lines());
        let says = |line: &str, words: &[&str]| {
            let line = line.to_lowercase();
            words.iter().any(|word| line.contains(word))
        };
        let lines: Vec<&str> = lines.collect();
        if let Some(scratch) = &self.scratch
            && lines.iter().any(|line| says(line, &FULL))
            && self.writable.iter().chain([scratch]).any(|folder| is_full(free_bytes(folder)))
        {
            return Some(msg!("skills-exec-disk-full", mib = FREE_MIB));
        }
        lines.into_iter().find_map(|line| {
            let path = (guards_writing && says(line, &WORDS))
                .then(|| paths(line).find(|path| self.is_ours(Path::new(path))))
                .flatten();
            match path {
                Some(path) => Some(msg!("skills-exec-denied", path = path)),
                None => (guards_sockets && says(line, &NO_SOCKETS)).then(|| msg!("skills-exec-denied-socket")),
            }
        })
    }

    fn is_ours(&self, path: &Path) -> bool {
        let path = self.directory.join(path);
        let given = |allowed: &PathBuf| path.starts_with(allowed) && allowed.exists();
        // What doesn't exist is made in the nearest directory that does.
        let existing = path.ancestors().find(|path| path.symlink_metadata().is_ok());
        !self.writable.iter().any(given) && existing.is_some_and(is_writable)
    }
}

/// Whether a disk with this many free bytes is full; one that doesn't tell isn't.
pub fn is_full(free: Option<u64>) -> bool {
    free.is_some_and(|free| free < FREE_MIB << 20)
}

/// The paths in a line: in quotes, or from a slash to a space, with no punctuation at the end.
pub fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = ['\'', '"', '`'].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2));
    let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| "'\"`:;,.()[]".contains(c)));
    let is_path = |text: &&str| text.contains('/') || text.contains('.');
    quoted.chain(words).filter(|text| !text.contains("://")).filter(is_path)
}
