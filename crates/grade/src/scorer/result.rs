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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{result, result_text};

    #[test]
    fn the_result_is_the_output_or_one_of_three_members() {
        let cases = [
            (json!("x"), json!("x")),
            (json!(5), json!(5)),
            (json!([1]), json!([1])),
            (Value::Null, Value::Null),
            (json!({"result": "r"}), json!("r")),
            (json!({"output": "o"}), json!("o")),
            (json!({"answer": "a"}), json!("a")),
            (json!({"answer": "a", "output": "o", "result": "r"}), json!("r")),
            (json!({"answer": "a", "output": "o"}), json!("o")),
            (json!({"result": null, "answer": "a"}), json!("a")),
            (json!({"result": null}), Value::Null),
            (json!({"result": {"result": 1}}), json!({"result": 1})),
            (json!({"result": false, "answer": true}), json!(false)),
            (json!({"Result": 1, "value": 2}), json!({"Result": 1, "value": 2})),
            (json!({}), json!({})),
        ];
        for (output, expected) in cases {
            assert_eq!(result(&output), &expected, "{output}");
        }
        assert_eq!(result_text(&json!({"result": {"b": 1, "a": "é"}})), r#"{"b":1,"a":"é"}"#);
        assert_eq!(result_text(&json!({"answer": "\"quoted\""})), "\"quoted\"");
    }
}
