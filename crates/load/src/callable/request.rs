//! `request` of `adapter.config.json`: the mapping of an http skill's input to a request.

use eval_message::msg;
use eval_spec::callable::{
    BodyEncoding, HttpMethod, Parameter, ParameterPlace, RequestBody, RequestMapping, placeholders,
};

use super::super::decode::{self, Keys};
use super::super::problems::Problems;
use super::super::tree::{Node, NodeData};
use super::adapter::is_token;

const KEYS: &[&str] = &["method", "parameters", "body"];
const PARAMETER_KEYS: &[&str] = &["name", "in", "field", "explode"];
const BODY_KEYS: &[&str] = &["field", "contentType"];
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
    let explode = fields.decoded("explode", decode::flag, problems).unwrap_or(true);
    let name = name?;
    let field = field.unwrap_or_else(|| Some(name.clone()))?;
    Some(Parameter { name, place: place?, field, explode })
}

fn body(node: &Node, problems: &mut Problems) -> Option<RequestBody> {
    let fields = decode::object(node, Keys::new(BODY_KEYS), problems)?;
    let field = fields.get("field").map_or(Some("body".to_owned()), |node| decode::filled_text(node, problems));
    let encoding = fields.get("contentType").map_or(Some(BodyEncoding::Json), |node| encoding(node, problems));
    Some(RequestBody { field: field?, encoding: encoding? })
}

fn encoding(node: &Node, problems: &mut Problems) -> Option<BodyEncoding> {
    let NodeData::Text(written) = &node.data else { return decode::unexpected(node, "text", problems) };
    let plain = written.to_ascii_lowercase();
    let is_media_type = plain.split_once('/').is_some_and(|(kind, rest)| is_token(kind) && is_token(rest));
    match plain.as_str() {
        "application/json" => Some(BodyEncoding::Json),
        "application/x-www-form-urlencoded" => Some(BodyEncoding::Form),
        "text/plain" => Some(BodyEncoding::Text),
        other if is_media_type && other.ends_with("+json") => Some(BodyEncoding::JsonAs(plain)),
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
