//! Calls by which an agent loads a skill.

use eval_spec::call::{Step, ToolCall, Trace};
use serde_json::Value;

/// The skill that a successful call loads: by the agent's tool for that, or by reading its `SKILL.md`.
pub(crate) fn loaded(call: &ToolCall) -> Option<String> {
    let name = candidate(call)?;
    let trace = Trace { steps: vec![Step::Tool(call.clone())], ..Trace::default() };
    trace.has_loaded(&name).then_some(name)
}

/// The skill that a call names, whatever it does.
fn candidate(call: &ToolCall) -> Option<String> {
    let text = |key: &str| call.input[key].as_str();
    match call.name.as_str() {
        "Skill" => text("skill").or(text("command")),
        "activate_skill" => text("name"),
        _ => named(&call.input),
    }
    .and_then(|name| name.rsplit(':').next())
    .map(|name| name.trim_start_matches('/').to_owned())
}

/// The folder of a `SKILL.md` that an argument names.
fn named(input: &Value) -> Option<&str> {
    match input {
        Value::String(text) => {
            let before = &text[..text.find("/SKILL.md")?];
            let name = before.rsplit(['/', '\\', ' ', '\'', '"']).next()?;
            (!name.is_empty()).then_some(name)
        }
        Value::Array(all) => all.iter().find_map(named),
        Value::Object(all) => all.values().find_map(named),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
