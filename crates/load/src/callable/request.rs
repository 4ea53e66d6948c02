//! `request` of `adapter.config.json`: the mapping of an http skill's input to a request.

use std::collections::BTreeMap;

use eval_message::msg;
use eval_spec::callable::{
    BodyEncoding, FormMember, HttpMethod, Parameter, ParameterPlace, ParameterStyle, RequestBody, RequestMapping,
    placeholders,
};

use super::super::decode::{self, Keys};
use super::super::problems::Problems;
use super::super::tree::{Node, NodeData};
use super::adapter::is_token;

const KEYS: &[&str] = &["method", "parameters", "body"];
const PARAMETER_KEYS: &[&str] = &["name", "in", "field", "style", "explode", "allowReserved"];
const BODY_KEYS: &[&str] = &["field", "contentType", "encoding"];
const MEMBER_KEYS: &[&str] = &["style", "explode", "allowReserved", "contentType", "headers", "file"];
const PLACES: &[(&str, ParameterPlace)] = &[
    ("path", ParameterPlace::Path),
    ("query", ParameterPlace::Query),
    ("header", ParameterPlace::Header),
    ("cookie", ParameterPlace::Cookie),
];

/// The mapping at `node`, checked against the `{names}` of the entrypoint where that is known.
pub(super) fn read(node: &Node, entrypoint: Option<&str>, problems: &mut Problems) -> Option<RequestMapping> {
    let fields = decode::object(node, Keys::new(KEYS), problems)?;
    let method = fields.require("method", problems).and_then(|node| method(node, problems));
    let parameters = fields.get("parameters").map_or(Some(Vec::new()), |list| parameters(list, problems));
    let body = fields.get("body").map_or(Some(None), |node| body(node, problems).map(Some));
    let parameters = parameters?;
    if let Some(entrypoint) = entrypoint {
        check_path(node, entrypoint, &parameters, problems);
    }
    Some(RequestMapping { method: method?, parameters, body: body? })
}

fn method(node: &Node, problems: &mut Problems) -> Option<HttpMethod> {
    decode::named(node, &HttpMethod::NAMES.map(|(method, name)| (name, method)), problems)
}

fn parameters(node: &Node, problems: &mut Problems) -> Option<Vec<Parameter>> {
    let items = decode::list(node, "list", problems)?;
    let mut seen: Vec<(Parameter, &Node)> = Vec::new();
    let mut complete = true;
    for item in items {
        let Some(parameter) = parameter(item, problems) else {
            complete = false;
            continue;
        };
        let same = |(other, _): &&(Parameter, &Node)| other.place == parameter.place && other.name == parameter.name;
        if let Some((_, first)) = seen.iter().find(same) {
            problems.repeated(item.span, first.span, msg!("skills-load-request-twice", name = parameter.name.as_str()));
            complete = false;
        }
        seen.push((parameter, item));
    }
    complete.then(|| seen.into_iter().map(|(parameter, _)| parameter).collect())
}

fn parameter(node: &Node, problems: &mut Problems) -> Option<Parameter> {
    let fields = decode::object(node, Keys::new(PARAMETER_KEYS), problems)?;
    let place = fields.require("in", problems).and_then(|node| decode::named(node, PLACES, problems));
    let name_node = fields.require("name", problems);
    let name = name_node.and_then(|node| decode::filled_text(node, problems));
    if let (Some(node), Some(name), Some(ParameterPlace::Header | ParameterPlace::Cookie)) = (name_node, &name, place)
        && !is_token(name)
    {
        problems.error(node.span, msg!("skills-load-header", name = decode::short(name)));
        return None;
    }
    let field = fields.get("field").map(|node| decode::filled_text(node, problems));
    let explode = fields.decoded("explode", decode::flag, problems);
    let allow_reserved = fields.decoded("allowReserved", decode::flag, problems).unwrap_or(false);
    if let (Some(node), Some(place)) = (fields.get("allowReserved"), place)
        && place == ParameterPlace::Header
    {
        problems.warning(node.span, msg!("skills-load-request-reserved-unused"), None);
    }
    let style = fields.get("style").map(|node| (node, decode::named(node, &ParameterStyle::NAMES, problems)));
    let (name, place) = (name?, place?);
    let style = match style {
        None => place.default_style(),
        Some((node, style)) => {
            let style = style?;
            if !place.allows(style) {
                let place = PLACES.iter().find(|(_, other)| *other == place).map_or("", |(name, _)| name);
                problems.error(node.span, msg!("skills-load-request-style", style = style.name(), place = place));
                return None;
            }
            style
        }
    };
    let field = field.unwrap_or_else(|| Some(name.clone()))?;
    let explode = explode.unwrap_or(style == ParameterStyle::Form);
    Some(Parameter { name, place, field, style, explode, allow_reserved })
}

