//! The hooks of Claude Code: before a tool runs, its input is replaced by a harmless one, whose result is the mock's.
//!
//! `Bash` and `Read` then do their real work on files that hold the answer, so that the model sees what it would see of a
//! real program or file. `Grep` and `Glob` search nothing, and their result is replaced afterwards, in their own form. A
//! mock that fails sends the call to the question for permission, whose refusal the model gets word by word.

use std::io;
use std::path::Path;

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::mock::MockAnswer;
use serde_json::{Value, json};

use super::agent::AgentMocks;
use super::names::parts;
use super::printing::printing;
use super::recording::{RecordedCall, of_command, of_text, renamed};
use super::session::{MockDecision, MockSession};
use super::stub;

/// The folder of the skills on offer, the same in all variants: it is part of their names.
pub(crate) const PLUGIN: &str = "plugin";

pub(crate) static MOCKS: AgentMocks = AgentMocks {
    answered: &["Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch"],
    answers_any: true,
    fails_any: true,
    tools: &[
        "Bash",
        "Read",
        "Grep",
        "Glob",
        "WebFetch",
        "WebSearch",
        "Write",
        "Edit",
        "NotebookEdit",
        "Skill",
        "Agent",
        "Task",
        "TaskStop",
        "ToolSearch",
        "TodoWrite",
        "SendMessage",
        "ListAgents",
        "Monitor",
        "Workflow",
        "ScheduleWakeup",
        "ReportFindings",
        "EnterWorktree",
        "ExitWorktree",
        "CronCreate",
        "CronDelete",
        "CronList",
    ],
    harmless: &["Skill", "Agent", "Task"],
    artifacts: &[PLUGIN],
    hook,
    asks: stub::PERMISSION,
    asked_as: |_, call| (call.name.clone(), call.input.clone()),
    is_refusal: |output| output.text.starts_with("<tool_use_error>"),
    is_absent: |output| ["does not exist", "No such tool available"].iter().any(|text| output.text.contains(text)),
    is_spoiled,
    shows,
    record,
    always_confined: false,
    is_recorded: true,
};

/// The answer to a hook.
fn hook(session: &MockSession, event: &Value) -> Value {
    let (Some(id), Some(tool)) = (event["tool_use_id"].as_str(), event["tool_name"].as_str()) else {
        return json!({});
    };
    match event["hook_event_name"].as_str() {
        Some("PreToolUse") if parts(tool).is_some() => {
            session.announce(id, &event["tool_input"]);
            permitted(None)
        }
        Some("PreToolUse") => before(session, id, tool, &event["tool_input"]),
        Some(kind @ ("PostToolUse" | "PostToolUseFailure")) => {
            if parts(tool).is_none() {
                session.ran(id, tool, &event["tool_input"]);
            }
            // Of a call that failed, no hook can replace the answer.
            if kind == "PostToolUse" { after(session, id, tool, &event["tool_response"]) } else { json!({}) }
        }
        _ => json!({}),
    }
}

fn before(session: &MockSession, id: &str, tool: &str, input: &Value) -> Value {
    match session.decide(Some(id), tool, input) {
        MockDecision::Pass => json!({}),
        MockDecision::Deny => asked(),
        MockDecision::Answer { answer, .. } => match harmless(session, tool, input, &answer) {
            Ok(Some(harmless)) => {
                session.replaced(id, &harmless);
                permitted(Some(harmless))
            }
            // A disk that is full: the call fails, rather than being made.
            Ok(None) | Err(_) => asked(),
        },
    }
}

fn permitted(input: Option<Value>) -> Value {
    let mut output = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow"});
    if let Some(input) = input {
        output["updatedInput"] = input;
    }
    json!({"hookSpecificOutput": output})
}

/// Sends a call to the question for permission.
fn asked() -> Value {
    let output = json!({"hookEventName": "PreToolUse", "permissionDecision": "ask"});
    json!({"hookSpecificOutput": output})
}

/// The input that the tool gets instead; `None` where the mock fails the call.
fn harmless(session: &MockSession, tool: &str, input: &Value, answer: &MockAnswer) -> io::Result<Option<Value>> {
    if tool == "Bash" {
        let mut other = json!({"command": printing(session, answer)?});
        // What is optional is left out where it is absent: `null` is refused.
        if let Some(description) = input.get("description") {
            other["description"] = description.clone();
        }
        return Ok(Some(other));
    }
    if answer.exit != 0 {
        return Ok(None);
    }
    Ok(match tool {
        "Read" => {
            let path = input["file_path"].as_str().unwrap_or_default();
            // Images and notebooks are told by their names.
            let kind = Path::new(path).extension().and_then(|kind| kind.to_str());
            let is_plain = |kind: &&str| kind.chars().all(char::is_alphanumeric);
            let end = kind.filter(is_plain).map(|kind| format!(".{kind}")).unwrap_or_default();
            let mut other = input.clone();
            other["file_path"] = json!(session.file(&end, &answer.stdout)?);
            Some(other)
        }
        "Grep" | "Glob" => Some(json!({"pattern": "x", "path": session.folder()})),
        _ => None,
    })
}

