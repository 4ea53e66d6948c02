//! `adapter.config.json`: what an adapter needs beside the entrypoint.

use std::path::Path;

use eval_message::msg;
use eval_spec::callable::{AdapterConfig, AdapterType, Auth, AuthKind, Protocol, SandboxLimits, is_address};
use eval_spec::{Context, Diagnostic, Diagnostics};

use super::super::decode::{self, Keys, ObjectFields};
use super::super::problems::Problems;
use super::super::tree::{Node, NodeData};
use super::super::{Loaded, document::decode_file};
use super::address::{self, EntrypointAddress};
use super::manifest::Entrypoint;
use super::request;

const KEYS: Keys<'_> = Keys {
    known: &[
        "$schema",
        "baseUrl",
        "authType",
        "authTokenEnvKey",
        "authHeader",
        "authQuery",
        "authCookie",
        "auth",
        "request",
        "command",
        "args",
        "protocol",
        "workers",
        "env",
        "tool",
        "cpuSeconds",
        "memoryMb",
        "fileSizeMb",
        "scratchMb",
        "processes",
    ],
    foreign: &[
        ("url", "baseUrl"),
        ("credentials", "auth"),
        ("tokenEnv", "authTokenEnvKey"),
        ("authTokenEnv", "authTokenEnvKey"),
        ("token", "authTokenEnvKey"),
        ("authToken", "authTokenEnvKey"),
        ("apiKey", "authTokenEnvKey"),
        ("header", "authHeader"),
        ("arguments", "args"),
        ("concurrency", "workers"),
        ("environment", "env"),
        ("toolName", "tool"),
        ("memory", "memoryMb"),
        ("mode", "protocol"),
    ],
};

const AUTH: &[&str] = &["authType", "authTokenEnvKey", "authHeader", "authQuery", "authCookie"];
const HTTP: &[&str] =
    &["baseUrl", "authType", "authTokenEnvKey", "authHeader", "authQuery", "authCookie", "auth", "request"];
/// Keys that have no effect for an MCP server that is a program; the next list is for one with an address.
const OF_ADDRESSES: &[&str] =
    &["baseUrl", "authType", "authTokenEnvKey", "authHeader", "authQuery", "authCookie", "auth"];
const OF_PROGRAMS: &[&str] =
    &["command", "args", "workers", "env", "cpuSeconds", "memoryMb", "fileSizeMb", "processes", "scratchMb"];
const PROCESS: &[&str] = &["env", "cpuSeconds", "memoryMb", "fileSizeMb", "processes", "scratchMb"];

/// Whether `key` does anything for skills of this type.
fn belongs(key: &str, adapter: AdapterType) -> bool {
    let own: &[&str] = match adapter {
        AdapterType::Http => &[],
        AdapterType::Subprocess => &["command", "args", "protocol", "workers"],
        AdapterType::Mcp if OF_ADDRESSES.contains(&key) => return true,
        AdapterType::Mcp => &["command", "args", "workers", "tool"],
        AdapterType::Langchain | AdapterType::Custom => &["protocol", "workers"],
    };
    let shared = if adapter == AdapterType::Http { HTTP } else { PROCESS };
    key == "$schema" || own.contains(&key) || shared.contains(&key)
}

/// Reads the `adapter.config.json` at `path`, if there is one, and checks the entrypoint against it.
pub(super) fn read(
    context: &Context,
    path: &Path,
    adapter: AdapterType,
    entrypoint: &Entrypoint,
) -> Result<Loaded<AdapterConfig>, Diagnostics> {
    let mut loaded = match path.symlink_metadata().is_ok() {
        true => from_file(context, path, Some((adapter, entrypoint.text.as_str())))?,
        false => Loaded { value: AdapterConfig::default(), warnings: Vec::new() },
    };
    let fit = fit(&loaded.value, adapter, entrypoint);
    match fit {
        Some(problem) => Err(problem.into()),
        None => {
            loaded.value.env.dedup();
            Ok(loaded)
        }
    }
}

