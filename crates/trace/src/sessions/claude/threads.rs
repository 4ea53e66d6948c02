//! Sub-agents whose records are in the file of their session.

use std::collections::HashMap;

use serde_json::Value;

use super::super::SessionInfo;
use super::record::ClaudeRecord;

/// Which call started the sub-agent of a record.
#[derive(Debug, Default)]
pub(super) struct ClaudeThreads {
    /// Whether there was a record of the agent itself, so that the file is no sub-agent's.
    pub(super) has_main: bool,
    /// Tasks that sub-agents were started with, by what they are asked.
    tasks: HashMap<String, String>,
    /// The call that started the sub-agent, by the id of its records.
    records: HashMap<String, String>,
}

impl ClaudeThreads {
    /// Notes a call that may start a sub-agent.
    pub(super) fn called(&mut self, id: &str, name: &str, input: &Value) {
        if let Some(prompt) = input["prompt"].as_str().filter(|_| matches!(name, "Task" | "Agent")) {
            self.tasks.insert(prompt.to_owned(), id.to_owned());
        }
    }

    /// The call that started the sub-agent of a record; `None` for a record of the agent whose file it is. Where no call is
    /// known, it is the id of the first record.
    pub(super) fn of(&mut self, record: &ClaudeRecord, file: &SessionInfo) -> Option<String> {
        let is_message = matches!(record.kind.as_str(), "user" | "assistant");
        self.has_main |= is_message && !record.is_sidechain;
        if !record.is_sidechain || file.sub_agent.is_some() {
            return None;
        }
        let before = record.parent_uuid.as_ref().and_then(|parent| self.records.get(parent)).cloned();
        let asked = || self.tasks.get(record.message.as_ref()?.content.as_text()?).cloned();
        let call = before.or_else(asked).or_else(|| record.agent_id.clone()).or_else(|| record.uuid.clone());
        let call = call.unwrap_or_default();
        self.records.extend(record.uuid.clone().map(|id| (id, call.clone())));
        Some(call)
    }
}
