//! How an http skill's input becomes a request, when the service doesn't speak ours.

use std::collections::BTreeMap;

use eval_message::{Message, msg};
use serde_json::Value;

use super::parameter::{Parameter, ParameterPlace, ParameterStyle};
use super::{AdapterType, CallableSkill};

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

/// The member of the input that is the request's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestBody {
    /// `field`: the input's member; `body`, unless given.
    pub field: String,
    /// `contentType`.
    pub encoding: BodyEncoding,
    /// `encoding`: how members of a form are written, by their names.
    pub members: BTreeMap<String, FormMember>,
}

/// How a body is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BodyEncoding {
    /// `application/json`, or a media type of the same syntax (`application/merge-patch+json`).
    #[default]
    Json,
    /// The same under another name, which is sent as `Content-Type`.
    JsonAs(String),
    /// `application/x-www-form-urlencoded`: the member is an object.
    Form,
    /// `multipart/form-data`: the member is an object.
    Multipart,
    /// `text/plain`: the member is text.
    Text,
    /// Any other media type: the member is text, which is sent as it is, or a [`FileContent`].
    Raw(String),
}

/// How a member of a form is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormMember {
    /// `style` and `explode`. Without them lists are repeated and objects are JSON.
    pub style: Option<(ParameterStyle, bool)>,
    /// `allowReserved`, of a form that is no multipart.
    pub allow_reserved: bool,
    /// `contentType` of its part in a multipart body.
    pub content_type: Option<String>,
    /// `file`: the part is a file, whose value is text or a [`FileContent`].
    pub is_file: bool,
    /// `headers` of its part in a multipart body: names and values.
    pub headers: Vec<(String, String)>,
}

/// A file in an input: `{"base64": …}` or `{"text": …}`, with `filename` and `contentType` if the service wants them.
pub struct FileContent<'a> {
    /// `text`.
    pub text: Option<&'a str>,
    /// `base64`.
    pub base64: Option<&'a str>,
    /// `filename`.
    pub filename: Option<&'a str>,
    /// `contentType`.
    pub content_type: Option<&'a str>,
}

impl<'a> FileContent<'a> {
    /// The file of a text, or of an object with `text` or `base64`; `None` for anything else.
    #[must_use]
    pub fn of(value: &'a Value) -> Option<FileContent<'a>> {
        let member = |key: &str| value.get(key).and_then(Value::as_str);
        let file = FileContent {
            text: value.as_str().or_else(|| member("text")),
            base64: member("base64"),
            filename: member("filename"),
            content_type: member("contentType"),
        };
        (file.text.is_some() != file.base64.is_some()).then_some(file)
    }
}

impl RequestBody {
    /// Why the body of `input` can't be written.
    fn unsendable(&self, input: &Value) -> Option<Message> {
        let value = input.get(&self.field).filter(|value| !value.is_null())?;
        let field = self.field.as_str();
        match &self.encoding {
            BodyEncoding::Form | BodyEncoding::Multipart => {
                let Some(members) = value.as_object() else {
                    return Some(msg!("skills-exec-input-no-form", field = field));
                };
                let is_file = |name: &str| self.members.get(name).is_some_and(|member| member.is_file);
                let files = members.iter().filter(|(name, value)| is_file(name) && !value.is_null());
                let mut values = files.flat_map(|(name, value)| match value {
                    Value::Array(items) => items.iter().map(|item| (name, item)).collect(),
                    value => vec![(name, value)],
                });
                let (name, _) = values.find(|(_, value)| FileContent::of(value).is_none())?;
                Some(msg!("skills-exec-input-no-file", field = format!("{field}.{name}")))
            }
            BodyEncoding::Raw(_) if FileContent::of(value).is_none() => {
                Some(msg!("skills-exec-input-no-file", field = field))
            }
            _ => None,
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
                let parameters = || mapping.parameters.iter().find_map(|parameter| unsendable(parameter, input));
                parameters().or_else(|| mapping.body.as_ref()?.unsendable(input))
            }
            _ => None,
        }
    }
}

fn unsendable(parameter: &Parameter, input: &Value) -> Option<Message> {
    let value = parameter.text(input);
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