/// The errors of the file alone, when its `skill.json` can't be read.
pub(super) fn errors(context: &Context, path: &Path) -> Vec<Diagnostic> {
    match path.symlink_metadata().is_ok() {
        true => from_file(context, path, None).err().map(|Diagnostics(found)| found).unwrap_or_default(),
        false => Vec::new(),
    }
}

/// The type of the skill and its entrypoint, where they are known.
type AdapterContext<'a> = Option<(AdapterType, &'a str)>;

fn from_file(context: &Context, path: &Path, of: AdapterContext<'_>) -> Result<Loaded<AdapterConfig>, Diagnostics> {
    decode_file(context, path, msg!("skills-load-adapter-empty"), |root, problems| config(root, of, problems))
}

/// The error of an entrypoint that doesn't fit the configuration. Addresses were checked with `skill.json`.
fn fit(config: &AdapterConfig, adapter: AdapterType, entrypoint: &Entrypoint) -> Option<Diagnostic> {
    let is_local = adapter == AdapterType::Mcp && config.command.is_some();
    let message = match (adapter, address::kind(&entrypoint.text), config.base_url.is_some()) {
        (AdapterType::Http, EntrypointAddress::Path, false) => msg!("skills-load-entrypoint-no-base"),
        (AdapterType::Mcp, EntrypointAddress::Path, false)
            if entrypoint.text.split_whitespace().count() == 1 && !is_local =>
        {
            // A program may be named by its whole path.
            return None;
        }
        (AdapterType::Http, EntrypointAddress::Other, _) => msg!("skills-load-entrypoint-not-url"),
        (AdapterType::Mcp, EntrypointAddress::Other, true) if !is_local => msg!("skills-load-entrypoint-not-url"),
        _ => return None,
    };
    Some(Diagnostic::error(message, entrypoint.place.clone()).help(msg!("skills-load-entrypoint-help")))
}

fn config(root: &Node, of: AdapterContext<'_>, problems: &mut Problems) -> Option<AdapterConfig> {
    let fields = decode::object(root, KEYS, problems)?;
    for entry in fields.entries.iter().filter(|entry| KEYS.known.contains(&entry.key.as_str())) {
        if let Some((adapter, _)) = of.filter(|(adapter, _)| !belongs(&entry.key, *adapter)) {
            let message = msg!("skills-load-adapter-key-unused", key = entry.key.as_str(), adapter = adapter.name());
            problems.warning(entry.key_span, message, None);
        }
    }
    let base_url = fields.decoded("baseUrl", base_url, problems);
    if let Some((AdapterType::Mcp, entrypoint)) = of {
        mcp_unused(fields, entrypoint, problems);
    }
    let workers = fields.get("workers").and_then(|node| decode::whole(node, 1..=1_000, problems));
    let config = AdapterConfig {
        base_url,
        auth: credentials(fields, problems),
        request: fields.get("request").and_then(|node| request::read(node, of.map(|of| of.1), problems)),
        command: fields.decoded("command", decode::path_text, problems),
        args: fields.decoded("args", arguments, problems),
        protocol: fields.decoded("protocol", protocol, problems).unwrap_or_default(),
        workers: workers.and_then(|n| u32::try_from(n).ok()),
        env: fields.decoded("env", variables, problems).unwrap_or_default(),
        tool: fields.decoded("tool", decode::filled_text, problems),
        limits: limits(fields, problems),
        writable: Vec::new(),
        may_use_sockets: false,
    };
    if let (Some(node), Protocol::JsonRpc) = (fields.get("workers"), config.protocol)
        && of.is_some_and(|(adapter, _)| adapter != AdapterType::Mcp && belongs("workers", adapter))
    {
        problems.warning(node.span, msg!("skills-load-workers-unused"), Some(msg!("skills-load-workers-unused-help")));
    }
    Some(config)
}

