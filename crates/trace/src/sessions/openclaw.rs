//! Sessions of OpenClaw: `~/.openclaw/agents/AGENT/sessions/SESSION.jsonl`, and those of pi, whose format it is (version 3).
//!
//! - a header, then records; those of type `message` have a message of the user's, of the model's, or a result;
//! - a message that came through a chat begins with blocks about where from, and with its time in brackets;
//! - input tokens are without those of the cache.

use std::collections::HashMap;

use eval_spec::call::{ToolCall, ToolStatus, Usage};
use jiff::Timestamp;
use serde_json::Value;

use super::documents::{object, trimmed};
use super::told::{items, loaded_by, outcome, text, texts};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};
use crate::calls::time;

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "openclaw-session",
    source: "OpenClaw's and pi's session files (format 3)",
    extensions: &[".jsonl"],
    is_one: |head| {
        head.lines().filter_map(object).any(|record| {
            let is_message = record["type"] == "message" && record["message"]["role"].is_string();
            let is_header = record["type"] == "session" && record["id"].is_string() && record["cwd"].is_string();
            is_header || (is_message && record.get("parentId").is_some())
        })
    },
    reader: || Box::new(OpenClawSession::default()),
};

/// Records without anything that happened.
const SILENT: [&str; 9] = [
    "model_change",
    "thinking_level_change",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
    "leaf",
    "mode_change",
];

/// How texts begin that the program wrote in the user's place.
const WRITTEN_BY_PROGRAM: [&str; 5] = [
    "A new session was started via",
    "Read HEARTBEAT.md",
    "Pre-compaction memory flush",
    "The previous agent run was aborted",
    "[openclaw]",
];

#[derive(Debug, Default)]
struct OpenClawSession {
    /// Calls whose results weren't read yet.
    waiting: HashMap<String, ToolCall>,
}

impl SessionReader for OpenClawSession {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        let Some(record) = object(line) else {
            return if trimmed(line).is_empty() { LineKind::Known } else { LineKind::Unreadable };
        };
        match record["type"].as_str() {
            Some("session") => events.push(SessionEvent::Info(SessionInfo {
                id: text(&record["id"]),
                cwd: text(&record["cwd"]),
                ..SessionInfo::default()
            })),
            Some("message") => return self.message(&record, events),
            Some("compaction") => events.push(SessionEvent::Compacted),
            Some(kind) if SILENT.contains(&kind) => {}
            _ => return LineKind::Unknown,
        }
        LineKind::Known
    }
}

impl OpenClawSession {
    fn message(&mut self, record: &Value, events: &mut Vec<SessionEvent>) -> LineKind {
        let (message, at) = (&record["message"], time(&record["timestamp"]));
        // Ids are short: with the time of the record they are unique, also in copies.
        let id = text(&record["id"]).map(|id| format!("{id}@{}", record["timestamp"].as_str().unwrap_or_default()));
        match message["role"].as_str() {
            Some("user") => asked(message, id, at, events),
            Some("assistant") => self.answered(message, &id, at, events),
            Some("toolResult") => self.returned(message, at, events),
            Some("bashExecution" | "custom" | "branchSummary" | "compactionSummary" | "hookMessage" | "system") => {}
            _ => return LineKind::Unknown,
        }
        LineKind::Known
    }

    fn answered(
        &mut self,
        message: &Value,
        id: &Option<String>,
        at: Option<Timestamp>,
        events: &mut Vec<SessionEvent>,
    ) {
        // What the program delivers in the model's name is said twice.
        if message["provider"] == "openclaw" {
            return;
        }
        let parts = items(&message["content"]);
        let all = |kind: &str, key: &str| {
            let of_kind = parts.iter().filter(|part| part["type"] == kind);
            of_kind.filter_map(|part| text(&part[key])).collect::<Vec<_>>().join("\n")
        };
        let said = message["content"].as_str().map_or_else(|| all("text", "text"), str::to_owned);
        events.push(SessionEvent::Message(MessagePiece {
            id: id.clone(),
            at,
            model: text(&message["model"]),
            text: said,
            thinking: all("thinking", "thinking"),
            usage: tokens(&message["usage"]),
            ..MessagePiece::default()
        }));
        for part in parts.iter().filter(|part| matches!(part["type"].as_str(), Some("toolCall" | "tool_use"))) {
            let input = if part["arguments"].is_null() { &part["input"] } else { &part["arguments"] };
            let Some(call) = text(&part["id"]) else { continue };
            let name = text(&part["name"]).unwrap_or_default();
            let call = ToolCall { id: call, name, input: input.clone(), started_at: at, ..ToolCall::default() };
            self.waiting.insert(call.id.clone(), call.clone());
            events.push(SessionEvent::Call { message: id.clone(), call });
        }
        if message["stopReason"] == "aborted" {
            events.push(SessionEvent::Interrupted);
        }
    }

