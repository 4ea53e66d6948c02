//! An input to begin with: the document's own examples where it has some, else the simplest value of the type.

use serde_json::{Map, Value, json};

use super::body::Body;
use super::parameters::Parameters;
use super::schema::Document;

/// How deep values are made up.
const MAX_DEPTH: usize = 6;

/// An input with what must be there, and what has an example.
pub(super) fn input(document: Document<'_>, parameters: &Parameters<'_>, body: Option<&Body<'_>>) -> Value {
    let mut input = Map::new();
    for parameter in &parameters.list {
        let given = given(document, parameter.written);
        let made = || parameter.is_required.then(|| made_up(document, parameter.schema, 0));
        if let Some(value) = given.or_else(made) {
            input.insert(parameter.field.clone(), value);
        }
    }
    if let Some(body) = body {
        let given = given(document, body.written);
        let made = || body.is_required.then(|| made_up(document, body.schema, 0));
        if let Some(value) = given.or_else(made) {
            input.insert(body.field.clone(), value);
        }
    }
    Value::Object(input)
}

/// `example`, or the first of `examples`.
fn given(document: Document<'_>, holder: &Value) -> Option<Value> {
    let first = holder.get("examples").and_then(Value::as_object).and_then(|examples| examples.values().next());
    let first = first.and_then(|example| document.resolved(example).get("value"));
    holder.get("example").or(first).cloned()
}

fn made_up(document: Document<'_>, schema: Option<&Value>, depth: usize) -> Value {
    let Some(schema) = schema.filter(|_| depth < MAX_DEPTH) else { return "x".into() };
    let schema = document.resolved(schema);
    let first = |key: &str| schema.get(key).and_then(Value::as_array).and_then(|items| items.first());
    let written = ["example", "default", "const"].iter().find_map(|key| schema.get(*key));
    if let Some(value) = written.or_else(|| first("examples")).or_else(|| first("enum")) {
        return value.clone();
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        let parts = parts.iter().map(|part| made_up(document, Some(part), depth + 1));
        let members: Map<String, Value> = parts.filter_map(|part| part.as_object().cloned()).flatten().collect();
        return Value::Object(members);
    }
    if let Some(part) = first("oneOf").or_else(|| first("anyOf")) {
        return made_up(document, Some(part), depth + 1);
    }
    let kind = schema.get("type");
    let kind = kind.and_then(|kind| kind.as_str().or_else(|| kind.as_array()?.first()?.as_str()));
    match kind {
        // 1, which is above many an excluded 0, or more where more is asked for.
        Some("integer" | "number") => {
            let least = schema.get("minimum").filter(|least| least.as_f64().is_some_and(|least| least > 1.0));
            least.cloned().unwrap_or_else(|| json!(1))
        }
        Some("boolean") => json!(true),
        Some("array") => json!([made_up(document, schema.get("items"), depth + 1)]),
        Some("null") => Value::Null,
        Some("object") => members(document, schema, depth),
        None if schema.get("properties").is_some() => members(document, schema, depth),
        _ => text(schema).into(),
    }
}

fn members(document: Document<'_>, schema: &Value, depth: usize) -> Value {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let of = |name: &str| schema.get("properties").and_then(|properties| properties.get(name));
    required.map(|name| (name.to_owned(), made_up(document, of(name), depth + 1))).collect()
}

/// A text of the right format.
fn text(schema: &Value) -> String {
    let text = match schema.get("format").and_then(Value::as_str).unwrap_or("") {
        "date" => "2026-01-01",
        "date-time" => "2026-01-01T00:00:00Z",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "email" => "someone@example.com",
        "uri" | "url" => "https://example.com/",
        _ => "x",
    };
    let least = schema.get("minLength").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let missing = least.min(1_000).saturating_sub(text.len());
    format!("{text}{}", "x".repeat(missing))
}
