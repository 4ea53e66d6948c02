//! References → artifacts: by name, by path, out of a repository's history.

use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::suite::{Delivery, VariantRef};
use eval_spec::variant::{Artifact, ArtifactFile, ArtifactKind};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::decode::{closest, listed};
use super::file::{ReadProblem, read_bytes};
use super::git::GitReference;
use super::skill::{self, TextKind};
use super::{Loaded, directory, git};

/// The name of the variant into which nothing is injected.
pub(super) const BASELINE: &str = "baseline";

/// The control that is the version of the treatment before its present one.
pub(super) const PREVIOUS: &str = "previous";

/// The control that is neutral text.
pub(super) const PLACEBO: &str = "placebo";

/// The names of the skills in `skill_dir`, sorted: `name.md` and `name/SKILL.md`. A README and what
/// is called `baseline` are no skills.
#[must_use]
pub fn discover(context: &Context, skill_dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(context.absolute(skill_dir)) else { return Vec::new() };
    let paths = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let skill = entry.path().join("SKILL.md");
        match skill.is_file() {
            true => Some(format!("{name}/SKILL.md")),
            false => entry.path().is_file().then_some(name),
        }
    });
    let paths: Vec<String> = paths.collect();
    names(paths.iter().map(String::as_str))
}

/// The skills' names among paths relative to the skill directory.
pub(super) fn names<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut names: Vec<String> = paths
        .filter_map(|path| path.strip_suffix("/SKILL.md").or_else(|| path.strip_suffix(".md")))
        .filter(|name| !name.contains('/') && !name.starts_with('.'))
        .filter(|name| *name != BASELINE && !name.eq_ignore_ascii_case("readme"))
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

pub(super) fn error(reference: &VariantRef, message: Message) -> Diagnostic {
    Diagnostic::error(message, reference.place.clone())
}

/// Reads what a reference means. Names are looked for in `skill_dir`.
pub(super) fn read(
    context: &Context,
    skill_dir: &Path,
    reference: &VariantRef,
) -> Result<Loaded<Artifact>, Diagnostics> {
    let written = reference.artifact.as_str();
    if written == BASELINE {
        return Ok(baseline(context, skill_dir, reference));
    }
    if let Some(rest) = written.strip_prefix("git:") {
        return from_git(context, skill_dir, reference, rest);
    }
    let found = match written.contains('/') {
        true => at_path(context, reference),
        false => by_name(context, skill_dir, reference),
    }?;
    build(context, reference, found)
}

fn baseline(context: &Context, skill_dir: &Path, reference: &VariantRef) -> Loaded<Artifact> {
    let there = [skill_dir.join("baseline.md"), skill_dir.join("baseline").join("SKILL.md")];
    let unused = there.iter().find(|path| path.is_file()).map(|path| {
        Diagnostic::warning(msg!("load-baseline-unused", path = context.display(path)), reference.place.clone())
    });
    Loaded { value: Artifact::baseline(), warnings: unused.into_iter().collect() }
}

/// An artifact's files, before its text is split.
struct ArtifactFiles {
    kind: ArtifactKind,
    files: Vec<ArtifactFile>,
    /// The name of the file with the text in messages.
    text_name: String,
    /// The name of the artifact in messages.
    origin: String,
    /// The directory's name, of a directory skill.
    directory: String,
    /// The file or directory; `None` in a repository's history.
    path: Option<PathBuf>,
}

/// `<skill-dir>/name.md` or `<skill-dir>/name/SKILL.md`; as files of the working directory also `<skill-dir>/name` with others.
fn by_name(context: &Context, skill_dir: &Path, reference: &VariantRef) -> Result<ArtifactFiles, Diagnostics> {
    let name = reference.artifact.as_str();
    let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '\0']);
    let (file, folder) = (skill_dir.join(format!("{name}.md")), skill_dir.join(name));
    let skill = folder.join("SKILL.md");
    match (plain && file.is_file(), plain && skill.is_file()) {
        (true, true) => {
            let message = msg!("load-skill-both", file = context.display(&file), folder = context.display(&skill));
            Err(error(reference, message).into())
        }
        (true, false) if links_outside(skill_dir, &file) => {
            let found = error(reference, msg!("load-skill-file-link", path = context.display(&file)));
            Err(found.help(msg!("load-skill-file-link-help")).into())
        }
        (true, false) => single_file(context, reference, &file),
        (false, true) => whole_directory(context, reference, &folder),
        // Agents read what they take for their own in it.
        (false, false) if plain && folder.is_dir() && reference.delivery == Some(Delivery::Project) => {
            whole_directory(context, reference, &folder)
        }
        (false, false) => Err(not_found(context, skill_dir, reference, plain && folder.is_dir()).into()),
    }
}

/// Whether a file is a link to something outside of `skill_dir`: the name of a skill must not let an untrusted project
/// send other files of this machine to a model.
fn links_outside(skill_dir: &Path, file: &Path) -> bool {
    match (file.canonicalize(), skill_dir.canonicalize()) {
        (Ok(target), Ok(root)) => !target.starts_with(root),
        _ => true,
    }
}

