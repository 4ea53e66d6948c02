//! Answers of tools of the Model Context Protocol.

use eval_callable::internals::{json as as_json, tokens, value};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

fn result(value: Value) -> CallToolResult {
    serde_json::from_value(value).unwrap()
}

#[test]
fn structured_content_is_preferred_to_its_text_copy() {
    let both = json!({"content": [{"type": "text", "text": "{\"sum\": 5}"}], "structuredContent": {"sum": 5}});
    assert_eq!(value(result(both)), json!({"sum": 5}));
    assert_eq!(value(result(json!({"content": [], "structuredContent": null}))), Value::Null);
}

#[test]
fn text_copy_preserves_all_digits() {
    let of = |text: &str, structured: &str| {
        let text = Value::from(text);
        let result =
            format!(r#"{{"content": [{{"type": "text", "text": {text}}}], "structuredContent": {structured}}}"#);
        as_json(serde_json::from_str(&result).unwrap())
    };
    let factorial = "15511210043330985984000000";
    let object = format!("{{\"n\":{factorial}}}");
    assert_eq!(of(&object, &object), object);
    assert_eq!(of(factorial, &format!("{{\"result\": {factorial}}}")), format!("{{\"result\":{factorial}}}"));
    assert_eq!(of("about 5", "{\"n\": 5}"), "{\"n\":5}");
}

#[test]
fn one_text_is_a_text_and_several_parts_are_a_list() {
    let text = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(value(result(json!({"content": [text("{\"a\": 1}")]}))), json!("{\"a\": 1}"));
    assert_eq!(value(result(json!({"content": [text("a"), text("b")]}))), json!(["a", "b"]));
    assert_eq!(value(result(json!({"content": []}))), Value::Null);
}

#[test]
fn binary_data_is_replaced_by_its_size() {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "aGVsbG8="});
    let blob = json!({"type": "resource", "resource": {"uri": "f:x", "mimeType": "x/y", "blob": "aGVsbG8="}});
    let expected = json!([
        {"type": "image", "mimeType": "image/png", "bytes": 5},
        {"type": "resource", "resource": {"uri": "f:x", "mimeType": "x/y", "bytes": 5}},
    ]);
    assert_eq!(value(result(json!({"content": [image, blob]}))), expected);
}

#[test]
fn tokens_are_taken_from_either_place() {
    let meta = json!({"content": [], "_meta": {"usage": {"totalTokens": 12}}});
    let inside = json!({"structuredContent": {"usage": {"inputTokens": 5, "outputTokens": 6}}});
    let half = json!({"structuredContent": {"usage": {"inputTokens": 5}}});
    let absurd = json!({"structuredContent": {"usage": {"inputTokens": u64::MAX, "outputTokens": 1}}});
    assert_eq!([meta, inside, half, absurd].map(|value| tokens(&result(value))), [Some(12), Some(11), None, None]);
}
