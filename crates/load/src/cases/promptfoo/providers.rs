//! The model that a configuration names first, as one of our executors.

use crate::tree::{Node, NodeData};

/// Beginnings of promptfoo's provider ids, and our executor for what follows.
const EXECUTORS: &[(&str, &str)] = &[
    ("openai:chat:", "openai-api"),
    ("openai:responses:", "openai-api"),
    ("openai:codex", "codex"),
    ("openai:", "openai-api"),
    ("anthropic:messages:", "anthropic-api"),
    ("anthropic:claude-agent-sdk", "claude"),
    ("anthropic:", "anthropic-api"),
    ("google:", "gemini-api"),
];

/// The first provider that one of our executors can be, and its model.
pub(super) fn model(root: &Node) -> Option<(&'static str, String)> {
    let node = root.get("providers").or_else(|| root.get("targets"))?;
    let items = match &node.data {
        NodeData::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    items.iter().find_map(|item| known(&id(item)?))
}

fn id(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text(text) => Some(text.clone()),
        NodeData::Object(entries) => match node.get("id").map(|id| &id.data) {
            Some(NodeData::Text(text)) => Some(text.clone()),
            // `- openai:gpt-4o: {config}`
            _ => entries.first().map(|entry| entry.key.clone()),
        },
        _ => None,
    }
}

fn known(id: &str) -> Option<(&'static str, String)> {
    let (executor, model) = EXECUTORS.iter().find_map(|(lead, executor)| Some((*executor, id.strip_prefix(lead)?)))?;
    let is_plain = !model.is_empty() && !model.contains([':', '{', ' ']);
    is_plain.then(|| (executor, model.to_owned()))
}
