//! Trajectories of SWE-agent (`.traj`) and mini-swe-agent (`.traj.json`): one document.
//!
//! - SWE-agent has steps of a thought, an action and what came of it; its `history` has the calls as the model made them;
//! - a result has no exit code, except in mini-swe-agent;
//! - tokens are those of the whole: they are the last answer's.

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus, Usage};
use serde_json::{Value, json};

use super::documents::Documents;
use super::told::{compact, items, outcome, text, texts, unquoted};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "swe-agent",
    source: "SWE-agent's (1.1) and mini-swe-agent's (1.1) trajectories",
    extensions: &[".traj", ".traj.json"],
    is_one: |head| {
        let head = compact(head);
        let keys =
            ["\"trajectory\":[", "\"trajectory_format\":\"mini-swe-agent", "\"mini_version\":", "\"model_stats\":{"];
        head.starts_with('{') && keys.iter().any(|key| head.contains(key))
    },
    reader: || Box::new(SweAgentReader::default()),
};

#[derive(Debug, Default)]
struct SweAgentReader {
    documents: Documents,
}

impl SessionReader for SweAgentReader {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        self.documents.line(line, &mut |document| run(&document, events))
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        self.documents.end(&mut |document| run(&document, events))
    }
}

fn run(of: &Value, events: &mut Vec<SessionEvent>) -> LineKind {
    let before = events.len();
    let info = &of["info"];
    events.push(SessionEvent::Info(SessionInfo {
        id: text(&of["instance_id"]).or(text(&of["environment"])),
        version: text(&info["swe_agent_version"]).or(text(&info["mini_version"])),
        ..SessionInfo::default()
    }));
    match (&of["trajectory"], &of["messages"]) {
        (Value::Array(steps), _) => swe_agent(steps, items(&of["history"]), events),
        (_, Value::Array(messages)) => mini(messages, events),
        _ => {
            events.truncate(before);
            return LineKind::Unknown;
        }
    }
    let last = events[before..].iter_mut().rev().find_map(|event| match event {
        SessionEvent::Message(piece) => Some(piece),
        _ => None,
    });
    if let Some(last) = last.filter(|last| last.usage.is_none()) {
        let stats = &info["model_stats"];
        last.usage = stats["tokens_sent"].as_u64().map(|input_tokens| Usage {
            input_tokens,
            output_tokens: stats["tokens_received"].as_u64().unwrap_or(0),
            ..Usage::default()
        });
    }
    LineKind::Known
}

/// Steps in order; the calls are those of the history, where it has an answer for each step.
fn swe_agent(steps: &[Value], history: &[Value], events: &mut Vec<SessionEvent>) {
    let own = || history.iter().filter(|item| item["is_demo"] != true);
    let asked = own().find(|item| item["role"] == "user").map(|item| texts(&item["content"]));
    events.extend(asked.map(|text| SessionEvent::Prompt { id: None, at: None, text }));
    let answers: Vec<&Value> = own().filter(|item| item["role"] == "assistant").collect();
    for (place, (step, turn)) in steps.iter().zip(1..).enumerate() {
        let thought = texts(&step["thought"]);
        let said = if thought.is_empty() { texts(&step["response"]) } else { thought };
        events.push(SessionEvent::Message(MessagePiece { text: said, ..MessagePiece::default() }));
        let action = texts(&step["action"]);
        if action.trim().is_empty() {
            continue;
        }
        let answer = answers.get(place).filter(|answer| answer["action"] == step["action"]);
        let (id, name, input) =
            answer.and_then(|answer| made(&answer["tool_calls"][0])).unwrap_or_else(|| typed(&action));
        let id = id.unwrap_or_else(|| format!("step-{turn}"));
        let (output, status) = observed(&input, &texts(&step["observation"]));
        let call = ToolCall { id, name, input, output: Some(output), status, turn: Some(turn), ..ToolCall::default() };
        events.push(SessionEvent::Call { message: None, call });
    }
}

type MadeCall = (Option<String>, String, Value);

fn made(call: &Value) -> Option<MadeCall> {
    let function = &call["function"];
    Some((text(&call["id"]), text(&function["name"])?, unquoted(&function["arguments"])))
}

/// Commands of SWE-agent that are tools of their own; all others are the shell's.
const COMMANDS: [&str; 13] = [
    "str_replace_editor",
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "insert",
    "find_file",
    "search_file",
    "search_dir",
    "filemap",
    "submit",
];

