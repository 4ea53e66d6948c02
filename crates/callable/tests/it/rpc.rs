//! Requests and answers of JSON-RPC.

use eval_callable::internals::{MalformedAnswer, RpcAnswer, RpcMatch, find, request};
use serde_json::{Value, json};

fn result(text: &str) -> Option<Value> {
    match find(text, 7) {
        RpcMatch::Answer(RpcAnswer::Result { json, .. }) | RpcMatch::Likely(RpcAnswer::Result { json, .. }) => {
            serde_json::from_str(&json).ok()
        }
        _ => None,
    }
}

#[test]
fn an_answer_is_found_among_other_lines() {
    let answer = r#"{"jsonrpc":"2.0","id":7,"result":{"a":[1,{"b":"}"}]}}"#;
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(answer).unwrap_or_default());
    let pretty = pretty.unwrap_or_default();
    let expected = Some(json!({"a": [1, {"b": "}"}]}));
    for text in [
        answer.to_owned(),
        format!("starting {{\n{answer}\ndone }}"),
        format!("{{\n{{not json\n{pretty}\nbye"),
        format!("{{\"level\":\"info\",\"id\":7}}\n{pretty}"),
        format!("DEBUG: {answer} trailing"),
        format!("\u{feff}审查 {{\"jsonrpc\" no\n  {answer}\r\n"),
        format!("{}\n{}", answer, answer.replace("[1", "[2")),
        format!("{}\n{answer}", answer.replace("\"id\":7", "\"id\":8")),
        answer.replace("\"id\":7", "\"id\":7.0"),
        answer.replace("\"jsonrpc\":\"2.0\",", "").replace("\"result\"", "\"error\":null,\"result\""),
    ] {
        assert_eq!(result(&text), expected, "{text}");
    }
}

#[test]
fn numbers_stay_as_they_are_written() {
    let factorial = format!("1{}", "0".repeat(399));
    for (written, kept) in [
        (factorial.as_str(), factorial.as_str()),
        ("[ 15511210043330985984000001, 1.50 ]", "[15511210043330985984000001,1.50]"),
        ("{ \"a b\" : 1.50 }", "{\"a b\":1.5}"),
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":7, "result": {written} }}"#);
        match find(&text, 7) {
            RpcMatch::Answer(RpcAnswer::Result { json, .. }) => assert_eq!(json, kept),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn text_without_an_answer_has_no_match() {
    for text in ["", "25", "{}", "{\"result\":1}", "{\"id\":7}", "{\"id\":8,\"result\":1}", "{'jsonrpc':", "[1]"] {
        assert_eq!(find(text, 7), RpcMatch::Nothing, "{text}");
    }
    assert_eq!(find(r#"{"jsonrpc":"2.0","id":"7","result":1}"#, 7), RpcMatch::OtherId(json!("7")));
    assert_eq!(find(r#"{"jsonrpc":"2.0","result":1}"#, 7), RpcMatch::OtherId(Value::Null));
}

#[test]
fn the_answer_wins_over_lines_that_look_like_one() {
    let answer = r#"{"jsonrpc":"2.0","id":7,"result":"right"}"#;
    for noise in [
        r#"{"id":7,"result":"wrong"}"#,
        r#"INFO got {"jsonrpc":"2.0","id":7,"result":"wrong"}"#,
        r#"{"jsonrpc":"1.0","id":7,"result":"wrong"}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":NaN}"#,
    ] {
        for text in [format!("{noise}\n{answer}"), format!("{answer}\n{noise}"), format!("\u{feff}{answer}\n{noise}")] {
            assert!(matches!(find(&text, 7), RpcMatch::Answer(_)), "{text}");
            assert_eq!(result(&text), Some(json!("right")), "{text}");
        }
    }
}

#[test]
fn malformed_answer_has_a_reason() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (written, words) in [("NaN", "expected value at line 1"), (r#""\ud8""#, "escape"), (&deep, "recursion limit")] {
        let text =
            format!("{{\"id\":7,\"result\":\"log\"}}\n{{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{written}}}\n{{bye}}");
        match find(&text, 7) {
            RpcMatch::Malformed(MalformedAnswer { why, is_cut: false }) => assert!(why.contains(words), "{why}"),
            other => panic!("{written}: {other:?}"),
        }
    }
    let empty = find(r#"{"jsonrpc":"2.0","id":7}"#, 7);
    assert!(matches!(empty, RpcMatch::Malformed(MalformedAnswer { is_cut: false, .. })), "{empty:?}");
    assert_eq!(find(r#"{"jsonrpc":"2.0","id":7,"method":"execute","params":{}}"#, 7), RpcMatch::Nothing);
    let cut = find("{\"jsonrpc\":\"2.0\",\"id\":7,", 7);
    assert!(matches!(cut, RpcMatch::Malformed(MalformedAnswer { is_cut: true, .. })), "{cut:?}");
}

#[test]
fn error_answer_has_a_message() {
    let error = |error: &str| find(&format!(r#"{{"jsonrpc":"2.0","id":7,"error":{error},"result":1}}"#), 7);
    let is = |message: &str| RpcMatch::Answer(RpcAnswer::Error { message: message.to_owned() });
    assert_eq!(error(r#"{"code":-32000,"message":"no such city"}"#), is("no such city (-32000)"));
    assert_eq!(error(r#""plain""#), is("plain"));
    assert_eq!(error(r#"{"why":1}"#), is(r#"{"why":1}"#));
    let unread = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
    assert_eq!(find(unread, 7), is("Parse error (-32700)"));
}

#[test]
fn tokens_are_read_beside_and_inside_the_result() {
    let tokens = |text: &str| match find(text, 7) {
        RpcMatch::Answer(RpcAnswer::Result { tokens, .. }) => tokens,
        _ => None,
    };
    assert_eq!(tokens(r#"{"jsonrpc":"2.0","id":7,"result":1,"usage":{"totalTokens":5,"inputTokens":1}}"#), Some(5));
    assert_eq!(tokens(r#"{"jsonrpc":"2.0","id":7,"result":{"usage":{"inputTokens":2,"outputTokens":3}}}"#), Some(5));
    assert_eq!(tokens(r#"{"jsonrpc":"2.0","id":7,"result":1,"usage":{"inputTokens":2}}"#), None);
    assert_eq!(tokens(r#"{"jsonrpc":"2.0","id":7,"result":1}"#), None);
}

#[test]
fn hostile_text_is_searched_in_bounded_time() {
    let flat = "1,".repeat(4000);
    for text in ["{\n".repeat(400_000), format!("{{\"k\":[{flat}\n").repeat(200), "{\"jsonrpc\"".repeat(90_000)] {
        assert!(matches!(find(&text, 7), RpcMatch::Nothing | RpcMatch::Malformed(_)));
    }
    let likely = "{\"id\":7,\"result\":1}\n".repeat(50_000);
    assert!(matches!(find(&likely, 7), RpcMatch::Likely(_)));
}

#[test]
fn scalar_input_is_wrapped() {
    let params = |input: &str| {
        let request: Value = serde_json::from_str(&request(1, input)).unwrap_or_default();
        request["params"].clone()
    };
    assert_eq!(params(r#"{"b":1,"a":2}"#).to_string(), r#"{"b":1,"a":2}"#);
    assert_eq!(params("[1]"), json!([1]));
    assert_eq!(params("\"text\""), json!({"input": "text"}));
    assert!(!request(1, "{\"a\":\"x\\ny\"}").trim_end().contains('\n'), "one line");
}
