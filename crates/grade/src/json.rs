//! Reading JSON from models and skills.

use eval_spec::callable::read_exactly;
use eval_spec::halves::read_mended;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The result of reading a text as JSON.
pub(crate) enum JsonReading {
    /// It is JSON.
    Value(Value),
    /// It is not; the reader's error.
    Invalid(String),
    /// It is, but outside of the supported range: nested deeper than 127, a number past `f64`.
    Unreadable(String),
}

/// Whether `text` is JSON (RFC 8259), at any depth, without recursion; else the reader's error.
pub(crate) fn check(text: &str) -> Result<(), String> {
    serde_json::from_str::<IgnoredAny>(text).map(drop).map_err(|error| error.to_string())
}

pub(crate) fn read(text: &str) -> JsonReading {
    reading(text, read_mended(text))
}

/// Reads `text` as [`read_exactly`] does.
pub(crate) fn exactly(text: &str) -> JsonReading {
    reading(text, read_exactly(text))
}

fn reading(text: &str, read: serde_json::Result<Value>) -> JsonReading {
    let beyond = match read {
        Ok(value) => return JsonReading::Value(value),
        Err(error) => error,
    };
    match check(text) {
        Ok(()) => JsonReading::Unreadable(beyond.to_string()),
        Err(invalid) => JsonReading::Invalid(invalid),
    }
}
