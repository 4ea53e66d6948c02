//! Media types, and the bodies and files that they are of.

use std::sync::LazyLock;

use eval_spec::callable::FileContent;
use serde_json::{Map, Value, json};

/// A body that can be sent.
pub(super) struct SampleBody<'a> {
    /// The member of the skill's input.
    pub(super) field: String,
    /// Without parameters, lowercase.
    pub(super) content_type: String,
    pub(super) is_required: bool,
    pub(super) schema: Option<&'a Value>,
    /// The media type object, for its examples.
    pub(super) written: &'a Value,
    /// `encoding` of the adapter's configuration.
    pub(super) encoding: Map<String, Value>,
}

impl SampleBody<'_> {
    /// Whether a value can be this body.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        match rank(&self.content_type) {
            Some(FORM | MULTIPART) => value.is_object(),
            Some(RAW) => FileContent::of(value).is_some(),
            _ => true,
        }
    }
}

/// A media type without its parameters.
pub(super) fn plain(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

pub(super) fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type == "*/*" || media_type.ends_with("+json")
}

/// The preference among media types, lowest first; `None` for one that can't be sent.
pub(super) fn rank(media_type: &str) -> Option<u8> {
    match media_type {
        "application/json" => Some(0),
        "*/*" | "application/*" => Some(1),
        other if other.starts_with("application/") && other.ends_with("+json") => Some(2),
        "application/x-www-form-urlencoded" => Some(FORM),
        "multipart/form-data" => Some(MULTIPART),
        "text/plain" => Some(5),
        other => (!other.contains('*') && !other.starts_with("multipart/") && other.contains('/')).then_some(RAW),
    }
}

pub(super) const FORM: u8 = 3;
pub(super) const MULTIPART: u8 = 4;
/// A body that is sent as it is.
pub(super) const RAW: u8 = 6;

/// The schema of a file in an input.
pub(super) fn file_schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        let text = json!({"type": "string"});
        let object = json!({
            "type": "object",
            "properties": {"text": text, "base64": text, "filename": text, "contentType": text},
            "additionalProperties": false,
        });
        json!({"anyOf": [text, object]})
    });
    &SCHEMA
}

/// Whether a schema is of bytes: 3.0's `format: binary`, 3.1's media type without an encoding.
pub(super) fn is_file(schema: &Value) -> bool {
    let has = |key: &str| schema.get(key).and_then(Value::as_str);
    let is_media = has("contentMediaType").is_some_and(|kind| !is_json(kind) && !kind.starts_with("text/"));
    has("format") == Some("binary") || is_media && has("contentEncoding").is_none()
}