    fn returned(&mut self, message: &Value, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
        let Some(mut call) = message["toolCallId"].as_str().and_then(|id| self.waiting.remove(id)) else { return };
        let given = texts(&message["content"]);
        let details = &message["details"];
        let is_failed = matches!(details["status"].as_str(), Some("failed" | "error"));
        let is_error = message["isError"].as_bool().map(|is_error| is_error || is_failed);
        let (mut output, mut status) = outcome(&call.input, &given, is_error);
        output.exit_code = output.exit_code.or(details["exitCode"].as_i64());
        // A result that was lost is written as an error.
        if given.contains("missing tool result in session history") {
            status = None;
        } else if details["status"] == "approval-pending" {
            status = Some(ToolStatus::NotRun);
        }
        call.output = Some(output.clone());
        let loaded = if status == Some(ToolStatus::Ok) { loaded_by(&call) } else { None };
        events.push(SessionEvent::Result { call: call.id, at, output, status });
        events.extend(loaded);
    }
}

/// What the user wrote: not what other agents, timers and the program send.
fn asked(message: &Value, id: Option<String>, at: Option<Timestamp>, events: &mut Vec<SessionEvent>) {
    if message["provenance"]["kind"].as_str().is_some_and(|kind| kind != "external_user") {
        return;
    }
    let said = texts(&message["content"]);
    let said = after_skill(own_words(&said), events);
    let is_own = !WRITTEN_BY_PROGRAM.iter().any(|begin| said.starts_with(begin));
    if is_own && !said.trim().is_empty() {
        events.push(SessionEvent::Prompt { id, at, text: said.to_owned() });
    }
}

/// A text without the blocks about its sender and the time before it.
fn own_words(said: &str) -> &str {
    let mut rest = said.trim_start();
    while let Some((first, after)) = rest.split_once('\n').filter(|(first, _)| first.ends_with("(untrusted metadata):"))
    {
        let block = after.trim_start().strip_prefix("```json").and_then(|block| block.split_once("\n```"));
        let Some((_, after)) = block.filter(|_| !first.contains('`')) else { break };
        rest = after.trim_start();
    }
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let is_time = |inner: &str| inner.contains(':') && days.iter().any(|day| inner.starts_with(day));
    let timed = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')).filter(|(inner, _)| is_time(inner));
    timed.map_or(rest, |(_, after)| after.trim_start())
}

/// A text without the skill that the user named, which stands before it.
fn after_skill<'t>(said: &'t str, events: &mut Vec<SessionEvent>) -> &'t str {
    let framed = said.strip_prefix("<skill name=\"").and_then(|rest| rest.split_once("</skill>"));
    let Some((skill, after)) = framed else { return said };
    let location = skill.split_once("location=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    events.push(SessionEvent::SkillLoaded {
        name: skill.split('"').next().unwrap_or_default().to_owned(),
        directory: location.map(|path| path.trim_end_matches("/SKILL.md").to_owned()),
        chars: skill.chars().count(),
    });
    after.trim_start()
}

fn tokens(of: &Value) -> Option<Usage> {
    let tokens = |name: &str| of[name].as_u64().unwrap_or(0);
    Some(Usage {
        input_tokens: of["input"].as_u64()?,
        output_tokens: tokens("output"),
        cache_read_tokens: tokens("cacheRead"),
        cache_write_tokens: tokens("cacheWrite"),
    })
}
