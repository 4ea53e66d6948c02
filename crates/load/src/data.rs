//! Documents of others that are read as they are, such as OpenAPI descriptions.

use std::path::Path;

use eval_message::msg;
use eval_spec::source::Span;
use eval_spec::{Context, Diagnostics};
use serde_json::Value;

use super::problems::Problems;
use super::settings::format_of;
use super::{Loaded, file, tree};

/// The value in a JSON or YAML file; what is not called `.json` is read as YAML, in which JSON can be written too.
///
/// # Errors
/// Everything that is wrong with its syntax; an empty file.
pub fn data_file(context: &Context, path: &Path) -> Result<Loaded<Value>, Diagnostics> {
    let path = context.absolute(path);
    let source = file::read(context, &path)?;
    let mut problems = Problems::new(context, &source);
    let root = tree::parse(format_of(&path), &source.text, 0, &mut problems);
    let value = root.map(|root| root.value());
    if value.is_none() && !problems.has_errors() {
        problems.error(Span::default(), msg!("skills-load-data-empty"));
    }
    problems.finish(value.unwrap_or_default())
}
