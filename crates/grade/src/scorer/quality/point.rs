//! One point of the check of a skill's files.

use eval_message::Message;
use serde_json::{Map, Value};

/// The name of a point, and why it doesn't hold.
pub(crate) type QualityPoint = (&'static str, Result<(), Message>);

/// `Ok` if `holds`.
pub(crate) fn unless(holds: bool, why: impl FnOnce() -> Message) -> Result<(), Message> {
    if holds { Ok(()) } else { Err(why()) }
}

/// The placeholder in a text, if there is one: as whole words, in any case.
pub(crate) fn placeholder(text: &str) -> Option<&'static str> {
    let lower = format!(" {} ", text.to_lowercase());
    let bare = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    PLACEHOLDERS.into_iter().find(|word| {
        lower
            .match_indices(word)
            .any(|(at, _)| bare(lower[..at].chars().next_back()) && bare(lower[at + word.len()..].chars().next()))
    })
}

/// The properties of a schema.
pub(crate) fn properties(schema: Option<&Value>) -> Option<&Map<String, Value>> {
    schema?.get("properties")?.as_object()
}

/// Placeholder texts of templates.
const PLACEHOLDERS: [&str; 14] = [
    "todo",
    "tbd",
    "fixme",
    "xxx",
    "lorem ipsum",
    "your name",
    "your-name",
    "your_name",
    "does something useful",
    "describe what",
    "description here",
    "a new skill",
    "replace me",
    "changeme",
];
