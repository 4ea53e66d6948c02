//! ATIF, the Agent Trajectory Interchange Format of Harbor and Terminal-Bench: a trajectory as a document, or one a line, as
//! `--export atif` writes them.
//!
//! - prompt tokens include those of the cache; where no step has tokens, those of the whole are its last answer's;
//! - a step that was copied from an earlier trajectory (`is_copied_context`) happened there;
//! - trajectories of sub-agents are inside, and the result of the call that started one names it;
//! - the format has no status of calls: `--export atif` puts it into the result's `extra`.

use std::collections::HashMap;

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus, Usage};
use serde_json::Value;

use super::documents::Documents;
use super::told::{compact, items, loaded_by, outcome, text, texts};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};
use crate::calls::time;

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "atif",
    source: "Agent Trajectory Interchange Format (1.0 to 1.7)",
    extensions: &[".json", ".jsonl"],
    is_one: |head| compact(head).contains("\"schema_version\":\"ATIF-"),
    reader: || Box::new(AtifReader::default()),
};

#[derive(Debug, Default)]
struct AtifReader {
    documents: Documents,
}

impl SessionReader for AtifReader {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        self.documents.line(line, &mut |document| trajectory(&document, events))
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        self.documents.end(&mut |document| trajectory(&document, events))
    }
}

fn trajectory(of: &Value, events: &mut Vec<SessionEvent>) -> LineKind {
    if !of["steps"].is_array() {
        return LineKind::Unknown;
    }
    events.push(SessionEvent::Info(SessionInfo {
        id: text(&of["session_id"]).or(text(&of["trajectory_id"])),
        version: text(&of["agent"]["version"]),
        ..SessionInfo::default()
    }));
    AtifAgent { id: id_of(of), model: text(&of["agent"]["model_name"]), parent: None }.read(of, events);
    LineKind::Known
}

fn id_of(trajectory: &Value) -> String {
    text(&trajectory["trajectory_id"]).or(text(&trajectory["session_id"])).unwrap_or_default()
}

/// How deep sub-agents are nested; deeper ones are left out.
const DEEPEST: usize = 32;

struct AtifAgent {
    id: String,
    model: Option<String>,
    /// The call that started it; `None` for the agent itself.
    parent: Option<String>,
}

impl AtifAgent {
    fn read(&self, of: &Value, events: &mut Vec<SessionEvent>) {
        self.steps(of, events);
        self.sub_agents(of, 0, events);
    }

    fn steps(&self, of: &Value, events: &mut Vec<SessionEvent>) {
        let own = || items(&of["steps"]).iter().enumerate().filter(|(_, step)| step["is_copied_context"] != true);
        let is_answer = |step: &Value| step["source"] == "agent";
        let is_counted = own().any(|(_, step)| tokens(&step["metrics"], "").is_some());
        let last = own().filter(|(_, step)| is_answer(step)).map(|(place, _)| place).next_back();
        for (place, step) in own() {
            match step["source"].as_str() {
                Some("user") if self.parent.is_none() => events.push(SessionEvent::Prompt {
                    id: Some(self.id_at(step, place)),
                    at: time(&step["timestamp"]),
                    text: texts(&step["message"]),
                }),
                Some("agent") => {
                    let whole = (!is_counted && last == Some(place)).then(|| tokens(&of["final_metrics"], "total_"));
                    self.answer(step, place, whole.flatten(), events);
                }
                _ => {}
            }
        }
    }

    fn id_at(&self, step: &Value, place: usize) -> String {
        format!("{}/{}", self.id, step["step_id"].as_u64().unwrap_or(place as u64 + 1))
    }

