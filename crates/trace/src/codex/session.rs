//! The file of a session, or of a sub-agent's → its trace, model, requests and tokens.

use std::collections::{HashMap, HashSet};

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Usage};
use eval_spec::halves::read_mended;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::events::usage;
use crate::calls::{status, time};
use crate::format::AgentSetup;
use crate::search::{NO_MATCH, finds_nothing};

#[derive(Debug, Default)]
pub(super) struct CodexSession {
    /// The id of its thread; `None` until the file tells.
    pub(super) thread: Option<String>,
    /// Whether it is a sub-agent's.
    pub(super) is_sub_agent: bool,
    /// The calls that started sub-agents, by the ids of their threads.
    pub(super) started: HashMap<String, String>,
    /// The number of the first record of its own: what a sub-agent knows of its parent's thread is written again before.
    begins: u64,
    steps: Vec<Step>,
    calls: HashMap<String, usize>,
    /// Answers of the model, by the id of the response.
    responses: HashSet<String>,
    /// Tokens of its own answers.
    usage: Option<Usage>,
    /// Sums of tokens that its file holds, in order; those of a copy before its own.
    sums: Vec<Usage>,
    /// Whether its file begins with a copy of its parent's: the parent's header follows its own.
    has_copy: bool,
    /// Its version and model; `None` without the file.
    pub(super) setup: Option<AgentSetup>,
    /// The id of the last response.
    pub(super) response: Option<String>,
}

impl CodexSession {
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Requests that were answered; `None` when there was none.
    pub(super) fn turns(&self) -> Option<u32> {
        u32::try_from(self.responses.len()).ok().filter(|&turns| turns > 0)
    }

    /// The tokens of all answers.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    pub(super) fn record(&mut self, mut line: Value) {
        let (payload, now) = (line["payload"].take(), time(&line["timestamp"]));
        if self.thread.is_none() && line["type"] == "session_meta" {
            return self.header(&payload);
        }
        self.has_copy |= line["type"] == "session_meta" && self.is_sub_agent && self.begins == 0;
        if line["ordinal"].as_u64().is_some_and(|number| number < self.begins) {
            return;
        }
        match (line["type"].as_str(), payload["type"].as_str()) {
            (Some("turn_context"), _) => {
                let model = &mut self.setup.get_or_insert_default().model;
                *model = text(&payload["model"]).or(model.take());
            }
            (Some("token_usage_record"), _) => {
                self.response = text(&payload["response_id"]).or(self.response.take());
                self.responses.extend(text(&payload["response_id"]));
            }
            (Some("event_msg"), Some("token_count")) => {
                if let Some(sum) = usage(&payload["info"]["total_token_usage"]) {
                    self.add(sum, usage(&payload["info"]["last_token_usage"]));
                }
            }
            (Some("event_msg"), Some("item_completed")) => self.completed(&payload["item"]),
            (Some("response_item"), Some("message")) if payload["role"] == "assistant" => {
                let parts = payload["content"].as_array().map_or(&[][..], Vec::as_slice);
                let said: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
                self.steps.push(Step::Text { text: said });
            }
            (Some("response_item"), Some("function_call" | "custom_tool_call")) => self.call(&payload, now),
            (Some("response_item"), Some("function_call_output" | "custom_tool_call_output")) => {
                self.output(&payload, now);
            }
            _ => {}
        }
    }

    /// Whether the record is the parent's: before 0.169 the file of a sub-agent may begin with a copy, and nothing says where it ends.
    pub(super) fn is_copied(&self, line: &Value, parent: &CodexSession) -> bool {
        let payload = &line["payload"];
        let sum = || usage(&payload["info"]["total_token_usage"]).filter(|sum| *sum != Usage::default());
        let is_of_parent = match payload["type"].as_str() {
            Some("token_count") => sum().is_some_and(|sum| parent.sums.contains(&sum)),
            _ => payload["call_id"].as_str().is_some_and(|id| parent.calls.contains_key(id)),
        };
        self.has_copy && is_of_parent
    }

    /// Forgets what came before the last record of a copy: it is the parent's, too.
    pub(super) fn copied(&mut self, line: &Value) {
        self.steps.clear();
        self.calls.clear();
        self.responses.clear();
        self.usage = None;
        self.sums.extend(usage(&line["payload"]["info"]["total_token_usage"]));
    }

    /// Adds an answer's tokens: what the sum has grown by. After a copy or a compaction it may be smaller, or not the copy's.
    fn add(&mut self, sum: Usage, last: Option<Usage>) {
        let before = self.sums.last().copied().unwrap_or_default();
        let is_first = self.usage.is_none() && !self.sums.is_empty();
        let is_smaller = sum.total_input() < before.total_input() || sum.output_tokens < before.output_tokens;
        let added = if is_first || is_smaller { last.unwrap_or(sum) } else { difference(sum, before) };
        if sum != before {
            self.usage = Some(self.usage.unwrap_or_default() + added);
            self.sums.push(sum);
        }
    }

    fn header(&mut self, payload: &Value) {
        self.thread = text(&payload["id"]);
        self.setup.get_or_insert_default().version = text(&payload["cli_version"]);
        // Older versions name the parent in the source alone.
        self.is_sub_agent = payload["parent_thread_id"].is_string() || payload["source"]["subagent"].is_object();
        self.begins = payload["subagent_history_start_ordinal"].as_u64().unwrap_or(0);
    }

    fn call(&mut self, payload: &Value, started_at: Option<Timestamp>) {
        if let Some(call) = called(payload) {
            self.push(ToolCall { started_at, ..call });
        }
    }

    fn push(&mut self, call: ToolCall) {
        self.calls.insert(call.id.clone(), self.steps.len());
        // The response is counted after its calls.
        let turn = u32::try_from(self.responses.len()).ok().and_then(|turns| turns.checked_add(1));
        self.steps.push(Step::Tool(ToolCall { turn, ..call }));
    }

    fn made(&mut self, id: &Value) -> Option<&mut ToolCall> {
        match self.steps.get_mut(*self.calls.get(id.as_str()?)?)? {
            Step::Tool(call) => Some(call),
            Step::Text { .. } => None,
        }
    }

    /// What the model was given; how the command ended is told beside it, or before its text.
    fn output(&mut self, payload: &Value, returned: Option<Timestamp>) {
        let Some(call) = self.made(&payload["call_id"]) else { return };
        let before = call.output.take().and(call.status);
        let (output, status) = outcome(&call.input, &given(&payload["output"]), before);
        call.status = Some(status);
        call.timed(None, returned);
        call.output = Some(output);
    }

    /// Whether a tool failed, where its output doesn't tell; which sub-agent it started; what a script of the model called.
    fn completed(&mut self, item: &Value) {
        if item["tool"] == "spawn_agent" {
            let threads = item["receiver_thread_ids"].as_array().into_iter().flatten().filter_map(text);
            self.started.extend(threads.zip(text(&item["id"])));
        }
        let is_known = item["id"].as_str().is_none_or(|id| self.calls.contains_key(id));
        if let Some(call) = (!is_known).then(|| called_by_script(item)).flatten() {
            // Scripts run one at a time.
            let is_script = |step: &&Step| matches!(step, Step::Tool(of) if of.name == "exec" && of.output.is_none());
            if let Some(Step::Tool(script)) = self.steps.iter().rfind(is_script) {
                let parent = Some(script.id.clone());
                self.push(ToolCall { parent, ..call });
            }
            return;
        }
        let ended = failed(item);
        if let Some(call) = self.made(&item["id"]).filter(|call| call.output.is_none() && ended.is_some()) {
            call.output = Some(ToolOutput { text: String::new(), is_error: true, ..ToolOutput::default() });
            call.status = ended;
        }
    }
}

