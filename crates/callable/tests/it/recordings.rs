//! Recorded servers of the Model Context Protocol, each answer of a tool a row.

use std::path::PathBuf;
use std::time::Duration;

use eval_spec::{ExecError, Output};
use serde_json::Value;
use testkit::{FakeApi, FakeReply, ReplyScript, Request};

use crate::mcp::{asking, executor, plain};
use crate::world;

/// Recording | tool (`-` is none: the error lists all) | its input | answer, or failure and how it begins.
/// Written down from the raw messages.
const ROWS: &str = r##"
everything.http.jsonl | echo | {"message":"hi"} | "Echo: hi"
everything.http.jsonl | get-sum | {"a":2,"b":3} | "The sum of 2 and 3 is 5."
everything.http.jsonl | echo | {} | skill: MCP error -32602: Input validation error: Invalid argume
everything.stdio.1999-01-01.jsonl | - | {} | skill: echo, get-annotated-message, get-env, get-resource-links
everything.stdio.2024-11-05.jsonl | - | {} | skill: echo, get-annotated-message, get-env, get-resource-links
everything.stdio.2025-03-26.jsonl | - | {} | skill: echo, get-annotated-message, get-env, get-resource-links
everything.stdio.2025-11-25.jsonl | - | {} | skill: echo, get-annotated-message, get-env, get-resource-links
everything.stdio.2026-07-28.jsonl | - | {} | skill: echo, get-annotated-message, get-env, get-resource-links
everything.stdio.jsonl | echo | {"message":"hi"} | "Echo: hi"
everything.stdio.jsonl | get-sum | {"a":2,"b":3} | "The sum of 2 and 3 is 5."
everything.stdio.jsonl | echo | {} | skill: MCP error -32602: Input validation error: Invalid argume
everything.stdio.jsonl | no_such | {} | skill: MCP error -32602: Tool no_such not found
filesystem.stdio.jsonl | read_text_file | {"path":"/home/dev/demo-project/docs/rules.md"} | {"content":"# Rules\n1. Always answer in one line.\n2. The magic number is 42.\n"}
filesystem.stdio.jsonl | read_text_file | {"path":"/home/dev/demo-project/docs/missing.md"} | skill: ENOENT: no such file or directory, open '/home/dev/demo-
filesystem.stdio.jsonl | read_text_file | {"path":"/etc/passwd"} | skill: Access denied - path outside allowed directories: /etc/p
filesystem.stdio.jsonl | search_files | {"path":"/home/dev/demo-project","pattern":"zzz"} | {"content":"No matches found"}
python-mcp.http.jsonl | add | {"a":2,"b":3} | {"result":5}
python-mcp.http.jsonl | boom | {"x":"y"} | skill: Error executing tool boom
python-mcp.stdio.2025-11-25.jsonl | - | {} | skill: add, boom
python-mcp.stdio.2026-07-28.jsonl | - | {} | skill: add, boom
python-mcp.stdio.jsonl | add | {"a":2,"b":3} | {"result":5}
python-mcp.stdio.jsonl | boom | {"x":"y"} | skill: Error executing tool boom
python-mcp.stdio.jsonl | add | {"a":"q"} | skill: Error executing tool add: 2 validation errors for addArg
"##;

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/mcp"].iter().collect()
}

fn lines(recording: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join(recording)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn told(result: Result<Output, ExecError>) -> String {
    match result {
        Ok(output) => output.text,
        Err(error) => {
            let failure = serde_json::to_value(error.failure).unwrap();
            let words: String = error.detail.unwrap_or_default().chars().take(56).collect();
            format!("{}: {}", failure.as_str().unwrap(), words.trim_end())
        }
    }
}

/// The server of a recording on the network, which wants its session back.
fn served(recording: &str) -> FakeApi {
    let lines = lines(recording);
    let session = lines[1]["headers"]["mcp-session-id"].as_str().unwrap().to_owned();
    FakeApi::start(ReplyScript::with(move |request| reply(&lines, &session, request)))
}

fn reply(lines: &[Value], session: &str, request: &Request) -> FakeReply {
    let asked = &request.body;
    let is_first = asked["method"] == "initialize";
    if request.method != "POST" || (!is_first && request.headers.get("mcp-session-id").is_none_or(|of| of != session)) {
        return FakeReply::raw(405, "");
    }
    let is_same = |line: &&Value| {
        let (said, params) = (&line["msg"], &line["msg"]["params"]);
        let is_call = said["method"] == "tools/call";
        said["method"] == asked["method"]
            && (!is_call || ["name", "arguments"].iter().all(|part| params[part] == asked["params"][part]))
    };
    let Some(at) = lines.iter().position(|line| is_same(&line)) else { return FakeReply::raw(500, "not recorded") };
    let mut answer = lines[at + 1]["msg"].clone();
    if answer["_empty"].is_number() {
        return FakeReply::raw(202, "");
    }
    answer["id"] = asked["id"].clone();
    let reply = FakeReply::raw(200, format!("event: message\ndata: {answer}\n\n"));
    reply.header("content-type", "text/event-stream").header("mcp-session-id", session)
}

#[tokio::test]
async fn every_recorded_answer_of_a_tool_comes_as_its_row_says() {
    for row in ROWS.trim().lines() {
        let [recording, tool, input, expected] = row.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let service = recording.contains(".http.").then(|| served(recording));
        let entrypoint = match &service {
            Some(service) => format!("{}/mcp", service.url),
            None => format!("python3 '{0}/replay.py' '{0}/{recording}'", folder().display()),
        };
        let mut skill = plain("recorded", &folder(), &entrypoint);
        skill.config.tool = (tool != "-").then(|| tool.to_owned());
        let input: Value = serde_json::from_str(input).unwrap();
        let result = executor(&skill, &world(&[])).unwrap().call(&asking(&input, Duration::from_secs(60))).await;
        assert_eq!(told(result), expected, "{recording}, {tool}");
    }
}

#[test]
fn every_recording_and_every_recorded_call_has_a_row() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for recording in files.filter(|name| name.ends_with(".jsonl")) {
        let is_call = |line: &&Value| line["dir"] == "->" && line["msg"]["method"] == "tools/call";
        let calls = lines(&recording).iter().filter(is_call).count();
        let rows = ROWS.lines().filter(|row| row.starts_with(&format!("{recording} | "))).count();
        assert_eq!(rows, calls.max(1), "{recording}");
    }
}
