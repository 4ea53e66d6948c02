//! Events of the stream → the transcript of the run.

use std::collections::HashMap;

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use eval_spec::{ExecError, Output};
use serde_json::{Value, json};

use super::session::GeminiSession;
use crate::calls::{status, time};
use crate::format::{AgentExit, AgentSetup, SkippedRecords, Transcript};
use crate::sub_agents::nested;

/// A run of `gemini`.
#[derive(Debug, Default)]
pub(super) struct GeminiTranscript {
    steps: Vec<Step>,
    calls: HashMap<String, usize>,
    /// The model that was asked.
    pub(super) model: Option<String>,
    /// Errors on the way, in order.
    pub(super) errors: Vec<String>,
    /// The end.
    pub(super) result: Option<Value>,
    /// The sessions, as far as their files are there: its own, and those of sub-agents.
    sessions: Vec<GeminiSession>,
}

impl Transcript for GeminiTranscript {
    fn record(&mut self, event: Value) -> bool {
        match event["type"].as_str() {
            Some("init") => self.model = event["model"].as_str().map(str::to_owned),
            Some("message") if event["role"] == "assistant" => {
                self.text(event["content"].as_str().unwrap_or_default(), event["delta"] == true);
            }
            Some("message") => {}
            Some("tool_use") => self.call(&event),
            Some("tool_result") => self.returned(&event),
            Some("error") => self.errors.extend(event["message"].as_str().map(str::to_owned)),
            // A line that was cut has no status.
            Some("result") if event["status"].is_string() => self.result = Some(event),
            // The format `json`: nothing but the end.
            None if event["session_id"].is_string() && event["stats"].is_object() => self.end(&event),
            _ => return false,
        }
        true
    }

    fn session_begins(&mut self) {
        self.sessions.push(GeminiSession::default());
    }

    fn session_record(&mut self, record: Value) {
        if let Some(session) = self.sessions.last_mut() {
            session.record(record);
        }
    }

    fn trace(&self) -> Trace {
        let session = self.sessions.iter().find(|session| session.sub_agent.is_none());
        let mut steps = session.map(GeminiSession::steps).unwrap_or_default();
        let turns = if steps.is_empty() { None } else { session.and_then(GeminiSession::turns) };
        if steps.is_empty() {
            steps.clone_from(&self.steps);
        }
        steps.iter_mut().for_each(|step| self.time(step));
        Trace { turns, cwd: None, steps: nested(steps, self.sub_agents()) }
    }

    fn setup(&self) -> Option<&AgentSetup> {
        None
    }

    fn is_done(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result["status"] == "success")
    }

    fn partial(self: Box<Self>) -> Option<Box<Output>> {
        self.interrupted()
    }

    fn finish(self: Box<Self>, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        self.conclude(exit, skipped)
    }
}

/// Errors of calls that the program refuses before it asks anybody: nothing was run.
const REFUSALS: [&str; 2] = ["invalid_tool_params", "tool_not_registered"];

impl GeminiTranscript {
    /// The text after the last call of a tool.
    pub(super) fn last_text(&self) -> &str {
        match self.steps.last() {
            Some(Step::Text { text }) => text,
            _ => "",
        }
    }

    /// The steps of each sub-agent, with the call that started it.
    fn sub_agents(&self) -> Vec<(String, Vec<Step>)> {
        let started_by = |id: &str| self.sessions.iter().find_map(|session| session.call_of(id));
        let of = |session: &GeminiSession| {
            let id = session.sub_agent.clone()?;
            Some((started_by(&id).unwrap_or(id), session.steps()))
        };
        self.sessions.iter().filter_map(of).collect()
    }

    fn text(&mut self, more: &str, is_delta: bool) {
        match self.steps.last_mut() {
            Some(Step::Text { text }) if is_delta => text.push_str(more),
            _ => self.steps.push(Step::Text { text: more.to_owned() }),
        }
    }

    fn end(&mut self, event: &Value) {
        let said = event["response"].as_str().filter(|text| !text.is_empty());
        self.steps.extend(said.map(|text| Step::Text { text: text.to_owned() }));
        self.errors.extend(event["error"]["message"].as_str().map(str::to_owned));
        let models = event["stats"]["models"].as_object();
        self.model = models.filter(|models| models.len() == 1).and_then(|models| models.keys().next().cloned());
        let status = if event["error"].is_null() { "success" } else { "error" };
        self.result = Some(json!({"status": status, "stats": event["stats"]}));
    }

    fn call(&mut self, event: &Value) {
        let Some(id) = event["tool_id"].as_str() else { return };
        let name = event["tool_name"].as_str().unwrap_or_default().to_owned();
        let input = event["parameters"].clone();
        self.calls.insert(id.to_owned(), self.steps.len());
        let started_at = time(&event["timestamp"]);
        self.steps.push(Step::Tool(ToolCall { id: id.to_owned(), name, input, started_at, ..ToolCall::default() }));
    }

    /// The times of a call stand in the stream, and what kind of error it was: the session has the times of messages.
    fn time(&self, step: &mut Step) {
        let Step::Tool(call) = step else { return };
        if let Some(Step::Tool(streamed)) = self.calls.get(&call.id).and_then(|&place| self.steps.get(place)) {
            (call.started_at, call.duration_ms) = (streamed.started_at, streamed.duration_ms);
            if let (Some(output), Some(streamed)) = (&mut call.output, &streamed.output) {
                output.note = output.note.take().or(streamed.note.clone());
            }
        }
    }

    fn returned(&mut self, event: &Value) {
        let position = event["tool_id"].as_str().and_then(|id| self.calls.get(id));
        if let Some(Step::Tool(call)) = position.and_then(|&position| self.steps.get_mut(position)) {
            let text = event["output"].as_str().unwrap_or_default().to_owned();
            let kind = event["error"]["type"].as_str().filter(|kind| REFUSALS.contains(kind));
            let output = ToolOutput {
                text,
                is_error: event["status"] == "error",
                note: kind.map(str::to_owned),
                ..ToolOutput::default()
            };
            let is_run = event["error"]["type"] != "policy_violation" && event["status"] != "cancelled";
            call.status = Some(if is_run { status(&output) } else { ToolStatus::NotRun });
            call.timed(None, time(&event["timestamp"]));
            call.output = Some(output);
        }
    }
}
