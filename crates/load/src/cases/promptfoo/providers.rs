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

/// Whether the provider that is taken parses an answer that is JSON: OpenAI's, with a schema for its answers.
pub(super) fn parses_answers(reader: &CaseReader, root: &Node) -> bool {
    let chosen = list(root).iter().find(|item| id(item).is_some_and(|id| known(&id).is_some()));
    let Some(provider) = chosen.or_else(|| list(root).first()) else { return false };
    let Some(format) = fields_of(provider).get("config").and_then(|config| config.get("response_format")) else {
        return false;
    };
    let is_openai = id(provider).is_some_and(|id| id.starts_with("openai:") || id.starts_with("azure:"));
    let kind = match &format.data {
        NodeData::Text(file) => match reader.beside(file) {
            Ok(text) => serde_saphyr::from_str::<serde_json::Value>(&text).unwrap_or_default()["type"].clone(),
            Err(_) => return false,
        },
        _ => format.value()["type"].clone(),
    };
    is_openai && kind == "json_schema"
}

/// The fields of a provider; those of `- openai:gpt-4o: {config}` stand below its id.
fn fields_of(provider: &Node) -> &Node {
    match &provider.data {
        NodeData::Object(entries) => match entries.as_slice() {
            [one] if matches!(one.value.data, NodeData::Object(_)) && one.key.contains(':') => &one.value,
            _ => provider,
        },
        _ => provider,
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
        let name = id(provider).unwrap_or_default();
        // A callable skill is what answers.
        if known(&name).is_none() && !reader.is_for_skills {
            reader.lacks(format!("provider `{name}`"), msg!("import-provider-unknown"), provider.span);
        }
        let own = fields_of(provider);
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
