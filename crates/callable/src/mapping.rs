//! From a skill's input to an HTTP request, as its `request` says.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use eval_spec::callable::{
    BodyEncoding, FileContent, FormMember, Parameter, ParameterPlace, ParameterStyle, RequestBody, RequestMapping,
    ValueEncoding, pairs,
};
use eval_spec::hash::sha256_hex;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;

/// What is sent.
pub(super) struct HttpRequest {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
}

/// The address itself, with parameters of its path left as they are.
pub(super) fn plain(address: &str) -> Option<Url> {
    Url::parse(address).ok()
}

/// The request that a mapping makes of an input that isn't [`unsendable`](eval_spec::callable::CallableSkill::unsendable);
/// an error says why it makes none.
pub(super) fn request(mapping: &RequestMapping, address: &str, input: &Value) -> Result<HttpRequest, String> {
    let method = Method::from_bytes(mapping.method.name().as_bytes()).map_err(|error| error.to_string())?;
    let mut headers = HeaderMap::new();
    let url = url(mapping, address, input)?;
    cookies(mapping, input, &mut headers)?;
    for parameter in of(mapping, ParameterPlace::Header) {
        let Some(value) = parameter.text(input) else { continue };
        let name = HeaderName::try_from(&parameter.name).map_err(|error| format!("{}: {error}", parameter.name))?;
        headers.insert(name, header(&parameter.name, &value)?);
    }
    let body = match mapping.body.as_ref().and_then(|body| Some((body, member(input, &body.field)?))) {
        Some((body, value)) => {
            let (kind, bytes) = encoded(body, value)?;
            headers.insert(CONTENT_TYPE, header("Content-Type", &kind)?);
            Some(bytes)
        }
        None => None,
    };
    Ok(HttpRequest { method, url, headers, body })
}

fn of(mapping: &RequestMapping, place: ParameterPlace) -> impl Iterator<Item = &Parameter> {
    mapping.parameters.iter().filter(move |parameter| parameter.place == place)
}

/// A member that is there; `null` is not.
fn member<'a>(input: &'a Value, field: &str) -> Option<&'a Value> {
    input.get(field).filter(|value| !value.is_null())
}

fn url(mapping: &RequestMapping, address: &str, input: &Value) -> Result<Url, String> {
    let mut address = address.to_owned();
    for parameter in of(mapping, ParameterPlace::Path) {
        let value = parameter.text(input).unwrap_or_default();
        address = address.replace(&format!("{{{}}}", parameter.name), &value);
    }
    let mut url = plain(&address).ok_or_else(|| format!("`{address}`"))?;
    let query: Vec<_> = of(mapping, ParameterPlace::Query).flat_map(|parameter| parameter.pairs(input)).collect();
    if !query.is_empty() {
        let fixed = url.query().filter(|fixed| !fixed.is_empty()).map(str::to_owned);
        let query: Vec<String> = fixed.into_iter().chain([in_a_row(&query, "&")]).collect();
        url.set_query(Some(&query.join("&")));
    }
    Ok(url)
}

/// `a=1&b=2`.
fn in_a_row(pairs: &[(String, String)], delimiter: &str) -> String {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(delimiter)
}

fn cookies(mapping: &RequestMapping, input: &Value, headers: &mut HeaderMap) -> Result<(), String> {
    let cookies: Vec<_> = of(mapping, ParameterPlace::Cookie).flat_map(|parameter| parameter.pairs(input)).collect();
    if !cookies.is_empty() {
        headers.insert(COOKIE, header("Cookie", &in_a_row(&cookies, "; "))?);
    }
    Ok(())
}

fn header(name: &str, value: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(value).map_err(|_| format!("`{name}` holds what no HTTP header can carry"))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The media type of a body, and its bytes.
fn encoded(body: &RequestBody, value: &Value) -> Result<(String, Vec<u8>), String> {
    Ok(match &body.encoding {
        BodyEncoding::Json => ("application/json".to_owned(), value.to_string().into()),
        BodyEncoding::JsonAs(kind) => (kind.clone(), value.to_string().into()),
        BodyEncoding::Text => ("text/plain; charset=utf-8".to_owned(), text(value).into()),
        BodyEncoding::Raw(kind) => (kind.clone(), content(&body.field, value)?),
        BodyEncoding::Form => ("application/x-www-form-urlencoded".to_owned(), form(body, value).into()),
        BodyEncoding::Multipart => multipart(body, value)?,
    })
}

/// The members of an object that aren't `null`, each with its settings.
fn members<'a>(body: &'a RequestBody, value: &'a Value) -> impl Iterator<Item = (&'a str, &'a Value, FormMember)> {
    let members = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    members.map(|(name, value)| (name.as_str(), value, body.members.get(name).cloned().unwrap_or_default()))
}

