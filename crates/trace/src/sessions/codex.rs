//! Sessions of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`, those of its sub-agents beside.
//!
//! Measured on 0.169.0; versions before 0.32 have the items of the model without an envelope:
//! - an answer of the model is several items: its reasoning, a text, its calls. Its tokens come after them, or, in older
//!   versions, as a sum over the session;
//! - what the program writes in the user's place has a kind of its own, or, in older versions, begins with a tag;
//! - a sub-agent's file begins with its parent's records; a session that was forked with those of the other one. Before 0.169
//!   the records have no ids, may be stamped anew, and nothing says where the copy ends.

use std::collections::HashMap;

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus, Usage};
use eval_spec::hash::sha256_hex;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::documents::{object, trimmed};
use super::told::{items, loaded_by, text};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};
use crate::calls::time;
use crate::codex::events::usage;
use crate::codex::session::{called, called_by_script, difference, failed, given, outcome};

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "codex-session",
    source: "Codex's session files (0.169.0)",
    extensions: &[".jsonl"],
    is_one: |head| {
        head.lines().filter_map(object).any(|record| {
            let is_rollout = record["payload"].is_object() && TYPES.iter().any(|kind| record["type"] == *kind);
            is_rollout || (is_bare(&record) && !record["message"].is_object()) || is_old_header(&record)
        })
    },
    reader: || Box::new(CodexRollout::default()),
};

/// The records of a file.
const TYPES: [&str; 8] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "token_usage_record",
    "world_state",
    "compacted",
    "inter_agent_communication",
];

/// An item of the model without an envelope.
fn is_bare(record: &Value) -> bool {
    match record["type"].as_str() {
        Some("message") => record["role"].is_string() && record["content"].is_array(),
        Some("function_call" | "function_call_output" | "local_shell_call") => record["call_id"].is_string(),
        Some("reasoning") => record["summary"].is_array(),
        _ => false,
    }
}

fn is_old_header(record: &Value) -> bool {
    record["type"].is_null() && ["id", "timestamp", "instructions"].iter().all(|key| record.get(key).is_some())
}

/// How texts begin that the program writes in the user's place.
const WRITTEN_BY_PROGRAM: [&str; 12] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<collaboration_mode>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<model_switch>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
];

/// A call whose result wasn't read yet.
#[derive(Debug)]
struct WaitingCall {
    call: ToolCall,
    /// How an item said that it ended.
    told: Option<ToolStatus>,
}

#[derive(Debug, Default)]
struct CodexRollout {
    thread: Option<String>,
    /// Id of the session whose history the file begins with: the file's own unless it is a fork.
    root: Option<String>,
    /// Id of the current turn, where the version has one.
    turn: Option<String>,
    /// Hash over all prompts so far: the same in a copy of the session.
    asked_so_far: Option<String>,
    /// The number of the first record of a sub-agent's own.
    begins: u64,
    model: Option<String>,
    waiting: HashMap<String, WaitingCall>,
    /// Scripts of the model that wait for their results: what they call is below them.
    scripts: Vec<String>,
    /// The model's answer that is being read, or the last one.
    answer: Option<String>,
    /// Whether the next item belongs to it.
    is_open: bool,
    answers: u64,
    /// Whether the file has the tokens of each answer.
    has_records: bool,
    /// The sum of tokens that was read last.
    total: Usage,
}

impl SessionReader for CodexRollout {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        match object(line) {
            Some(record) => self.record(record, events),
            None if trimmed(line).is_empty() => LineKind::Known,
            None => LineKind::Unreadable,
        }
    }

    /// Calls that failed and whose result the file doesn't have.
    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        let failed = self.waiting.drain().filter(|(_, waiting)| waiting.told.is_some());
        let result = |(call, WaitingCall { told, .. })| {
            let output = ToolOutput { is_error: true, ..ToolOutput::default() };
            SessionEvent::Result { call, at: None, output, status: told }
        };
        let before = events.len();
        events.extend(failed.map(result));
        events[before..].sort_by_cached_key(|event| match event {
            SessionEvent::Result { call, .. } => call.clone(),
            _ => String::new(),
        });
        LineKind::Known
    }
}

