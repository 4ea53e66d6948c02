//! Events → what is known of the run.

use std::collections::{HashMap, HashSet};

use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use serde_json::Value;

/// Everything worth keeping of a run of `claude`.
#[derive(Debug, Default)]
pub struct Transcript {
    /// How it was set up; `None` in the format `json`.
    pub init: Option<Init>,
    /// Texts of the main thread and all tool calls, in order.
    pub steps: Vec<Step>,
    /// The last result.
    pub result: Option<Value>,
    /// Lines that were not JSON.
    pub unreadable: usize,
    /// The model that wrote the last message of the main thread.
    pub(super) model: Option<String>,
    /// The id of the last API request of the main thread.
    pub(super) request_id: Option<String>,
    /// The CLI's word for an API error, such as `rate_limit`.
    pub(super) error: Option<String>,
    turns: HashSet<String>,
    calls: HashMap<String, usize>,
}

/// How `claude` was set up, as it says itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Init {
    /// The model it uses.
    pub model: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The skills it offers to the model.
    pub skills: Vec<String>,
    /// Its plugins by name.
    pub plugins: Vec<String>,
    /// The MCP servers by name, with their state.
    pub mcp_servers: Vec<(String, String)>,
    /// Where it keeps notes between sessions, if it does.
    pub memory_paths: Vec<String>,
}

impl Transcript {
    /// Takes one event; what it doesn't know it skips.
    pub(super) fn take(&mut self, mut event: Value) {
        match event["type"].as_str() {
            Some("system") if event["subtype"] == "init" => self.init = Some(init(&event)),
            Some("assistant") => self.assistant(&mut event),
            Some("user") => self.user(&mut event),
            Some("result") => self.result = Some(event),
            _ => {}
        }
    }

    /// The trace; the turns are unknown when no message was seen.
    #[must_use]
    pub fn trace(&self) -> Trace {
        Trace { turns: self.turns(), steps: self.steps.clone() }
    }

    /// Model turns of the main thread: distinct messages without a parent.
    #[must_use]
    pub fn turns(&self) -> Option<u32> {
        u32::try_from(self.turns.len()).ok().filter(|&turns| turns > 0)
    }

    /// The last text of the main thread.
    #[must_use]
    pub fn last_text(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Text { text } => Some(text.as_str()),
            Step::Tool(_) => None,
        })
    }

    fn assistant(&mut self, event: &mut Value) {
        let parent = string(&event["parent_tool_use_id"]);
        // The CLI's own words in the model's place.
        let synthetic = event["message"]["model"] == "<synthetic>";
        if synthetic {
            self.error = string(&event["error"]).or(self.error.take());
        } else if parent.is_none() {
            self.turns.extend(string(&event["message"]["id"]));
            self.model = string(&event["message"]["model"]).or(self.model.take());
        }
        if parent.is_none() {
            self.request_id = string(&event["request_id"]).or(self.request_id.take());
        }
        for block in blocks(event) {
            match block["type"].as_str() {
                Some("text") if parent.is_none() && !synthetic => {
                    self.steps.extend(string(&block["text"]).map(|text| Step::Text { text }));
                }
                Some("tool_use") => self.call(block, parent.clone()),
                _ => {}
            }
        }
    }

    fn call(&mut self, mut block: Value, parent: Option<String>) {
        let Some(id) = string(&block["id"]) else { return };
        if self.calls.contains_key(&id) {
            return; // the same block again
        }
        self.calls.insert(id.clone(), self.steps.len());
        let name = string(&block["name"]).unwrap_or_default();
        self.steps.push(Step::Tool(ToolCall {
            id,
            name,
            input: block["input"].take(),
            output: None,
            parent,
            mock: None,
        }));
    }

    fn user(&mut self, event: &mut Value) {
        let note = note(event);
        for block in blocks(event) {
            let Some(id) = block["tool_use_id"].as_str() else { continue };
            let Some(&position) = self.calls.get(id) else { continue };
            if let Some(Step::Tool(call)) = self.steps.get_mut(position) {
                call.output = Some(ToolOutput {
                    text: text_of(&block["content"]),
                    is_error: block["is_error"] == true,
                    note: note.clone(),
                });
            }
        }
    }
}

/// What a tool's result says beyond text and error flag: how the shell's exit code is to be read, or
/// that the call was not executed at all.
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

/// A tool's result is text, or a list of blocks; what is not text is named.
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

fn init(event: &Value) -> Init {
    Init {
        model: string(&event["model"]),
        version: string(&event["claude_code_version"]),
        skills: list(&event["skills"], string),
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
