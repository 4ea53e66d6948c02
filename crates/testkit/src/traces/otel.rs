//! Checks OTLP's JSON encoding (specification 1.9) and the semantic conventions for generative AI.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::{check_fields, check_type, items};

/// Attributes of the conventions that are used here, with their types.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("error.type", "stringValue"),
    ("gen_ai.agent.name", "stringValue"),
    ("gen_ai.agent.version", "stringValue"),
    ("gen_ai.input.messages", "stringValue"),
    ("gen_ai.operation.name", "stringValue"),
    ("gen_ai.output.messages", "stringValue"),
    ("gen_ai.provider.name", "stringValue"),
    ("gen_ai.request.model", "stringValue"),
    ("gen_ai.response.finish_reasons", "arrayValue"),
    ("gen_ai.response.id", "stringValue"),
    ("gen_ai.response.model", "stringValue"),
    ("gen_ai.system_instructions", "stringValue"),
    ("gen_ai.tool.call.arguments", "stringValue"),
    ("gen_ai.tool.call.id", "stringValue"),
    ("gen_ai.tool.call.result", "stringValue"),
    ("gen_ai.tool.name", "stringValue"),
    ("gen_ai.tool.type", "stringValue"),
    ("gen_ai.usage.cache_creation.input_tokens", "intValue"),
    ("gen_ai.usage.cache_read.input_tokens", "intValue"),
    ("gen_ai.usage.input_tokens", "intValue"),
    ("gen_ai.usage.output_tokens", "intValue"),
];

/// Returns the errors of a line of a file of traces: a `TracesData` with one trace.
#[must_use]
pub fn otel_errors(line: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    check_fields(line, "", "resourceSpans", "$", &mut errors);
    for resource in items(line, "resourceSpans") {
        check_fields(resource, "schemaUrl", "resource scopeSpans", "$.resourceSpans[]", &mut errors);
        let attributes = attributes(&resource["resource"], "resource", &mut errors);
        if !attributes.contains_key("service.name") {
            errors.push("resource: no service.name".to_owned());
        }
        for scope in items(resource, "scopeSpans") {
            check_fields(scope, "schemaUrl", "scope spans", "scopeSpans[]", &mut errors);
            check_fields(&scope["scope"], "version", "name", "scope", &mut errors);
            check_trace(items(scope, "spans"), &mut errors);
        }
    }
    errors
}

fn check_trace(spans: &[Value], errors: &mut Vec<String>) {
    let mut ids = HashSet::new();
    for span in spans {
        if !ids.insert(span["spanId"].as_str().unwrap_or_default()) {
            errors.push(format!("spanId {} again", span["spanId"]));
        }
    }
    let roots = spans.iter().filter(|span| span["parentSpanId"] == "").count();
    if roots != 1 {
        errors.push(format!("{roots} spans without a parent"));
    }
    for span in spans {
        let path = span["name"].as_str().unwrap_or("?");
        check_span(span, path, errors);
        if span["traceId"] != spans[0]["traceId"] {
            errors.push(format!("{path}: of another trace"));
        }
        let parent = span["parentSpanId"].as_str().unwrap_or_default();
        if !parent.is_empty() && (!ids.contains(parent) || span["parentSpanId"] == span["spanId"]) {
            errors.push(format!("{path}: parent {parent} is no span"));
        }
    }
}

