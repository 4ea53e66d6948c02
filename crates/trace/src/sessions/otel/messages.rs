//! The messages of a span, in the ways that there are to write them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::told::{items, text, texts, unquoted};

/// A message of a request or an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct OtelMessage {
    pub(super) role: String,
    pub(super) text: String,
    pub(super) thinking: String,
    /// Id, name, arguments.
    pub(super) calls: Vec<(Option<String>, String, Value)>,
    /// The call's id, and what it returned.
    pub(super) results: Vec<(String, String)>,
}

/// A value of OTLP as plain JSON.
pub(super) fn plain(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|fields| fields.iter().next()) else { return value.clone() };
    match kind.as_str() {
        "intValue" => {
            inner.as_str().and_then(|text| text.parse::<i64>().ok()).map_or_else(|| inner.clone(), Value::from)
        }
        "arrayValue" => items(&inner["values"]).iter().map(plain).collect(),
        "kvlistValue" => Value::Object(attributes(&inner["values"])),
        _ => inner.clone(),
    }
}

/// The attributes of a list by their names.
pub(super) fn attributes(list: &Value) -> Map<String, Value> {
    let pairs = items(list).iter().filter_map(|pair| Some((text(&pair["key"])?, plain(&pair["value"]))));
    pairs.collect()
}

/// The messages that attributes hold: of the request, then of the answer.
pub(super) fn of_attributes(of: &Map<String, Value>) -> (Vec<OtelMessage>, Vec<OtelMessage>) {
    let of_key = |keys: [&str; 2], numbered: &str| {
        let found = keys.iter().find_map(|key| of.get(*key));
        found.map_or_else(|| listed(&Value::Array(unnumbered(of, numbered))), listed)
    };
    let asked = of_key(["gen_ai.input.messages", "gen_ai.prompt"], "gen_ai.prompt.");
    let said = of_key(["gen_ai.output.messages", "gen_ai.completion"], "gen_ai.completion.");
    (asked, said)
}

/// The message of an event: a request's, and an answer's.
pub(super) fn of_event(name: &str, of: &Map<String, Value>, body: &Value) -> (Vec<OtelMessage>, Vec<OtelMessage>) {
    let role = match name {
        "gen_ai.user.message" => "user",
        "gen_ai.assistant.message" => "assistant",
        "gen_ai.tool.message" => "tool",
        "gen_ai.choice" => "choice",
        _ => return of_attributes(of),
    };
    let mut fields = body.as_object().unwrap_or(of).clone();
    if let Some(Value::Object(inner)) = fields.get("message").map(unquoted) {
        fields = inner;
    } else if let Some(said) = fields.remove("message") {
        fields.insert("content".to_owned(), said);
    }
    fields.insert("role".to_owned(), json!(if role == "choice" { "assistant" } else { role }));
    let message = vec![message(&Value::Object(fields))];
    if role == "choice" { (Vec::new(), message) } else { (message, Vec::new()) }
}

/// Messages in a list, which may be written as a text.
fn listed(value: &Value) -> Vec<OtelMessage> {
    match unquoted(value) {
        Value::Array(all) => all.iter().map(message).collect(),
        Value::Object(one) => vec![message(&Value::Object(one))],
        Value::String(text) if !text.is_empty() => {
            vec![OtelMessage { role: "user".to_owned(), text, ..OtelMessage::default() }]
        }
        _ => Vec::new(),
    }
}

fn message(of: &Value) -> OtelMessage {
    let mut made = OtelMessage { role: text(&of["role"]).unwrap_or_default(), ..OtelMessage::default() };
    let content = unquoted(&of["content"]);
    let parts = if of["parts"].is_array() { &of["parts"] } else { &content };
    if made.role == "tool" && !of["parts"].is_array() {
        let id = text(&of["tool_call_id"]).or(text(&of["id"])).unwrap_or_default();
        made.results.push((id, shown(&content)));
    } else if let Value::String(said) = parts {
        said.clone_into(&mut made.text);
    } else {
        items(parts).iter().for_each(|part| made.part(part));
    }
    for call in items(&unquoted(&of["tool_calls"])) {
        let function = if call["function"].is_object() { &call["function"] } else { call };
        let name = text(&function["name"]).unwrap_or_default();
        made.calls.push((text(&call["id"]), name, unquoted(&function["arguments"])));
    }
    made
}

impl OtelMessage {
    fn part(&mut self, part: &Value) {
        let said = || text(&part["content"]).or(text(&part["text"])).or(text(part)).unwrap_or_default();
        let id = || text(&part["id"]).or(text(&part["tool_use_id"]));
        match part["type"].as_str().unwrap_or("text") {
            "text" => add(&mut self.text, &said()),
            "reasoning" | "thinking" => add(&mut self.thinking, &said()),
            "tool_call" | "tool_use" => {
                let input = if part["arguments"].is_null() { &part["input"] } else { &part["arguments"] };
                self.calls.push((id(), text(&part["name"]).unwrap_or_default(), unquoted(input)));
            }
            "tool_call_response" | "tool_result" => {
                let given =
                    ["response", "result", "content"].iter().map(|key| &part[*key]).find(|given| !given.is_null());
                self.results.push((id().unwrap_or_default(), given.map(shown).unwrap_or_default()));
            }
            _ => {}
        }
    }
}

fn add(to: &mut String, more: &str) {
    if !to.is_empty() && !more.is_empty() {
        to.push('\n');
    }
    to.push_str(more);
}

/// A result as a text.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(_) if !texts(value).is_empty() => texts(value),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Messages whose fields are attributes of their own: `gen_ai.prompt.0.content`.
fn unnumbered(of: &Map<String, Value>, before: &str) -> Vec<Value> {
    let mut all: BTreeMap<usize, Map<String, Value>> = BTreeMap::new();
    let mut calls: BTreeMap<(usize, usize), Map<String, Value>> = BTreeMap::new();
    for (key, value) in of {
        let Some((number, field)) = key.strip_prefix(before).and_then(|rest| rest.split_once('.')) else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let message = all.entry(number).or_default();
        match field.strip_prefix("tool_calls.").and_then(|rest| rest.split_once('.')) {
            None => _ = message.insert(field.to_owned(), value.clone()),
            Some((place, field)) => {
                let place = place.parse::<usize>().unwrap_or(0);
                calls.entry((number, place)).or_default().insert(field.to_owned(), value.clone());
            }
        }
    }
    for ((number, _), call) in calls {
        let message = all.entry(number).or_default();
        let list = message.entry("tool_calls").or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(Value::Object(call));
        }
    }
    all.into_values().map(Value::Object).collect()
}
