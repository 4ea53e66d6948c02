//! Sessions of Claude Code: `~/.claude/projects/PROJECT/SESSION.jsonl`, those of its sub-agents in `SESSION/subagents/`.
//!
//! Measured on 2.1.330:
//! - one record a line; a record of the assistant carries one content block, and the usage of its whole message;
//! - a record that is `isMeta` was written by the program, and so were the texts that begin with one of its tags;
//! - a skill that is loaded leaves its text in a meta record, and `attributionSkill` on the messages after it;
//! - a resumed session that was forked begins with the records of the other one, with their own ids;
//! - what the user writes while the agent works is an attachment;
//! - versions before 2 have the records of sub-agents in the file of the session (`isSidechain`).

mod record;
mod threads;

use std::collections::HashMap;

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus, Usage};
use eval_spec::halves::read_mended;
use serde_json::Value;

use super::documents::{object, trimmed};
use super::told::{loaded_by, says_not_run, skill_file};
use super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionInfo, SessionReader};
use crate::calls::status;
use crate::claude::results::{exit_code, has_nothing};
use record::{ClaudeBlock, ClaudeRecord};
use threads::ClaudeThreads;

/// The row of [`SESSION_FORMATS`](super::SESSION_FORMATS).
pub(super) const FORMAT: SessionFormat = SessionFormat {
    name: "claude-session",
    source: "Claude Code's session files (2.1.330)",
    extensions: &[".jsonl"],
    is_one: |head| {
        let is_record = |record: &Value| {
            let is_told = record["sessionId"].is_string() || record["type"] == "summary";
            is_told && record["type"].is_string() && record["projectHash"].is_null()
        };
        let keys = ["parentUuid", "leafUuid", "operation", "snapshot", "isSidechain", "lastPrompt", "mode"];
        head.lines()
            .filter_map(object)
            .any(|record| is_record(&record) && keys.iter().any(|key| record.get(key).is_some()))
    },
    reader: || Box::new(ClaudeSession::default()),
};

/// Records without anything that happened, which are large or many.
const SILENT: [&str; 18] = [
    "agent-name",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "attribution-snapshot",
    "cost-state",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "summary",
    "tools-used",
];

/// A session's or a sub-agent's file.
#[derive(Debug, Default)]
struct ClaudeSession {
    /// What the file has said of itself.
    info: SessionInfo,
    /// The calls that wait for their results, by their ids; without arguments unless they name a skill's file.
    waiting: HashMap<String, ToolCall>,
    /// The skill that a command of the user named: its text comes next.
    command: Option<String>,
    threads: ClaudeThreads,
}

impl SessionReader for ClaudeSession {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        let line = trimmed(line);
        if line.is_empty() {
            return LineKind::Known;
        }
        match read_mended(line) {
            Ok(record) => self.record(record, events),
            Err(_) => LineKind::Unreadable,
        }
    }
}

impl ClaudeSession {
    fn record(&mut self, record: ClaudeRecord, events: &mut Vec<SessionEvent>) -> LineKind {
        self.about(&record, events);
        let before = events.len();
        let thread = self.threads.of(&record, &self.info);
        let kind = self.of_type(record, events);
        if let Some(thread) = thread {
            below(&thread, before, events);
        }
        kind
    }

    fn of_type(&mut self, record: ClaudeRecord, events: &mut Vec<SessionEvent>) -> LineKind {
        match record.kind.as_str() {
            "assistant" => self.assistant(record, events),
            "user" => self.user(record, events),
            "system" if record.subtype.as_deref() == Some("compact_boundary") => events.push(SessionEvent::Compacted),
            "system" => {}
            "attachment" => attached(record, events),
            kind if SILENT.contains(&kind) => {}
            _ => return LineKind::Unknown,
        }
        LineKind::Known
    }

