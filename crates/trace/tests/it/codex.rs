//! `codex`: what the stream tells, and what the file of the session adds.

use eval_spec::call::{Step, ToolCall};
use eval_spec::{Outcome, Output};
use serde_json::json;

use crate::recordings::{codex, rollout};

fn calls(output: &Output) -> Vec<(&str, bool, Option<&str>)> {
    let of = |call: &'_ ToolCall| {
        let output = call.output.as_ref().unwrap();
        (output.is_error, output.note.clone())
    };
    let calls = output.trace.tool_calls();
    calls.map(|call| (call.name.as_str(), of(call).0, call.output.as_ref().unwrap().note.as_deref())).collect()
}

const NOTHING: Option<&str> = Some("No matches found");

#[test]
fn a_search_that_found_nothing_is_no_error() {
    let output = codex("success.jsonl", 0, None).unwrap();
    let command = "exec_command";
    let expected = [(command, false, None), (command, true, None), (command, false, NOTHING), (command, false, None)];
    assert_eq!(calls(&output), expected);
    assert_eq!((output.trace.turns, output.model), (None, None), "the stream tells neither");
}

#[test]
fn the_session_adds_model_turns_and_the_calls_that_the_stream_leaves_out() {
    let output = codex("success.jsonl", 0, Some(&rollout("success.jsonl"))).unwrap();
    let command = "exec_command";
    let expected = [
        (command, false, None),
        (command, true, None),
        (command, false, NOTHING),
        (command, false, None),
        ("no_such_tool", true, None),
    ];
    assert_eq!(calls(&output), expected);
    assert_eq!((output.trace.turns, output.model.as_deref()), (Some(5), Some("gpt-5")));
    let first = output.trace.tool_calls().next().unwrap();
    assert_eq!(first.input, json!({"cmd": "cat docs/rules.md"}));
    let text = "# Rules\n1. Always answer in one line.\n2. The magic number is 42.\n";
    assert_eq!(first.output.as_ref().unwrap().text, text, "without what the program puts before it");
    assert!(matches!(&output.trace.steps[0], Step::Text { text } if text == "Let me look at the rules."));
}

#[test]
fn a_cut_answer_has_its_text_and_the_tokens_of_its_session() {
    let output = codex("maxtok.jsonl", 1, Some(&rollout("maxtok.jsonl"))).unwrap();
    assert_eq!((output.outcome, output.text.as_str()), (Outcome::Truncated, "partial output"));
    assert_eq!(output.usage.unwrap().output_tokens, 4, "the stream of a failed run tells none");
}

#[test]
fn a_torn_session_is_read_as_far_as_it_goes() {
    let whole = rollout("success.jsonl");
    for end in (0..whole.len()).step_by(997) {
        let output = codex("success.jsonl", 0, Some(&whole[..end])).unwrap();
        assert_eq!((output.outcome, output.usage.unwrap().output_tokens), (Outcome::Answered, 155));
        assert!(output.text.starts_with("The magic number"), "{}", output.text);
    }
}

#[test]
fn a_search_without_a_match_is_told_from_a_failure() {
    let note = |command: &str, code: i64, text: &str| {
        let item = json!({
            "id": "item_1", "type": "command_execution", "command": command, "aggregated_output": text,
            "exit_code": code, "status": "failed",
        });
        let mut reader = eval_trace::codex::EXEC_JSON.reader();
        reader.push(format!("{}\n", json!({"type": "item.completed", "item": item})).as_bytes());
        let trace = reader.transcript().trace();
        let output = trace.tool_calls().next().unwrap().output.clone().unwrap();
        assert_eq!(output.is_error, output.note.is_none(), "{command}");
        output.note
    };
    for line in [
        "grep -rn x .",
        "/bin/bash -lc 'grep -rn x .'",
        "cd a && LC_ALL=C /usr/bin/rg x",
        "cat a | grep x",
        "git -p grep x",
    ] {
        assert_eq!(note(line, 1, "\n").as_deref(), NOTHING, "{line}");
    }
    assert_eq!(note("grep x a", 2, ""), None, "an error of grep");
    assert_eq!(note("grep x a", 1, "a match"), None);
    for line in ["false", "grep x a | wc -l", "cat grep", "git status", "test -f x"] {
        assert_eq!(note(line, 1, ""), None, "{line}");
    }
}
