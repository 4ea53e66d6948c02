//! `tool_calls`: how calls are written, and how they are compared.

use eval_spec::callable::Scorer;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::score;

#[test]
fn calls_are_found_however_they_are_written() {
    for output in [
        json!([{"name": "f", "arguments": {"x": 1}}]),
        json!({"name": "f", "arguments": {"x": 1}}),
        json!({"tool": "f", "args": {"x": 1}}),
        json!({"result": [{"name": "f", "parameters": {"x": 1}}]}),
        json!({"calls": [{"name": "f", "input": {"x": 1}}]}),
        json!({"tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}}]}),
        json!({"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\":1}"}}]}),
        json!({"choices": [{"index": 0, "message": {"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}}]}}]}),
        json!({"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{\"x\":1}"}}),
        json!({"output": [{"type": "reasoning", "summary": []}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\"x\":1}"}]}),
        json!({"content": [{"type": "text", "text": "I call f"}, {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}]}),
        json!([{"type": "tool_use", "name": "f", "input": {"x": 1}}]),
        json!({"answer": {"content": [{"type": "tool_use", "name": "f", "input": {"x": 1}}]}}),
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "so"}, {"functionCall": {"name": "f", "args": {"x": 1}}}]}}]}),
        json!({"tool_call": {"name": "f", "arguments": {"x": 1}}}),
        json!("{\"name\": \"f\", \"arguments\": {\"x\": 1}}"),
        json!("\n [{\"name\": \"f\", \"arguments\": \"{\\\"x\\\": 1}\"}] "),
        json!({"result": "{\"tool_calls\": [{\"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{\\\"x\\\":1}\"}}]}"}),
        json!(["{\"content\": [{\"type\": \"tool_use\", \"name\": \"f\", \"input\": {\"x\": 1}}]}"]),
    ] {
        let found = graded(json!([{"name": "f", "arguments": {"x": 1}}]), &output, false);
        assert_eq!(found, (true, 1.0), "{output}");
    }
    for nothing in [
        json!("f(1)"),
        json!("{f(1)}"),
        json!("{\"x\": 1}"),
        json!(null),
        json!([]),
        json!({"content": "no"}),
        json!({"type": "text", "name": "f"}),
    ] {
        assert_eq!(graded(json!([]), &nothing, false), (true, 1.0), "{nothing}");
    }
}

fn graded(calls: Value, output: &Value, any_order: bool) -> (bool, f64) {
    score(Scorer::ToolCalls { calls, any_order }, output).unwrap()
}

#[test]
fn names_in_order_arguments_deeply_equal() {
    let (f, g) = (json!({"name": "f", "arguments": {"a": 1, "b": [1.0]}}), json!({"name": "g", "arguments": {}}));
    let turned = json!({"name": "f", "arguments": {"b": [1], "a": 1.0}});
    for (expected, output, ordered, any) in [
        (json!([f, g]), json!([turned, g]), (true, 1.0), (true, 1.0)),
        (json!([f, g]), json!([g, f]), (false, 0.5), (true, 1.0)),
        (json!([f, g]), json!([f]), (false, 0.5), (false, 0.5)),
        (json!([f]), json!([f, g]), (false, 0.5), (false, 0.5)),
        (json!([f, f]), json!([f]), (false, 0.5), (false, 0.5)),
        (json!([f]), json!({"name": "f", "arguments": {"a": "1", "b": [1]}}), (false, 0.0), (false, 0.0)),
        (json!([f]), json!({"name": "f", "arguments": {"a": 1, "b": [1], "c": 0}}), (false, 0.0), (false, 0.0)),
        (json!([{"name": "f"}]), json!([f]), (true, 1.0), (true, 1.0)),
        (json!([{"name": "f"}, f]), json!([f, {"name": "f"}]), (false, 0.5), (true, 1.0)),
        (json!([g]), json!([{"name": "g"}]), (true, 1.0), (true, 1.0)),
        (json!([g]), json!([{"name": "G"}]), (false, 0.0), (false, 0.0)),
        (json!([]), json!("nothing to call"), (true, 1.0), (true, 1.0)),
        (json!([]), json!([g]), (false, 0.0), (false, 0.0)),
    ] {
        assert_eq!(graded(expected.clone(), &output, false), ordered, "{output} in order");
        assert_eq!(graded(expected, &output, true), any, "{output} in any order");
    }
}

proptest! {
    #[test]
    fn the_score_is_a_share_and_1_just_when_it_passes(
        expected in proptest::collection::vec("[fgh]", 0..6),
        found in proptest::collection::vec("[fgh]", 0..6),
    ) {
        let calls = |names: &[String]| names.iter().map(|name| json!({"name": name})).collect::<Value>();
        let (ordered, ordered_score) = graded(calls(&expected), &calls(&found), false);
        let (any, any_score) = graded(calls(&expected), &calls(&found), true);
        prop_assert_eq!(ordered, expected == found);
        let sorted = |names: &[String]| { let mut names = names.to_vec(); names.sort(); names };
        prop_assert_eq!(any, sorted(&expected) == sorted(&found));
        prop_assert!((0.0..=1.0).contains(&ordered_score) && ordered_score <= any_score && any_score <= 1.0);
        prop_assert!(ordered == (ordered_score >= 1.0) && any == (any_score >= 1.0));
    }
}