/// Tokens by which a sum has grown.
pub(crate) fn difference(sum: Usage, before: Usage) -> Usage {
    Usage {
        input_tokens: sum.input_tokens.saturating_sub(before.input_tokens),
        output_tokens: sum.output_tokens.saturating_sub(before.output_tokens),
        cache_read_tokens: sum.cache_read_tokens.saturating_sub(before.cache_read_tokens),
        cache_write_tokens: sum.cache_write_tokens.saturating_sub(before.cache_write_tokens),
    }
}

/// The call that a record of the model's answer holds.
pub(crate) fn called(payload: &Value) -> Option<ToolCall> {
    let id = text(&payload["call_id"])?;
    // Arguments are JSON in a string; those of a tool with free text are that text.
    let arguments = payload["arguments"].as_str().or(payload["input"].as_str()).unwrap_or_default();
    let input = read_mended(arguments).unwrap_or_else(|_| json!({"input": arguments}));
    let name = text(&payload["name"]).unwrap_or_default();
    // Tools of servers stand in the namespace of theirs: `mcp__SERVER`.
    let server = payload["namespace"].as_str().filter(|space| space.starts_with("mcp__"));
    let name = server.map(|server| format!("{server}__{name}")).unwrap_or(name);
    Some(ToolCall { id, name, input, ..ToolCall::default() })
}

/// How an item says that its call failed or was declined.
pub(crate) fn failed(item: &Value) -> Option<ToolStatus> {
    match item["status"].as_str()? {
        "declined" => Some(ToolStatus::NotRun),
        "failed" => Some(ToolStatus::Failed),
        _ => None,
    }
}

/// What the model is given of a call that was refused before it ran: by the program, and by a hook or the user.
const UNABLE: [&str; 4] =
    ["unsupported call:", "failed to parse function arguments", "apply_patch verification failed", "execution error:"];
