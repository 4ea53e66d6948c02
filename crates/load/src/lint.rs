//! What the Agent Skills specification (agentskills.io) says of a skill beyond its front matter, which is checked whenever a
//! skill is read: the size of its text, and the files that the text refers to.

use std::path::Path;
use std::sync::Arc;

use eval_message::msg;
use eval_spec::source::{SourceFile, Span};
use eval_spec::variant::{Artifact, ArtifactKind};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::decode::short;
use super::file;
use super::problems::Problems;
use super::skill::{self, TextKind};

/// The most lines that the specification advises.
const LINES: usize = 500;
/// The most tokens that the specification advises.
const TOKENS: usize = 5000;
/// Bytes a token stands for, as a rule of thumb.
const BYTES_PER_TOKEN: usize = 4;
/// The folders that the specification names: a path that begins so is a reference, also outside of links.
const FOLDERS: [&str; 3] = ["scripts/", "references/", "assets/"];

/// What is to be said of the text of a skill; nothing of what is no directory with a SKILL.md.
#[must_use]
pub fn lint_skill(context: &Context, artifact: &Artifact) -> Vec<Diagnostic> {
    let text = artifact.text().filter(|_| artifact.kind == ArtifactKind::Directory);
    let (Some(text), Some(body)) = (text, &artifact.body) else { return Vec::new() };
    let path = artifact.path.as_ref().map(|path| context.display(&path.join("SKILL.md")));
    let name = path.or_else(|| artifact.origin.clone()).unwrap_or_else(|| text.path.clone());
    let Ok(source) = file::text(name, text.bytes.clone()) else { return Vec::new() };
    let is_file = |reference: &str| artifact.files.iter().any(|file| is_at(&file.path, reference));
    lint_text(context, &source, body, artifact.path.as_deref(), is_file)
}

/// The same of the SKILL.md in a directory; nothing where it can't be read.
pub(super) fn lint_directory(context: &Context, directory: &Path) -> Vec<Diagnostic> {
    let path = directory.join("SKILL.md");
    let Ok(source) = file::read(context, &path) else { return Vec::new() };
    let text = skill::read(context, source.name.clone(), source.text.clone().into_bytes(), TextKind::Fields);
    let Ok(text) = text else { return Vec::new() };
    lint_text(context, &source, &text.value.body, Some(directory), |_| false)
}

fn lint_text(
    context: &Context,
    source: &Arc<SourceFile>,
    body: &str,
    directory: Option<&Path>,
    is_file: impl Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut problems = Problems::new(context, source);
    let begin = source.text.len().saturating_sub(body.len());
    check_size(body, begin, &mut problems);
    for (at, reference) in references(body) {
        let is_link = body[..at].ends_with("](");
        if is_file(&reference) || directory.is_some_and(|directory| is_there(directory, &reference, is_link)) {
            continue;
        }
        let span = Span { start: begin + at, len: reference.len() };
        let message = msg!("load-skill-reference", path = short(&reference));
        problems.warning(span, message, Some(msg!("load-skill-reference-help")));
    }
    problems.finish(()).map_or_else(|Diagnostics(found)| found, |loaded| loaded.warnings)
}

/// Directories above a skill that a path in its text may mean: its project's.
const ABOVE: usize = 5;

/// Whether there is such a file: a link is relative to the skill, a path in the text may be the project's own.
fn is_there(directory: &Path, reference: &str, is_link: bool) -> bool {
    let reference = reference.replace("%20", " ");
    let above = if is_link { 1 } else { ABOVE };
    directory.ancestors().take(above).any(|folder| folder.join(&reference).exists())
}

