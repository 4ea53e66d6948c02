//! Prompts that are conversations: a list of messages with roles, in JSON or YAML.

use serde_json::Value;

use super::templates::first_tag;

/// The system text and the user's text of a conversation.
pub(in crate::cases) struct Conversation {
    pub(in crate::cases) system: String,
    pub(in crate::cases) user: String,
}

/// The conversation that a prompt is; `None` of plain text. A conversation with an assistant's turns has no user's text of
/// its own, so it is none of ours: `Err`.
pub(super) fn conversation(text: &str) -> Option<Result<Conversation, ()>> {
    let trimmed = text.trim_start();
    if trimmed.starts_with("- role:") {
        return Some(of_yaml(text).and_then(|messages| of_messages(&messages)).unwrap_or(Err(())));
    }
    if !trimmed.starts_with('[') {
        return None;
    }
    let messages: Vec<Value> = match serde_json::from_str(trimmed) {
        Ok(messages) => messages,
        // Such as one whose list is made by a loop.
        Err(_) => return trimmed.contains("\"role\"").then_some(Err(())),
    };
    of_messages(&messages)
}

/// The messages of a conversation in YAML. Its variables are no YAML, so that words stand in their places meanwhile.
fn of_yaml(text: &str) -> Option<Vec<Value>> {
    let (mut plain, mut tags, mut rest) = (String::new(), Vec::new(), text);
    while let Some(at) = first_tag(rest) {
        let end = at + rest[at..].strip_prefix("{{")?.find("}}")? + 4;
        plain.push_str(&rest[..at]);
        plain.push_str(&format!("\u{e000}{}\u{e001}", tags.len()));
        tags.push(&rest[at..end]);
        rest = &rest[end..];
    }
    plain.push_str(rest);
    let messages: Value = serde_saphyr::from_str(&plain).ok()?;
    let restored = |text: &str| {
        let mut text = text.to_owned();
        for (at, tag) in tags.iter().enumerate() {
            text = text.replace(&format!("\u{e000}{at}\u{e001}"), tag);
        }
        text
    };
    let message = |of: &Value| {
        let mut of = of.clone();
        if let Some(text) = of["content"].as_str().map(restored) {
            of["content"] = Value::String(text);
        }
        of
    };
    Some(messages.as_array()?.iter().map(message).collect())
}

/// The conversation in a list of messages; `None` where it is no list of messages.
pub(in crate::cases) fn of_messages(messages: &[Value]) -> Option<Result<Conversation, ()>> {
    let (mut system, mut user) = (Vec::new(), Vec::new());
    for message in messages {
        let role = message["role"].as_str()?;
        let Some(content) = content(&message["content"]) else { return Some(Err(())) };
        match role {
            "system" | "developer" if user.is_empty() => system.push(content),
            "user" if user.is_empty() => user.push(content),
            _ => return Some(Err(())),
        }
    }
    let user = user.pop()?;
    Some(Ok(Conversation { system: system.join("\n\n"), user }))
}

/// The text of a message; `None` where it has pictures or the like.
fn content(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => parts.iter().map(|part| part["text"].as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}
