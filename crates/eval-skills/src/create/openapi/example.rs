//! A starter input: the document's own examples where it has some, else the simplest value of each type.

use serde_json::{Map, Value, json};

use super::budget::CopyBudget;
use super::media::{SampleBody, file_schema};
use super::parameters::RequestParameter;
use super::schema::OpenApiDocument;

/// The depth of generated values.
const MAX_DEPTH: usize = 16;
/// The most values of an input.
const MAX_VALUES: usize = 1_000;

/// An input with everything that is required or has an example.
pub(super) fn input(
    document: OpenApiDocument<'_>,
    parameters: &[RequestParameter<'_>],
    body: Option<&SampleBody<'_>>,
) -> Value {
    let mut maker = ExampleMaker { document, budget: CopyBudget::new(MAX_VALUES), open: Vec::new() };
    let mut input = Map::new();
    for parameter in parameters {
        let value = maker.value(parameter.written, parameter.schema, parameter.is_required);
        input.extend(value.map(|value| (parameter.field.clone(), value)));
    }
    if let Some(body) = body {
        let value = maker.value(body.written, body.schema, body.is_required).filter(|value| body.accepts(value));
        // A form without a usable example has no members, and a file no content.
        let empty = || match body.schema {
            Some(schema) if std::ptr::eq(schema, file_schema()) => "x".into(),
            _ => json!({}),
        };
        let value = value.or_else(|| body.is_required.then(empty));
        input.extend(value.map(|value| (body.field.clone(), value)));
    }
    Value::Object(input)
}

struct ExampleMaker<'a> {
    document: OpenApiDocument<'a>,
    budget: CopyBudget,
    /// The schemas of the values being generated, outermost first: a recursive type ends there.
    open: Vec<&'a Value>,
}

impl<'a> ExampleMaker<'a> {
    /// The example of a parameter or body, or a generated value for a required one.
    fn value(&mut self, holder: &'a Value, schema: Option<&'a Value>, is_required: bool) -> Option<Value> {
        let given = self.given(holder);
        given.or_else(|| is_required.then(|| self.generated(schema).unwrap_or_else(|| "x".into())))
    }

    /// `example`, or the first of `examples`.
    fn given(&mut self, holder: &'a Value) -> Option<Value> {
        let first = holder.get("examples").and_then(Value::as_object).and_then(|examples| examples.values().next());
        let first = first.and_then(|example| self.document.resolved(example).ok()?.get("value"));
        self.budget.copy(holder.get("example").or(first)?)
    }

    /// A generated value for a schema; `None` if it would be recursive, too deep or too large.
    fn generated(&mut self, schema: Option<&'a Value>) -> Option<Value> {
        if !self.budget.node() {
            return None;
        }
        let Some(schema) = schema else { return Some("x".into()) };
        // What an unreadable reference leads to may be anything.
        let Ok(schema) = self.document.resolved(schema) else { return Some("x".into()) };
        let is_open = self.open.iter().any(|other| std::ptr::eq(*other, schema));
        if is_open || self.open.len() >= MAX_DEPTH {
            return None;
        }
        self.open.push(schema);
        let value = self.of_schema(schema);
        self.open.pop();
        value
    }

    fn of_schema(&mut self, schema: &'a Value) -> Option<Value> {
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        let first = |key: &str| list(key).and_then(|items| items.first());
        let written = ["example", "default", "const"].iter().find_map(|key| schema.get(*key));
        if let Some(value) = written.or_else(|| first("examples")).or_else(|| first("enum")) {
            return self.budget.copy(value);
        }
        if let Some(parts) = list("allOf") {
            let values: Vec<Value> =
                parts.iter().take(MAX_VALUES).filter_map(|part| self.generated(Some(part))).collect();
            if !values.is_empty() && !values.iter().any(Value::is_object) {
                return values.into_iter().next();
            }
            let members = values.into_iter().filter_map(|value| value.as_object().cloned()).flatten();
            return Some(Value::Object(members.collect()));
        }
        if let Some(parts) = list("oneOf").or_else(|| list("anyOf")) {
            return parts.iter().take(MAX_VALUES).find_map(|part| self.generated(Some(part)));
        }
        let kind = schema.get("type");
        let kind = kind.and_then(|kind| kind.as_str().or_else(|| kind.as_array()?.first()?.as_str()));
        Some(match kind {
            // 1, which is above an excluded 0, or the minimum if that is larger.
            Some("integer" | "number") => {
                let least = schema.get("minimum").filter(|least| least.as_f64().is_some_and(|least| least > 1.0));
                least.cloned().unwrap_or_else(|| json!(1))
            }
            Some("boolean") => json!(true),
            Some("array") => {
                let items = schema.get("items");
                let first = items.and_then(Value::as_array).and_then(|items| items.first());
                Value::Array(self.generated(first.or(items)).into_iter().collect())
            }
            Some("null") => Value::Null,
            Some("object") => self.members(schema),
            None if schema.get("properties").is_some() => self.members(schema),
            _ => text(schema).into(),
        })
    }

    fn members(&mut self, schema: &'a Value) -> Value {
        let mut members = Map::new();
        let properties = schema.get("properties").and_then(|properties| self.document.resolved(properties).ok());
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        // The budget allows no more members than this.
        for name in required.filter_map(Value::as_str).take(MAX_VALUES) {
            let of = properties.and_then(|properties| properties.get(name));
            let Some(value) = self.generated(of) else { continue };
            members.insert(name.to_owned(), value);
        }
        Value::Object(members)
    }
}

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
