//! Messages of a server as the SDK reads them.
//!
//! The SDK passes over what it can't read, and the call waits for its time limit. Here a message that is meant as one is mended,
//! or named. What doesn't mean to be one, as a line of a log, stays as it is.

use eval_spec::halves::read_mended;
use rmcp::RoleClient;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Map, Value};

/// The longest excerpt of a message that can't be read, in characters.
const EXCERPT: usize = 200;

/// A line of a server, as messages a line each; `None` where it stays as it is.
///
/// # Errors
/// It means to be a message and can't be read: why, and its beginning.
pub(super) fn mended(line: &[u8]) -> Result<Option<String>, String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || is_message(text) {
        return Ok(None);
    }
    match read_mended::<Value>(text) {
        Err(error) if names_itself(text) => Err(described(&error.to_string(), text)),
        Err(_) => Ok(None),
        // A batch, as versions of the protocol before 2025-06-18 have it.
        Ok(Value::Array(items)) if items.iter().any(means_to_be_one) => {
            let lines: Result<Vec<String>, String> = items.into_iter().map(|item| one(item, text)).collect();
            Ok(Some(lines?.join("\n")))
        }
        Ok(value) if means_to_be_one(&value) => one(value, text).map(Some),
        Ok(_) => Ok(None),
    }
}

/// A message as a line.
fn one(mut message: Value, text: &str) -> Result<String, String> {
    if let Value::Object(fields) = &mut message {
        without_empty_twin(fields);
    }
    let line = message.to_string();
    // A request or notification that the SDK doesn't know is its to answer.
    match is_message(&line) || message.get("method").is_some() {
        true => Ok(line),
        false => Err(described("neither `result` nor `error` in the form of the protocol", text)),
    }
}

/// Some servers write both fields, one of them `null`.
fn without_empty_twin(fields: &mut Map<String, Value>) {
    let is_null = |name: &str| fields.get(name).is_some_and(Value::is_null);
    let (no_error, no_result) = (is_null("error"), is_null("result"));
    if no_error && fields.contains_key("result") {
        fields.remove("error");
    } else if no_result && fields.contains_key("error") {
        fields.remove("result");
    }
}

fn is_message(text: &str) -> bool {
    serde_json::from_str::<RxJsonRpcMessage<RoleClient>>(text).is_ok()
}

/// Whether it says so, or has nothing but the fields of an answer: a log in JSON may have some of them.
fn means_to_be_one(value: &Value) -> bool {
    let Value::Object(fields) = value else { return false };
    let is_answer = fields.len() > 1 && fields.keys().all(|name| ["id", "result", "error"].contains(&&**name));
    fields.contains_key("jsonrpc") || (is_answer && fields.contains_key("id"))
}

/// Whether a line that is no JSON means to be a message, or a part of one that goes over several lines.
fn names_itself(text: &str) -> bool {
    text.starts_with(['{', '[', '"']) && text.contains("\"jsonrpc\"")
}

fn described(why: &str, text: &str) -> String {
    let excerpt: String = text.chars().take(EXCERPT).collect();
    format!("{why}: {excerpt}")
}