/// The result of a tool whose input could not hold the answer. That of others is compared with what the model saw in the end.
fn after(session: &MockSession, id: &str, tool: &str, response: &Value) -> Value {
    let Some(MockDecision::Answer { answer, .. }) = session.decided(id) else { return json!({}) };
    let text = answer.text();
    let text = text.trim_end_matches('\n');
    let (result, shown) = match tool {
        "Grep" if matches!(text, "" | "No files found") => {
            (json!({"mode": "files_with_matches", "numFiles": 0, "filenames": []}), "No files found")
        }
        // In this mode, and in no other, its text is the content.
        "Grep" => {
            let content = if text == "No matches found" { "" } else { text };
            let lines = content.lines().count();
            (json!({"mode": "content", "numFiles": 0, "filenames": [], "content": content, "numLines": lines}), text)
        }
        "Glob" if matches!(text, "" | "No files found") => {
            (json!({"filenames": [], "durationMs": 1, "numFiles": 0, "truncated": false}), "No files found")
        }
        "Glob" => {
            let names: Vec<&str> = text.lines().collect();
            (json!({"filenames": names, "durationMs": 1, "numFiles": names.len(), "truncated": false}), text)
        }
        _ => {
            if let Some(text) = expected(tool, response, text) {
                session.expect(id, text);
            }
            return json!({});
        }
    };
    session.expect(id, shown.to_owned());
    json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": result}})
}

/// What the model must see of a tool that ran; `None` where it is no text.
fn expected(tool: &str, response: &Value, answer: &str) -> Option<String> {
    match tool {
        "Bash" if response["isImage"] == true => None,
        // It prints both streams on one, and drops empty lines around them.
        "Bash" => {
            let streams = ["stdout", "stderr"].map(|name| response[name].as_str().unwrap_or_default());
            Some(streams.join("\n").trim_end().to_owned())
        }
        "Read" => response["file"]["content"].as_str().filter(|_| response["type"] == "text").map(str::to_owned),
        _ => Some(answer.to_owned()),
    }
}

/// Whether an error that a tool gave is another one than its mock's: files are told by their names and their content, and
/// hooks of artifacts deny calls in words of their own.
fn is_spoiled(tool: &str, seen: &ToolOutput, answer: &MockAnswer) -> bool {
    // The real tool says the same of a content as long as this, and of a call beside one that failed.
    let is_faithful = ["File content (", "<tool_use_error>Cancelled: "].iter().any(|text| seen.text.starts_with(text));
    match tool {
        "Bash" if answer.exit != 0 => !seen.text.starts_with(&format!("Exit code {}", answer.exit)),
        _ if answer.exit == 0 => !is_faithful,
        _ => !answer.text().is_empty(),
    }
}

/// The length from which a text may be put into a file that the model is told of.
const LONG: usize = 20_000;

/// Whether the model saw this text, in the form that the tool gives it.
fn shows(tool: &str, seen: &ToolOutput, expected: &str) -> bool {
    let text = match tool {
        "Read" if seen.text.starts_with(NOTE) => String::new(),
        "Read" => content(&seen.text, None).unwrap_or_else(|| seen.text.clone()),
        _ if seen.text.ends_with(" completed with no output)") => String::new(),
        _ => seen.text.split_once(&format!("\n\n{NOTE}")).map_or(&*seen.text, |(text, _)| text).to_owned(),
    };
    text.trim_end() == expected.trim_end() || (expected.len() > LONG && seen.text.contains("saved to"))
}

/// How what the agent adds to a result begins.
const NOTE: &str = "<system-reminder>";

/// What a recording makes of a call. A failure in the agent's own words is one in those of a mock.
fn record(call: &ToolCall) -> RecordedCall {
    let Some(output) = &call.output else { return RecordedCall::Left };
    // It refuses wrong calls in the same form as files that settings deny.
    if (MOCKS.is_refusal)(output) {
        let is_denied = output.text.contains("denied by your permission settings");
        return if is_denied { RecordedCall::Denied } else { RecordedCall::Needless };
    }
    if call.status == Some(ToolStatus::NotRun) {
        let is_interrupted = output.text.starts_with("[Request interrupted by user");
        return if is_interrupted { RecordedCall::Left } else { RecordedCall::Denied };
    }
    if MOCKS.harmless.contains(&call.name.as_str()) {
        return RecordedCall::Needless;
    }
    let input = &call.input;
    match call.name.as_str() {
        "Bash" => renamed("Bash", json!({"command": input["command"]}), of_bash(output)),
        "Read" if !output.is_error => match content(&output.text, input["offset"].as_u64()) {
            Some(text) => RecordedCall::Plain(MockAnswer { stdout: text.into_bytes(), ..MockAnswer::default() }),
            None => RecordedCall::Left,
        },
        "WebFetch" => renamed("WebFetch", json!({"url": input["url"]}), of_text(call)),
        "WebSearch" => renamed("WebSearch", json!({"query": input["query"]}), of_text(call)),
        name if MOCKS.answered.contains(&name) || parts(name).is_some() || output.is_error => of_text(call),
        _ => RecordedCall::Left,
    }
}

/// The answer of the shell: its exit code stands before what it printed, and silence has words.
fn of_bash(output: &ToolOutput) -> RecordedCall {
    let code = if output.is_error { output.exit_code } else { Some(0) };
    let text = match output.is_error {
        true => output.text.split_once('\n').map_or("", |(_, text)| text),
        false if output.text == "(Bash completed with no output)" => "",
        false => &output.text,
    };
    of_command(text, code)
}

/// The content of a file from the lines that the model was shown of it, which are numbered; `None` for what is no text. What
/// comes before the first of them was not shown, and is left empty.
fn content(shown: &str, offset: Option<u64>) -> Option<String> {
    let shown = shown.split_once(&format!("\n\n{NOTE}")).map_or(shown, |(lines, _)| lines);
    if shown.starts_with(NOTE) {
        return shown.contains("the contents are empty").then(String::new);
    }
    let text = |line: &str| {
        let line = line.trim_start();
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(['\u{2192}', '\t']).map(str::to_owned)).flatten()
    };
    let lines: Option<Vec<String>> = shown.split('\n').map(text).collect();
    let before = usize::try_from(offset.unwrap_or(1).saturating_sub(1)).ok()?;
    Some("\n".repeat(before) + &lines?.join("\n"))
}
