//! What the words of a tool are about: the search, or the name of what was looked for.

use eval_gaps::{AssistantTurn, Conversation, SIGNALS};
use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::gap::SignalKind;
use serde_json::json;

fn failed_searches(name: &str, input: serde_json::Value, output: &str) -> usize {
    let output = ToolOutput { text: output.to_owned(), is_error: true, ..ToolOutput::default() };
    let status = Some(ToolStatus::Failed);
    let call = ToolCall { name: name.to_owned(), input, output: Some(output), status, ..ToolCall::default() };
    let turn = AssistantTurn { number: 1, calls: vec![call], ..AssistantTurn::default() };
    let conversation = Conversation { turns: vec![turn], ..Conversation::default() };
    let detector = SIGNALS.iter().find(|detector| detector.kind == SignalKind::FailedSearch).unwrap();
    (detector.detect)(&conversation).len()
}

#[test]
fn missing_file_is_missing_whatever_its_name_says() {
    for name in ["password.md", "encoding.md", "binary.md", "offset.md", "quota.md", "404.html", "timeout.md"] {
        let path = format!("docs/{name}");
        let missing = format!("File does not exist: {path}");
        assert_eq!(failed_searches("Read", json!({"file_path": path}), &missing), 1, "{name}");
    }
    let too_long = "The file has 20 lines, which is shorter than the provided offset (40).";
    assert_eq!(failed_searches("Read", json!({"file_path": "docs/a.md"}), too_long), 0);
}

#[test]
fn command_that_failed_without_a_word_found_nothing() {
    assert_eq!(failed_searches("Bash", json!({"command": "grep -rn revenue docs"}), ""), 1);
}
