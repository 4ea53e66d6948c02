//! Documents of any shape, such as OpenAPI descriptions.

use std::path::Path;

use eval_message::msg;
use eval_spec::{Context, Diagnostics};
use serde_json::Value;

use super::document::{decode_text, format_of};
use super::tree::Format;
use super::{Loaded, file};

/// The value in a JSON or YAML file of another program; a file that is not called `.json` is read as YAML, of which JSON is
/// a part. `090` without quotes is text, as in the YAML 1.1 of most programs that read such files.
///
/// # Errors
/// Everything that is wrong with its syntax; an empty file.
pub fn data_file(context: &Context, path: &Path) -> Result<Loaded<Value>, Diagnostics> {
    let path = context.absolute(path);
    let format = match format_of(&path) {
        Format::Json => Format::Json,
        Format::Yaml | Format::ForeignYaml => Format::ForeignYaml,
    };
    let source = file::read(context, &path)?;
    decode_text(context, &source, format, msg!("skills-load-data-empty"), |root, _| Some(root.value()))
}