const REFUSED: [&str; 6] = [
    "Command blocked by PreToolUse hook:",
    "Tool call blocked by PreToolUse hook:",
    "exec command rejected by user",
    "patch rejected by user",
    "aborted by user",
    "rejected by user",
];

/// What a call returned, by its input and what the model was given, and how it ended; `told` is what an item before said.
pub(crate) fn outcome(input: &Value, given: &str, told: Option<ToolStatus>) -> (ToolOutput, ToolStatus) {
    let begins = |with: &[&str]| with.iter().any(|text| given.starts_with(text));
    let (code, text) = unwrapped(given);
    let command = command(input);
    let found_nothing = command.is_some_and(|command| finds_nothing(&command, code, &text));
    let is_denied = told == Some(ToolStatus::NotRun) || begins(&REFUSED) || given == "aborted";
    let is_failed = told == Some(ToolStatus::Failed) || begins(&UNABLE) || code.is_some_and(|code| code != 0);
    let output = ToolOutput {
        is_error: !found_nothing && (is_denied || is_failed),
        note: if found_nothing { Some(NO_MATCH.to_owned()) } else { still_running(given) },
        exit_code: code,
        text,
    };
    let status = if is_denied { ToolStatus::NotRun } else { status(&output) };
    (output, status)
}

/// The command line of a call of the shell; older versions have it as words.
fn command(input: &Value) -> Option<String> {
    let of = if input["cmd"].is_null() { &input["command"] } else { &input["cmd"] };
    let words = || Some(of.as_array()?.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
    of.as_str().map(str::to_owned).or_else(words)
}

/// What the model was given as a text. That of a server stands behind a line about the time it took.
pub(crate) fn given(output: &Value) -> String {
    let parts = output.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    match (output, &texts[..]) {
        (Value::String(given), _) => given.clone(),
        (_, []) => text(&output["content"]).unwrap_or_else(|| output.to_string()),
        (_, [first, rest @ ..]) if first.starts_with("Wall time") && !rest.is_empty() => rest.join("\n"),
        (_, texts) => texts.join("\n"),
    }
}

/// The call that an item describes, where the model made it from a script.
pub(crate) fn called_by_script(item: &Value) -> Option<ToolCall> {
    let (name, input, text, code) = match item["type"].as_str()? {
        "CommandExecution" => {
            let command = item["command"].as_array().and_then(|words| words.last()).unwrap_or(&item["command"]);
            let text = item["aggregated_output"].as_str().unwrap_or_default().to_owned();
            ("exec_command".to_owned(), json!({"command": command}), text, item["exit_code"].as_i64())
        }
        "McpToolCall" => {
            let part = |name: &str| item[name].as_str().unwrap_or_default();
            let name = format!("mcp__{}__{}", part("server"), part("tool"));
            let text = given(&item["result"]["content"]);
            let text = item["error"]["message"].as_str().map_or(text, str::to_owned);
            (name, item["arguments"].clone(), text, None)
        }
        _ => return None,
    };
    let found_nothing = input["command"].as_str().is_some_and(|command| finds_nothing(command, code, &text));
    let is_error = item["status"] != "completed" && !found_nothing;
    let output = ToolOutput { text, is_error, note: found_nothing.then(|| NO_MATCH.to_owned()), exit_code: code };
    let (id, status) = (item["id"].as_str()?.to_owned(), Some(status(&output)));
    Some(ToolCall { id, name, input, output: Some(output), status, ..ToolCall::default() })
}

/// The exit code and the text of a command's output as the model is given it: a few lines about the process, then
/// `Output:` and the text. Older versions give an object.
fn unwrapped(given: &str) -> (Option<i64>, String) {
    let parts = given.split_once("\nOutput:\n");
    let parts = parts.filter(|(about, _)| about.starts_with("Chunk ID:") || about.starts_with("Exit code: "));
    if let Some((about, text)) = parts {
        let code = |line: &str| {
            let code = line.strip_prefix("Process exited with code ").or(line.strip_prefix("Exit code: "))?;
            code.trim().parse().ok()
        };
        return (about.lines().find_map(code), text.to_owned());
    }
    let old = given.starts_with("{\"output\":").then(|| read_mended::<Value>(given).ok()).flatten();
    let old = old.and_then(|old| Some((old["metadata"]["exit_code"].as_i64(), text(&old["output"])?)));
    old.unwrap_or_else(|| (None, given.to_owned()))
}

/// The line that says that a command goes on after its call: its output so far isn't all of it.
fn still_running(given: &str) -> Option<String> {
    let about = given.split_once("\nOutput:\n").map_or(given, |(about, _)| about);
    let is_note = |line: &&str| line.starts_with("Process running with session ID");
    about.lines().find(is_note).map(str::to_owned)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
