//! What the formats that agents share have in common: texts, times, and what a result tells of its call.

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use serde_json::Value;

use super::SessionEvent;
use crate::calls::status;
use crate::search::{NO_MATCH, finds_nothing};

/// A text, where it is one that isn't empty.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A text, or the texts of parts.
pub(super) fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let of =
                |part: &Value| part.as_str().or(part["text"].as_str()).or(part["content"].as_str()).map(str::to_owned);
            parts.iter().filter_map(of).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The items of a list; nothing for anything else.
pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text that may be JSON, as that.
pub(super) fn unquoted(value: &Value) -> Value {
    let inner = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    inner.filter(|inner: &Value| inner.is_object() || inner.is_array()).unwrap_or_else(|| value.clone())
}

/// How results begin of calls that were refused, or given up for another reason than their own.
const NOT_RUN: [&str; 12] = [
    "[Request interrupted by user",
    "<tool_use_error>Sibling tool call errored",
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected",
    "Tool execution blocked:",
    "Operation aborted",
    "Command aborted",
    "Skipped due to queued user message",
    "exec denied",
    "Permission denied by user",
    "Cancelled by user",
];

/// Whether a result says so of its call.
pub(super) fn says_not_run(text: &str) -> bool {
    NOT_RUN.iter().any(|words| text.starts_with(words))
}

/// How tools say that they found nothing.
const NOTHING: [&str; 5] = ["No matches found", "No files found", "No file found", "No results found", "(no matches)"];

/// The exit code that a result names on its first or last line, and the rest.
fn exit_code(text: &str) -> (Option<i64>, &str) {
    let code = |line: &str| {
        let line = line.trim().trim_matches(['(', ')', '[', ']']);
        let code = line.strip_prefix("Command exited with code").or(line.strip_prefix("Exit code"))?;
        code.trim_start_matches(':').trim().parse().ok()
    };
    let (first, after) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(code) = code(first) {
        return (Some(code), after);
    }
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    code(last).map_or((None, text), |code| (Some(code), before.trim_end()))
}

/// What a call returned, by its words and by what the format tells of it, and how it ended; unknown where neither does.
pub(super) fn outcome(input: &Value, text: &str, is_error: Option<bool>) -> (ToolOutput, Option<ToolStatus>) {
    let (code, rest) = exit_code(text);
    let rest = if rest.trim() == "(no output)" { "" } else { rest };
    let command = input["command"].as_str().or(input["cmd"].as_str());
    let by_words = is_error != Some(true) && NOTHING.iter().any(|words| text.starts_with(words));
    let found_nothing = command.map_or(by_words, |command| finds_nothing(command, code, rest));
    let is_failed = match (is_error, code) {
        (None, None) => None,
        (is_error, code) => Some(is_error == Some(true) || code.is_some_and(|code| code != 0)),
    };
    let output = ToolOutput {
        text: rest.to_owned(),
        is_error: is_failed == Some(true) && !found_nothing,
        note: found_nothing.then(|| NO_MATCH.to_owned()),
        exit_code: code,
    };
    let ended = (found_nothing || is_failed.is_some()).then(|| status(&output));
    let is_run = is_error == Some(false) || !says_not_run(text);
    let ended = if is_run { ended } else { Some(ToolStatus::NotRun) };
    (output, ended)
}

/// The skill that a call loaded by reading its `SKILL.md`, as agents do that have no tool for it.
pub(super) fn loaded_by(call: &ToolCall) -> Option<SessionEvent> {
    let path = skill_file(&call.input)?;
    let directory = path.strip_suffix("/SKILL.md")?;
    let name = directory.rsplit('/').next().filter(|name| !name.is_empty())?;
    let trace = Trace { steps: vec![Step::Tool(call.clone())], ..Trace::default() };
    trace.has_loaded(name).then(|| SessionEvent::SkillLoaded {
        name: name.to_owned(),
        directory: Some(directory.to_owned()),
        chars: call.output.as_ref().map_or(0, |output| output.text.chars().count()),
    })
}

/// The path of a `SKILL.md` that an argument names.
pub(super) fn skill_file(input: &Value) -> Option<&str> {
    match input {
        Value::String(text) => {
            let is_edge =
                |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '=' | '>' | '<' | ';' | '|' | '(' | ')');
            text.split(is_edge).find(|word| word.ends_with("/SKILL.md"))
        }
        Value::Array(all) => all.iter().find_map(skill_file),
        Value::Object(all) => all.values().find_map(skill_file),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The beginning of a document without white space, to look for a key and its value in it.
pub(super) fn compact(head: &str) -> String {
    head.chars().filter(|c| !c.is_whitespace()).collect()
}
