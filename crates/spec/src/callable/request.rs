//! How an http skill's input becomes a request, when the service doesn't speak ours.

use eval_message::Message;
use serde_json::Value;

use super::{AdapterType, CallableSkill};
use eval_message::msg;

/// `request` of `adapter.config.json`. Without it, `{skillId, version, input}` is POSTed to the address. With
/// it, the skill's input is an object, and this says where each of its members goes; the answer is the response's body,
/// as JSON where it is JSON, else as text, else (when it is empty) `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestMapping {
    /// `method`.
    pub method: HttpMethod,
    /// `parameters`: what isn't the body. Every `{name}` of the entrypoint has one with [`ParameterPlace::Path`].
    pub parameters: Vec<Parameter>,
    /// `body`; a request without one has no body.
    pub body: Option<RequestBody>,
}

/// Methods that a skill may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `PATCH`.
    Patch,
    /// `DELETE`.
    Delete,
    /// `HEAD`.
    Head,
    /// `OPTIONS`.
    Options,
}

impl HttpMethod {
    /// All of them with their names.
    pub const NAMES: [(HttpMethod, &'static str); 7] = [
        (HttpMethod::Get, "GET"),
        (HttpMethod::Post, "POST"),
        (HttpMethod::Put, "PUT"),
        (HttpMethod::Patch, "PATCH"),
        (HttpMethod::Delete, "DELETE"),
        (HttpMethod::Head, "HEAD"),
        (HttpMethod::Options, "OPTIONS"),
    ];

    /// The name in a request.
    #[must_use]
    pub fn name(self) -> &'static str {
        HttpMethod::NAMES.iter().find(|(method, _)| *method == self).map_or("", |(_, name)| name)
    }
}

/// One member of the input that becomes a part of the request. A member that the input lacks is left out; for a
/// parameter of the path that is an error of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// `name` in the request.
    pub name: String,
    /// `in`.
    pub place: ParameterPlace,
    /// `field`: the input's member; the name, unless given.
    pub field: String,
    /// `explode`: whether each item of a list becomes a query parameter of its own (`a=1&a=2`); joined by commas
    /// otherwise, and everywhere but in the query. True unless the file says otherwise, as in OpenAPI.
    pub explode: bool,
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterPlace {
    /// In place of `{name}` of the entrypoint, percent-encoded, `/` included.
    Path,
    /// Into the query, percent-encoded.
    Query,
    /// Into a header of this name.
    Header,
    /// Into the `Cookie` header.
    Cookie,
}

/// The member of the input that is the request's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestBody {
    /// `field`: the input's member; `body`, unless given.
    pub field: String,
    /// `contentType`.
    pub encoding: BodyEncoding,
}

/// How a body is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BodyEncoding {
    /// `application/json`, or a media type of the same syntax (`application/merge-patch+json`).
    #[default]
    Json,
    /// The same under another name, which is sent as `Content-Type`.
    JsonAs(String),
    /// `application/x-www-form-urlencoded`: the member is an object of scalars and lists.
    Form,
    /// `text/plain`: the member is text.
    Text,
}

impl Parameter {
    /// What of `input` it carries, as text, a list by its items with commas; `None` when that is not there, or `null`.
    #[must_use]
    pub fn value(&self, input: &Value) -> Option<String> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match input.get(&self.field)? {
            Value::Null => None,
            Value::Array(items) => Some(items.iter().map(text).collect::<Vec<_>>().join(",")),
            value => Some(text(value)),
        }
    }
}

impl CallableSkill {
    /// Why `input` can't be sent to the skill at all: an MCP tool takes an object; a value in a path must not lead to
    /// another path, nor a value in a header into the next header.
    #[must_use]
    pub fn unsendable(&self, input: &Value) -> Option<Message> {
        match (self.adapter, &self.config.request) {
            (AdapterType::Mcp, _) if !(input.is_object() || input.is_null()) => {
                Some(msg!("skills-exec-mcp-not-object", skill = &*self.id))
            }
            (AdapterType::Http, Some(mapping)) => {
                mapping.parameters.iter().find_map(|parameter| unsendable(parameter, input))
            }
            _ => None,
        }
    }
}

fn unsendable(parameter: &Parameter, input: &Value) -> Option<Message> {
    let value = parameter.value(input);
    let field = parameter.field.as_str();
    match (parameter.place, value.as_deref()) {
        (ParameterPlace::Path, None) => Some(msg!("skills-exec-input-no-path", field = field)),
        (ParameterPlace::Path, Some(value @ ("" | "." | ".."))) => {
            Some(msg!("skills-exec-input-path", field = field, value = value))
        }
        (ParameterPlace::Header, Some(value)) if !value.chars().all(|c| matches!(c, '\t' | ' '..='~')) => {
            Some(msg!("skills-exec-input-header", field = field))
        }
        _ => None,
    }
}
