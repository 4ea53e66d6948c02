//! One input file → its tree → a value, with all problems of the file in one list.

use std::path::Path;
use std::sync::Arc;

use eval_message::Message;
use eval_spec::source::{Place, SourceFile, Span};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::problems::Problems;
use super::tree::{self, Format, Node};
use super::{Loaded, file, lookalike};

/// Reads the file at `path` as [`decode_text`] does; a file that is not called `.json` is YAML.
pub(super) fn decode_file<T>(
    context: &Context,
    path: &Path,
    empty: Message,
    decode: impl FnOnce(&Node, &mut Problems) -> Option<T>,
) -> Result<Loaded<T>, Diagnostics> {
    decode_text(context, &file::read(context, path)?, format_of(path), empty, decode)
}

/// Parses `source` and has `decode` turn the root of its tree into a value. `empty` is the error when there is neither
/// a value nor an error.
pub(super) fn decode_text<T>(
    context: &Context,
    source: &Arc<SourceFile>,
    format: Format,
    empty: Message,
    decode: impl FnOnce(&Node, &mut Problems) -> Option<T>,
) -> Result<Loaded<T>, Diagnostics> {
    let mut problems = Problems::new(context, source);
    let root = tree::parse(format, &source.text, 0, &mut problems);
    let value = root.and_then(|root| decode(&root, &mut problems));
    if let Some((message, help)) =
        lookalike::other_format(&source.text).filter(|_| value.is_none() || problems.has_errors())
    {
        let place = Place { file: Arc::clone(source), span: Span::default() };
        return Err(Diagnostic::error(message, place).help(help).into());
    }
    let Some(value) = value else {
        if !problems.has_errors() {
            problems.error(Span::default(), empty);
        }
        return Err(problems.finish(()).err().unwrap_or_default());
    };
    problems.finish(value)
}

/// JSON by the file's ending, else YAML.
pub(super) fn format_of(path: &Path) -> Format {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json { Format::Json } else { Format::Yaml }
}