/// Warns about keys without effect for this kind of MCP server, which [`CallableSkill::address`] determines.
///
/// [`CallableSkill::address`]: crate::callable::CallableSkill::address
fn mcp_unused(fields: ObjectFields<'_>, entrypoint: &str, problems: &mut Problems) {
    let has = |key| fields.get(key).is_some();
    let has_address = is_address(entrypoint) || has("baseUrl") && !has("command");
    let unused = if has_address { OF_PROGRAMS } else { OF_ADDRESSES };
    for entry in fields.entries.iter().filter(|entry| unused.contains(&entry.key.as_str())) {
        let key = entry.key.as_str();
        match has_address {
            true => problems.warning(entry.key_span, msg!("skills-load-adapter-key-not-address", key = key), None),
            false => {
                let help = (key != "baseUrl").then(|| msg!("skills-load-adapter-key-not-program-help"));
                problems.warning(entry.key_span, msg!("skills-load-adapter-key-not-program", key = key), help);
            }
        }
    }
}

fn base_url(node: &Node, problems: &mut Problems) -> Option<String> {
    let text = decode::filled_text(node, problems)?;
    if address::kind(&text) != EntrypointAddress::Absolute {
        problems.error_with_help(node.span, msg!("skills-load-url"), Some(msg!("skills-load-url-help")));
        return None;
    }
    if text.contains(['?', '#']) {
        problems.error(node.span, msg!("skills-load-base-query"));
        return None;
    }
    address::check(&text, node.span, problems).then_some(text)
}

/// Arguments may be empty texts, but hold no NUL.
fn arguments(node: &Node, problems: &mut Problems) -> Option<Vec<String>> {
    let items = decode::list(node, "list-of-texts", problems)?;
    let one = |item: &Node, problems: &mut Problems| match &item.data {
        NodeData::Text(text) if text.contains('\0') => decode::unexpected(item, "path", problems),
        _ => decode::text(item, problems),
    };
    let arguments: Vec<_> = items.iter().map(|item| one(item, problems)).collect();
    arguments.into_iter().collect()
}

fn protocol(node: &Node, problems: &mut Problems) -> Option<Protocol> {
    decode::named(node, &[("jsonrpc", Protocol::JsonRpc), ("jsonrpc-lines", Protocol::JsonRpcLines)], problems)
}

/// Names of environment variables, each once. Their values are never written to a file.
fn variables(node: &Node, problems: &mut Problems) -> Option<Vec<String>> {
    let items = match &node.data {
        NodeData::Object(_) => {
            let help = Some(msg!("skills-load-adapter-env-help"));
            problems.error_with_help(node.span, msg!("skills-load-adapter-env-object"), help);
            return None;
        }
        _ => decode::list(node, "list-of-texts", problems)?,
    };
    let names: Vec<_> = items.iter().map(|item| variable(item, problems)).collect();
    let mut names: Vec<String> = names.into_iter().collect::<Option<_>>()?;
    names.sort_unstable();
    names.dedup();
    Some(names)
}

fn variable(node: &Node, problems: &mut Problems) -> Option<String> {
    let name = decode::filled_text(node, problems)?;
    let is_name =
        !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        let help = Some(msg!("skills-load-adapter-env-help"));
        problems.error_with_help(node.span, msg!("skills-load-adapter-env"), help);
        return None;
    }
    Some(name)
}

const AUTH_TYPES: &[&str] = &["none", "bearer", "basic", "api-key", "apiKey", "api_key"];
/// The keys that say where an API key goes.
const AUTH_PLACES: [&str; 3] = ["authHeader", "authQuery", "authCookie"];

/// All credentials: those of `auth`, or the one beside it.
fn credentials(fields: ObjectFields<'_>, problems: &mut Problems) -> Vec<Auth> {
    let Some(list) = fields.get("auth") else { return auth(fields, problems).into_iter().collect() };
    if let Some(beside) = AUTH.iter().find_map(|key| fields.get(key)) {
        problems.repeated(beside.span, list.span, msg!("skills-load-auth-both"));
        return Vec::new();
    }
    let mut all: Vec<(Auth, &Node)> = Vec::new();
    for node in decode::list(list, "list", problems).unwrap_or_default() {
        let found = decode::object(node, Keys::new(AUTH), problems).and_then(|fields| auth(fields, problems));
        let Some(found) = found else { continue };
        if let Some((_, first)) = all.iter().find(|(other, _)| place(&other.kind) == place(&found.kind)) {
            problems.repeated(node.span, first.span, msg!("skills-load-auth-twice"));
        }
        all.push((found, node));
    }
    all.into_iter().map(|(auth, _)| auth).collect()
}

