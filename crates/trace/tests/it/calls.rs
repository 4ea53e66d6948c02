//! How each tool call ended, when it was made, how long it took, and in which message. Read off the raw recordings.

use eval_spec::Output;
use eval_spec::call::{ToolCall, ToolStatus};
use eval_trace::AgentExit;
use eval_trace::claude::STREAM_JSON;
use eval_trace::gemini;
use serde_json::json;

use crate::recordings::{answered_by_a_program, codex, of_gemini, rollout, stdout};

fn claude(name: &str) -> Vec<ToolCall> {
    let mut reader = STREAM_JSON.reader();
    reader.push(&stdout(name));
    calls(&reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap())
}

fn calls(output: &Output) -> Vec<ToolCall> {
    output.trace.tool_calls().cloned().collect()
}

/// `Read ok, Grep no-match`
fn statuses(calls: &[ToolCall]) -> String {
    let word = |status: Option<ToolStatus>| serde_json::to_value(status).unwrap().as_str().unwrap_or("-").to_owned();
    let told: Vec<String> = calls.iter().map(|call| format!("{} {}", call.name, word(call.status))).collect();
    told.join(", ")
}

#[test]
fn statuses_of_claudes_calls() {
    let denied = "Read not-run, Read not-run, Bash not-run, Grep not-run, mcp__mini__peek not-run";
    for (recording, expected) in [
        ("success.stream-json", "Read ok, Read failed, Grep no-match, Bash ok, Bash no-match"),
        ("permission-denied.stream-json", "Read ok, Read failed, Grep failed, Bash ok, Bash no-match"),
        (
            "bash-failures.stream-json",
            "Bash not-run, Write not-run, Bash failed, Bash not-run, NoSuchTool failed, Read failed, Bash failed",
        ),
        (
            "bash-failures.bypass.stream-json",
            "Bash ok, Write ok, Bash failed, Bash failed, NoSuchTool failed, Read failed, Bash failed",
        ),
        ("subagent.stream-json", "Agent ok, Read failed"),
        ("hooks/hook-deny.stream-json", denied),
        ("hooks/hook-exit2.stream-json", denied),
        ("hooks/hook-ask.stream-json", denied),
        ("hooks/hook-none.stream-json", "Read ok, Read failed, Bash failed, Grep no-match, mcp__mini__peek ok"),
        ("hooks/hook-post.stream-json", "Read ok, Read ok, Bash ok, Grep ok, mcp__mini__peek ok"),
        ("hooks/hook-web.stream-json", "ToolSearch ok, WebFetch failed"),
    ] {
        assert_eq!(statuses(&claude(recording)), expected, "{recording}");
    }
}

/// Older versions have no word beside the result of a call.
#[test]
fn denied_calls_are_known_from_the_list_of_them_alone() {
    let whole = String::from_utf8(stdout("bash-failures.stream-json")).unwrap();
    let mut reader = STREAM_JSON.reader();
    for line in whole.lines() {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("tool_result_meta");
        reader.push(format!("{event}\n").as_bytes());
    }
    let older = calls(&reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap());
    assert_eq!(statuses(&older), statuses(&claude("bash-failures.stream-json")));
}

#[test]
fn statuses_of_the_other_agents_calls() {
    let shell = "exec_command ok, exec_command failed, exec_command no-match, exec_command ok";
    assert_eq!(statuses(&calls(&codex("success.jsonl", 0, None).unwrap())), shell);
    let session = codex("success.jsonl", 0, Some(&rollout("success.jsonl"))).unwrap();
    assert_eq!(statuses(&calls(&session)), format!("{shell}, no_such_tool failed"));
    let gemini = of_gemini("success.stream-json", 0, "success.stream-json").unwrap();
    assert_eq!(
        statuses(&calls(&gemini)),
        "read_file ok, read_file failed, grep_search no-match, run_shell_command ok, run_shell_command no-match, \
         no_such_tool failed"
    );
    let blocked = streamed_by_gemini("hooks/hook-deny.stream-json");
    assert_eq!(
        statuses(&blocked),
        "read_file not-run, read_file not-run, grep_search not-run, run_shell_command not-run, \
         run_shell_command not-run, no_such_tool failed"
    );
}

fn streamed_by_gemini(case: &str) -> Vec<ToolCall> {
    let path = format!("{}/tests/fixtures/gemini-0.61.0/{case}.stdout", env!("CARGO_MANIFEST_DIR"));
    let mut reader = gemini::STREAM_JSON.reader();
    reader.push(&std::fs::read(path).unwrap());
    calls(&reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap())
}

