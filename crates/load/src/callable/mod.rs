//! Callable skills: `skill.json`, and beside it `adapter.config.json` and `SKILL.md`.

mod adapter;
pub(crate) mod address;
mod lint;
mod manifest;
mod request;
mod tree;

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_message::msg;
use eval_spec::callable::{AdapterConfig, CallableSkill};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::source::{DiagnosticSeverity, Place};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::skill::{self, TextKind};
use super::{Loaded, file, fingerprint};

pub use lint::{SkillLint, lint_folder, lint_skills, skill_folders};

/// The file that makes a directory a callable skill.
const SKILL_FILE: &str = "skill.json";
/// The configuration of its adapter.
const ADAPTER_FILE: &str = "adapter.config.json";
/// The largest SKILL.md that is looked at.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// Reads the skills at `paths`: each a `skill.json`, a directory with one, or a tree of such directories. A skill
/// that is reached twice is there once.
///
/// # Errors
/// Everything that is wrong with any of them; paths that aren't there or hold no skill; ids that come twice.
pub fn callable_skills(context: &Context, paths: &[PathBuf]) -> Result<Loaded<Vec<CallableSkill>>, Diagnostics> {
    let (mut files, mut warnings, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match tree::locate(context, path) {
            Ok(found) => {
                if found.files.is_empty() && found.problems.is_empty() {
                    errors.push(tree::nothing(context, path));
                }
                files.extend(found.files);
                let (error, warning): (Vec<_>, Vec<_>) =
                    found.problems.into_iter().partition(|problem| problem.severity == DiagnosticSeverity::Error);
                errors.extend(error);
                warnings.extend(warning);
            }
            Err(Diagnostics(found)) => errors.extend(found),
        }
    }
    let mut skills = Vec::new();
    for file in tree::unique(files) {
        match one(context, &file) {
            Ok(loaded) => {
                warnings.extend(loaded.warnings);
                skills.push(loaded.value);
            }
            Err(Diagnostics(found)) => errors.extend(found),
        }
    }
    errors.extend(twice(&skills).into_iter().map(|(_, diagnostic)| diagnostic));
    match errors.is_empty() {
        true => Ok(Loaded { value: skills.into_iter().map(|(skill, _)| skill).collect(), warnings }),
        false => Err(Diagnostics(errors)),
    }
}

/// Reads all skills below `root`. What is broken, and a second skill of an id, is left out and named in a warning. There
/// may be none.
///
/// # Errors
/// `root` isn't there or can't be searched.
pub fn scan_skills(context: &Context, root: &Path) -> Result<Loaded<Vec<CallableSkill>>, Diagnostics> {
    let found = tree::locate(context, root)?;
    let (mut skills, mut warnings) = (Vec::new(), found.problems);
    warnings.iter_mut().for_each(|problem| problem.severity = DiagnosticSeverity::Warning);
    for file in tree::unique(found.files) {
        match one(context, &file) {
            Ok(loaded) => {
                warnings.extend(loaded.warnings);
                skills.push(loaded.value);
            }
            Err(found) => warnings.push(left_out(context, &file, &found)),
        }
    }
    let twice = twice(&skills);
    let mut value = Vec::with_capacity(skills.len());
    for (i, (skill, _)) in skills.into_iter().enumerate() {
        match twice.iter().find(|(second, _)| *second == i) {
            Some((_, diagnostic)) => {
                warnings.push(Diagnostic { severity: DiagnosticSeverity::Warning, ..diagnostic.clone() })
            }
            None => value.push(skill),
        }
    }
    Ok(Loaded { value, warnings })
}

/// One warning for a file with errors: how many, and the first of them.
pub(super) fn left_out(context: &Context, file: &Path, found: &Diagnostics) -> Diagnostic {
    let errors: Vec<_> = found.0.iter().filter(|d| d.severity == DiagnosticSeverity::Error).collect();
    let message = msg!("skills-load-left-out", path = context.display(file), count = errors.len());
    let first = errors.first();
    Diagnostic {
        help: first.map(|first| first.message.clone()),
        ..Diagnostic::warning(message, first.and_then(|first| first.place.clone()))
    }
}

/// The second and later skills of an id: index and error.
fn twice(skills: &[(CallableSkill, Place)]) -> Vec<(usize, Diagnostic)> {
    let mut first: HashMap<&str, &Place> = HashMap::new();
    let later = skills.iter().enumerate().filter_map(|(i, (skill, place))| {
        let earlier = *first.entry(&skill.id).or_insert(place);
        (!std::ptr::eq(earlier, place)).then(|| (i, same_id(&skill.id, place.clone(), earlier)))
    });
    later.collect()
}

/// The error for an id of another skill. Its place is in another file, so the help names file and line, too.
fn same_id(id: &str, place: Place, first: &Place) -> Diagnostic {
    let line = first.line_column().0.to_string();
    let help = msg!("skills-load-duplicate-first", path = first.file.name.as_str(), line = line);
    let error = Diagnostic::error(msg!("skills-load-duplicate-id", id = id), place);
    error.help(help).also(first.clone(), msg!("load-first-here"))
}

