//! Sessions of Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-….jsonl`, those of its sub-agents in a folder below.
//!
//! Measured on 0.61.0; versions before 0.40 write the whole session as one `.json` anew after each message:
//! - a message is written again with more in it, such as its calls and their results: the last one counts, so messages
//!   come at the end of the file;
//! - a call is written with its result;
//! - what the program writes in the user's place begins with a tag; results are written again as messages of the user's.

use std::collections::HashMap;

use eval_spec::call::{ToolStatus, Usage};
use jiff::Timestamp;
use serde_json::Value;

use super::documents::{Documents, LIMIT, object};
use super::told::{items, loaded_by, text};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};
use crate::calls::time;
use crate::gemini::session::tool_call;

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "gemini-session",
    source: "Gemini CLI's session files (0.61.0)",
    extensions: &[".jsonl", ".json"],
    is_one: |head| {
        let is_header = |record: Value| record["sessionId"].is_string() && record["projectHash"].is_string();
        let is_whole = |part: &str| part.contains("\"sessionId\"") && part.contains("\"projectHash\"");
        let is_message = |record: Value| record["type"] == "gemini" && record["id"].is_string();
        let begins = head.trim_start().get(..512.min(head.trim_start().len())).unwrap_or(head);
        head.lines().filter_map(object).any(is_header)
            // a file that was cut off at its beginning
            || head.lines().filter_map(object).any(is_message)
            || (begins.starts_with('{') && is_whole(begins))
    },
    reader: || Box::new(GeminiChat::default()),
};

#[derive(Debug, Default)]
struct GeminiChat {
    documents: Documents,
    chat: ChatMessages,
}

/// The messages in order, each as it was written last.
#[derive(Debug, Default)]
struct ChatMessages {
    said: Vec<SessionEvent>,
    messages: Vec<Value>,
    places: HashMap<String, usize>,
    /// About how large they are, in bytes.
    size: usize,
}

impl SessionReader for GeminiChat {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        self.chat.size += line.len();
        let kind = self.documents.line(line, &mut |record| self.chat.record(record));
        if self.chat.size > LIMIT {
            self.chat.end(events);
        }
        events.append(&mut self.chat.said);
        kind
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        let kind = self.documents.end(&mut |record| self.chat.record(record));
        events.append(&mut self.chat.said);
        self.chat.end(events);
        kind
    }
}

impl ChatMessages {
    fn record(&mut self, mut record: Value) -> LineKind {
        let messages =
            if record["$set"].is_object() { record["$set"]["messages"].take() } else { record["messages"].take() };
        let is_header = record["sessionId"].is_string();
        if is_header {
            self.header(&record);
        }
        let is_patch = record["$set"].is_object() || record["$rewindTo"].is_string();
        if !(is_header || is_patch) {
            return self.message(record);
        }
        let Value::Array(messages) = messages else { return LineKind::Known };
        messages.into_iter().map(|message| self.message(message)).fold(LineKind::Known, LineKind::worse)
    }

    fn header(&mut self, of: &Value) {
        let id = text(&of["sessionId"]);
        self.said.push(SessionEvent::Info(SessionInfo {
            sub_agent: id.clone().filter(|_| of["kind"] == "subagent"),
            id,
            cwd: text(&of["directories"][0]),
            version: None,
            started_by: None,
        }));
    }

    fn message(&mut self, message: Value) -> LineKind {
        let Some(id) = text(&message["id"]) else { return LineKind::Unknown };
        let is_known = matches!(message["type"].as_str(), Some("user" | "gemini" | "info" | "error" | "warning"));
        match self.places.get(&id) {
            Some(&place) => self.messages[place] = message,
            None => {
                self.places.insert(id, self.messages.len());
                self.messages.push(message);
            }
        }
        if is_known { LineKind::Known } else { LineKind::Unknown }
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) {
        self.size = 0;
        self.places.clear();
        for message in self.messages.drain(..) {
            let at = time(&message["timestamp"]);
            match message["type"].as_str() {
                Some("gemini") => answered(&message, at, events),
                Some("user") => asked(&message, at, events),
                Some("info") if message["content"] == "Request cancelled." => events.push(SessionEvent::Interrupted),
                _ => {}
            }
        }
    }
}

fn answered(message: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
    let id = text(&message["id"]);
    let thoughts = items(&message["thoughts"]).iter().filter_map(|thought| text(&thought["description"]));
    events.push(SessionEvent::Message(MessagePiece {
        id: id.clone(),
        at,
        model: text(&message["model"]),
        text: words(&message["content"]).join("\n"),
        thinking: thoughts.collect::<Vec<_>>().join("\n"),
        usage: tokens(&message["tokens"]),
        ..MessagePiece::default()
    }));
    for call in items(&message["toolCalls"]) {
        let mut made = tool_call(call, 1);
        made.turn = None;
        made.timed(at, time(&call["timestamp"]));
        let loaded = match made.name.as_str() {
            "activate_skill" if made.status == Some(ToolStatus::Ok) => {
                let chars = made.output.as_ref().map_or(0, |output| output.text.chars().count());
                text(&made.input["name"]).map(|name| SessionEvent::SkillLoaded { name, directory: None, chars })
            }
            _ => loaded_by(&made),
        };
        events.push(SessionEvent::Call { message: id.clone(), call: made });
        events.extend(loaded);
    }
}

/// What the user wrote, without files that the program added to it.
fn asked(message: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
    let typed = words(&message["displayContent"]);
    let words = if typed.is_empty() { words(&message["content"]) } else { typed };
    let is_own = |text: &&str| !text.starts_with("\n--- Content from referenced files ---");
    let said: Vec<&str> = words.iter().map(String::as_str).take_while(is_own).collect();
    let text = said.join("\n");
    let by_program = ["<session_context>", "<state_snapshot>", "This is the Gemini CLI. We are setting up the context"];
    if !text.trim().is_empty() && !by_program.iter().any(|begin| text.starts_with(begin)) {
        events.push(SessionEvent::Prompt { id: self::text(&message["id"]), at, text });
    }
}

/// The texts of a message; results of tools have none.
fn words(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Object(_) => text(&content["text"]).into_iter().collect(),
        _ => items(content).iter().filter_map(|part| text(&part["text"]).or(text(part))).collect(),
    }
}

/// Input tokens come with those of the cache among them.
fn tokens(of: &Value) -> Option<Usage> {
    let tokens = |name: &str| of[name].as_u64().unwrap_or(0);
    let input = of["input"].as_u64()?;
    Some(Usage {
        input_tokens: input.saturating_add(tokens("tool")).saturating_sub(tokens("cached")),
        output_tokens: tokens("output").saturating_add(tokens("thoughts")),
        cache_read_tokens: tokens("cached"),
        cache_write_tokens: 0,
    })
}