/// The place of a credential in a request; two can't share one.
fn place(kind: &AuthKind) -> (&'static str, String) {
    match kind {
        AuthKind::Bearer | AuthKind::Basic => ("header", "authorization".to_owned()),
        AuthKind::ApiKey { header } => ("header", header.to_ascii_lowercase()),
        AuthKind::ApiKeyQuery { parameter } => ("query", parameter.clone()),
        AuthKind::ApiKeyCookie { name } => ("cookie", name.clone()),
    }
}

fn auth(fields: ObjectFields<'_>, problems: &mut Problems) -> Option<Auth> {
    let token = fields.get("authTokenEnvKey").map(|node| (node, variable(node, problems)));
    let Some(kind_node) = fields.get("authType") else {
        let help = Some(msg!("skills-load-auth-type-help"));
        let message = |key: &str| msg!("skills-load-auth-no-type", key = key);
        if let Some((node, _)) = token {
            problems.error_with_help(node.span, message("authTokenEnvKey"), help.clone());
        }
        for (key, node) in AUTH_PLACES.into_iter().filter_map(|key| Some((key, fields.get(key)?))) {
            problems.warning(node.span, message(key), help.clone());
        }
        return None;
    };
    let word = decode::one_of(kind_node, AUTH_TYPES, problems)?;
    let places: Vec<(&str, &Node)> = AUTH_PLACES.into_iter().filter_map(|key| Some((key, fields.get(key)?))).collect();
    for (_, node) in places.iter().filter(|_| !word.starts_with("api")) {
        problems.warning(node.span, msg!("skills-load-auth-unused", kind = word), None);
    }
    if word == "none" {
        return None;
    }
    if let [(_, first), (_, second), ..] = places[..] {
        problems.repeated(second.span, first.span, msg!("skills-load-auth-places"));
        return None;
    }
    let Some((_, token)) = token else {
        let help = Some(msg!("skills-load-auth-token-help"));
        problems.error_with_help(kind_node.span, msg!("skills-load-auth-no-token", kind = word), help);
        return None;
    };
    let kind = match (word, places.first()) {
        ("bearer", _) => AuthKind::Bearer,
        ("basic", _) => AuthKind::Basic,
        (_, Some(("authQuery", node))) => AuthKind::ApiKeyQuery { parameter: decode::filled_text(node, problems)? },
        (_, Some(("authCookie", node))) => AuthKind::ApiKeyCookie { name: header(node, problems)? },
        (_, Some((_, node))) => AuthKind::ApiKey { header: header(node, problems)? },
        (_, None) => AuthKind::ApiKey { header: "X-API-Key".to_owned() },
    };
    Some(Auth { kind, token_env_key: token? })
}

/// The name of a header (RFC 9110, a token).
pub(super) fn header(node: &Node, problems: &mut Problems) -> Option<String> {
    let name = decode::filled_text(node, problems)?;
    if !is_token(&name) {
        problems.error(node.span, msg!("skills-load-header", name = decode::short(&name)));
        return None;
    }
    Some(name)
}

/// Whether a text is a token of HTTP.
pub(super) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

fn limits(fields: ObjectFields<'_>, problems: &mut Problems) -> SandboxLimits {
    let mut limit = |key: &str, high: u64| fields.get(key).and_then(|node| decode::whole(node, 1..=high, problems));
    SandboxLimits {
        cpu_seconds: limit("cpuSeconds", 86_400),
        memory_mb: limit("memoryMb", 1024 * 1024),
        file_size_mb: limit("fileSizeMb", 1024 * 1024),
        processes: limit("processes", 100_000),
        scratch_mb: limit("scratchMb", 1024 * 1024),
    }
}
