//! What a tool returned, as the JSON that is scored.

use eval_spec::callable::compact;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value, json};

use crate::rpc::usage_tokens;

/// [`value`] as JSON. The SDK reads a number of `structuredContent` as the float next to it; the copy in words that a
/// server should send along has its digits.
pub fn json(result: CallToolResult) -> String {
    copy(&result).unwrap_or_else(|| value(result).to_string())
}

/// The only text, if it says in JSON what `structuredContent` does, or the `result` in it, as some servers wrap it.
fn copy(result: &CallToolResult) -> Option<String> {
    let structured = result.structured_content.as_ref()?;
    let [text] = result.content.as_slice() else { return None };
    let text = text.as_text()?.text.as_str();
    let plain: Value = serde_json::from_str(text).ok()?;
    let exact = compact(text)?;
    match structured {
        same if *same == plain => Some(exact),
        Value::Object(fields) if fields.len() == 1 && fields.get("result") == Some(&plain) => {
            Some(format!("{{\"result\":{exact}}}"))
        }
        _ => None,
    }
}

/// The answer of a tool: `structuredContent` if there is one; else the only text, as a text even when it
/// looks like JSON, for the scorers compare a text with a number or a keyword by themselves; else the list
/// of all parts, a text as a text and anything else as an object with its `type`. No content is `null`.
pub fn value(result: CallToolResult) -> Value {
    if let Some(structured) = result.structured_content {
        return structured;
    }
    let mut parts: Vec<Value> = result.content.into_iter().map(part).collect();
    match parts.len() {
        0 => Value::Null,
        1 if parts[0].is_string() => parts.remove(0),
        _ => Value::Array(parts),
    }
}

/// What a tool says about its failure: its texts, a line each; the structured answer when it has none.
pub(super) fn words(result: CallToolResult) -> String {
    let texts: Vec<&str> = result.content.iter().filter_map(|part| Some(part.as_text()?.text.as_str())).collect();
    match texts.is_empty() {
        true => result.structured_content.map(|value| value.to_string()).unwrap_or_default(),
        false => texts.join("\n"),
    }
}

/// The tokens that the server says the call took: `usage` in the result's `_meta` or in its structured
/// content, as `totalTokens` or as the sum of `inputTokens` and `outputTokens`.
pub fn tokens(result: &CallToolResult) -> Option<u64> {
    let meta = result.meta.as_ref().and_then(|meta| serde_json::to_value(meta).ok());
    let usage = |value: &Value| usage_tokens(value.get("usage")?);
    meta.as_ref().and_then(usage).or_else(|| result.structured_content.as_ref().and_then(usage))
}

/// One part. Pictures and sounds say what they are and how large, and leave their data out: nothing
/// scores it, and it would bloat every report.
fn part(part: ContentBlock) -> Value {
    match part {
        ContentBlock::Text(text) => Value::String(text.text),
        ContentBlock::Image(image) => data("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => data("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => resource(&embedded.resource),
        other => serde_json::to_value(&other).unwrap_or_default(),
    }
}

fn data(kind: &str, mime_type: &str, base64: &str) -> Value {
    json!({"type": kind, "mimeType": mime_type, "bytes": decoded_size(base64)})
}

/// The number of bytes that a base64 text encodes.
fn decoded_size(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

fn resource(contents: &ResourceContents) -> Value {
    let mut fields = match serde_json::to_value(contents) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    if let Some(Value::String(blob)) = fields.remove("blob") {
        fields.insert("bytes".to_owned(), decoded_size(&blob).into());
    }
    fields.remove("_meta");
    json!({"type": "resource", "resource": fields})
}
