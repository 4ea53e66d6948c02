//! Documents of any shape, such as OpenAPI descriptions.

use std::path::Path;
use std::sync::Arc;

use eval_message::msg;
use eval_spec::source::{Place, SourceFile};
use eval_spec::{Context, Diagnostics};
use serde_json::Value;

use super::document::{decode_text, format_of};
use super::problems::Problems;
use super::tree::{self, Format, Node};
use super::{Loaded, file};

/// The value in a JSON or YAML file of another program; a file that is not called `.json` is read as YAML, of which JSON is
/// a part. `090` without quotes is text, as in the YAML 1.1 of most programs that read such files.
///
/// # Errors
/// Everything that is wrong with its syntax; an empty file.
pub fn data_file(context: &Context, path: &Path) -> Result<Loaded<Value>, Diagnostics> {
    let path = context.absolute(path);
    let format = foreign_format(&path);
    let source = file::read(context, &path)?;
    decode_text(context, &source, format, msg!("skills-load-data-empty"), |root, _| Some(root.value()))
}

fn foreign_format(path: &Path) -> Format {
    match format_of(path) {
        Format::Json => Format::Json,
        Format::Yaml | Format::ForeignYaml => Format::ForeignYaml,
    }
}

/// The lines of the values in a file that [`data_file`] reads.
pub struct DataPlaces(Option<(Arc<SourceFile>, Node)>);

impl DataPlaces {
    /// Reads a file again; of one that can't be read no line is known.
    #[must_use]
    pub fn read(context: &Context, path: &Path) -> DataPlaces {
        let path = context.absolute(path);
        let Ok(source) = file::read(context, &path) else { return DataPlaces(None) };
        let root = tree::parse(foreign_format(&path), &source.text, 0, &mut Problems::new(context, &source));
        DataPlaces(root.map(|root| (source, root)))
    }

    /// The line of the value below these keys, counted from 1; `None` if the file itself has no such value.
    #[must_use]
    pub fn line(&self, keys: &[&str]) -> Option<usize> {
        let (source, root) = self.0.as_ref()?;
        let node = keys.iter().try_fold(root, |node, key| node.get(key))?;
        Some(Place { file: Arc::clone(source), span: node.span }.line_column().0)
    }
}
