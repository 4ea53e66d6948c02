//! The hooks of Claude Code: before a tool runs, its input is replaced by a harmless one, whose result is the mock's.
//!
//! `Bash` and `Read` then do their real work on files that hold the answer, so that the model sees what it would see of a
//! real program or file. `Grep` and `Glob` search nothing, and their result is replaced afterwards, in their own form. A
//! mock that fails sends the call to the question for permission, whose refusal the model gets word by word.

use std::io;
use std::path::Path;

use eval_spec::mock::MockAnswer;
use serde_json::{Value, json};

use super::printing::printing;
use super::session::{MockDecision, MockSession};
use super::stub::parts;
use super::{AgentMocks, stub};

/// The folder of the skills on offer, the same in all variants: it is part of their names.
pub(crate) const PLUGIN: &str = "plugin";

pub(crate) static MOCKS: AgentMocks = AgentMocks {
    answered: &["Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch"],
    answers_any: true,
    fails_any: true,
    harmless: &["Skill", "Agent", "Task"],
    artifacts: &[PLUGIN],
    hook,
    asks: stub::PERMISSION,
    asked_as: |_, call| (call.name.clone(), call.input.clone()),
    is_refusal: |output| output.text.starts_with("<tool_use_error>"),
    is_absent: |output| output.text.contains("does not exist"),
};

/// The answer to a hook.
fn hook(session: &MockSession, event: &Value) -> Value {
    let (Some(id), Some(tool)) = (event["tool_use_id"].as_str(), event["tool_name"].as_str()) else {
        return json!({});
    };
    match event["hook_event_name"].as_str() {
        Some("PreToolUse") if parts(tool).is_some() => permitted(None),
        Some("PreToolUse") => before(session, id, tool, &event["tool_input"]),
        Some("PostToolUse") => after(session, id, tool),
        _ => json!({}),
    }
}

fn before(session: &MockSession, id: &str, tool: &str, input: &Value) -> Value {
    match session.decide(Some(id), tool, input) {
        MockDecision::Pass => json!({}),
        MockDecision::Deny => asked(),
        MockDecision::Answer { answer, .. } => match harmless(session, tool, input, &answer) {
            Ok(Some(harmless)) => permitted(Some(harmless)),
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
        return Ok(Some(json!({"command": printing(session, answer)?, "description": input["description"]})));
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

/// The result of a tool whose input could not hold the answer.
fn after(session: &MockSession, id: &str, tool: &str) -> Value {
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
        _ => return json!({}),
    };
    session.expect(id, shown.to_owned());
    json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": result}})
}