fn not_found(context: &Context, skill_dir: &Path, reference: &VariantRef, empty_folder: bool) -> Diagnostic {
    let name = reference.artifact.as_str();
    let directory = context.display(skill_dir);
    if !skill_dir.is_dir() {
        let message = msg!("load-no-skill-dir", name = super::decode::short(name), directory = directory);
        return error(reference, message).help(msg!("load-no-skill-dir-help"));
    }
    if empty_folder {
        return error(reference, msg!("load-no-skill-md", path = context.display(&skill_dir.join(name))));
    }
    let mut there = discover(context, skill_dir);
    there.push(BASELINE.to_owned());
    let there: Vec<&str> = there.iter().map(String::as_str).collect();
    let message = msg!("load-no-skill", name = super::decode::short(name), directory = directory);
    if name == PREVIOUS {
        return error(reference, message).help(msg!("load-control-only-help", word = name));
    }
    let help = match closest(name.trim_end_matches(".md"), &there) {
        Some(suggestion) => msg!("load-no-skill-meant", suggestion = suggestion, names = listed(&there)),
        None => msg!("load-no-skill-there", names = listed(&there)),
    };
    error(reference, message).help(help)
}

/// The file or skill directory at a path.
fn at_path(context: &Context, reference: &VariantRef) -> Result<ArtifactFiles, Diagnostics> {
    let path = context.absolute(Path::new(&reference.artifact));
    if path.is_dir() {
        return whole_directory(context, reference, &path);
    }
    match path.file_name().is_some_and(|name| name == "SKILL.md") && path.is_file() {
        true => whole_directory(context, reference, path.parent().unwrap_or(&path)),
        false => single_file(context, reference, &path),
    }
}

fn single_file(context: &Context, reference: &VariantRef, path: &Path) -> Result<ArtifactFiles, Diagnostics> {
    let shown = context.display(path);
    let bytes =
        read_bytes(path, directory::MAX_FILE_BYTES).map_err(|problem| at(context, reference, &problem, path))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = ArtifactFile { path: name, bytes, executable: directory::is_executable(path) };
    Ok(ArtifactFiles {
        kind: ArtifactKind::File,
        files: vec![file],
        text_name: shown.clone(),
        origin: shown,
        directory: String::new(),
        path: Some(path.to_owned()),
    })
}

fn at(context: &Context, reference: &VariantRef, problem: &ReadProblem, path: &Path) -> Diagnostics {
    let diagnostic = problem.at(context, path);
    Diagnostic { place: reference.place.clone(), ..diagnostic }.into()
}

fn whole_directory(context: &Context, reference: &VariantRef, path: &Path) -> Result<ArtifactFiles, Diagnostics> {
    let shown = context.display(path);
    if !path.join("SKILL.md").is_file() && reference.delivery != Some(Delivery::Project) {
        return Err(error(reference, msg!("load-no-skill-md", path = shown)).into());
    }
    let files = directory::read(context, path)
        .map_err(|messages| Diagnostics(messages.into_iter().map(|message| error(reference, message)).collect()))?;
    Ok(ArtifactFiles {
        kind: ArtifactKind::Directory,
        files,
        text_name: context.display(&path.join("SKILL.md")),
        origin: shown,
        directory: directory_name(path),
        path: Some(path.to_owned()),
    })
}

/// The last part of a path, also of `skills/v2/.` and `..`.
fn directory_name(path: &Path) -> String {
    let real: PathBuf = match path.file_name() {
        Some(_) => path.to_owned(),
        None => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    };
    real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// `git:name` (as of `HEAD`), `git:REF:name` or `git:REF:path`.
fn from_git(
    context: &Context,
    skill_dir: &Path,
    reference: &VariantRef,
    rest: &str,
) -> Result<Loaded<Artifact>, Diagnostics> {
    let Some(at) = GitReference::parse(context, skill_dir, rest) else {
        let message = msg!("load-git-form", written = super::decode::short(&reference.artifact));
        return Err(error(reference, message).into());
    };
    let found = git::read(context, &at).map_err(|message| error(reference, message))?;
    let origin = format!("git:{}:{}", at.revision, at.written);
    let inside = match found.kind {
        ArtifactKind::Directory => "/SKILL.md",
        ArtifactKind::File | ArtifactKind::Baseline if at.written.contains('/') => "",
        ArtifactKind::File | ArtifactKind::Baseline => ".md",
    };
    let text_name = format!("{origin}{inside}");
    let found =
        ArtifactFiles { kind: found.kind, files: found.files, text_name, origin, directory: at.name, path: None };
    build(context, reference, found)
}

/// An artifact that is files of a project: it has no text of its own.
fn files_alone(reference: &VariantRef, found: ArtifactFiles) -> Artifact {
    Artifact {
        reference: reference.artifact.clone(),
        kind: found.kind,
        body: None,
        front_matter: None,
        files: found.files,
        origin: Some(found.origin),
        path: found.path,
    }
}

/// Splits the text and puts the artifact together.
fn build(context: &Context, reference: &VariantRef, found: ArtifactFiles) -> Result<Loaded<Artifact>, Diagnostics> {
    let is_text = |file: &&ArtifactFile| found.kind == ArtifactKind::File || file.path == "SKILL.md";
    let Some(text) = found.files.iter().find(is_text) else {
        if reference.delivery == Some(Delivery::Project) && !found.files.is_empty() {
            return Ok(Loaded { value: files_alone(reference, found), warnings: Vec::new() });
        }
        return Err(error(reference, msg!("load-no-skill-md", path = found.origin)).into());
    };
    let extension = text.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let kind = match (found.kind, extension.as_deref()) {
        (ArtifactKind::Directory, _) => TextKind::Skill { directory: &found.directory },
        (_, Some("md" | "markdown")) => TextKind::Markdown,
        _ => TextKind::Plain,
    };
    let loaded = skill::read(context, found.text_name.clone(), text.bytes.clone(), kind)?;
    let artifact = Artifact {
        reference: reference.artifact.clone(),
        kind: found.kind,
        body: Some(loaded.value.body),
        front_matter: loaded.value.front_matter,
        files: found.files,
        origin: Some(found.origin),
        path: found.path,
    };
    Ok(Loaded { value: artifact, warnings: loaded.warnings })
}
