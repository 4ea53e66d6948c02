//! The body of an operation's request, and its response.

use eval_message::{Message, msg};
use serde_json::Value;

use super::operation::Operation;
use super::parameters::RequestParameter;
use super::schema::{Schemas, free_name};

/// A body that can be sent.
pub(super) struct SampleBody<'a> {
    /// The member of the skill's input.
    pub(super) field: String,
    /// Without parameters, lowercase.
    pub(super) content_type: String,
    pub(super) is_required: bool,
    pub(super) schema: Option<&'a Value>,
    /// The media type object, for its examples.
    pub(super) written: &'a Value,
}

/// A media type without its parameters.
fn plain(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type == "*/*" || media_type.ends_with("+json")
}

/// The preference among media types, lowest first; `None` for one that can't be sent.
fn rank(media_type: &str) -> Option<u8> {
    match media_type {
        "application/json" => Some(0),
        "*/*" | "application/*" => Some(1),
        other if other.starts_with("application/") && other.ends_with("+json") => Some(2),
        "application/x-www-form-urlencoded" => Some(3),
        "text/plain" => Some(4),
        _ => None,
    }
}

/// The body of an operation, if it has one.
///
/// # Errors
/// It must have one that can't be sent.
pub(super) fn read<'a>(
    of: &Operation<'a>,
    parameters: &[RequestParameter<'_>],
    schemas: &mut Schemas<'a>,
) -> Result<Option<SampleBody<'a>>, Message> {
    let Some(body) = of.operation.get("requestBody") else { return Ok(None) };
    let body = match schemas.document.resolved(body) {
        Ok(body) => body,
        Err(reference) => {
            schemas.notes.add(msg!("skills-cli-openapi-lost-body", operation = of.name(), reference = reference));
            return Ok(None);
        }
    };
    let is_required = body.get("required") == Some(&Value::Bool(true));
    let content = body.get("content").and_then(Value::as_object);
    let best = content.into_iter().flatten().filter_map(|(name, media)| {
        let name = plain(name);
        Some((rank(&name)?, name, media))
    });
    let Some((rank, name, media)) = best.min_by_key(|(rank, ..)| *rank) else {
        let names: Vec<&str> = content.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let (operation, names) = (of.name(), names.join(", "));
        if is_required {
            return Err(msg!("skills-cli-openapi-skipped-body", operation = operation, content = names));
        }
        schemas.notes.add(msg!("skills-cli-openapi-no-body", operation = operation, content = names));
        return Ok(None);
    };
    Ok(Some(SampleBody {
        field: free_name("body", |field| parameters.iter().any(|parameter| parameter.field == field)),
        content_type: if rank == 1 { "application/json".to_owned() } else { name },
        is_required,
        schema: media.get("schema"),
        written: media,
    }))
}

pub(super) struct Response<'a> {
    /// The schema of its JSON, if there is one.
    pub(super) schema: Option<&'a Value>,
    pub(super) kind: ResponseKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseKind {
    Empty,
    Json,
    /// Text, or nothing is said of it.
    Other,
}

/// The first response of success, else the default one.
pub(super) fn response<'a>(of: &Operation<'a>, schemas: &mut Schemas<'a>) -> Response<'a> {
    let responses = of.operation.get("responses").and_then(Value::as_object);
    let mut good: Vec<(&String, &'a Value)> =
        responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2')).collect();
    good.sort_by_key(|(status, _)| *status);
    let default = responses.and_then(|responses| responses.get_key_value("default"));
    let Some((_, response)) = good.first().copied().or(default) else {
        return Response { schema: None, kind: ResponseKind::Other };
    };
    let response = match schemas.document.resolved(response) {
        Ok(response) => response,
        Err(reference) => {
            schemas.notes.add(msg!("skills-cli-openapi-lost-response", operation = of.name(), reference = reference));
            return Response { schema: None, kind: ResponseKind::Json };
        }
    };
    let content = response.get("content").and_then(Value::as_object);
    let json = content.into_iter().flatten().find(|(name, _)| is_json(&plain(name)));
    let kind = match json {
        Some(_) => ResponseKind::Json,
        None if content.is_none_or(serde_json::Map::is_empty) && of.method != "head" => ResponseKind::Empty,
        None => ResponseKind::Other,
    };
    Response { schema: json.and_then(|(_, media)| media.get("schema")), kind }
}
