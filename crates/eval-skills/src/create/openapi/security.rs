//! How an operation is authorised. Tokens are named by the environment variable that holds them.

use eval_message::{Message, msg};
use serde_json::{Map, Value, json};

use super::super::id_of;
use super::operation::Operation;
use super::parameters::is_token;
use super::schema::OpenApiDocument;

/// The authentication settings of the first alternative that is supported; a note if none is.
pub(super) fn read(document: OpenApiDocument<'_>, of: &Operation<'_>) -> (Map<String, Value>, Vec<Message>) {
    let required = of.operation.get("security").or_else(|| document.root.get("security"));
    let alternatives: Vec<&Map<String, Value>> =
        required.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).collect();
    if alternatives.is_empty() || alternatives.iter().any(|alternative| alternative.is_empty()) {
        return (Map::new(), Vec::new());
    }
    let schemes = document.root.pointer("/components/securitySchemes");
    let scheme = |name: &String| schemes.and_then(|schemes| schemes.get(name)).and_then(|s| document.resolved(s).ok());
    for alternative in alternatives.iter().filter(|alternative| alternative.len() == 1) {
        if let Some(auth) = alternative.keys().next().and_then(scheme).and_then(|scheme| auth(document, scheme)) {
            return (auth, Vec::new());
        }
    }
    let names: Vec<&str> = alternatives.iter().flat_map(|alternative| alternative.keys()).map(String::as_str).collect();
    (Map::new(), vec![msg!("skills-cli-openapi-security", schemes = names.join(", "))])
}

fn auth(document: OpenApiDocument<'_>, scheme: &Value) -> Option<Map<String, Value>> {
    let text = |key: &str| scheme.get(key).and_then(Value::as_str);
    let header = || text("name").filter(|name| is_token(name));
    let query = || text("name").filter(|name| !name.trim().is_empty());
    let bearer = || json!({"authType": "bearer", "authTokenEnvKey": variable(document, "TOKEN")});
    let auth = match (text("type")?, text("scheme").map(str::to_ascii_lowercase).as_deref(), text("in")) {
        ("http", Some("bearer"), _) | ("oauth2" | "openIdConnect", ..) => bearer(),
        ("apiKey", _, Some("header")) => {
            json!({"authType": "api-key", "authTokenEnvKey": variable(document, "API_KEY"), "authHeader": header()?})
        }
        ("apiKey", _, Some("query")) => {
            json!({"authType": "api-key", "authTokenEnvKey": variable(document, "API_KEY"), "authQuery": query()?})
        }
        _ => return None,
    };
    auth.as_object().cloned()
}

/// `Swagger Petstore` → `SWAGGER_PETSTORE_TOKEN`.
fn variable(document: OpenApiDocument<'_>, end: &str) -> String {
    let title = document.root.pointer("/info/title").and_then(Value::as_str).unwrap_or("");
    let name = id_of(title).unwrap_or_else(|| "api".to_owned()).replace('-', "_").to_uppercase();
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("API_{name}_{end}"),
        false => format!("{name}_{end}"),
    }
}
