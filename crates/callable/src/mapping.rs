//! From a skill's input to an HTTP request, as its `request` says.

use eval_spec::callable::{BodyEncoding, Parameter, ParameterPlace, RequestMapping};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use url::Url;
use url::form_urlencoded::Serializer;

/// What is sent.
pub(super) struct HttpRequest {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
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
        let Some(value) = parameter.value(input) else { continue };
        let name = HeaderName::try_from(&parameter.name).map_err(|error| format!("{}: {error}", parameter.name))?;
        headers.insert(name, header(&parameter.name, &value)?);
    }
    let body = match mapping.body.as_ref().and_then(|body| Some((body, member(input, &body.field)?))) {
        Some((body, value)) => {
            let (kind, text) = encoded(&body.encoding, value);
            headers.insert(CONTENT_TYPE, header("Content-Type", kind)?);
            Some(text)
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
        let value = parameter.value(input).unwrap_or_default();
        address = address.replace(&format!("{{{}}}", parameter.name), &percent_encoded(&value));
    }
    let mut url = plain(&address).ok_or_else(|| format!("`{address}`"))?;
    for parameter in of(mapping, ParameterPlace::Query) {
        match (input.get(&parameter.field), parameter.value(input)) {
            (Some(Value::Array(items)), _) if parameter.explode => {
                url.query_pairs_mut().extend_pairs(items.iter().map(|item| (&parameter.name, text(item))));
            }
            (_, Some(value)) => _ = url.query_pairs_mut().append_pair(&parameter.name, &value),
            (_, None) => {}
        }
    }
    Ok(url)
}

fn cookies(mapping: &RequestMapping, input: &Value, headers: &mut HeaderMap) -> Result<(), String> {
    let given = of(mapping, ParameterPlace::Cookie)
        .filter_map(|parameter| Some(format!("{}={}", parameter.name, percent_encoded(&parameter.value(input)?))));
    let cookies: Vec<String> = given.collect();
    if !cookies.is_empty() {
        headers.insert(COOKIE, header("Cookie", &cookies.join("; "))?);
    }
    Ok(())
}

fn header(name: &str, value: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(value).map_err(|_| format!("`{name}` holds what no HTTP header can carry"))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Everything but RFC 3986's unreserved characters encoded.
fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// The media type of a body and its text.
fn encoded<'a>(encoding: &'a BodyEncoding, value: &Value) -> (&'a str, String) {
    match encoding {
        BodyEncoding::Json => ("application/json", value.to_string()),
        BodyEncoding::JsonAs(kind) => (kind, value.to_string()),
        BodyEncoding::Text => ("text/plain; charset=utf-8", text(value)),
        BodyEncoding::Form => ("application/x-www-form-urlencoded", form(value)),
    }
}

fn form(value: &Value) -> String {
    let mut pairs = Serializer::new(String::new());
    for (name, value) in value.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            Value::Array(items) => _ = pairs.extend_pairs(items.iter().map(|item| (name, text(item)))),
            value => _ = pairs.append_pair(name, &text(value)),
        }
    }
    pairs.finish()
}