fn form(body: &RequestBody, value: &Value) -> String {
    let pairs: Vec<_> = members(body, value)
        .flat_map(|(name, value, member)| {
            let style = match (member.style, value) {
                (Some(style), _) => style,
                (None, Value::Object(_)) => (ParameterStyle::Json, false),
                (None, _) => (ParameterStyle::Form, true),
            };
            pairs(name, value, style, ValueEncoding::percent(ParameterPlace::Query, member.allow_reserved))
        })
        .collect();
    in_a_row(&pairs, "&")
}

/// The bytes of a file in an input.
fn content(field: &str, value: &Value) -> Result<Vec<u8>, String> {
    let file = FileContent::of(value).ok_or_else(|| format!("`{field}`"))?;
    match file.base64 {
        Some(base64) => STANDARD.decode(base64.trim()).map_err(|error| format!("`{field}.base64`: {error}")),
        None => Ok(file.text.unwrap_or_default().into()),
    }
}

/// A `multipart/form-data` body (RFC 7578): a part for each member, and for each item of a list, unless the member's style
/// says otherwise.
fn multipart(body: &RequestBody, value: &Value) -> Result<(String, Vec<u8>), String> {
    // The content decides the boundary, so that equal inputs make equal requests, and no part contains it.
    let boundary = format!("part-{}", &sha256_hex(value.to_string().as_bytes())[..32]);
    let mut bytes = Vec::new();
    for (name, value, member) in members(body, value) {
        let is_written = !member.is_file && (value.is_array() || value.is_object());
        let (items, member): (Vec<(String, Cow<'_, Value>)>, FormMember) = match (member.style, value) {
            // OpenAPI ignores `contentType` beside a style.
            (Some(style), value) if is_written => {
                let texts = pairs(name, value, style, ValueEncoding::Plain).into_iter();
                let texts = texts.map(|(name, text)| (name, Cow::Owned(Value::String(text))));
                (texts.collect(), FormMember { content_type: None, ..member })
            }
            (_, Value::Array(items)) => {
                let items = items.iter().filter(|item| !item.is_null());
                (items.map(|item| (name.to_owned(), Cow::Borrowed(item))).collect(), member)
            }
            (_, value) => (vec![(name.to_owned(), Cow::Borrowed(value))], member),
        };
        for (name, item) in items {
            let part = part(&body.field, &name, &item, &member)?;
            bytes.extend_from_slice(format!("--{boundary}\r\n{}\r\n\r\n", part.head).as_bytes());
            bytes.extend_from_slice(&part.content);
            bytes.extend_from_slice(b"\r\n");
        }
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((format!("multipart/form-data; boundary={boundary}"), bytes))
}

struct Part {
    head: String,
    content: Vec<u8>,
}

fn part(field: &str, name: &str, value: &Value, member: &FormMember) -> Result<Part, String> {
    let mut head = format!("Content-Disposition: form-data; name=\"{}\"", quoted(name));
    let file = FileContent::of(value).filter(|_| member.is_file);
    let (content, kind) = match &file {
        Some(file) => {
            head = format!("{head}; filename=\"{}\"", quoted(file.filename.unwrap_or(name)));
            let own = file.content_type.or(member.content_type.as_deref()).unwrap_or("application/octet-stream");
            (content(&format!("{field}.{name}"), value)?, Some(own))
        }
        None => {
            let own = value.is_object().then_some("application/json");
            (text(value).into(), member.content_type.as_deref().or(own))
        }
    };
    if let Some(kind) = kind {
        header("contentType", kind)?;
        head = format!("{head}\r\nContent-Type: {kind}");
    }
    for (name, value) in &member.headers {
        header(name, value)?;
        head = format!("{head}\r\n{name}: {value}");
    }
    Ok(Part { head, content })
}

/// A name in the head of a part, as browsers write it.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}
