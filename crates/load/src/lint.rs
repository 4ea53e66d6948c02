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
    let mut references: Vec<(usize, String)> = Vec::new();
    let mut made: Vec<&str> = Vec::new();
    let (mut begin, mut is_code, mut has_clone) = (0, false, false);
    for line in body.split_inclusive('\n') {
        let is_fence = is_fence(line);
        let links = if is_fence || is_code { Vec::new() } else { links(line) };
        has_clone |= is_code && line.contains("git clone");
        let is_given = !is_code && is_title(line) && has_code_next(&body[begin + line.len()..]);
        let paths = if is_code && has_clone { Vec::new() } else { paths(line) };
        let is_made = |(start, _): &(usize, &str)| is_given || is_written(&line[..*start]);
        let (written, used): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_made);
        made.extend(written.into_iter().map(|(_, path)| path));
        let paths = if is_example(line) { Vec::new() } else { used };
        for (at, reference) in links.into_iter().chain(paths) {
            if !references.iter().any(|(_, known)| known == reference) {
                references.push((begin + at, reference.to_owned()));
            }
        }
        is_code ^= is_fence;
        begin += line.len();
    }
    // A file that the skill's work writes, or whose content the text has, may be used before or after.
    references.retain(|(_, path)| !made.contains(&&**path));
    references.sort_unstable();
    references
}

fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence))
}

/// Returns whether a line names what follows: a heading, or bold words with a name.
fn is_title(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#') || line.starts_with("**") && line.ends_with(['`', '*', ':'])
}

/// Returns whether code follows: the content of a file that the line above it names.
fn has_code_next(rest: &str) -> bool {
    rest.lines().find(|line| !line.trim().is_empty()).is_some_and(is_fence)
}

/// Words of a line that makes up the paths in it, or says that they may be missing.
const EXAMPLE_WORDS: [&str; 14] = [
    "e.g.",
    "example",
    "for instance",
    "such as",
    "would ",
    "(like ",
    "might ",
    "if available",
    "when available",
    "if present",
    "例如",
    "比如",
    "譬如",
    "示例",
];

/// Whether the paths of a line are examples, and no files of this skill.
fn is_example(line: &str) -> bool {
    let line = line.to_lowercase();
    EXAMPLE_WORDS.iter().any(|word| line.contains(word))
}

/// Parts of names that stand for other names.
const EXAMPLE_NAMES: [&str; 6] = ["script_name", "your-", "your_", "my-", "my_", "placeholder"];
/// Whole names that stand for other names.
const EXAMPLE_STEMS: [&str; 4] = ["foo", "bar", "baz", "example"];

/// Whether the path after this text is written: a redirection, an output, the end of "paste it into".
fn is_written(before: &str) -> bool {
    let before = before.trim_end_matches("./").trim_end_matches('`').trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let word = word.trim_start_matches('(').to_lowercase();
    word.ends_with('>') || ["-o", "--output", "into", "create", "creates", "writes"].contains(&&*word)
}

/// Returns whether the path after this text is another skill's: `pdf:scripts/x.py`, `the pdf skill's scripts/x.py`.
fn is_of_another(before: &str) -> bool {
    let before = before.trim_end_matches('`').trim_end_matches("./");
    let word = before.trim_end();
    before.ends_with(':') || word.ends_with("'s") || word.ends_with("’s")
}

/// Returns whether the path between these texts is the label of a link, whose target counts.
fn is_label(before: &str, after: &str) -> bool {
    before.trim_end_matches('`').ends_with('[') && after.trim_start_matches('`').starts_with("](")
}

/// The targets of a line's links that are files beside the text.
fn links(line: &str) -> Vec<(usize, &str)> {
    let targets = line.match_indices("](").filter(|(at, _)| !is_in_code(line, *at)).filter_map(|(at, mark)| {
        let begin = at + mark.len();
        let target = line[begin..].split([')', ' ', '"', '#', '?', '\n']).next()?;
        let is_elsewhere = target.starts_with(['/', '<', '~', '$', '{']) || target.contains(':');
        // A hidden folder is the project's, and `new int[](2)` is code.
        let is_hidden = target.starts_with('.') && !target.starts_with("./") && !target.starts_with("..");
        let is_index = line[..at].ends_with('[') && !line[..at].ends_with("![");
        (!target.is_empty() && !is_elsewhere && !is_hidden && !is_index).then_some((begin, target))
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
        // A name with a placeholder stands for many; before a bracket there is a function.
        if rest[end..].starts_with(['<', '{', '*', '$', '[', '(']) || is_label(before, &rest[end..]) {
            continue;
        }
        let path = rest[..end].trim_end_matches('.');
        let name = &path[folder.len()..];
        let file = name.rsplit('/').next().unwrap_or(name).trim_start_matches('.').rsplit_once('.');
        // `module.function` is no file.
        let is_file = file.is_some_and(|(_, extension)| !extension.contains('_'));
        let is_example = EXAMPLE_NAMES.iter().any(|word| name.contains(word))
            || file.is_some_and(|(stem, _)| EXAMPLE_STEMS.contains(&stem));
        if is_file && !is_example && !is_of_another(before) {
            found.push((at, path));
        }
    }
    found
}