#[test]
fn statuses_of_calls_that_another_program_allowed_refused_or_answered() {
    let absent = "Grep failed, mcp__mini__peek failed";
    for (recording, expected) in [
        ("allow.jsonl", "Read ok, Read failed, Bash ok"),
        ("deny.jsonl", "Read ok, Read failed, Bash not-run"),
        ("hooks.jsonl", "Read ok, Read ok, Bash ok"),
    ] {
        let mut reader = STREAM_JSON.reader();
        reader.push(&answered_by_a_program(recording));
        let output = reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap();
        assert_eq!(statuses(&calls(&output)), format!("{expected}, {absent}"), "{recording}");
    }
}

/// A cancelled call is none that failed, and one without a result has no status.
#[test]
fn cancelled_call_was_not_run_and_call_without_result_has_no_status() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
    let result = |id: &str, text: &str| {
        json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text}]}})
    };
    let events = [
        json!({"type": "assistant", "message": {"id": "m1", "content": [call("a"), call("b"), call("c")]}}),
        result("a", "EACCES: permission denied, open 'x'"),
        result("b", "<tool_use_error>Sibling tool call errored</tool_use_error>"),
    ];
    let mut reader = STREAM_JSON.reader();
    events.iter().for_each(|event| reader.push(format!("{event}\n").as_bytes()));
    let output = reader.partial().unwrap();
    assert_eq!(statuses(&calls(&output)), "Read failed, Read not-run, Read -");
}

/// When a call was made, how long it took, and the number of its message.
fn times(calls: &[ToolCall]) -> Vec<(String, Option<u64>, Option<u32>)> {
    let at = |call: &ToolCall| call.started_at.map(|at| at.to_string()).unwrap_or_default();
    calls.iter().map(|call| (at(call), call.duration_ms, call.turn)).collect()
}

#[track_caller]
fn assert_times(calls: &[ToolCall], expected: &[(&str, Option<u64>, Option<u32>)]) {
    let expected: Vec<_> = expected.iter().map(|&(at, took, turn)| (at.to_owned(), took, turn)).collect();
    assert_eq!(times(calls), expected);
}

#[test]
fn calls_have_their_times_and_the_number_of_their_message() {
    assert_times(
        &claude("success.stream-json"),
        &[
            ("2026-11-21T20:46:46.191Z", Some(72), Some(1)),
            ("2026-11-21T20:46:46.301Z", Some(21), Some(2)),
            ("2026-11-21T20:46:46.4Z", Some(36), Some(3)),
            ("2026-11-21T20:46:46.464Z", Some(276), Some(4)),
            ("2026-11-21T20:46:46.491Z", Some(258), Some(4)),
        ],
    );
    let sub_agent = claude("subagent.forward.stream-json");
    assert_times(
        &sub_agent,
        &[("2026-11-21T21:04:05.476Z", Some(345), Some(1)), ("2026-11-21T21:04:05.626Z", Some(50), Some(1))],
    );
    let session = codex("success.jsonl", 0, Some(&rollout("success.jsonl"))).unwrap();
    assert_times(
        &calls(&session),
        &[
            ("2026-11-21T21:24:17.201Z", Some(147), Some(1)),
            ("2026-11-21T21:24:17.379Z", Some(123), Some(2)),
            ("2026-11-21T21:24:17.527Z", Some(101), Some(3)),
            ("2026-11-21T21:24:17.532Z", Some(130), Some(3)),
            ("2026-11-21T21:24:17.679Z", Some(2), Some(4)),
        ],
    );
    // The stream of codex has no times.
    let none = ("", None, None);
    assert_times(&calls(&codex("success.jsonl", 0, None).unwrap()), &[none; 4]);
    let gemini = of_gemini("success.stream-json", 0, "success.stream-json").unwrap();
    assert_times(
        &calls(&gemini),
        &[
            ("2026-11-21T21:33:34.359Z", Some(69), Some(1)),
            ("2026-11-21T21:33:34.45Z", Some(8), Some(2)),
            ("2026-11-21T21:33:34.485Z", Some(78), Some(3)),
            ("2026-11-21T21:33:34.492Z", Some(71), Some(3)),
            ("2026-11-21T21:33:34.587Z", Some(76), Some(4)),
            ("2026-11-21T21:33:34.587Z", Some(76), Some(4)),
        ],
    );
}
