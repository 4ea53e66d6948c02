//! The body of an operation's request, and its response.

use std::collections::BTreeSet;

use eval_message::{Message, msg};
use eval_spec::callable::ParameterPlace;
use serde_json::{Map, Value, json};

use super::media::{FORM, MULTIPART, RAW, SampleBody, file_schema, is_file, is_json, plain, rank};
use super::operation::Operation;
use super::parameters::{RequestParameter, is_token, style_of};
use super::schema::{OpenApiDocument, Schemas, free_name};

/// The most schemas that are searched for members of a form.
const MAX_SEARCHED: usize = 1_000;

/// The names of members of a form that are files, alone or in a list.
fn files<'a>(document: OpenApiDocument<'a>, media: &'a Value) -> BTreeSet<&'a str> {
    let mut open: Vec<&Value> = media.get("schema").into_iter().collect();
    let mut files = BTreeSet::new();
    for _ in 0..MAX_SEARCHED {
        let Some(schema) = open.pop().and_then(|schema| document.resolved(schema).ok()) else { break };
        let parts = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
        open.extend(parts.flatten());
        for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let member = document.resolved(member).unwrap_or(member);
            let item = member.get("items").and_then(|items| document.resolved(items).ok());
            if is_file(member) || item.is_some_and(is_file) {
                files.insert(name.as_str());
            }
        }
    }
    files
}

/// How the members of a form are written; a style that no form has is a note.
fn encoding<'a>(of: &Operation<'a>, kind: &str, media: &'a Value, schemas: &mut Schemas<'a>) -> Map<String, Value> {
    let is_multipart = kind == "multipart/form-data";
    let mut encoding = Map::new();
    if is_multipart {
        encoding
            .extend(files(schemas.document, media).into_iter().map(|name| (name.to_owned(), json!({"file": true}))));
    }
    for (name, written) in media.get("encoding").and_then(Value::as_object).into_iter().flatten() {
        let mut member = encoding.remove(name).unwrap_or_else(|| json!({}));
        let text = |key: &str| written.get(key).and_then(Value::as_str);
        if let Some(kinds) = text("contentType").filter(|_| is_multipart) {
            // `image/png, image/jpeg` and `image/*` leave the choice to the input.
            if is_concrete(kinds) {
                member["contentType"] = kinds.trim().into();
            }
        }
        let style = text("style").map(|style| (style, style_of(style)));
        if let Some((style, known)) = style {
            match known.filter(|style| ParameterPlace::Query.allows(*style)) {
                Some(_) => member["style"] = style.into(),
                None => {
                    let operation = of.name();
                    schemas.notes.add(msg!(
                        "skills-cli-openapi-form-style",
                        operation = operation,
                        name = name.as_str(),
                        style = style
                    ));
                }
            }
        }
        if let Some(explode) = written.get("explode").and_then(Value::as_bool) {
            member["explode"] = explode.into();
        }
        if !is_multipart && written.get("allowReserved") == Some(&Value::Bool(true)) {
            member["allowReserved"] = true.into();
        }
        let headers = if is_multipart { part_headers(name, written, &of.name(), schemas) } else { Map::new() };
        if !headers.is_empty() {
            member["headers"] = headers.into();
        }
        if member.as_object().is_some_and(|member| !member.is_empty()) {
            encoding.insert(name.clone(), member);
        }
    }
    encoding
}

/// The headers of a part, each with the value that the document has for it; one without a value is a note.
fn part_headers<'a>(part: &str, written: &'a Value, operation: &str, schemas: &mut Schemas<'a>) -> Map<String, Value> {
    let mut headers = Map::new();
    for (name, header) in written.get("headers").and_then(Value::as_object).into_iter().flatten() {
        // The type of a part is its `contentType`.
        if name.eq_ignore_ascii_case("content-type") {
            continue;
        }
        let value = schemas.document.resolved(header).ok().and_then(|header| fixed_value(schemas.document, header));
        match value.filter(|_| is_token(name) && !name.eq_ignore_ascii_case("content-disposition")) {
            Some(value) => _ = headers.insert(name.clone(), value.into()),
            None => schemas.notes.add(msg!(
                "skills-cli-openapi-part-header",
                operation = operation,
                part = part,
                name = name.as_str()
            )),
        }
    }
    headers
}

/// The text of the value that a document has for a header: its example, or its schema's.
fn fixed_value(document: OpenApiDocument<'_>, header: &Value) -> Option<String> {
    let schema = header.get("schema").and_then(|schema| document.resolved(schema).ok());
    let first = |key: &str| schema?.get(key)?.as_array()?.first();
    let of_schema = |key: &str| schema.and_then(|schema| schema.get(key));
    let value = of_schema("const").or_else(|| header.get("example")).or_else(|| of_schema("default"));
    let value = value.or_else(|| of_schema("example")).or_else(|| first("enum")).or_else(|| first("examples"))?;
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| text.chars().all(|c| matches!(c, ' '..='~'))),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn is_concrete(kind: &str) -> bool {
    let is_word = |c: char| c.is_ascii_graphic() && !"*,".contains(c) || c == ' ';
    kind.contains('/') && kind.chars().all(is_word)
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
    let document = schemas.document;
    let best = content.into_iter().flatten().filter_map(|(name, media)| {
        let name = plain(name);
        let rank = rank(&name)?;
        // Only a multipart body has files.
        let rank = if rank == FORM && !files(document, media).is_empty() { MULTIPART + 1 } else { rank };
        Some((rank, name, media))
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
    let encoding = match rank {
        FORM..=5 if name != "text/plain" => encoding(of, &name, media, schemas),
        _ => Map::new(),
    };
    Ok(Some(SampleBody {
        field: free_name("body", |field| parameters.iter().any(|parameter| parameter.field == field)),
        content_type: if rank == 1 { "application/json".to_owned() } else { name },
        is_required,
        schema: if rank == RAW { Some(file_schema()) } else { media.get("schema") },
        written: media,
        encoding,
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
