//! How an operation is authorised. Tokens are named by the environment variable that holds them.

use eval_message::{Message, msg};
use serde_json::{Map, Value};

use super::super::id_of;
use super::operation::Operation;
use super::parameters::is_token;
use super::schema::OpenApiDocument;

/// Names the line of the value below these keys, in the document's own file.
pub(crate) type LineOf<'a> = &'a dyn Fn(&[&str]) -> Option<String>;

/// The authentication settings of the first alternative whose schemes are all supported; notes if there is none, and about
/// schemes that aren't there.
pub(super) fn read<'a>(
    document: OpenApiDocument<'a>,
    operation: &Operation<'a>,
    line_of: LineOf<'_>,
) -> (Map<String, Value>, Vec<Message>) {
    let local = operation.operation.get("security");
    let Some(required) = local.or_else(|| document.root.get("security")) else {
        return undeclared(document, operation);
    };
    let place = || {
        let keys: &[&str] =
            if local.is_some() { &["paths", operation.path, operation.method, "security"] } else { &["security"] };
        line_of(keys).unwrap_or_else(|| operation.name())
    };
    let listed = required.as_array().map(|list| list.iter().map(Value::as_object).collect::<Option<Vec<_>>>());
    let Some(Some(alternatives)) = listed else {
        return (Map::new(), vec![msg!("skills-cli-openapi-security-malformed", place = place())]);
    };
    let schemes = document.root.pointer("/components/securitySchemes");
    let is_defined = |name: &str| {
        schemes.and_then(|schemes| schemes.get(name)).is_some_and(|scheme| document.resolved(scheme).is_ok())
    };
    let names = alternatives.iter().flat_map(|alternative| alternative.keys()).filter(|name| !is_defined(name));
    let undefined: Vec<Message> =
        names.map(|name| msg!("skills-cli-openapi-no-scheme", place = place(), scheme = name.as_str())).collect();
    let (auth, notes) = chosen(document, operation, &alternatives, undefined.is_empty());
    (auth, undefined.into_iter().chain(notes).collect())
}

/// The credential of an operation whose document asks for none.
fn undeclared(document: OpenApiDocument<'_>, operation: &Operation<'_>) -> (Map<String, Value>, Vec<Message>) {
    chosen(document, operation, &[], true)
}

/// The first of the alternatives that can be sent.
fn chosen(
    document: OpenApiDocument<'_>,
    operation: &Operation<'_>,
    alternatives: &[&Map<String, Value>],
    are_defined: bool,
) -> (Map<String, Value>, Vec<Message>) {
    if alternatives.iter().any(|alternative| alternative.is_empty()) {
        return (Map::new(), Vec::new());
    }
    if alternatives.is_empty() {
        // Documents without security schemes have the token among the parameters, where a task would hold it.
        let has_header = operation.requires_header(document, "authorization");
        let auth = has_header.then(|| {
            let name = variable(document, "", "AUTHORIZATION_TOKEN");
            credential(vec![("authType", "api-key".to_owned()), ("authTokenEnvKey", name), header("Authorization")])
        });
        return (auth.unwrap_or_default(), Vec::new());
    }
    if let Some(mut found) = alternatives.iter().find_map(|alternative| all(document, alternative)) {
        let auth = match found.len() {
            1 => found.remove(0),
            _ => Map::from_iter([("auth".to_owned(), found.into_iter().map(Value::Object).collect())]),
        };
        return (auth, Vec::new());
    }
    if !are_defined {
        // The notes about them say that nothing is authorised.
        return (Map::new(), Vec::new());
    }
    let names: Vec<&str> = alternatives.iter().flat_map(|alternative| alternative.keys()).map(String::as_str).collect();
    (Map::new(), vec![msg!("skills-cli-openapi-security", schemes = names.join(", "))])
}

fn header(name: &str) -> (&'static str, String) {
    ("authHeader", name.to_owned())
}

fn credential(members: Vec<(&str, String)>) -> Map<String, Value> {
    members.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect()
}

/// A credential for each scheme of an alternative; `None` if one isn't supported, or two go into the same place.
fn all(document: OpenApiDocument<'_>, alternative: &Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let schemes = document.root.pointer("/components/securitySchemes");
    let mut found: Vec<Map<String, Value>> = Vec::new();
    for name in alternative.keys() {
        let scheme = document.resolved(schemes?.get(name)?).ok()?;
        // One variable would hold two keys.
        let own = if alternative.len() > 1 { name.as_str() } else { "" };
        found.push(auth(document, scheme, own)?);
    }
    let places: Vec<(String, String)> = found.iter().map(place).collect();
    let is_twice = |i: usize| places[..i].contains(&places[i]);
    (!(0..places.len()).any(is_twice)).then_some(found)
}

/// The place of a credential in a request.
fn place(auth: &Map<String, Value>) -> (String, String) {
    let places = ["authHeader", "authQuery", "authCookie"].into_iter();
    let place = places.filter_map(|key| Some((key, auth.get(key)?.as_str()?))).next();
    let (key, name) = place.unwrap_or(("authHeader", "authorization"));
    (key.to_owned(), if key == "authHeader" { name.to_ascii_lowercase() } else { name.to_owned() })
}

fn auth(document: OpenApiDocument<'_>, scheme: &Value, own: &str) -> Option<Map<String, Value>> {
    let text = |key: &str| scheme.get(key).and_then(Value::as_str);
    let kind = |kind: &str, variable_end: &str| {
        vec![("authType", kind.to_owned()), ("authTokenEnvKey", variable(document, own, variable_end))]
    };
    let key = |place: &'static str, is_name: &dyn Fn(&str) -> bool| {
        let name = text("name").filter(|name| is_name(name))?;
        Some(credential([kind("api-key", "API_KEY"), vec![(place, name.to_owned())]].concat()))
    };
    match (text("type")?, text("scheme").map(str::to_ascii_lowercase).as_deref(), text("in")) {
        ("http", Some("bearer"), _) | ("oauth2" | "openIdConnect", ..) => Some(credential(kind("bearer", "TOKEN"))),
        ("http", Some("basic"), _) => Some(credential(kind("basic", "BASIC_AUTH"))),
        ("apiKey", _, Some("header")) => key("authHeader", &is_token),
        ("apiKey", _, Some("query")) => key("authQuery", &|name| !name.trim().is_empty()),
        ("apiKey", _, Some("cookie")) => key("authCookie", &is_token),
        _ => None,
    }
}

/// `Swagger Petstore` → `SWAGGER_PETSTORE_TOKEN`; with the scheme's own name, `SWAGGER_PETSTORE_APP_ID_API_KEY`.
fn variable(document: OpenApiDocument<'_>, own: &str, end: &str) -> String {
    let title = document.root.pointer("/info/title").and_then(Value::as_str).unwrap_or("");
    let word = |text: &str| Some(id_of(text)?.replace('-', "_").to_uppercase());
    let name = word(title).unwrap_or_else(|| "API".to_owned());
    let name = match word(own) {
        Some(own) => format!("{name}_{own}"),
        None => name,
    };
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("API_{name}_{end}"),
        false => format!("{name}_{end}"),
    }
}
