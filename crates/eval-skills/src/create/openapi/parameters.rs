//! The parameters of an operation: path, query, headers, cookies.

use eval_message::{Message, msg};
use eval_spec::callable::{ParameterPlace, ParameterStyle, placeholders};
use serde_json::{Value, json};

use super::media::{is_json, plain};
use super::operation::Operation;
use super::schema::{OpenApiDocument, Schemas, free_name};

/// A parameter that can be sent.
pub(super) struct RequestParameter<'a> {
    pub(super) name: String,
    pub(super) place: ParameterPlace,
    /// The member of the skill's input.
    pub(super) field: String,
    pub(super) style: ParameterStyle,
    pub(super) explode: bool,
    pub(super) allow_reserved: bool,
    pub(super) is_required: bool,
    pub(super) description: Option<&'a str>,
    pub(super) schema: Option<&'a Value>,
    /// The parameter itself, for its examples.
    pub(super) written: &'a Value,
}

impl RequestParameter<'_> {
    /// The entry in `request.parameters` of the adapter's configuration.
    pub(super) fn mapping(&self) -> Value {
        let mut mapping = json!({"name": self.name, "in": name_of(self.place)});
        if self.field != self.name {
            mapping["field"] = self.field.as_str().into();
        }
        if self.style != self.place.default_style() {
            mapping["style"] = self.style.name().into();
        }
        if self.explode != (self.style == ParameterStyle::Form) {
            mapping["explode"] = self.explode.into();
        }
        if self.allow_reserved {
            mapping["allowReserved"] = true.into();
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
    let lists = of.parameters();
    let named = placeholders(of.path).len();
    if lists.iter().map(|list| list.len()).sum::<usize>() + named > MAX_PARAMETERS {
        return Err(msg!("skills-cli-openapi-skipped-many", operation = of.name(), limit = MAX_PARAMETERS));
    }
    let mut written: Vec<&'a Value> = Vec::new();
    for parameter in lists.into_iter().flatten() {
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
        let is_there =
            |parameter: &RequestParameter<'_>| parameter.place == ParameterPlace::Path && parameter.name == name;
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
        place: ParameterPlace::Path,
        field: name.to_owned(),
        style: ParameterStyle::Simple,
        explode: false,
        allow_reserved: false,
        is_required: true,
        description: None,
        schema: None,
        written: &Value::Null,
    }
}

const PLACES: [(&str, ParameterPlace); 4] = [
    ("path", ParameterPlace::Path),
    ("query", ParameterPlace::Query),
    ("header", ParameterPlace::Header),
    ("cookie", ParameterPlace::Cookie),
];

fn name_of(place: ParameterPlace) -> &'static str {
    PLACES.iter().find(|(_, other)| *other == place).map_or("", |(name, _)| name)
}

fn one<'a>(
    of: &Operation<'a>,
    value: &'a Value,
    schemas: &mut Schemas<'a>,
) -> Result<Option<RequestParameter<'a>>, Message> {
    let (name, written) = (text(value, "name").unwrap_or_default(), text(value, "in").unwrap_or_default());
    let place = PLACES.iter().find(|(other, _)| *other == written).map(|(_, place)| *place);
    let has_place = |place: &ParameterPlace| *place != ParameterPlace::Path || placeholders(of.path).contains(&name);
    let Some(place) = place.filter(has_place).filter(|_| !name.is_empty()) else {
        let operation = of.name();
        schemas.notes.add(msg!("skills-cli-openapi-no-place", operation = operation, name = name, place = written));
        return Ok(None);
    };
    // Swagger 2.0 has no other place for the types that a client accepts.
    let is_ours = schemas.document.is_2 && name.eq_ignore_ascii_case("accept");
    if place == ParameterPlace::Header && NOT_OURS.contains(&&*name.to_ascii_lowercase()) && !is_ours {
        return Ok(None);
    }
    let is_required = place == ParameterPlace::Path || value.get("required") == Some(&Value::Bool(true));
    let Some(form) = form(value, place, name) else {
        let operation = of.name();
        if is_required {
            return Err(msg!("skills-cli-openapi-skipped-parameter", operation = operation, name = name));
        }
        schemas.notes.add(msg!("skills-cli-openapi-left-out", operation = operation, name = name));
        return Ok(None);
    };
    Ok(Some(RequestParameter {
        name: name.to_owned(),
        place,
        field: name.to_owned(),
        style: form.style,
        explode: form.explode,
        allow_reserved: reserves(place, schemas.document) && value.get("allowReserved") == Some(&Value::Bool(true)),
        is_required,
        description: text(value, "description").filter(|text| !text.trim().is_empty()),
        schema: form.schema,
        written: form.holder,
    }))
}

/// Returns true if `allowReserved` means something there: before OpenAPI 3.2 only in a query, since then wherever values
/// are percent-encoded.
fn reserves(place: ParameterPlace, document: OpenApiDocument<'_>) -> bool {
    match place {
        ParameterPlace::Query => true,
        ParameterPlace::Path | ParameterPlace::Cookie => document.is_3_2,
        ParameterPlace::Header => false,
    }
}

/// How the value of a parameter is written.
struct ParameterForm<'a> {
    style: ParameterStyle,
    explode: bool,
    schema: Option<&'a Value>,
    /// The holder of its examples.
    holder: &'a Value,
}

/// The form of a parameter; `None` if there is no request with it.
fn form<'a>(value: &'a Value, place: ParameterPlace, name: &str) -> Option<ParameterForm<'a>> {
    let is_named = matches!(place, ParameterPlace::Path | ParameterPlace::Query) || is_token(name);
    if !is_named || name.trim().is_empty() {
        return None;
    }
    if let Some(content) = value.get("content") {
        let (kind, media) = content.as_object()?.iter().next()?;
        let schema = media.get("schema");
        return is_json(&plain(kind)).then_some(ParameterForm {
            style: ParameterStyle::Json,
            explode: false,
            schema,
            holder: media,
        });
    }
    let style = match text(value, "style") {
        None => place.default_style(),
        // 3.2 writes the cookies of a list as others write an exploded form.
        Some("cookie") if place == ParameterPlace::Cookie => ParameterStyle::Form,
        Some(name) => style_of(name).filter(|style| place.allows(*style))?,
    };
    let explode = value.get("explode").and_then(Value::as_bool).unwrap_or(style == ParameterStyle::Form);
    Some(ParameterForm { style, explode, schema: value.get("schema"), holder: value })
}

/// One of OpenAPI's styles.
pub(super) fn style_of(name: &str) -> Option<ParameterStyle> {
    let styles = ParameterStyle::NAMES.into_iter().filter(|(_, style)| *style != ParameterStyle::Json);
    styles.into_iter().find(|(other, _)| *other == name).map(|(_, style)| style)
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
            list[i].field = free_name(&format!("{}_{}", list[i].name, name_of(list[i].place)), is_taken);
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