fn check_span(span: &Value, path: &str, errors: &mut Vec<String>) {
    let needed = "traceId spanId name kind startTimeUnixNano endTimeUnixNano";
    check_fields(span, "parentSpanId attributes status events links traceState flags", needed, path, errors);
    for (key, digits) in [("traceId", 32), ("spanId", 16)] {
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let id = span[key].as_str().unwrap_or_default();
        if id.len() != digits || !id.chars().all(is_hex) || id.chars().all(|c| c == '0') {
            errors.push(format!("{path}.{key}: {id}"));
        }
    }
    let time = |key: &str| span[key].as_str().and_then(|text| text.parse::<u64>().ok());
    match (time("startTimeUnixNano"), time("endTimeUnixNano")) {
        (Some(start), Some(end)) if 0 < start && start <= end => {}
        _ => errors.push(format!("{path}: from {} to {}", span["startTimeUnixNano"], span["endTimeUnixNano"])),
    }
    let attributes = attributes(span, path, errors);
    let text = |key: &str| attributes.get(key).and_then(|value| value["stringValue"].as_str());
    let operation = text("gen_ai.operation.name").unwrap_or_default();
    let (kinds, about): (&[u64], Option<&str>) = match operation {
        "invoke_agent" => (&[1, 3], text("gen_ai.agent.name")),
        "chat" => (&[3], text("gen_ai.request.model")),
        "execute_tool" => (&[1], text("gen_ai.tool.name")),
        other => {
            errors.push(format!("{path}: operation `{other}`"));
            return;
        }
    };
    let name = about.map_or_else(|| operation.to_owned(), |about| format!("{operation} {about}"));
    if span["name"] != *name || !span["kind"].as_u64().is_some_and(|kind| kinds.contains(&kind)) {
        errors.push(format!("{path}: name and kind {} of {name}", span["kind"]));
    }
    let needed = if operation == "execute_tool" { "gen_ai.tool.name" } else { "gen_ai.provider.name" };
    if text(needed).is_none() {
        errors.push(format!("{path}: no {needed}"));
    }
    if text("error.type").is_some() != (span["status"]["code"] == 2) {
        errors.push(format!("{path}: error.type and status {} differ", span["status"]));
    }
    check_fields(&span["status"], "code message", "", path, errors);
    for (key, needed) in
        [("gen_ai.input.messages", "role parts"), ("gen_ai.output.messages", "role parts finish_reason")]
    {
        let Some(text) = text(key) else { continue };
        check_messages(text, needed, &format!("{path}.{key}"), errors);
    }
    if let Some(text) = text("gen_ai.system_instructions") {
        let parts: Value = serde_json::from_str(text).unwrap_or_default();
        let is_part = |part: &Value| part["type"] == "text" && part["content"].is_string();
        if !parts.as_array().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_part)) {
            errors.push(format!("{path}.gen_ai.system_instructions: {parts}"));
        }
    }
    for key in ["gen_ai.tool.call.arguments"] {
        if text(key).is_some_and(|text| serde_json::from_str::<Value>(text).is_err()) {
            errors.push(format!("{path}.{key}: no JSON"));
        }
    }
}

fn check_messages(text: &str, needed: &str, path: &str, errors: &mut Vec<String>) {
    let messages: Value = serde_json::from_str(text).unwrap_or_default();
    if messages.as_array().is_none_or(Vec::is_empty) {
        errors.push(format!("{path}: no list of messages"));
    }
    for message in messages.as_array().into_iter().flatten() {
        check_fields(message, "name", needed, path, errors);
        if !matches!(message["role"].as_str(), Some("system" | "user" | "assistant" | "tool")) {
            errors.push(format!("{path}: role {}", message["role"]));
        }
        let reason = message["finish_reason"].as_str();
        if !reason.is_none_or(|reason| matches!(reason, "stop" | "length" | "content_filter" | "tool_call" | "error")) {
            errors.push(format!("{path}: finish_reason {reason:?}"));
        }
        for part in items(message, "parts") {
            match part["type"].as_str() {
                Some("text") => check_fields(part, "", "type content", path, errors),
                Some("tool_call") => check_fields(part, "id arguments", "type name", path, errors),
                _ => errors.push(format!("{path}: part {part}")),
            }
            check_type(part, "content", Value::is_string, path, errors);
        }
    }
}

/// Returns the attributes by key. Each may occur once; those of the conventions need the right type.
fn attributes<'v>(value: &'v Value, path: &str, errors: &mut Vec<String>) -> BTreeMap<&'v str, &'v Value> {
    let mut attributes = BTreeMap::new();
    for attribute in items(value, "attributes") {
        check_fields(attribute, "", "key value", path, errors);
        let (key, value) = (attribute["key"].as_str().unwrap_or_default(), &attribute["value"]);
        let kinds: Vec<&str> = value.as_object().into_iter().flatten().map(|(kind, _)| kind.as_str()).collect();
        let is_whole = match kinds[..] {
            ["stringValue"] => value["stringValue"].is_string(),
            ["boolValue"] => value["boolValue"].is_boolean(),
            // JSON encodes 64-bit numbers as text.
            ["intValue"] => value["intValue"].as_str().is_some_and(|text| text.parse::<i64>().is_ok()),
            ["doubleValue"] => value["doubleValue"].is_number(),
            ["arrayValue"] => value["arrayValue"]["values"].is_array(),
            _ => false,
        };
        let expected = ATTRIBUTES.iter().find(|(name, _)| *name == key).map(|(_, kind)| *kind);
        let is_foreign = key.starts_with("gen_ai.") && expected.is_none();
        if !is_whole || is_foreign || expected.is_some_and(|expected| kinds != [expected]) {
            errors.push(format!("{path}.{key}: {value}"));
        }
        if attributes.insert(key, value).is_some() {
            errors.push(format!("{path}.{key}: twice"));
        }
    }
    attributes
}