impl CodexRollout {
    fn record(&mut self, mut record: Value, events: &mut Vec<SessionEvent>) -> LineKind {
        if is_bare(&record) {
            self.item(&record, time(&record["timestamp"]), events);
            return LineKind::Known;
        }
        if is_old_header(&record) {
            self.header(&record, events);
            return LineKind::Known;
        }
        let (payload, at) = (record["payload"].take(), time(&record["timestamp"]));
        let kind = record["type"].as_str().unwrap_or_default();
        if self.thread.is_none() && kind == "session_meta" {
            self.header(&payload, events);
        } else if kind == "session_meta" && self.asked_so_far.is_none() {
            // The copy of another session begins with that one's header.
            self.root = text(&payload["id"]).or(self.root.take());
        } else if record["ordinal"].as_u64().is_none_or(|number| number >= self.begins) {
            self.of_type(kind, &payload, at, events);
        }
        let is_known = TYPES.contains(&kind) || record["record_type"].is_string();
        if is_known { LineKind::Known } else { LineKind::Unknown }
    }

    fn header(&mut self, of: &Value, events: &mut Vec<SessionEvent>) {
        self.thread = text(&of["id"]);
        self.begins = of["subagent_history_start_ordinal"].as_u64().unwrap_or(0);
        self.root = text(&of["forked_from_id"]).or(self.thread.clone());
        // Older versions name the parent in the source alone.
        let spawned = &of["source"]["subagent"]["thread_spawn"]["parent_thread_id"];
        let parent = text(&of["parent_thread_id"]).or(text(spawned));
        events.push(SessionEvent::Info(SessionInfo {
            sub_agent: parent.as_ref().and(self.thread.clone()),
            id: text(&of["session_id"]).or(parent).or(self.thread.clone()),
            cwd: text(&of["cwd"]),
            version: text(&of["cli_version"]),
            started_by: None,
        }));
    }

    fn of_type(&mut self, kind: &str, payload: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        match (kind, payload["type"].as_str()) {
            ("turn_context", _) => {
                self.is_open = false;
                self.model = text(&payload["model"]).or(self.model.take());
                self.turn = text(&payload["turn_id"]).or(self.turn.take());
            }
            ("event_msg", Some("task_started" | "turn_started")) => self.turn = text(&payload["turn_id"]),
            ("token_usage_record", _) => self.tokens_of_answer(payload, at, events),
            ("compacted", _) => events.push(SessionEvent::Compacted),
            ("response_item", _) => self.item(payload, at, events),
            ("event_msg", Some("token_count")) => self.sum_of_tokens(&payload["info"], at, events),
            ("event_msg", Some("turn_aborted")) if payload["reason"] != "replaced" => {
                events.push(SessionEvent::Interrupted);
            }
            ("event_msg", Some("item_completed")) => self.completed(&payload["item"], at, events),
            _ => {}
        }
    }

    fn item(&mut self, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        match (item["type"].as_str().unwrap_or_default(), item["role"].as_str()) {
            ("message", Some("assistant")) => {
                let said: String = items(&item["content"]).iter().filter_map(|part| part["text"].as_str()).collect();
                self.say(item, at, MessagePiece { text: said, ..MessagePiece::default() }, events);
            }
            ("message", Some("user")) => self.asked(item, at, events),
            ("message", _) => offered(item, events),
            ("reasoning", _) => {
                let parts = items(&item["summary"]).iter().chain(items(&item["content"]));
                let thought = parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n");
                self.say(item, at, MessagePiece { thinking: thought, ..MessagePiece::default() }, events);
            }
            ("function_call" | "custom_tool_call", _) => self.call(called(item), item, at, events),
            ("local_shell_call", _) => {
                let command = json!({"command": item["action"]["command"]});
                let id = text(&item["call_id"]).or(text(&item["id"]));
                let call =
                    id.map(|id| ToolCall { id, name: "shell".to_owned(), input: command, ..ToolCall::default() });
                self.call(call, item, at, events);
            }
            ("web_search_call", _) => self.searched(item, at, events),
            ("function_call_output" | "custom_tool_call_output", _) => self.returned(item, at, events),
            _ => {}
        }
    }

