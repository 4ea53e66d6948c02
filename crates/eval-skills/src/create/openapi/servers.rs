//! Where an API is.

use eval_message::{Message, msg};
use serde_json::Value;

use super::schema::OpenApiDocument;
use crate::create::openapi::operation::Operation;

/// Where a service is looked for whose document doesn't say.
const LOCAL: &str = "http://localhost:8080";

/// The address before an operation's path, and what is to be said of it. The operation's own servers stand above the
/// path's, those above the document's; the first one is taken.
pub(super) fn base(document: OpenApiDocument<'_>, of: &Operation<'_>) -> (String, Option<Message>) {
    let holders = [of.operation, of.item, document.root];
    let server = holders.iter().find_map(|holder| holder.get("servers")?.as_array()?.first());
    let url = server.map(filled).unwrap_or_default();
    let url = url.trim_end_matches('/');
    if is_address(url) {
        return (url.to_owned(), None);
    }
    let is_path = url.starts_with('/') && !url.contains(['?', '#', '@']) && !url.starts_with("//");
    let base = if is_path { format!("{LOCAL}{url}") } else { LOCAL.to_owned() };
    let note = msg!("skills-cli-openapi-server", base = base.as_str());
    (base, Some(note))
}

/// Who an address speaks to.
pub(super) fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// The longest address, and the longest part of one.
const MAX_URL: usize = 2_000;

/// The server's address with the defaults of its variables; nothing when it is too long.
fn filled(server: &Value) -> String {
    let mut url = server.get("url").and_then(Value::as_str).unwrap_or("").to_owned();
    for (name, variable) in server.get("variables").and_then(Value::as_object).into_iter().flatten() {
        let default = variable.get("default").and_then(Value::as_str).filter(|default| default.len() <= MAX_URL);
        // Defaults may hold variables themselves, which may hold more of them.
        if let Some(default) = default.filter(|_| url.len() <= MAX_URL) {
            url = url.replace(&format!("{{{name}}}"), default);
        }
    }
    if url.len() <= MAX_URL { url } else { String::new() }
}

/// Whether an address can stand in a `baseUrl`.
fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "?#@{}\\".contains(c);
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', ':']) && !rest.contains(is_odd))
}
