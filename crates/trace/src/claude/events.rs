//! Events → the transcript of the run.

use std::collections::HashMap;

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use eval_spec::{ExecError, Output};
use jiff::Timestamp;
use serde_json::Value;

use super::results::{SearchCounts, exit_code, has_nothing, is_cancelled};
use crate::calls::{status, time};
use crate::format::{AgentExit, AgentSetup, SkippedRecords, Transcript};

/// A run of `claude`.
#[derive(Debug, Default)]
pub(super) struct ClaudeTranscript {
    /// Its setup; `None` in the format `json`.
    pub(super) setup: Option<AgentSetup>,
    /// Texts of the main thread and all tool calls, in order.
    steps: Vec<Step>,
    /// The last result.
    pub(super) result: Option<Value>,
    /// Whether the agent went on after its last result, as it does when something in the background ends.
    pub(super) goes_on: bool,
    /// The model that wrote the last message of the main thread.
    pub(super) model: Option<String>,
    /// The id of the last API request of the main thread.
    pub(super) request_id: Option<String>,
    /// The CLI's word for an API error, such as `rate_limit`.
    pub(super) error: Option<String>,
    /// When that error was printed.
    pub(super) error_at: Option<Timestamp>,
    /// Wait before the CLI's own last attempt, in milliseconds.
    pub(super) retry_delay_ms: Option<u64>,
    /// End of the subscription's limit that refused a request, in seconds since 1970.
    pub(super) limit_ends: Option<i64>,
    /// The numbers of the messages by their ids, for the main thread and for each sub-agent by the call that started it.
    turns: HashMap<Option<String>, HashMap<String, u32>>,
    calls: HashMap<String, usize>,
}

impl Transcript for ClaudeTranscript {
    fn record(&mut self, mut event: Value) -> bool {
        match event["type"].as_str() {
            Some("system") if event["subtype"] == "init" => {
                self.goes_on = self.result.is_some();
                self.setup = Some(setup(&event));
            }
            Some("assistant") => {
                self.goes_on = self.result.is_some();
                self.assistant(&mut event);
            }
            Some("user") => self.user(&mut event),
            Some("result") => {
                self.goes_on = false;
                self.deny(&event);
                self.result = Some(event);
            }
            Some("system") if event["subtype"] == "api_retry" => self.retry_delay_ms = event["retry_delay_ms"].as_u64(),
            Some("rate_limit_event") => {
                let limit = &event["rate_limit_info"];
                self.limit_ends = limit["resetsAt"].as_i64().filter(|_| limit["status"] == "rejected");
            }
            // Progress and notices; pieces of messages that come whole as well.
            Some("system" | "stream_event") => {}
            _ => return false,
        }
        true
    }

    fn trace(&self) -> Trace {
        Trace { turns: self.turns(), cwd: None, steps: self.steps.clone() }
    }

    fn setup(&self) -> Option<&AgentSetup> {
        self.setup.as_ref()
    }

    fn is_done(&self) -> bool {
        let is_success = |result: &Value| result["is_error"] == false && result["subtype"] == "success";
        !self.goes_on && self.result.as_ref().is_some_and(is_success)
    }

    fn partial(self: Box<Self>) -> Option<Box<Output>> {
        self.interrupted()
    }

    fn finish(self: Box<Self>, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        self.conclude(exit, skipped)
    }
}

impl ClaudeTranscript {
    /// Model turns of the main thread: distinct messages without a parent; `None` when there was no message.
    fn turns(&self) -> Option<u32> {
        self.turns.get(&None).and_then(|turns| u32::try_from(turns.len()).ok())
    }

    /// The number of a message in its thread; the same for the same message again.
    fn turn(&mut self, parent: Option<&String>, message: Option<String>) -> Option<u32> {
        let turns = self.turns.entry(parent.cloned()).or_default();
        let next = u32::try_from(turns.len()).ok()?.saturating_add(1);
        Some(*turns.entry(message?).or_insert(next))
    }

    /// Whether no message of a model was seen.
    pub(super) fn is_without_model(&self) -> bool {
        self.turns.is_empty()
    }