    /// What the user wrote, and skills that the program added to it.
    fn asked(&mut self, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        self.is_open = false;
        let kinds = &item["internal_chat_message_metadata_passthrough"]["content_item_kinds"];
        let mut said = Vec::new();
        for (place, part) in items(&item["content"]).iter().enumerate() {
            let Some(text) = part["text"].as_str() else { continue };
            let by_words = !WRITTEN_BY_PROGRAM.iter().any(|begin| text.trim_start().starts_with(begin));
            let kind = kinds[place].as_str().filter(|kind| *kind != "unknown");
            match injected(text) {
                Some(skill) => events.push(skill),
                None if kind.map_or(by_words, |kind| kind.starts_with("user")) => said.push(own_words(text)),
                None => offered(item, events),
            }
        }
        if !said.is_empty() {
            let said = said.join("\n");
            let key = self.prompt_key(&said);
            events.push(SessionEvent::Prompt { id: text(&item["id"]).or(key), at, text: said });
        }
    }

    /// Returns an id for a prompt without one: the same in a copy of the session, whenever the copy was written.
    fn prompt_key(&mut self, said: &str) -> Option<String> {
        const UUID: usize = 32;
        let turn = self.turn.as_deref().unwrap_or_default();
        // An id that is unique by itself needs no session: a fork of a fork doesn't tell which one it began in.
        let root = self.root.as_deref().filter(|_| turn.len() < UUID).unwrap_or_default();
        let before = self.asked_so_far.as_deref().unwrap_or_default();
        let key = (!turn.is_empty() || !root.is_empty())
            .then(|| sha256_hex([root, turn, before, said].join("\n").as_bytes()));
        self.asked_so_far = Some(sha256_hex([before, said].join("\n").as_bytes()));
        key
    }

    /// The id of the answer that an item belongs to.
    fn answer_of(&mut self, item: &Value) -> Option<String> {
        if !self.is_open {
            self.answers += 1;
            let number = || format!("{}#{}", self.thread.as_deref().unwrap_or_default(), self.answers);
            self.answer = Some(text(&item["id"]).unwrap_or_else(number));
            self.is_open = true;
        }
        self.answer.clone()
    }

    fn say(&mut self, item: &Value, at: Option<Timestamp>, piece: MessagePiece, events: &mut Vec<SessionEvent>) {
        let id = self.answer_of(item);
        events.push(SessionEvent::Message(MessagePiece { id, at, model: self.model.clone(), ..piece }));
    }

    fn call(&mut self, call: Option<ToolCall>, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        let Some(call) = call.map(|call| ToolCall { started_at: at, ..call }) else { return };
        self.say(item, at, MessagePiece::default(), events);
        if call.name == "exec" {
            self.scripts.push(call.id.clone());
        }
        self.waiting.insert(call.id.clone(), WaitingCall { call: call.clone(), told: None });
        events.push(SessionEvent::Call { message: self.answer.clone(), call });
    }

    /// A search of the vendor's: the file has no result of it.
    fn searched(&mut self, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        self.say(item, at, MessagePiece::default(), events);
        let id = text(&item["id"]).or_else(|| Some(format!("{}/search/{}", self.answer.as_ref()?, events.len())));
        let input = json!({"query": item["action"]["query"]});
        let status = (item["status"] == "completed").then_some(ToolStatus::Ok);
        let call = id.map(|id| ToolCall {
            id,
            name: "web_search".to_owned(),
            input,
            status,
            started_at: at,
            ..ToolCall::default()
        });
        events.extend(call.map(|call| SessionEvent::Call { message: self.answer.clone(), call }));
    }

