//! The files of commands: configuration and output.

use std::path::{Path, PathBuf};

use eval_analysis::skills::read;
use eval_cli::output::check_not_input;
use eval_cli::{CommandError, Terminal};
use eval_format::skills::{SkillEvaluation, StoredDocument};
use eval_format::write_whole;
use eval_load::{Loaded, skills_config};
use eval_message::msg;
use eval_render::formats::file_formats;
use eval_serve::StoreError;
use eval_spec::callable::SkillsConfig;
use eval_spec::{Context, Diagnostics};

/// The target of `--output`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputTarget {
    /// `-`: standard output.
    Stdout,
    /// A file, its path absolute.
    File(PathBuf),
}

impl OutputTarget {
    /// The target of a flag.
    ///
    /// # Errors
    /// It is standard output, which `--json` needs for its own document.
    pub(crate) fn of(context: &Context, terminal: &Terminal, given: &Path) -> Result<OutputTarget, CommandError> {
        // Opening `/dev/stdout` again would overwrite a redirected file from its beginning.
        let is_stdout =
            ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| Path::new(name) == given);
        match (is_stdout, terminal.is_json()) {
            (false, _) => Ok(OutputTarget::File(context.absolute(given))),
            (true, false) => Ok(OutputTarget::Stdout),
            (true, true) => Err(CommandError::usage(msg!("skills-cli-output-twice"), None)),
        }
    }
}

/// The error about what stands where the command would write.
pub(crate) fn is_other(context: &Context, output: &Path, there: StoredDocument) -> CommandError {
    let what = there.message().text(context.lang);
    CommandError::usage(msg!("skills-cli-output-is-other", path = context.display(output), what = what), None)
}

/// Refuses to overwrite an input of the command, and a stored result, skill or benchmark of another kind than the command
/// writes.
pub(crate) fn check<'p>(
    context: &Context,
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
    own: Option<StoredDocument>,
) -> Result<(), CommandError> {
    check_not_input(context, output, inputs)?;
    match StoredDocument::at(output) {
        Some(there)
            if Some(there) != own
                && !matches!(there, StoredDocument::List | StoredDocument::Other | StoredDocument::Text) =>
        {
            Err(is_other(context, output, there))
        }
        _ => Ok(()),
    }
}

/// Reads a report.
pub(crate) fn report(context: &Context, path: &Path) -> Result<SkillEvaluation, CommandError> {
    read(&context.absolute(path)).map_err(|error| CommandError::file(context, &error))
}

/// Writes a file atomically.
pub(crate) fn put(context: &Context, path: &Path, content: &[u8]) -> Result<(), CommandError> {
    write_whole(path, |file| file.write_all(content)).map_err(|error| CommandError::file(context, &error.into()))
}

/// The store can't be read or written.
pub(crate) fn store_failure(context: &Context, error: &StoreError) -> CommandError {
    CommandError::usage(error.message_with_paths(&|path| context.display(path)), error.help())
}

/// A word, quoted for a shell.
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