fn check_size(body: &str, begin: usize, problems: &mut Problems) {
    let (lines, tokens) = (body.lines().count(), body.len() / BYTES_PER_TOKEN);
    let span = Span { start: begin, len: 0 };
    if lines > LINES {
        let message = msg!("load-skill-lines", lines = lines, limit = LINES);
        problems.warning(span, message, Some(msg!("load-skill-size-help")));
    } else if tokens > TOKENS {
        let message = msg!("load-skill-tokens", tokens = tokens, limit = TOKENS);
        problems.warning(span, message, Some(msg!("load-skill-size-help")));
    }
}

/// Whether a reference means this file, or a folder that it lies in.
pub fn is_at(file: &str, reference: &str) -> bool {
    let wanted = reference.replace("%20", " ");
    let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
    wanted.is_empty() || file.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The files that a text refers to, each once, with the place of the first: targets of Markdown links outside of code, and
/// paths in the folders of a skill anywhere, except in code after a `git clone`, which may mean the clone's.
pub fn references(body: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut begin, mut is_code, mut has_clone) = (0, false, false);
    for line in body.split_inclusive('\n') {
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        let links = if is_fence || is_code { Vec::new() } else { links(line) };
        has_clone |= is_code && line.contains("git clone");
        let paths = if is_example(line) || is_code && has_clone { Vec::new() } else { paths(line) };
        for (at, reference) in links.into_iter().chain(paths) {
            if !found.iter().any(|(_, known)| known == reference) {
                found.push((begin + at, reference.to_owned()));
            }
        }
        is_code ^= is_fence;
        begin += line.len();
    }
    found.sort_unstable();
    found
}

/// Words of a line that makes up the paths in it.
const EXAMPLE_WORDS: [&str; 11] =
    ["e.g.", "example", "for instance", "such as", "would ", "(like ", "might ", "例如", "比如", "譬如", "示例"];

/// Whether the paths of a line are examples, and no files of this skill.
fn is_example(line: &str) -> bool {
    let line = line.to_lowercase();
    EXAMPLE_WORDS.iter().any(|word| line.contains(word))
}

/// Parts of names that stand for other names.
const EXAMPLE_NAMES: [&str; 6] = ["script_name", "your-", "your_", "my-", "my_", "placeholder"];

/// Whether the path after this text is written: a redirection, an output, the end of "paste it into".
fn is_written(before: &str) -> bool {
    let before = before.trim_end_matches('`').trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    word.ends_with('>') || ["-o", "--output", "into"].contains(&word)
}

/// The targets of a line's links that are files beside the text.
fn links(line: &str) -> Vec<(usize, &str)> {
    let targets = line.match_indices("](").filter(|(at, _)| !is_in_code(line, *at)).filter_map(|(at, mark)| {
        let begin = at + mark.len();
        let target = line[begin..].split([')', ' ', '"', '#', '?', '\n']).next()?;
        let is_elsewhere = target.starts_with(['/', '<', '~', '$', '{']) || target.contains(':');
        (!target.is_empty() && !is_elsewhere).then_some((begin, target))
    });
    targets.collect()
}

/// Whether a position is between two backticks.
fn is_in_code(line: &str, at: usize) -> bool {
    line[..at].matches('`').count() % 2 == 1
}

/// The words of a line that are paths of files in the folders of a skill.
fn paths(line: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let mut found = Vec::new();
    for (at, folder) in FOLDERS.iter().flat_map(|folder| line.match_indices(folder)) {
        let before = line[..at].strip_suffix("./").unwrap_or(&line[..at]);
        // A part of a longer path or name, or of an address.
        if before.ends_with(|c: char| is_part(c) || c == '}' || c == '>' || c == '*') {
            continue;
        }
        let rest = &line[at..];
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        // A name with a placeholder stands for many.
        if rest[end..].starts_with(['<', '{', '*', '$', '[']) {
            continue;
        }
        let path = rest[..end].trim_end_matches('.');
        let name = &path[folder.len()..];
        let is_file = name.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
        if is_file && !is_written(before) && !EXAMPLE_NAMES.iter().any(|word| name.contains(word)) {
            found.push((at, path));
        }
    }
    found
}