fn body(node: &Node, problems: &mut Problems) -> Option<RequestBody> {
    let fields = decode::object(node, Keys::new(BODY_KEYS), problems)?;
    let field = fields.get("field").map_or(Some("body".to_owned()), |node| decode::filled_text(node, problems));
    let encoding = fields.get("contentType").map_or(Some(BodyEncoding::Json), |node| encoding(node, problems));
    let members = fields.get("encoding").map_or(Some(BTreeMap::new()), |node| members(node, problems));
    let (encoding, members) = (encoding?, members?);
    if let (Some(node), false) =
        (fields.get("encoding"), matches!(encoding, BodyEncoding::Form | BodyEncoding::Multipart))
    {
        problems.warning(node.span, msg!("skills-load-request-encoding-unused"), None);
    }
    Some(RequestBody { field: field?, encoding, members })
}

/// How the members of a form are written.
fn members(node: &Node, problems: &mut Problems) -> Option<BTreeMap<String, FormMember>> {
    let fields = decode::any_object(node, problems)?;
    let members = fields.entries.iter().map(|entry| Some((entry.key.clone(), member(&entry.value, problems)?)));
    members.collect::<Vec<_>>().into_iter().collect()
}

fn member(node: &Node, problems: &mut Problems) -> Option<FormMember> {
    let fields = decode::object(node, Keys::new(MEMBER_KEYS), problems)?;
    let style =
        fields.decoded("style", |node, problems| decode::named(node, &ParameterStyle::NAMES, problems), problems);
    if let (Some(node), Some(style)) = (fields.get("style"), style)
        && !ParameterPlace::Query.allows(style)
    {
        problems.error(node.span, msg!("skills-load-request-style", style = style.name(), place = "form"));
        return None;
    }
    let explode = fields.decoded("explode", decode::flag, problems);
    let content_type = fields.decoded("contentType", decode::filled_text, problems);
    let is_file = fields.decoded("file", decode::flag, problems).unwrap_or(false);
    let allow_reserved = fields.decoded("allowReserved", decode::flag, problems);
    let headers = fields.get("headers").map_or(Some(Vec::new()), |node| headers(node, problems))?;
    let styled = style.or(explode.or(allow_reserved).map(|_| ParameterStyle::Form));
    let style = styled.map(|style| (style, explode.unwrap_or(style == ParameterStyle::Form)));
    let allow_reserved = allow_reserved.unwrap_or(false);
    Some(FormMember { style, allow_reserved, content_type, is_file, headers })
}

/// The headers of a part, whose own two are made of the rest.
fn headers(node: &Node, problems: &mut Problems) -> Option<Vec<(String, String)>> {
    let fields = decode::any_object(node, problems)?;
    let mut headers = Vec::new();
    for entry in fields.entries {
        let is_own = ["content-type", "content-disposition"].contains(&&*entry.key.to_ascii_lowercase());
        if is_own || !is_token(&entry.key) {
            problems.error(entry.key_span, msg!("skills-load-part-header", name = decode::short(&entry.key)));
            return None;
        }
        headers.push((entry.key.clone(), decode::text(&entry.value, problems)?));
    }
    Some(headers)
}

fn encoding(node: &Node, problems: &mut Problems) -> Option<BodyEncoding> {
    let NodeData::Text(written) = &node.data else { return decode::unexpected(node, "text", problems) };
    let plain = written.to_ascii_lowercase();
    let is_media_type = plain.split_once('/').is_some_and(|(kind, rest)| is_token(kind) && is_token(rest));
    match plain.as_str() {
        "application/json" => Some(BodyEncoding::Json),
        "application/x-www-form-urlencoded" => Some(BodyEncoding::Form),
        "multipart/form-data" => Some(BodyEncoding::Multipart),
        "text/plain" => Some(BodyEncoding::Text),
        other if is_media_type && other.ends_with("+json") => Some(BodyEncoding::JsonAs(plain)),
        other if is_media_type && !other.contains('*') && !other.starts_with("multipart/") => {
            Some(BodyEncoding::Raw(plain))
        }
        _ => {
            let help = Some(msg!("skills-load-request-type-help"));
            let message = msg!("skills-load-request-type", written = decode::short(written));
            problems.error_with_help(node.span, message, help);
            None
        }
    }
}

/// Every `{name}` has its parameter, and every parameter of the path its `{name}`.
fn check_path(node: &Node, entrypoint: &str, parameters: &[Parameter], problems: &mut Problems) {
    let names = placeholders(entrypoint);
    let is_path = |parameter: &&Parameter| parameter.place == ParameterPlace::Path;
    for name in names.iter().filter(|name| !parameters.iter().filter(is_path).any(|p| p.name == **name)) {
        problems.error(node.span, msg!("skills-load-request-no-parameter", name = *name));
    }
    for parameter in parameters.iter().filter(is_path).filter(|p| !names.contains(&p.name.as_str())) {
        problems.error(node.span, msg!("skills-load-request-no-placeholder", name = parameter.name.as_str()));
    }
}
