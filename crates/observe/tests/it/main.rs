//! Observations from session files, through the crate's door.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod attribution;
mod counting;
mod inbox;
mod lines;
mod mask;
mod merging;
mod places;
mod recorded_searches;
mod thinking;

use std::io::BufReader;

use eval_format::{Observation, ObservationSources};
use eval_observe::{
    Mask, NamedSession, ObservedKnowledge, SessionRead, SessionReading, SubAgentFile, observe, read_session,
};
use eval_trace::sessions::session_format;
use serde_json::{Value, json};

/// A session of Claude Code, written record by record.
pub(crate) struct ClaudeFile {
    id: String,
    records: Vec<Value>,
    second: u32,
}

impl ClaudeFile {
    pub(crate) fn new(id: &str) -> ClaudeFile {
        ClaudeFile { id: id.to_owned(), records: Vec::new(), second: 0 }
    }

    fn push(mut self, kind: &str, message: Value, more: Value) -> ClaudeFile {
        self.second += 1;
        let number = self.records.len();
        let mut record = json!({
            "parentUuid": null,
            "isSidechain": false,
            "type": kind,
            "message": message,
            "uuid": format!("{}-{number}", self.id),
            "timestamp": format!("2026-03-24T10:{:02}:{:02}.000Z", self.second / 60, self.second % 60),
            "cwd": "/srv/demo",
            "sessionId": self.id,
            "version": "2.1.330",
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.records.push(record);
        self
    }

    pub(crate) fn prompt(self, text: &str) -> ClaudeFile {
        self.push("user", json!({"role": "user", "content": text}), json!({}))
    }

    /// Adds a message; each block is a separate record with the usage of the whole message.
    pub(crate) fn says(self, message: &str, skill: Option<&str>, blocks: &[Value]) -> ClaudeFile {
        let more = skill.map_or(json!({}), |skill| json!({"attributionSkill": skill}));
        blocks.iter().fold(self, |file, block| {
            let usage = json!({"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 7});
            let message =
                json!({"id": message, "role": "assistant", "model": "claude-x", "content": [block], "usage": usage});
            file.push("assistant", message, more.clone())
        })
    }

    pub(crate) fn result(self, call: &str, text: &str, is_error: bool) -> ClaudeFile {
        let block = json!({"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error});
        self.push("user", json!({"role": "user", "content": [block]}), json!({}))
    }

    /// Adds the text of a loaded skill.
    pub(crate) fn skill(self, name: &str) -> ClaudeFile {
        let text = format!("Base directory for this skill: /srv/demo/.claude/skills/{name}\n\nDo it well.");
        let block = json!({"type": "text", "text": text});
        self.push("user", json!({"role": "user", "content": [block]}), json!({"isMeta": true}))
    }

    pub(crate) fn text(&self) -> String {
        self.records.iter().map(|record| format!("{record}\n")).collect()
    }
}

pub(crate) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub(crate) fn call(id: &str, tool: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": input})
}

/// Adds a failed search and its result.
pub(crate) fn misses(file: ClaudeFile, id: &str, skill: Option<&str>, pattern: &str) -> ClaudeFile {
    file.says(&format!("m-{id}"), skill, &[call(id, "Grep", json!({"pattern": pattern}))]).result(
        id,
        "No matches found",
        false,
    )
}

pub(crate) fn read(session: &str, sub_agents: &[(&str, &str)]) -> SessionRead {
    read_with(false, session, sub_agents)
}

/// Reads a session, with or without the model's thinking.
pub(crate) fn read_with(thinking: bool, session: &str, sub_agents: &[(&str, &str)]) -> SessionRead {
    let mask = Mask { home: Some("/home/kim".to_owned()), ..Mask::default() };
    let reading = SessionReading { mask, thinking, ..SessionReading::default() };
    let format = session_format("session.jsonl", session).expect("a known format");
    let open = |text: &str| BufReader::new(std::io::Cursor::new(text.to_owned().into_bytes()));
    let sub_agents = sub_agents.iter().map(|(call, text)| SubAgentFile {
        path: format!("agent-{call}.jsonl"),
        started_by: Some((*call).to_owned()),
        file: open(text),
    });
    read_session(format, &reading, open(session), sub_agents.collect::<Vec<_>>()).unwrap()
}

pub(crate) fn observed(files: &[&ClaudeFile]) -> Observation {
    let sessions = files.iter().enumerate().map(|(index, file)| (format!("{index}.jsonl"), read(&file.text(), &[])));
    observed_sessions(&sessions.collect::<Vec<_>>())
}

pub(crate) fn observed_sessions(sessions: &[NamedSession]) -> Observation {
    let (sources, knowledge) = (ObservationSources::default(), ObservedKnowledge::default());
    observe("id".to_owned(), "now".to_owned(), sessions, sources, knowledge)
}
