//! A document split over files → one document: the other files lie below [`MEMBER`], and references lead there.
//!
//! Written by hand: `openapiv3` refuses whole documents for one odd member, knows no 3.1, and resolves nothing.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use eval_load as load;
use eval_message::{Message, msg};
use eval_spec::Context;
use serde_json::{Map, Value};

use super::schema::{escaped, unescaped};

/// The member of the document that holds its other files by their paths.
const MEMBER: &str = "x-files";

/// The most files of one document.
const MAX_FILES: usize = 5_000;
/// The most bytes of them.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// A document with the files that it refers to.
pub(crate) struct BundledDocument {
    pub(crate) document: Value,
    /// The paths of the other files, sorted.
    pub(crate) files: Vec<String>,
    /// Files that can't be read.
    pub(crate) notes: Vec<Message>,
}

/// The document in `file`, with the files of its folder that it refers to. A file that can't be read is a note, and the
/// references to it stay as they are.
pub(crate) fn bundled(context: &Context, file: &Path, document: Value) -> BundledDocument {
    let file = context.absolute(file);
    let file = file.canonicalize().unwrap_or(file);
    let Some(folder) = file.parent() else {
        return BundledDocument { document, files: Vec::new(), notes: Vec::new() };
    };
    let mut bundle = Bundle {
        context,
        folder,
        names: BTreeMap::from([(file.clone(), String::new())]),
        open: Vec::new(),
        bytes: 0,
        notes: Vec::new(),
    };
    let mut document = document;
    bundle.lead(&mut document, &file, "");
    let mut files = Map::new();
    while let Some((path, mut value)) = bundle.open.pop() {
        let name = bundle.names[&path].clone();
        bundle.lead(&mut value, &path, &format!("/{MEMBER}/{}", escaped(&name)));
        files.insert(name, value);
    }
    if let (Value::Object(members), false) = (&mut document, files.is_empty()) {
        members.insert(MEMBER.to_owned(), Value::Object(files));
    }
    let names = bundle.names.into_values().filter(|name| !name.is_empty() && name != UNREADABLE);
    BundledDocument { document, files: names.collect(), notes: bundle.notes }
}

struct Bundle<'a> {
    context: &'a Context,
    /// The folder of the document; nothing outside of it is read.
    folder: &'a Path,
    /// The names of files in the bundle by their paths; the document itself has none.
    names: BTreeMap<PathBuf, String>,
    /// Files that were read, and whose references still lead to files.
    open: Vec<(PathBuf, Value)>,
    bytes: u64,
    notes: Vec<Message>,
}

impl Bundle<'_> {
    /// Rewrites the references in `value`, which is the file at `path` and lies at `pointer` of the bundle.
    fn lead(&mut self, value: &mut Value, path: &Path, pointer: &str) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(members) => {
                    for (key, value) in members {
                        match value {
                            Value::String(reference) if key == "$ref" => {
                                if let Some(target) = self.target(reference, path, pointer) {
                                    *reference = target;
                                }
                            }
                            value => open.push(value),
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The place in the bundle that a reference of the file at `path` leads to; `None` if it can't be followed.
    fn target(&mut self, reference: &str, path: &Path, pointer: &str) -> Option<String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = match file {
            "" => pointer.to_owned(),
            file if file.contains("://") => return None,
            file => match self.name(&path.parent()?.join(unescaped(file)))? {
                name if name.is_empty() => String::new(),
                name => format!("/{MEMBER}/{}", escaped(&name)),
            },
        };
        let is_pointer = fragment.is_empty() || fragment.starts_with('/');
        is_pointer.then(|| format!("#{base}{fragment}"))
    }

    /// The name of a file in the bundle, which is read when it is first referred to.
    fn name(&mut self, path: &Path) -> Option<String> {
        let path = plain(path);
        if let Some(name) = self.names.get(&path) {
            return Some(name.clone()).filter(|name| name != UNREADABLE);
        }
        let shown = path.strip_prefix(self.folder).unwrap_or(&path).display().to_string();
        match self.read(&path, &shown) {
            Ok(value) => {
                self.names.insert(path.clone(), shown.clone());
                self.open.push((path, value));
                Some(shown)
            }
            Err(why) => {
                self.notes.push(msg!("skills-cli-openapi-file", path = shown, why = why));
                self.names.insert(path, UNREADABLE.to_owned());
                None
            }
        }
    }

    fn read(&mut self, path: &Path, shown: &str) -> Result<Value, String> {
        let lang = self.context.lang;
        let words = |message: Message| message.text(lang);
        let is_inside = |path: &Path| path.starts_with(self.folder);
        if !is_inside(path) || path.canonicalize().is_ok_and(|real| !is_inside(&real)) {
            return Err(words(msg!("skills-cli-openapi-file-outside")));
        }
        self.bytes = self.bytes.saturating_add(path.metadata().map_or(0, |metadata| metadata.len()));
        if self.names.len() > MAX_FILES || self.bytes > MAX_BYTES {
            let mib = MAX_BYTES / 1024 / 1024;
            return Err(words(msg!("skills-cli-openapi-file-many", limit = MAX_FILES, mib = mib)));
        }
        match load::data_file(self.context, path) {
            Ok(loaded) => Ok(loaded.value),
            Err(found) => Err(found.0.first().map_or_else(|| shown.to_owned(), |first| words(first.message.clone()))),
        }
    }
}

/// The name of a file that can't be read: no path has it.
const UNREADABLE: &str = "\0";

/// A path without `.` and `..`, by its text: a file that isn't there has no other form.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}
