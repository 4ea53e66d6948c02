//! The address of an API.

use eval_message::{Message, msg};
use serde_json::Value;

use super::operation::Operation;
use super::schema::OpenApiDocument;

/// The address of a service whose document names none.
const LOCAL: &str = "http://localhost:8080";

/// The address before an operation's path, with a note if it is made up. The operation's servers override the path's, which
/// override the document's; the first server is used.
pub(super) fn base(document: OpenApiDocument<'_>, of: &Operation<'_>) -> (String, Option<Message>) {
    let holders = [of.operation].into_iter().chain(of.items.iter().copied()).chain([document.root]);
    let server = holders.into_iter().find_map(|holder| holder.get("servers")?.as_array()?.first());
    let url = server.map(filled).unwrap_or_default();
    let url = url.trim_end_matches('/');
    if is_address(url) {
        return (url.to_owned(), None);
    }
    // An address without a scheme has the one of the document's own address, which nobody knows.
    let whole = format!("https:{url}");
    if url.starts_with("//") && is_address(&whole) {
        let note = msg!("skills-cli-openapi-server", base = whole.as_str());
        return (whole, Some(note));
    }
    let is_path = url.starts_with('/') && !url.contains(['?', '#', '@']) && !url.starts_with("//");
    let base = if is_path { format!("{LOCAL}{url}") } else { LOCAL.to_owned() };
    let note = msg!("skills-cli-openapi-server", base = base.as_str());
    (base, Some(note))
}

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
        // Defaults may contain further variables.
        if let Some(default) = default.filter(|_| url.len() <= MAX_URL) {
            url = url.replace(&format!("{{{name}}}"), default);
        }
    }
    if url.len() <= MAX_URL { url } else { String::new() }
}

fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "?#@{}\\".contains(c);
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', ':']) && !rest.contains(is_odd))
}
