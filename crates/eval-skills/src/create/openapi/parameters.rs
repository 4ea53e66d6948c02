//! The parameters of an operation: path, query, headers, cookies.

use eval_message::{Message, msg};
use eval_spec::callable::placeholders;
use serde_json::{Value, json};

use super::operation::Operation;
use super::schema::{Schemas, free_name};

/// A parameter that can be sent.
pub(super) struct RequestParameter<'a> {
    pub(super) name: String,
    /// `path`, `query`, `header` or `cookie`.
    pub(super) place: &'static str,
    /// The member of the skill's input.
    pub(super) field: String,
    pub(super) explode: bool,
    pub(super) is_required: bool,
    pub(super) description: Option<&'a str>,
    pub(super) schema: Option<&'a Value>,
    /// The parameter itself, for its examples.
    pub(super) written: &'a Value,
}

impl RequestParameter<'_> {
    /// The entry in `request.parameters` of the adapter's configuration.
    pub(super) fn mapping(&self) -> Value {
        let mut mapping = json!({"name": self.name, "in": self.place});
        if self.field != self.name {
            mapping["field"] = self.field.as_str().into();
        }
        if !self.explode {
            mapping["explode"] = false.into();
        }
        mapping
    }
}

/// An operation with more parameters is skipped.
const MAX_PARAMETERS: usize = 500;

/// Headers that OpenAPI excludes from parameters, because media types and security schemes describe them.
const NOT_OURS: [&str; 3] = ["accept", "content-type", "authorization"];

/// The parameters of an operation, those of its path included.
///
/// # Errors
/// One that must be there can't be sent.
pub(super) fn read<'a>(of: &Operation<'a>, schemas: &mut Schemas<'a>) -> Result<Vec<RequestParameter<'a>>, Message> {
    let lists = [of.item, of.operation].map(|holder| holder.get("parameters").and_then(Value::as_array));
    let named = placeholders(of.path).len();
    if lists.into_iter().flatten().map(Vec::len).sum::<usize>() + named > MAX_PARAMETERS {
        return Err(msg!("skills-cli-openapi-skipped-many", operation = of.name(), limit = MAX_PARAMETERS));
    }
    let mut written: Vec<&'a Value> = Vec::new();
    for parameter in lists.into_iter().flatten().flatten() {
        let parameter = match schemas.document.resolved(parameter) {
            Ok(parameter) => parameter,
            Err(reference) => {
                let operation = of.name();
                schemas.notes.add(msg!(
                    "skills-cli-openapi-lost-parameter",
                    operation = operation,
                    reference = reference
                ));
                continue;
            }
        };
        let is_same = |other: &Value| ["name", "in"].iter().all(|key| text(other, key) == text(parameter, key));
        // A parameter of the operation overrides one of the path.
        written.retain(|other| !is_same(other));
        written.push(parameter);
    }
    let mut parameters = Vec::new();
    for value in written {
        parameters.extend(one(of, value, schemas)?);
    }
    for name in placeholders(of.path) {
        let is_there = |parameter: &RequestParameter<'_>| parameter.place == "path" && parameter.name == name;
        if !parameters.iter().any(is_there) {
            parameters.push(undeclared(name));
        }
    }
    name_apart(&mut parameters);
    Ok(parameters)
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// A placeholder of the path that isn't declared is text.
fn undeclared(name: &str) -> RequestParameter<'static> {
    RequestParameter {
        name: name.to_owned(),
        place: "path",
        field: name.to_owned(),
        explode: true,
        is_required: true,
        description: None,
        schema: None,
        written: &Value::Null,
    }
}

fn one<'a>(
    of: &Operation<'a>,
    value: &'a Value,
    schemas: &mut Schemas<'a>,
) -> Result<Option<RequestParameter<'a>>, Message> {
    let (name, written) = (text(value, "name").unwrap_or_default(), text(value, "in").unwrap_or_default());
    let place = match written {
        _ if name.is_empty() => "",
        "path" if placeholders(of.path).contains(&name) => "path",
        "query" => "query",
        "header" if NOT_OURS.contains(&name.to_ascii_lowercase().as_str()) => return Ok(None),
        "header" => "header",
        "cookie" => "cookie",
        _ => "",
    };
    if place.is_empty() {
        let operation = of.name();
        schemas.notes.add(msg!("skills-cli-openapi-no-place", operation = operation, name = name, place = written));
        return Ok(None);
    }
    let is_required = place == "path" || value.get("required") == Some(&Value::Bool(true));
    if !can_be_sent(value, place, name, schemas) {
        let operation = of.name();
        if is_required {
            return Err(msg!("skills-cli-openapi-skipped-parameter", operation = operation, name = name));
        }
        schemas.notes.add(msg!("skills-cli-openapi-left-out", operation = operation, name = name));
        return Ok(None);
    }
    Ok(Some(RequestParameter {
        name: name.to_owned(),
        place,
        field: name.to_owned(),
        // Only lists in the query can be spread; elsewhere the flag says nothing of a list.
        explode: place != "query" || value.get("explode").and_then(Value::as_bool).unwrap_or(true),
        is_required,
        description: text(value, "description").filter(|text| !text.trim().is_empty()),
        schema: value.get("schema"),
        written: value,
    }))
}

/// Whether a value of this parameter has one obvious form: scalars and lists in the default style of the place.
fn can_be_sent(value: &Value, place: &str, name: &str, schemas: &Schemas<'_>) -> bool {
    let default = if matches!(place, "path" | "header") { "simple" } else { "form" };
    let is_plain = text(value, "style").is_none_or(|style| style == default);
    let schema = value.get("schema").and_then(|schema| schemas.document.resolved(schema).ok());
    let is_object = schema.and_then(|schema| schema.get("type")).is_some_and(|kind| kind == "object");
    let has_name = matches!(place, "path" | "query") || is_token(name);
    is_plain && !is_object && has_name && !name.trim().is_empty() && value.get("content").is_none()
}

/// Whether a header can have this name (RFC 9110, a token).
pub(super) fn is_token(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// Gives parameters of one name in two places different members.
fn name_apart(list: &mut [RequestParameter<'_>]) {
    for i in 0..list.len() {
        let is_taken = |field: &str| list[..i].iter().any(|other| other.field == field);
        if is_taken(&list[i].field) {
            list[i].field = free_name(&format!("{}_{}", list[i].name, list[i].place), is_taken);
        }
    }
}

/// The path as an entrypoint.
pub(super) fn entrypoint(path: &str) -> String {
    match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("/{path}"),
    }
}