    /// The last text of the main thread.
    pub(super) fn last_text(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Text { text } => Some(text.as_str()),
            Step::Tool(_) => None,
        })
    }

    fn assistant(&mut self, event: &mut Value) {
        let parent = string(&event["parent_tool_use_id"]);
        // A text of the CLI in the model's place.
        let synthetic = event["message"]["model"] == "<synthetic>";
        let mut turn = None;
        if synthetic {
            self.error = string(&event["error"]).or(self.error.take());
            self.error_at = time(&event["timestamp"]).or(self.error_at);
        } else {
            turn = self.turn(parent.as_ref(), string(&event["message"]["id"]));
            if parent.is_none() {
                self.model = string(&event["message"]["model"]).or(self.model.take());
            }
        }
        if parent.is_none() {
            self.request_id = string(&event["request_id"]).or(self.request_id.take());
        }
        let made =
            ToolCall { started_at: time(&event["timestamp"]), turn, parent: parent.clone(), ..ToolCall::default() };
        for block in blocks(event) {
            match block["type"].as_str() {
                Some("text") if parent.is_none() && !synthetic => {
                    self.steps.extend(string(&block["text"]).map(|text| Step::Text { text }));
                }
                Some("tool_use") => self.call(block, made.clone()),
                _ => {}
            }
        }
    }

    /// Calls that were denied: older versions (2.1.197) say so nowhere else.
    fn deny(&mut self, result: &Value) {
        let denials = result["permission_denials"].as_array().into_iter().flatten();
        for at in denials.filter_map(|denial| self.calls.get(denial["tool_use_id"].as_str()?)) {
            if let Some(Step::Tool(call)) = self.steps.get_mut(*at) {
                call.status = Some(ToolStatus::NotRun);
            }
        }
    }

    /// A call, whose message says when and where it was `made`.
    fn call(&mut self, mut block: Value, made: ToolCall) {
        let Some(id) = string(&block["id"]) else { return };
        if self.calls.contains_key(&id) {
            return; // the same block again
        }
        self.calls.insert(id.clone(), self.steps.len());
        let name = string(&block["name"]).unwrap_or_default();
        self.steps.push(Step::Tool(ToolCall { id, name, input: block["input"].take(), ..made }));
    }

    fn user(&mut self, event: &mut Value) {
        let note = note(event);
        let is_run = event["tool_result_meta"][0]["non_execution_kind"].is_null();
        let counts = SearchCounts::of(&event["tool_use_result"]);
        let returned = time(&event["timestamp"]);
        for block in blocks(event) {
            let Some(id) = block["tool_use_id"].as_str() else { continue };
            let Some(&position) = self.calls.get(id) else { continue };
            if let Some(Step::Tool(call)) = self.steps.get_mut(position) {
                let is_error = block["is_error"] == true;
                let text = text_of(&block["content"]);
                let exit_code = exit_code(&call.name, &text, is_error);
                let output = ToolOutput { text, is_error, note: note.clone(), exit_code };
                call.status = Some(match () {
                    () if !is_run || is_cancelled(&output) => ToolStatus::NotRun,
                    () if !is_error && has_nothing(&call.name, &output, &counts) => ToolStatus::NoMatch,
                    () => status(&output),
                });
                call.timed(None, returned);
                call.output = Some(output);
            }
        }
    }
}

/// A tool's result beyond text and error flag: the meaning of the shell's exit code, or the reason why the call was
/// not executed.
fn note(event: &Value) -> Option<String> {
    let read_as = string(&event["tool_use_result"]["returnCodeInterpretation"]);
    read_as.or_else(|| string(&event["tool_result_meta"][0]["non_execution_kind"]))
}

fn blocks(event: &mut Value) -> Vec<Value> {
    match event.pointer_mut("/message/content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => Vec::new(),
    }
}

/// The text of a tool's result: a text, or blocks; a block without text is named by its type.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(block_text).collect::<Vec<_>>().join("\n"),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn block_text(block: &Value) -> String {
    match (block["text"].as_str(), block["type"].as_str()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(kind)) => format!("[{kind}]"),
        (None, None) => block.to_string(),
    }
}

fn setup(event: &Value) -> AgentSetup {
    AgentSetup {
        model: string(&event["model"]),
        version: string(&event["claude_code_version"]),
        skills: Some(list(&event["skills"], string)),
        tools: list(&event["tools"], string),
        plugins: list(&event["plugins"], |plugin| string(&plugin["name"])),
        mcp_servers: list(&event["mcp_servers"], |server| Some((string(&server["name"])?, string(&server["status"])?))),
        memory_paths: event["memory_paths"]
            .as_object()
            .map_or_else(Vec::new, |m| m.values().filter_map(string).collect()),
    }
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    value.as_array().map_or_else(Vec::new, |items| items.iter().filter_map(item).collect())
}

pub(super) fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