    /// What is new about the session.
    fn about(&mut self, record: &ClaudeRecord, events: &mut Vec<SessionEvent>) {
        let is_own = record.is_sidechain && !self.threads.has_main;
        let sub_agent = if is_own { &record.agent_id } else { &None };
        // A session that was forked may begin with the other one's id.
        let mut is_new = record.session_id.is_some() && record.session_id != self.info.id;
        if is_new {
            self.info.id.clone_from(&record.session_id);
        }
        let SessionInfo { cwd, version, sub_agent: of, .. } = &mut self.info;
        for (known, new) in [(cwd, &record.cwd), (version, &record.version), (of, sub_agent)] {
            if known.is_none() && new.is_some() {
                known.clone_from(new);
                is_new = true;
            }
        }
        if is_new {
            events.push(SessionEvent::Info(self.info.clone()));
        }
    }

    fn assistant(&mut self, record: ClaudeRecord, events: &mut Vec<SessionEvent>) {
        let Some(message) = record.message else { return };
        // A text of the program in the model's place, such as an API error.
        if message.model.as_deref() == Some("<synthetic>") {
            return;
        }
        let usage = message.usage.map(|usage| Usage {
            input_tokens: usage.input_tokens.unwrap_or(0),
            output_tokens: usage.output_tokens.unwrap_or(0),
            cache_read_tokens: usage.cache_read_input_tokens.unwrap_or(0),
            cache_write_tokens: usage.cache_creation_input_tokens.unwrap_or(0),
        });
        let mut piece = MessagePiece {
            id: message.id.clone(),
            at: record.timestamp,
            model: message.model,
            usage,
            skill: record.attribution_skill,
            ..MessagePiece::default()
        };
        let mut calls = Vec::new();
        for block in message.content.into_blocks() {
            match block.kind.as_str() {
                "text" => piece.text.push_str(&block.text.unwrap_or_default()),
                "thinking" => piece.thinking.push_str(&block.thinking.unwrap_or_default()),
                "tool_use" => calls.extend(self.call(block, record.timestamp)),
                _ => {}
            }
        }
        events.push(SessionEvent::Message(piece));
        events.extend(calls.into_iter().map(|call| SessionEvent::Call { message: message.id.clone(), call }));
    }

    fn call(&mut self, block: ClaudeBlock, started_at: Option<jiff::Timestamp>) -> Option<ToolCall> {
        let (id, name) = (block.id?, block.name.unwrap_or_default());
        let input = block.input.unwrap_or_default();
        self.threads.called(&id, &name, &input);
        let named = skill_file(&input).map(|_| input.clone()).unwrap_or_default();
        let waits = ToolCall { id: id.clone(), name: name.clone(), input: named, ..ToolCall::default() };
        self.waiting.insert(id.clone(), waits);
        Some(ToolCall { id, name, input, started_at, ..ToolCall::default() })
    }

    fn user(&mut self, record: ClaudeRecord, events: &mut Vec<SessionEvent>) {
        let Some(message) = record.message else { return };
        let mut said = String::new();
        for block in message.content.into_blocks() {
            match block.kind.as_str() {
                "text" => said.push_str(&block.text.unwrap_or_default()),
                "tool_result" => {
                    let answered = self.result(block, &record.tool_use_result, record.tool_denial_kind.is_some());
                    let Some(mut call) = answered else { continue };
                    let loaded = loaded_by(&call);
                    events.extend(call.output.take().map(|output| SessionEvent::Result {
                        call: call.id,
                        at: record.timestamp,
                        output,
                        status: call.status,
                    }));
                    events.extend(loaded);
                }
                _ => {}
            }
        }
        match () {
            () if said.is_empty() => {}
            () if said.starts_with("[Request interrupted by user") => events.push(SessionEvent::Interrupted),
            () if record.is_compact_summary => events.push(SessionEvent::Compacted),
            () if record.is_meta => self.skill(&said, events),
            () => self.prompt(record.uuid, record.timestamp, &said, events),
        }
    }

    /// The text of a skill, which the program writes when it is loaded.
    fn skill(&mut self, said: &str, events: &mut Vec<SessionEvent>) {
        let directory = said.strip_prefix("Base directory for this skill: ").and_then(|rest| rest.lines().next());
        let named = directory.and_then(|path| path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next());
        if let Some(name) = self.command.take().or(named.map(str::to_owned)) {
            let directory = directory.map(str::to_owned);
            events.push(SessionEvent::SkillLoaded { name, directory, chars: said.chars().count() });
        }
    }

