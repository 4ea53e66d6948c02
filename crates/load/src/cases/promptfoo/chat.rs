//! Prompts that are conversations: a list of messages with roles, in JSON or YAML.

use serde_json::Value;

/// The system text and the user's text of a conversation.
pub(in crate::cases) struct Conversation {
    pub(in crate::cases) system: String,
    pub(in crate::cases) user: String,
}

/// The conversation that a prompt is; `None` of plain text. A conversation with an assistant's turns has no user's text of
/// its own, so it is none of ours: `Err`.
pub(super) fn conversation(text: &str) -> Option<Result<Conversation, ()>> {
    let trimmed = text.trim_start();
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
