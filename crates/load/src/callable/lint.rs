//! All diagnostics of skills' files, for `lint`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_spec::callable::{CallableSkill, ScorerType};
use eval_spec::source::Place;
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::super::{agent_evals, benchmark, directory, lint::lint_directory};
use super::{SKILL_FILE, called, skill_text, tree};

/// The diagnostics of one directory.
#[derive(Clone, Debug)]
pub struct SkillLint {
    /// The directory, absolute.
    pub directory: PathBuf,
    /// The skill, where its files are right.
    pub skill: Option<CallableSkill>,
    /// The files that were read, absolute.
    pub files: Vec<PathBuf>,
    /// Errors and warnings, file by file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks `skill.json`, `adapter.config.json`, `SKILL.md`, `tests/*.eval.json` and `evals/evals.json` of the skills at `paths`. A directory
/// with a SKILL.md alone is a skill here too.
///
/// # Errors
/// Paths that aren't there or hold no skill.
pub fn lint_skills(context: &Context, paths: &[PathBuf]) -> Result<Vec<SkillLint>, Diagnostics> {
    let wanted = |directory: &Path| {
        let files = [SKILL_FILE, "SKILL.md"].map(|name| directory.join(name));
        files.into_iter().find(|file| file.is_file())
    };
    let (mut found, mut errors, mut lints) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match tree::search(context, path, tree::SearchScope::Everywhere, &wanted) {
            Ok(search) => {
                if search.files.is_empty() && search.problems.is_empty() {
                    errors.push(tree::nothing(context, path));
                }
                found.extend(search.files);
                // Unreadable directories are reported beside the skills that were found.
                let directory = crate::file::absolute(context, path);
                let (skill, files) = (None, Vec::new());
                let about = SkillLint { directory, skill, files, diagnostics: search.problems };
                lints.extend((!about.diagnostics.is_empty()).then_some(about));
            }
            Err(Diagnostics(found)) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(Diagnostics(errors));
    }
    let mut ids: Vec<(Arc<str>, Place)> = Vec::new();
    for file in tree::unique(found) {
        let (mut lint, place) = one(context, &file);
        if let (Some(skill), Some(place)) = (&lint.skill, place) {
            match ids.iter().find(|(other, _)| *other == skill.id) {
                Some((_, first)) => lint.diagnostics.push(super::same_id(&skill.id, place, first)),
                None => ids.push((Arc::clone(&skill.id), place)),
            }
        }
        lints.push(lint);
    }
    Ok(lints)
}

/// The directories with a SKILL.md at and below `path`, as [`lint_skills`] finds them; none where it can't be searched.
#[must_use]
pub fn skill_folders(context: &Context, path: &Path) -> Vec<PathBuf> {
    let wanted = |directory: &Path| Some(directory.join("SKILL.md")).filter(|file| file.is_file());
    let texts = tree::search(context, path, tree::SearchScope::Everywhere, &wanted).unwrap_or_default();
    let folder = |file: PathBuf| file.parent().map(Path::to_owned);
    tree::unique(texts.files).into_iter().filter_map(folder).collect()
}

/// All diagnostics of the SKILL.md in a directory, whether or not its other files can be read.
#[must_use]
pub fn lint_folder(context: &Context, directory: &Path) -> Vec<Diagnostic> {
    let mut diagnostics = skill_text(context, directory);
    diagnostics.extend(lint_directory(context, directory));
    diagnostics
}

fn one(context: &Context, file: &Path) -> (SkillLint, Option<Place>) {
    let directory = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut lint = SkillLint { directory, skill: None, files: Vec::new(), diagnostics: Vec::new() };
    let mut place = None;
    if file.file_name().is_none_or(|name| name != "SKILL.md") {
        lint.files.push(file.to_owned());
        match called(context, file) {
            Ok(loaded) => {
                let (skill, at) = loaded.value;
                (lint.skill, place) = (Some(skill), Some(at));
                lint.diagnostics.extend(loaded.warnings);
            }
            Err(Diagnostics(found)) => lint.diagnostics.extend(found),
        }
    }
    for name in [super::ADAPTER_FILE, "SKILL.md"] {
        let path = lint.directory.join(name);
        lint.files.extend(path.is_file().then_some(path));
    }
    lint.diagnostics.extend(lint_folder(context, &lint.directory));
    if lint.directory.join("SKILL.md").is_file() {
        // Evaluations of callable skills read such a skill all the same; comparisons of its text don't.
        let unreadable = directory::read(context, &lint.directory).err().unwrap_or_default();
        lint.diagnostics.extend(unreadable.into_iter().map(|message| Diagnostic::warning(message, None)));
    }
    for path in starter_benchmarks(&lint.directory) {
        match benchmark::benchmark_file(context, &path, ScorerType::ExactMatch) {
            Ok(loaded) => lint.diagnostics.extend(loaded.warnings),
            Err(Diagnostics(found)) => lint.diagnostics.extend(found),
        }
        lint.files.push(path);
    }
    if let Some((path, found)) = agent_evals::check(context, &lint.directory) {
        lint.diagnostics.extend(found);
        lint.files.push(path);
    }
    (lint, place)
}

/// `tests/*.eval.json`, sorted.
fn starter_benchmarks(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory.join("tests")).into_iter().flatten().flatten();
    let is_benchmark = |path: &PathBuf| path.to_string_lossy().ends_with(".eval.json");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_benchmark).collect();
    paths.sort_unstable();
    paths
}