    fn returned(&mut self, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        self.is_open = false;
        let waiting = item["call_id"].as_str().and_then(|id| self.waiting.remove(id));
        let Some(WaitingCall { mut call, told }) = waiting else { return };
        self.scripts.retain(|script| *script != call.id);
        let (output, status) = outcome(&call.input, &given(&item["output"]), told);
        call.output = Some(output.clone());
        events.push(SessionEvent::Result { call: call.id.clone(), at, output, status: Some(status) });
        events.extend(loaded_by(&call));
    }

    /// How a call ended, where its result doesn't tell; what a script of the model called.
    fn completed(&mut self, item: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        let Some(id) = item["id"].as_str() else { return };
        if let Some(waiting) = self.waiting.get_mut(id) {
            waiting.told = failed(item).or(waiting.told);
        } else if let Some((script, call)) = self.scripts.last().zip(called_by_script(item)) {
            let call = ToolCall { parent: Some(script.clone()), started_at: at, ..call };
            events.push(SessionEvent::Call { message: None, call });
        }
    }

    fn tokens_of_answer(&mut self, payload: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        self.has_records = true;
        let answer = json!({"id": payload["response_id"]});
        let piece = MessagePiece { usage: usage(&payload["usage"]), ..MessagePiece::default() };
        self.say(&answer, at, piece, events);
        self.is_open = false;
    }

    /// The sum is written again and again: what was added is the answer's. After a fork or a compaction it may be smaller.
    fn sum_of_tokens(&mut self, info: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        let Some(total) = usage(&info["total_token_usage"]).filter(|_| !self.has_records) else { return };
        let is_smaller =
            total.total_input() < self.total.total_input() || total.output_tokens < self.total.output_tokens;
        let added = if is_smaller { usage(&info["last_token_usage"]) } else { Some(difference(total, self.total)) };
        self.total = total;
        self.is_open = false;
        if let Some(added) = added.filter(|added| *added != Usage::default()) {
            let id = self.answer.clone();
            let (model, usage) = (self.model.clone(), Some(added));
            events.push(SessionEvent::Message(MessagePiece { id, at, model, usage, ..MessagePiece::default() }));
        }
    }
}

/// A text of the user without what an editor put before it.
fn own_words(text: &str) -> &str {
    let is_framed = text.starts_with("# Context from my IDE setup:");
    let request = text.split_once("## My request for Codex:").filter(|_| is_framed);
    request.map_or(text, |(_, request)| request.trim())
}

/// The skills on offer, where a message lists them.
fn offered(item: &Value, events: &mut Vec<SessionEvent>) {
    for text in items(&item["content"]).iter().filter_map(|part| part["text"].as_str()) {
        let is_row = |line: &&str| line.contains("(file: ");
        let rows = text.lines().filter_map(|line| line.strip_prefix("- ")).filter(is_row);
        let names: Vec<String> = rows.filter_map(|row| Some(row.split_once(':')?.0.trim().to_owned())).collect();
        if !names.is_empty() {
            events.push(SessionEvent::SkillsOffered(names));
        }
    }
}

/// A skill that the user named, which the program adds to the conversation.
fn injected(text: &str) -> Option<SessionEvent> {
    let text = text.trim().strip_prefix("<skill>")?;
    let part = |tag: &str| {
        let inner = text.split_once(&format!("<{tag}>"))?.1;
        Some(inner.split_once(&format!("</{tag}>"))?.0.trim().to_owned())
    };
    let directory = part("path").map(|path| path.trim_end_matches("/SKILL.md").to_owned());
    Some(SessionEvent::SkillLoaded { name: part("name")?, directory, chars: text.chars().count() })
}
