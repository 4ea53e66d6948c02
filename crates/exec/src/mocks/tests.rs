//! What Claude Code asked its hooks, as it was recorded, and what the mocks answer.

use std::path::PathBuf;
use std::sync::Arc;

use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use eval_spec::mock::{Mock, MockAnswer, Mocks};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{AgentMocks, MockSession, claude, codex};

/// Recording | answers to its events. Strict mocks for `Bash` and `Grep`, so that `Read` is refused; a server of MCP
/// is played by the program itself.
const RECORDINGS: &str = "\
hook-ask | refused refused replaced replaced allowed
hook-ctx | refused - refused - replaced - replaced result allowed -
hook-defer | refused
hook-deny | refused refused replaced replaced allowed
hook-exit1 | refused - refused - replaced - replaced result allowed -
hook-exit2 | refused refused replaced replaced allowed
hook-junk | refused - refused - replaced - replaced result allowed -
hook-legacy | refused refused replaced replaced allowed
hook-none | refused - refused - replaced - replaced result allowed -
hook-post | refused - refused - replaced - replaced result allowed -
hook-post-noop | refused - refused - replaced - replaced result allowed -
hook-rewrite | refused - refused - replaced - replaced result allowed -
hook-slow | refused - refused - replaced - replaced result allowed -
hook-stop | refused -";

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/claude-2.1.330"].iter().collect()
}

fn events(recording: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join(format!("{recording}.hook-calls.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["stdin"].take()).collect()
}

fn session(folder: &TempDir) -> MockSession {
    let answering = |tool: &str| Mock {
        tool: tool.to_owned(),
        always: Some(MockAnswer { stdout: b"deployed\n".to_vec(), ..MockAnswer::default() }),
        ..Mock::default()
    };
    let mocks = Mocks { mocks: vec![answering("Bash"), answering("Grep")], strict: true };
    MockSession::new(
        Arc::new(mocks),
        &claude::MOCKS,
        PathBuf::from("/home/dev/demo-project"),
        folder.path().to_owned(),
        Vec::new(),
    )
}

fn word(answer: &Value) -> &'static str {
    let output = &answer["hookSpecificOutput"];
    match (output["permissionDecision"].as_str(), output["updatedInput"].is_object()) {
        (Some("ask"), false) => "refused",
        (Some("allow"), true) => "replaced",
        (Some("allow"), false) => "allowed",
        (None, _) if output["updatedToolOutput"].is_object() => "result",
        (None, _) if *answer == json!({}) => "-",
        _ => panic!("{answer}"),
    }
}

#[test]
fn every_recorded_event_is_answered_as_its_row_says() {
    for row in RECORDINGS.lines() {
        let (recording, expected) = row.split_once(" | ").unwrap();
        let folder = TempDir::new().unwrap();
        let session = session(&folder);
        let answers =
            events(recording).iter().map(|event| word(&(claude::MOCKS.hook)(&session, event))).collect::<Vec<_>>();
        assert_eq!(answers.join(" "), expected, "{recording}");
    }
    let recorded = std::fs::read_dir(folder()).unwrap().flatten();
    let recorded = recorded.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "jsonl"));
    assert_eq!(recorded.count(), RECORDINGS.lines().count());
}

/// A result of another form would be passed over without a word, and the real one shown.
#[test]
fn result_of_a_search_has_what_the_real_one_has() {
    let events = events("hook-none");
    let real = events.iter().find(|event| event["tool_name"] == "Grep" && event["tool_response"].is_object()).unwrap();
    let folder = TempDir::new().unwrap();
    let session = session(&folder);
    let answers: Vec<Value> = events.iter().map(|event| (claude::MOCKS.hook)(&session, event)).collect();
    let result = answers.iter().find(|answer| word(answer) == "result").unwrap();
    let result = &result["hookSpecificOutput"]["updatedToolOutput"];
    for (name, kind) in real["tool_response"].as_object().unwrap().iter().filter(|(name, _)| *name != "totalFiles") {
        assert_eq!(std::mem::discriminant(&result[name]), std::mem::discriminant(kind), "{name}: {result}");
    }
    assert_eq!(result["content"], "deployed");
}

/// Agent, tool, whether its hook answered, what the model saw; whether the execution is valid.
const SEEN: [(&AgentMocks, &str, bool, &str, bool); 9] = [
    (
        &claude::MOCKS,
        "Bash",
        true,
        "PreToolUse hook for tool Bash returned updatedInput that failed schema validation",
        false,
    ),
    (&claude::MOCKS, "Bash", true, "<tool_use_error>InputValidationError: Bash failed", false),
    (&claude::MOCKS, "Bash", true, "Exit code 3\nPreToolUse", true),
    (&claude::MOCKS, "Read", true, "PreToolUse, says the mock", true),
    (
        &claude::MOCKS,
        "mcp__a__good",
        false,
        "<tool_use_error>Error: No such tool available: mcp__a__good</tool_use_error>",
        false,
    ),
    (&claude::MOCKS, "mcp__a__good", false, "<tool_use_error>InputValidationError: no number</tool_use_error>", true),
    (&codex::MOCKS, "mcp__a__good", false, "unsupported call: mcp__a__good", false),
    (&codex::MOCKS, "shell", false, "unsupported call: shell", true),
    (&codex::MOCKS, "exec_command", true, "failed to parse function arguments: invalid type: null", false),
];

#[test]
fn answer_that_the_model_was_not_shown_spoils_the_execution() {
    for (agent, tool, is_answered, text, is_valid) in SEEN {
        let folder = TempDir::new().unwrap();
        let answering = |tool: &str, stdout: &str| Mock {
            tool: tool.to_owned(),
            always: Some(MockAnswer { stdout: stdout.as_bytes().to_vec(), ..MockAnswer::default() }),
            ..Mock::default()
        };
        let says = answering("Read", "PreToolUse, says the mock\n");
        let mocks = Mocks { mocks: vec![answering("Bash", ""), answering("mcp__a__good", "7"), says], strict: false };
        let place = folder.path().to_owned();
        let session = MockSession::new(Arc::new(mocks), agent, place.clone(), place, Vec::new());
        let asked = if tool == "exec_command" { "Bash" } else { tool };
        let input = json!({"command": "deploy"});
        if is_answered {
            session.decide(Some("call-1"), asked, &input);
        }
        let output = ToolOutput { text: text.to_owned(), is_error: true, note: None, exit_code: None };
        let call = ToolCall {
            id: "call-1".to_owned(),
            name: tool.to_owned(),
            input,
            output: Some(output),
            status: None,
            started_at: None,
            duration_ms: None,
            turn: None,
            parent: None,
            mock: None,
        };
        let mut trace = Trace { steps: vec![Step::Tool(call)], ..Trace::default() };
        assert_eq!(session.settle(&mut trace).is_ok(), is_valid, "{tool}: {text}");
    }
}