    fn answer(&self, step: &Value, place: usize, whole: Option<Usage>, events: &mut Vec<SessionEvent>) {
        let id = Some(self.id_at(step, place));
        events.push(SessionEvent::Message(MessagePiece {
            id: id.clone(),
            at: time(&step["timestamp"]),
            model: text(&step["model_name"]).or(self.model.clone()),
            text: texts(&step["message"]),
            thinking: texts(&step["reasoning_content"]),
            usage: tokens(&step["metrics"], "").or(whole),
            skill: None,
            parent: self.parent.clone(),
            lines: Vec::new(),
        }));
        let (calls, results) = (items(&step["tool_calls"]), items(&step["observation"]["results"]));
        for call in calls {
            // Older writers don't say whose result it is.
            let is_its = |result: &&Value| {
                result["source_call_id"] == call["tool_call_id"]
                    || (calls.len() == 1 && result["source_call_id"].is_null())
            };
            let Some(call) = self.call(step, call, results.iter().find(is_its)) else { continue };
            let loaded = loaded_by(&call);
            events.push(SessionEvent::Call { message: id.clone(), call });
            events.extend(loaded);
        }
    }

    fn call(&self, step: &Value, of: &Value, result: Option<&Value>) -> Option<ToolCall> {
        let mut call = ToolCall {
            id: text(&of["tool_call_id"])?,
            name: text(&of["function_name"]).unwrap_or_default(),
            input: of["arguments"].clone(),
            started_at: time(&of["extra"]["started_at"]).or(time(&step["timestamp"])),
            parent: self.parent.clone(),
            ..ToolCall::default()
        };
        if let Some(result) = result {
            let (output, status) = returned(&call.input, result);
            (call.output, call.status) = (Some(output), status);
            call.duration_ms = result["extra"]["duration_ms"].as_u64();
        }
        Some(call)
    }

    /// Those whose calls are known are below them; of others the call is their own id.
    fn sub_agents(&self, of: &Value, depth: usize, events: &mut Vec<SessionEvent>) {
        if depth >= DEEPEST {
            return;
        }
        let steps = items(&of["steps"]).iter();
        let results = steps.flat_map(|step| items(&step["observation"]["results"]));
        let mut started_by = HashMap::new();
        for result in results {
            let references = items(&result["subagent_trajectory_ref"]).iter();
            let ids = references.filter_map(|to| text(&to["trajectory_id"]).or(text(&to["session_id"])));
            started_by.extend(ids.zip(std::iter::repeat(text(&result["source_call_id"]))));
        }
        for inner in items(&of["subagent_trajectories"]) {
            let id = id_of(inner);
            let parent = started_by.get(&id).cloned().flatten().or_else(|| Some(id.clone()));
            let thread = AtifAgent { id, model: text(&inner["agent"]["model_name"]), parent };
            thread.steps(inner, events);
            thread.sub_agents(inner, depth + 1, events);
        }
    }
}

fn returned(input: &Value, result: &Value) -> (ToolOutput, Option<ToolStatus>) {
    let extra = &result["extra"];
    let (mut output, by_words) = outcome(input, &texts(&result["content"]), extra["is_error"].as_bool());
    output.note = text(&extra["note"]).or(output.note);
    output.exit_code = extra["exit_code"].as_i64().or(output.exit_code);
    let told = serde_json::from_value::<ToolStatus>(extra["status"].clone()).ok();
    (output, told.or(by_words))
}

/// The tokens of a step (`prompt_tokens`) or of the whole (`total_prompt_tokens`).
fn tokens(of: &Value, before: &str) -> Option<Usage> {
    let tokens = |name: &str| of[format!("{before}{name}")].as_u64();
    let input = tokens("prompt_tokens")?;
    let extra = |name: &str| of["extra"][name].as_u64();
    let read = tokens("cached_tokens").unwrap_or(0);
    let written = extra("cache_write_tokens").or(extra("cache_creation_input_tokens")).unwrap_or(0);
    Some(Usage {
        input_tokens: input.saturating_sub(read).saturating_sub(written),
        output_tokens: tokens("completion_tokens").unwrap_or(0),
        cache_read_tokens: read,
        cache_write_tokens: written,
    })
}