/// One skill with its text, and the place of its id.
fn one(context: &Context, path: &Path) -> Result<Loaded<(CallableSkill, Place)>, Diagnostics> {
    let mut loaded = called(context, path)?;
    let text = skill_text(context, &loaded.value.0.directory);
    loaded.warnings.extend(text.into_iter().map(|d| Diagnostic { severity: DiagnosticSeverity::Warning, ..d }));
    Ok(loaded)
}

/// One skill as far as it is called, and the place of its id.
fn called(context: &Context, path: &Path) -> Result<Loaded<(CallableSkill, Place)>, Diagnostics> {
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    let Loaded { value: (manifest, config), mut warnings } = files(context, path, &directory)?;
    let (hash, is_whole) =
        fingerprint::skill_fingerprint(&directory).map_err(|error| unreadable(context, &directory, &error))?;
    if !is_whole {
        let message = msg!("skills-load-hash-cut", path = context.display(&directory));
        warnings.push(Diagnostic::warning(message, None));
    }
    let hash = match outside(&directory, &manifest.entrypoint.text, &config) {
        parts if parts.is_empty() => hash.to_string(),
        parts => sha256_hex(canonical_json(&serde_json::json!([hash.to_string(), parts])).as_bytes()),
    };
    let manifest::SandboxRequest { write, sockets } = manifest.sandbox;
    let writable = writable(context, &directory, &write);
    let config = AdapterConfig { writable, may_use_sockets: sockets, ..config };
    let skill = CallableSkill {
        id: manifest.id.into(),
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        tags: manifest.tags,
        input_schema: manifest.input_schema,
        output_schema: manifest.output_schema,
        adapter: manifest.adapter,
        entrypoint: manifest.entrypoint.text,
        metadata: manifest.metadata,
        config,
        directory,
        file: path.to_owned(),
        hash: Arc::from(hash),
    };
    Ok(Loaded { value: (skill, manifest.place), warnings })
}

/// The hashes of the files outside of a skill's directory that its command line names by their paths, in order: a program or
/// server there is a part of the skill.
fn outside(directory: &Path, entrypoint: &str, config: &AdapterConfig) -> Vec<String> {
    let words = shlex::split(entrypoint).unwrap_or_default();
    let words = words.into_iter().chain(config.command.clone()).chain(config.args.iter().flatten().cloned());
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let files = words.filter(|word| word.contains('/')).filter_map(|word| directory.join(word).canonicalize().ok());
    let files = files.filter(|file| file.is_file() && !file.starts_with(&real));
    files.filter_map(|file: PathBuf| hash_in_parts(&file).ok()).collect()
}

/// The hash of a file's content; `None` if it can't be read.
#[must_use]
pub fn file_hash(path: &Path) -> Option<String> {
    hash_in_parts(path).ok()
}

/// The bytes of a program that are in memory at once: what `bun` and `pkg` compile has a hundred megabytes.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// The hash of a file, or of the hashes of its parts where it is larger than [`MAX_PART`].
fn hash_in_parts(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut parts = Vec::new();
    loop {
        let mut part = Vec::new();
        let read = file.by_ref().take(MAX_PART).read_to_end(&mut part)?;
        if read == 0 && !parts.is_empty() {
            break;
        }
        parts.push(sha256_hex(&part));
        if u64::try_from(read).unwrap_or(0) < MAX_PART {
            break;
        }
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { sha256_hex(parts.join(" ").as_bytes()) })
}

/// Absolute paths: `~/` is the user's home, others are relative to the skill's directory.
fn writable(context: &Context, directory: &Path, written: &[String]) -> Vec<PathBuf> {
    let directory = context.absolute(directory);
    let path = |text: &String| match (text.strip_prefix('~'), context.var("HOME")) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            Path::new(home).join(rest.trim_start_matches('/'))
        }
        _ => directory.join(text),
    };
    written.iter().map(path).collect()
}

fn unreadable(context: &Context, path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(msg!("load-file-unreadable", path = context.display(path), detail = error.to_string()), None)
}

/// `skill.json` and `adapter.config.json`, or the errors of both.
fn files(
    context: &Context,
    path: &Path,
    directory: &Path,
) -> Result<Loaded<(manifest::Manifest, AdapterConfig)>, Diagnostics> {
    let beside = directory.join(ADAPTER_FILE);
    match manifest::read(context, path) {
        Ok(Loaded { value, mut warnings }) => {
            let config = adapter::read(context, &beside, value.adapter, &value.entrypoint)?;
            warnings.extend(config.warnings);
            Ok(Loaded { value: (value, config.value), warnings })
        }
        Err(Diagnostics(mut errors)) => {
            errors.extend(adapter::errors(context, &beside));
            Err(Diagnostics(errors))
        }
    }
}

/// The problems of the SKILL.md of a directory, if it has one; they don't prevent calls of the skill.
fn skill_text(context: &Context, directory: &Path) -> Vec<Diagnostic> {
    let path = directory.join("SKILL.md");
    if path.symlink_metadata().is_err() {
        return Vec::new();
    }
    let shown = context.display(&path);
    let bytes = match file::read_bytes(&path, MAX_TEXT_BYTES) {
        Ok(bytes) => bytes,
        Err(problem) => return vec![problem.diagnostic(&shown)],
    };
    // `.` has a name too.
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    match skill::read(context, shown, bytes, TextKind::Skill { directory: &name }) {
        Ok(loaded) => loaded.warnings,
        Err(Diagnostics(found)) => found,
    }
}
