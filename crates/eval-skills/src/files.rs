//! The files that commands read and write: configuration and output.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal};
use eval_format::skills::StoredDocument;
use eval_format::write_whole;
use eval_load::{Loaded, skills_config};
use eval_message::msg;
use eval_render::formats::file_formats;
use eval_spec::callable::SkillsConfig;
use eval_spec::{Context, Diagnostics};

use crate::told;

/// Where `--output` leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputTarget {
    /// `-`: standard output.
    Stdout,
    /// A file, its path absolute.
    File(PathBuf),
}

impl OutputTarget {
    /// What was asked for.
    ///
    /// # Errors
    /// Standard output has no room for `--json` and for something else.
    pub(crate) fn of(context: &Context, terminal: &Terminal, given: &Path) -> Result<OutputTarget, CommandError> {
        // opened anew it would be written from its beginning, where it is a file
        let is_stdout =
            ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| Path::new(name) == given);
        match (is_stdout, terminal.is_json()) {
            (false, _) => Ok(OutputTarget::File(context.absolute(given))),
            (true, false) => Ok(OutputTarget::Stdout),
            (true, true) => Err(CommandError::usage(msg!("skills-cli-output-twice"), None)),
        }
    }
}

/// Refuses what must not be written over: what the command reads, and a result, a skill or a benchmark, unless it is of
/// the kind that the command writes.
pub(crate) fn check<'p>(
    context: &Context,
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
    own: Option<StoredDocument>,
) -> Result<(), CommandError> {
    let path = || context.display(output);
    if inputs.into_iter().any(|input| is_same(input, output)) {
        return Err(CommandError::usage(msg!("skills-cli-output-is-input", path = path()), None));
    }
    match StoredDocument::at(output) {
        Some(there)
            if Some(there) != own
                && !matches!(there, StoredDocument::List | StoredDocument::Other | StoredDocument::Text) =>
        {
            let message = msg!("skills-cli-output-is-other", path = path(), what = there.message().text(context.lang));
            Err(CommandError::usage(message, None))
        }
        _ => Ok(()),
    }
}

/// Whether two names are of one file, links of both kinds included.
fn is_same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let file = |path: &Path| path.metadata().ok().map(|of| (of.dev(), of.ino()));
    file(a).is_some_and(|a| Some(a) == file(b))
}

/// Writes a text, whole or not at all.
pub(crate) fn put(context: &Context, path: &Path, content: &[u8]) -> Result<(), CommandError> {
    write_whole(path, |file| file.write_all(content)).map_err(|error| told::file(context, &error.into()))
}

/// A word for a shell to be typed into.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", eval_message::plain::clean(word).replace('\'', r"'\''")),
    }
}

/// The names of the formats that an evaluation's files can have.
pub(crate) fn format_names() -> Vec<&'static str> {
    file_formats().map(|format| format.name).collect()
}

/// The configuration of the project and the user; `given` replaces the project's file.
pub(crate) fn configuration(context: &Context, given: Option<&Path>) -> Result<Loaded<SkillsConfig>, Diagnostics> {
    skills_config(context, given, &format_names())
}