fn typed(action: &str) -> MadeCall {
    let action = action.trim();
    let first = action.split_whitespace().next().unwrap_or_default();
    let name = if COMMANDS.contains(&first) { first } else { "bash" };
    (None, name.to_owned(), json!({ "command": action }))
}

fn observed(input: &Value, given: &str) -> (ToolOutput, Option<ToolStatus>) {
    let (output, status) = outcome(input, given, None);
    let is_stopped = given.starts_with("The command") && given.contains("was cancelled because it took more than");
    let is_blocked = given.starts_with("Operation '") && given.contains("is not supported by this environment");
    match () {
        () if is_blocked => (ToolOutput { is_error: true, ..output }, Some(ToolStatus::NotRun)),
        () if is_stopped => (ToolOutput { is_error: true, ..output }, Some(ToolStatus::Failed)),
        () if ["No matches found", "No files found"].iter().any(|words| given.starts_with(words)) => {
            (output, Some(ToolStatus::NoMatch))
        }
        () => (output, status),
    }
}

/// Messages in order: the first of the user's is the task, the others are results.
fn mini(messages: &[Value], events: &mut Vec<SessionEvent>) {
    let asked = messages.iter().find(|message| message["role"] == "user").map(|message| texts(&message["content"]));
    events.extend(asked.map(|text| SessionEvent::Prompt { id: None, at: None, text }));
    let mut turn = 0;
    for (place, message) in messages.iter().enumerate().filter(|(_, message)| message["role"] == "assistant") {
        turn += 1;
        events.push(SessionEvent::Message(MessagePiece {
            text: texts(&message["content"]),
            usage: mini_tokens(&message["extra"]["response"]["usage"]),
            ..MessagePiece::default()
        }));
        let after = messages[place + 1..].iter().take_while(|message| message["role"] != "assistant");
        let results: Vec<&Value> = after.filter(|message| message["role"] != "system").collect();
        for (number, (id, command)) in actions(message).into_iter().enumerate() {
            let own = results.iter().find(|result| id.is_some() && text(&result["tool_call_id"]) == id);
            let result = own.or_else(|| results.get(number).filter(|result| result["tool_call_id"].is_null()));
            let input = json!({ "command": command });
            let ended = result.map(|result| mini_result(&input, result));
            let (output, status) = ended.map_or((None, None), |(output, status)| (Some(output), status));
            let id = id.unwrap_or_else(|| format!("step-{turn}-{number}"));
            let name = "bash".to_owned();
            let call = ToolCall { id, name, input, output, status, turn: Some(turn), ..ToolCall::default() };
            events.push(SessionEvent::Call { message: None, call });
        }
    }
}

/// The commands of an answer, with the ids of their calls; older versions have one in a block of code.
fn actions(message: &Value) -> Vec<(Option<String>, String)> {
    let listed = items(&message["extra"]["actions"]).iter();
    let command = |action: &Value| Some((text(&action["tool_call_id"]), text(&action["command"]).or(text(action))?));
    let listed: Vec<_> = listed.filter_map(command).collect();
    if !listed.is_empty() {
        return listed;
    }
    let said = texts(&message["content"]);
    let block = said.split_once("```bash\n").and_then(|(_, rest)| Some(rest.split_once("\n```")?.0.to_owned()));
    block.map(|command| (None, command)).into_iter().collect()
}

fn mini_result(input: &Value, result: &Value) -> (ToolOutput, Option<ToolStatus>) {
    let given = texts(&result["content"]);
    let code =
        given.split_once("<returncode>").and_then(|(_, rest)| rest.split_once("</returncode>")?.0.trim().parse().ok());
    let code = result["extra"]["returncode"].as_i64().or(code);
    let inner =
        given.split_once("<output>").map(|(_, rest)| rest.split_once("</output>").map_or(rest, |(inner, _)| inner));
    let shown = inner.unwrap_or(&given).trim_start_matches('\n');
    match code {
        Some(code) => outcome(input, &format!("Exit code {code}\n{shown}"), None),
        None => observed(input, shown),
    }
}

fn mini_tokens(of: &Value) -> Option<Usage> {
    let input = of["prompt_tokens"].as_u64()?;
    let read = of["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
    Some(Usage {
        input_tokens: input.saturating_sub(read),
        output_tokens: of["completion_tokens"].as_u64().unwrap_or(0),
        cache_read_tokens: read,
        cache_write_tokens: 0,
    })
}
