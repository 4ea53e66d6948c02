//! The model that a configuration names first, as one of our executors.

use eval_message::msg;

use super::super::reader::CaseReader;
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
    list(root).iter().find_map(|item| known(&id(item)?))
}

fn list(root: &Node) -> &[Node] {
    let node = root.get("providers").or_else(|| root.get("targets"));
    match node.map(|node| &node.data) {
        Some(NodeData::List(items)) => items.as_slice(),
        _ => node.map(std::slice::from_ref).unwrap_or_default(),
    }
}

/// Notes what is lost of the providers; whether one of them changes its outputs.
pub(super) fn differences(reader: &mut CaseReader, root: &Node) -> bool {
    let providers = list(root);
    if let [_, second, ..] = providers {
        reader.differs("`providers`", true, msg!("import-providers"), second.span);
    }
    let mut is_transformed = false;
    for provider in providers {
        let NodeData::Object(entries) = &provider.data else { continue };
        // `- openai:gpt-4o: {config}`
        let own = match entries.as_slice() {
            [one] if matches!(one.value.data, NodeData::Object(_)) && one.key.contains(':') => &one.value,
            _ => provider,
        };
        for key in ["config", "prompts"] {
            if let Some(node) = own.get(key) {
                reader.differs(format!("provider `{key}`"), true, msg!("import-provider-config"), node.span);
            }
        }
        is_transformed |= own.get("transform").is_some();
    }
    is_transformed
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
