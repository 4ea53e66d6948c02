//! New skills as files in memory: names and templates in, drafts out. The command writes them to disk.

pub(crate) mod openapi;
mod template;

pub(crate) use template::{TEMPLATES, draft};

/// A skill that is not written yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    /// The id, and the directory's name.
    pub(crate) id: String,
    /// Paths below the directory, and contents.
    pub(crate) files: Vec<(&'static str, String)>,
    /// The host whose data its starter benchmark changes; `None` if it only reads.
    pub(crate) changes: Option<String>,
}

/// The longest id: it is a directory's name too.
const MAX_ID: usize = 64;

/// An id made of a name: lowercase letters, digits, `_` and `-`. `None` if nothing of the name remains.
///
/// `../../etc/passwd` becomes `etc_passwd`: an id joined to a directory stays in it.
pub(crate) fn id_of(name: &str) -> Option<String> {
    let mut id = String::new();
    for c in name.trim().chars() {
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9' | '-') => id.push(c),
            _ if id.ends_with('_') => {}
            _ => id.push('_'),
        }
    }
    let id: String = id.trim_matches(['_', '-']).chars().take(MAX_ID).collect();
    let id = id.trim_end_matches(['_', '-']);
    (!id.is_empty()).then(|| id.to_owned())
}

/// Whether a name has letters or digits that its id can't have.
pub(crate) fn loses_letters(name: &str) -> bool {
    name.chars().any(|c| c.is_alphanumeric() && !c.is_ascii())
}
