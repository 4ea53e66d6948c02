//! Repairs JSON of programs that cut a text in the middle of a character.
//!
//! Strings of JavaScript, Java and C# are UTF-16: where one is cut inside an emoji, its JSON has half of a surrogate pair, which
//! readers refuse with all that stands around it. Everything that is read from models, agents, skills and other tools' files
//! is read through here.

use serde::de::DeserializeOwned;

/// Reads JSON, with the sign for what can't be read (U+FFFD) for each half of a character.
///
/// # Errors
/// It is no JSON, or not of this form, even so.
pub fn read_mended<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(json).or_else(|error| match without_halves(json) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    })
}

/// The JSON with `\ufffd` for each escaped half of a surrogate pair; `None` where there is none.
#[must_use]
pub fn without_halves(json: &str) -> Option<String> {
    let (mut text, mut rest, mut found) = (String::with_capacity(json.len()), json, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        let unit = |escape: &str| u32::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let first = unit(escape).unwrap_or(0);
        let second = escape.get(6..).and_then(unit).unwrap_or(0);
        let (kept, length) = match first {
            0xd800..=0xdbff if (0xdc00..=0xdfff).contains(&second) => (&escape[..12], 12),
            0xd800..=0xdfff => {
                found = true;
                ("\\ufffd", 6)
            }
            // An escaped backslash begins no escape.
            _ => {
                let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
                (&escape[..length], length)
            }
        };
        text.push_str(kept);
        rest = &escape[length..];
    }
    text.push_str(rest);
    found.then_some(text)
}