    fn prompt(&mut self, id: Option<String>, at: Option<jiff::Timestamp>, said: &str, events: &mut Vec<SessionEvent>) {
        let part = |tag: &str| {
            let inner = said.split_once(&format!("<{tag}>"))?.1;
            inner.split_once(&format!("</{tag}>")).map(|(inner, _)| inner.trim().to_owned())
        };
        if said.starts_with("<command-") {
            let name = part("command-name").unwrap_or_default();
            let arguments = part("command-args").unwrap_or_default();
            self.command = name.strip_prefix('/').map(str::to_owned);
            let text = format!("{name} {arguments}").trim().to_owned();
            events.push(SessionEvent::Prompt { id, at, text });
        } else if !WRITTEN_BY_PROGRAM.iter().any(|tag| said.starts_with(tag)) {
            self.command = None;
            events.push(SessionEvent::Prompt { id, at, text: said.to_owned() });
        }
    }

    /// The call that a result is of, with its output and how it ended.
    fn result(&mut self, block: ClaudeBlock, told: &record::ToolResult, is_denied: bool) -> Option<ToolCall> {
        let call = self.waiting.remove(&block.tool_use_id?)?;
        let (text, is_error) = (block.content.into_text(), block.is_error == Some(true));
        let exit_code = exit_code(&call.name, &text, is_error);
        let output = ToolOutput { text, is_error, note: told.return_code_interpretation.clone(), exit_code };
        let status = match () {
            () if is_denied || told.interrupted || is_refused(&output) => ToolStatus::NotRun,
            () if !is_error && has_nothing(&call.name, &output, &told.counts) => ToolStatus::NoMatch,
            () => status(&output),
        };
        Some(ToolCall { output: Some(output), status: Some(status), ..call })
    }
}

/// How texts begin that the program wrote in the user's place.
const WRITTEN_BY_PROGRAM: [&str; 8] = [
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "<user-memory-input>",
    "<ide_",
    "Caveat: The messages below",
    "[Tool result",
];

/// How results begin, beside those of other agents, of calls that were refused; newer versions say so beside them, too.
const REFUSED: [&str; 3] = ["Claude requested permissions to", "Permission to use ", "PreToolUse:"];

fn is_refused(output: &ToolOutput) -> bool {
    let text = output.text.as_str();
    output.is_error && (says_not_run(text) || REFUSED.iter().any(|begin| text.starts_with(begin)))
}

/// What a sub-agent's record in the file of its session tells: what it says and calls, below the call that started it.
fn below(thread: &str, before: usize, events: &mut Vec<SessionEvent>) {
    for event in &mut events[before..] {
        match event {
            SessionEvent::Message(piece) => piece.parent = Some(thread.to_owned()),
            SessionEvent::Call { call, .. } => call.parent = Some(thread.to_owned()),
            _ => {}
        }
    }
    let is_of_thread = |event: &SessionEvent| {
        matches!(
            event,
            SessionEvent::Message(_) | SessionEvent::Call { .. } | SessionEvent::Result { .. } | SessionEvent::Info(_)
        )
    };
    let kept: Vec<SessionEvent> = events.drain(before..).filter(is_of_thread).collect();
    events.extend(kept);
}

/// What the program told the model beside the conversation, and what the user wrote while it worked.
fn attached(record: ClaudeRecord, events: &mut Vec<SessionEvent>) {
    let Some(attachment) = record.attachment else { return };
    let listed = || {
        let lines = attachment.content.lines().filter_map(|line| line.strip_prefix("- "));
        lines.filter_map(|line| line.split_once(':').map(|(name, _)| name.trim().to_owned())).collect()
    };
    match attachment.kind.as_str() {
        "skill_listing" => {
            let names = if attachment.names.is_empty() { listed() } else { attachment.names };
            events.push(SessionEvent::SkillsOffered(names));
        }
        "queued_command" if attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt") => {
            let text = attachment.prompt.into_text();
            if !text.is_empty() && !WRITTEN_BY_PROGRAM.iter().any(|tag| text.starts_with(tag)) {
                events.push(SessionEvent::Prompt { id: record.uuid, at: record.timestamp, text });
            }
        }
        _ => {}
    }
}
