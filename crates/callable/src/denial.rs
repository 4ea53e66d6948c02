//! Denials by the sandbox, in what a skill says about its failure.

use std::path::{Path, PathBuf};

use eval_process::disk::is_writable;
use eval_spec::Failure;
use eval_spec::callable::CallableSkill;

/// What languages say when the system refuses to write.
const WORDS: [&str; 6] =
    ["eacces", "eperm", "permission denied", "operation not permitted", "permissionerror", "read-only file system"];

/// How much of each text is searched, from its end.
const SEARCHED: usize = 64 << 10;

/// Recognises denials by the sandbox.
pub(super) struct Denials {
    directory: PathBuf,
    writable: Vec<PathBuf>,
}

impl Denials {
    pub(super) fn of(skill: &CallableSkill) -> Denials {
        Denials { directory: skill.directory.clone(), writable: skill.config.writable.clone() }
    }

    /// The path that a skill failed to write because of the sandbox: named beside the system's words, not the skill's to
    /// write, and one that we could write.
    pub(super) fn find<'a>(
        &self,
        failure: Failure,
        enforced: &[String],
        said: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        let is_guarded = enforced.iter().any(|guard| guard == "landlock-write");
        if !is_guarded || !matches!(failure, Failure::Skill | Failure::Crashed) {
            return None;
        }
        let lines = said
            .into_iter()
            .flat_map(|text| text[text.ceil_char_boundary(text.len().saturating_sub(SEARCHED))..].lines());
        let denied = lines.filter(|line| {
            let line = line.to_lowercase();
            WORDS.iter().any(|word| line.contains(word))
        });
        denied.flat_map(paths).find(|path| self.is_ours(Path::new(path))).map(str::to_owned)
    }

    fn is_ours(&self, path: &Path) -> bool {
        let path = self.directory.join(path);
        let given = |allowed: &PathBuf| path.starts_with(allowed) && allowed.exists();
        // What doesn't exist is made in the nearest directory that does.
        let existing = path.ancestors().find(|path| path.symlink_metadata().is_ok());
        !self.writable.iter().any(given) && existing.is_some_and(is_writable)
    }
}

/// The paths in a line: in quotes, or from a slash to a space, with no punctuation at the end.
pub fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = ['\'', '"', '`'].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2));
    let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| "'\"`:;,.()[]".contains(c)));
    let is_path = |text: &&str| text.contains('/') || text.contains('.');
    quoted.chain(words).filter(|text| !text.contains("://")).filter(is_path)
}
