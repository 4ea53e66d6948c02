//! Documents of any shape, such as OpenAPI descriptions.

use std::path::Path;

use eval_message::msg;
use eval_spec::{Context, Diagnostics};
use serde_json::Value;

use super::{Loaded, document::decode_file};

/// The value in a JSON or YAML file; a file that is not called `.json` is read as YAML, of which JSON is a part.
///
/// # Errors
/// Everything that is wrong with its syntax; an empty file.
pub fn data_file(context: &Context, path: &Path) -> Result<Loaded<Value>, Diagnostics> {
    decode_file(context, &context.absolute(path), msg!("skills-load-data-empty"), |root, _| Some(root.value()))
}
