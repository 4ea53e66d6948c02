//! What in an output is the result.

use std::borrow::Cow;

use serde_json::Value;

/// Members that hold the result of an object, in the order in which they are looked for.
const MEMBERS: [&str; 3] = ["result", "output", "answer"];

/// The result: the whole output, unless it is an object with a member `result`, `output` or `answer`; the first of them
/// that is there counts, one that isn't `null` before one that is. Members of the result are not looked into again.
pub(super) fn result(output: &Value) -> &Value {
    let Value::Object(fields) = output else { return output };
    let members = || MEMBERS.iter().filter_map(|name| fields.get(*name));
    members().find(|value| !value.is_null()).or_else(|| members().next()).unwrap_or(output)
}

/// The result as a text: a text itself, anything else as compact JSON.
pub(super) fn result_text(output: &Value) -> Cow<'_, str> {
    match result(output) {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}
