//! Events of the stream → the transcript of the run.

use std::collections::HashMap;

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace, Usage};
use eval_spec::{ExecError, Output};
use serde_json::{Value, json};

use super::session::CodexSession;
use crate::calls::status;
use crate::format::{AgentExit, AgentSetup, SkippedRecords, Transcript};
use crate::search::{NO_MATCH, finds_nothing};
use crate::sub_agents::nested;

/// A run of `codex exec`.
#[derive(Debug, Default)]
pub(super) struct CodexTranscript {
    steps: Vec<Step>,
    calls: HashMap<String, usize>,
    /// Tokens of the whole run; `None` until it is over.
    usage: Option<Usage>,
    /// Whether the run said that it is over.
    pub(super) is_complete: bool,
    /// Why the run failed.
    pub(super) failed: Option<String>,
    /// The sessions, as far as their files are there: its own, and those of sub-agents.
    sessions: Vec<CodexSession>,
}

impl Transcript for CodexTranscript {
    fn record(&mut self, event: Value) -> bool {
        match event["type"].as_str() {
            Some("thread.started" | "turn.started" | "error") => {}
            Some("item.started" | "item.updated" | "item.completed") => self.item(&event["item"]),
            Some("turn.completed") => {
                self.usage = usage(&event["usage"]);
                self.is_complete = true;
            }
            Some("turn.failed") => {
                self.failed = Some(event["error"]["message"].as_str().unwrap_or_default().to_owned());
            }
            _ => return false,
        }
        true
    }

    fn session_begins(&mut self) {
        self.sessions.push(CodexSession::default());
    }

    fn session_record(&mut self, record: Value) {
        let Some((session, earlier)) = self.sessions.split_last_mut() else { return };
        match earlier.iter().any(|parent| session.is_copied(&record, parent)) {
            true => session.copied(&record),
            false => session.record(record),
        }
    }

    fn trace(&self) -> Trace {
        match self.session().filter(|session| !session.steps().is_empty()) {
            None => Trace { turns: None, cwd: None, steps: nested(self.steps.clone(), self.sub_agents()) },
            Some(session) => {
                Trace { turns: session.turns(), cwd: None, steps: nested(session.steps().to_vec(), self.sub_agents()) }
            }
        }
    }

    fn setup(&self) -> Option<&AgentSetup> {
        self.session()?.setup.as_ref()
    }

    fn is_done(&self) -> bool {
        self.is_complete
    }

    fn usage_by_thread(&self) -> Vec<(Option<String>, Usage)> {
        let model = |session: Option<&CodexSession>| session.and_then(|of| of.setup.as_ref()?.model.clone());
        let main = self.main_usage().map(|usage| (model(self.session()), usage));
        let sub_agents = self.sub_sessions().filter_map(|of| Some((model(Some(of)), of.usage()?)));
        main.into_iter().chain(sub_agents).collect()
    }

    fn partial(self: Box<Self>) -> Option<Box<Output>> {
        self.interrupted()
    }

    fn finish(self: Box<Self>, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        self.conclude(exit, skipped)
    }
}

impl CodexTranscript {
    pub(super) fn streamed(&self) -> &[Step] {
        &self.steps
    }

    /// The session of the run itself.
    pub(super) fn session(&self) -> Option<&CodexSession> {
        self.sessions.iter().find(|session| !session.is_sub_agent)
    }

    fn sub_sessions(&self) -> impl Iterator<Item = &CodexSession> {
        self.sessions.iter().filter(|session| session.is_sub_agent)
    }

    /// The steps of each sub-agent, with the call that started it.
    fn sub_agents(&self) -> Vec<(String, Vec<Step>)> {
        let started_by = |thread: &str| self.sessions.iter().find_map(|session| session.started.get(thread));
        let of = |session: &CodexSession| {
            let thread = session.thread.clone().unwrap_or_default();
            (started_by(&thread).cloned().unwrap_or(thread), session.steps().to_vec())
        };
        self.sub_sessions().map(of).collect()
    }

    /// The stream tells the tokens of the main thread alone.
    fn main_usage(&self) -> Option<Usage> {
        self.usage.or_else(|| self.session()?.usage())
    }

    /// The tokens of all threads.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage_by_thread().into_iter().map(|(_, usage)| usage).reduce(|sum, usage| sum + usage)
    }

    fn item(&mut self, item: &Value) {
        let Some(id) = item["id"].as_str() else { return };
        let step = match item["type"].as_str() {
            Some("agent_message") => {
                let text = item["text"].as_str().unwrap_or_default().to_owned();
                Step::Text { text }
            }
            _ => match tool_call(id, item) {
                Some(call) => Step::Tool(call),
                None => return,
            },
        };
        match self.calls.get(id) {
            Some(&position) => self.steps[position] = step,
            None => {
                self.calls.insert(id.to_owned(), self.steps.len());
                self.steps.push(step);
            }
        }
    }
}

/// The call that an item of the stream describes; `None` for what is no tool: reasoning, plans, warnings.
fn tool_call(id: &str, item: &Value) -> Option<ToolCall> {
    let (name, input) = match item["type"].as_str()? {
        "command_execution" => ("exec_command".to_owned(), json!({"command": item["command"]})),
        "file_change" => ("apply_patch".to_owned(), json!({"changes": item["changes"]})),
        "web_search" => ("web_search".to_owned(), json!({"query": item["query"]})),
        "mcp_tool_call" => {
            let part = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
            (format!("mcp__{}__{}", part("server"), part("tool")), item["arguments"].clone())
        }
        "collab_tool_call" => {
            (item["tool"].as_str().unwrap_or("spawn_agent").to_owned(), json!({"prompt": item["prompt"]}))
        }
        _ => return None,
    };
    let is_over = item["status"].as_str().is_none_or(|status| status != "in_progress");
    let output = is_over.then(|| output_of(item));
    let is_declined = item["status"] == "declined";
    let status = output.as_ref().map(|output| if is_declined { ToolStatus::NotRun } else { status(output) });
    Some(ToolCall { id: id.to_owned(), name, input, output, status, ..ToolCall::default() })
}

fn output_of(item: &Value) -> ToolOutput {
    let text = match (&item["aggregated_output"], &item["error"]["message"], &item["result"]) {
        (Value::String(text), ..) | (_, Value::String(text), _) => text.clone(),
        (_, _, result) => content_text(result),
    };
    let code = item["exit_code"].as_i64();
    let found_nothing = item["command"].as_str().is_some_and(|command| finds_nothing(command, code, &text));
    ToolOutput {
        is_error: item["status"] == "declined" || (item["status"] == "failed" && !found_nothing),
        note: found_nothing.then(|| NO_MATCH.to_owned()),
        exit_code: code,
        text,
    }
}

/// The text of an MCP tool's result.
fn content_text(result: &Value) -> String {
    let blocks = result["content"].as_array().map_or(&[][..], Vec::as_slice);
    blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

/// Input tokens come with those of the cache among them; here they are apart.
pub(crate) fn usage(usage: &Value) -> Option<Usage> {
    let tokens = |name: &str| usage[name].as_u64();
    let (read, written) = (tokens("cached_input_tokens").unwrap_or(0), tokens("cache_write_input_tokens").unwrap_or(0));
    Some(Usage {
        input_tokens: tokens("input_tokens")?.saturating_sub(read).saturating_sub(written),
        output_tokens: tokens("output_tokens")?,
        cache_read_tokens: read,
        cache_write_tokens: written,
    })
}
