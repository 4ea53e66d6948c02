//! MCP servers that fetch URLs.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eval_callable::{McpTool, SkillHost, ToolAnswer, WatchdogCommand};
use eval_message::{Message, msg};
use eval_process::programs;
use eval_spec::callable::{AdapterConfig, AdapterType, CallableSkill};
use eval_spec::url_server::{FetchTool, ServerTransport, UrlServer};
use eval_spec::{Context, ExecError, Failure};
use regex::Regex;
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio::sync::watch;
use url::Url;

use crate::page::{RawPage, cleaned};
use crate::refusal::{FetchRefusal, MAX_PAGE, too_large};
use crate::setup::FetchSetup;

/// Factor by which a server may take longer than HTTP, its start included: a package runner first downloads it.
const PATIENCE: u32 = 3;

/// Variables that a server's program gets besides those of its configuration; none holds a secret.
const PASSED: [&str; 19] = [
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "DOCKER_HOST",
];

/// MCP servers, each started by its first call.
pub(crate) struct ServerPool {
    tools: HashMap<String, Result<McpTool, FetchRefusal>>,
    states: HashMap<String, ServerState>,
    timeout: Duration,
    // Dropped after the programs, since it holds their folders.
    _scratch: Option<TempDir>,
}

/// State of a server, from the outcomes of its calls.
struct ServerState {
    /// Why all further calls fail.
    failed: watch::Sender<Option<FetchRefusal>>,
    /// The server has answered once, so it can start.
    has_answered: AtomicBool,
}

impl ServerPool {
    /// Prepares the clients of the `needed` servers.
    pub(crate) fn start<'s>(setup: FetchSetup<'_>, needed: impl Iterator<Item = &'s UrlServer>) -> ServerPool {
        let timeout = setup.timeout * PATIENCE;
        let needed: BTreeMap<&str, &UrlServer> = needed.map(|server| (server.name.as_str(), server)).collect();
        let Some(file) = setup.servers.map(|servers| servers.file.as_path()).filter(|_| !needed.is_empty()) else {
            return ServerPool { tools: HashMap::new(), states: HashMap::new(), timeout, _scratch: None };
        };
        let has_program = needed.values().any(|server| matches!(server.transport, ServerTransport::Program { .. }));
        let (host, scratch) = match host(has_program) {
            Ok(started) => started,
            Err(error) => {
                let refusal =
                    |name: &str| FetchRefusal::new(msg!("fetch-server", server = name, why = error.to_string()));
                let tools = needed.keys().map(|name| ((*name).to_owned(), Err(refusal(name)))).collect();
                return ServerPool { tools, states: HashMap::new(), timeout, _scratch: None };
            }
        };
        let tool = |server: &UrlServer| {
            if let ServerTransport::Program { command, .. } = &server.transport
                && program_of(server, file, setup.context).is_none()
            {
                let why = words(&msg!("fetch-no-program", name = command), setup.context);
                return Err(FetchRefusal::new(msg!("fetch-server", server = &server.name, why = why)));
            }
            let (skill, headers, context) = described(server, file, setup.context);
            McpTool::new(&skill, &headers, &host, &context).map_err(|error| {
                FetchRefusal::new(msg!(
                    "fetch-server",
                    server = &server.name,
                    why = words(error.message(), setup.context)
                ))
            })
        };
        let state = || ServerState { failed: watch::Sender::new(None), has_answered: AtomicBool::new(false) };
        let states = needed.keys().map(|name| ((*name).to_owned(), state())).collect();
        let tools = needed.into_values().map(|server| (server.name.clone(), tool(server))).collect();
        ServerPool { tools, states, timeout, _scratch: Some(scratch) }
    }

    /// Fetches a URL by a server's tool; fails at once when the server has failed for all URLs.
    pub(crate) async fn fetch(&self, server: &UrlServer, url: &str) -> Result<RawPage, FetchRefusal> {
        let Some(state) = self.states.get(&server.name) else { return self.ask(server, None, url).await };
        let mut failed = state.failed.subscribe();
        tokio::select! {
            biased;
            failure = failed.wait_for(Option::is_some) => {
                Err(failure.ok().and_then(|failure| failure.clone()).unwrap_or_else(|| failure_of(server, String::new())))
            }
            page = self.ask(server, Some(state), url) => page,
        }
    }

    async fn ask(&self, server: &UrlServer, state: Option<&ServerState>, url: &str) -> Result<RawPage, FetchRefusal> {
        let tool = match self.tools.get(&server.name) {
            Some(Ok(tool)) => tool,
            Some(Err(refusal)) => return Err(refusal.clone()),
            None => return Err(failure_of(server, String::new())),
        };
        let arguments = arguments(&server.tool, url).unwrap_or_default();
        let answer = tool.call(arguments, self.timeout).await;
        let is_lost = state.is_some_and(|state| state.is_lost_after(answer.as_ref().err()));
        let answer = answer.map_err(|error| failure_of(server, error_words(&error)));
        if let (Some(state), Err(refusal), true) = (state, &answer, is_lost) {
            state.failed.send_replace(Some(refusal.clone()));
        }
        let answer = answer?;
        let text = text(&server.tool, answer)
            .map_err(|message| FetchRefusal::new(message).help(msg!("fetch-path-help", tool = &server.tool.name)))?;
        match cleaned(text).as_str() {
            "" => Err(FetchRefusal::new(msg!("fetch-empty-answer", server = &server.name, tool = &server.tool.name))),
            long if long.len() > MAX_PAGE => Err(too_large()),
            text => Ok(RawPage { text: text.to_owned(), final_url: None, content_type: None }),
        }
    }
}

impl ServerState {
    /// Returns `true` if the server fails for every URL: it is too slow, can't be started or reached, or requires a
    /// sign-in.
    fn is_lost_after(&self, error: Option<&ExecError>) -> bool {
        match error.map(|error| (error.failure, error.status)) {
            None | Some((Failure::Skill, None)) => {
                self.has_answered.store(true, Ordering::Relaxed);
                false
            }
            Some((Failure::Timeout | Failure::Spawn | Failure::Unreachable | Failure::Auth, _)) => true,
            Some((_, Some(401 | 403))) => true,
            // A program may crash on a single page.
            Some((Failure::Crashed | Failure::Dropped, _)) => !self.has_answered.load(Ordering::Relaxed),
            Some(_) => false,
        }
    }
}

fn failure_of(server: &UrlServer, why: String) -> FetchRefusal {
    FetchRefusal::new(msg!("fetch-server", server = &server.name, why = why))
}

/// Returns the program of a server: a command with a path is relative to the file's folder; a name is found by the
/// user's `PATH` (never the file's), outside of the file's folder unless that is the user's home or above it. `None` if
/// there is no such program, or the server is an address.
#[must_use]
pub fn program_of(server: &UrlServer, file: &Path, context: &Context) -> Option<PathBuf> {
    let ServerTransport::Program { command, .. } = &server.transport else { return None };
    match command.contains(std::path::is_separator) {
        true => {
            let path: PathBuf = file.parent()?.join(command).components().collect();
            Some(path).filter(|path| programs::is_executable(path))
        }
        false => {
            let folder = file.parent()?;
            let home = context.var("HOME").map(Path::new);
            let is_home = home.is_some_and(|home| home.starts_with(folder));
            let near = |path: &Path| !is_home && (path.starts_with(folder) || real(path).starts_with(real(folder)));
            let mut folders =
                programs::folders(context.var("PATH")?).filter(|folder| folder.is_absolute() && !near(folder));
            folders.find_map(|folder| programs::in_folder(&folder, command))
        }
    }
}

/// Resolves symbolic links, if the path exists.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn words(message: &Message, context: &Context) -> String {
    message.text(context.lang)
}

/// Returns the error with the server's own words, cut to one line.
fn error_words(error: &ExecError) -> String {
    const MOST: usize = 300;
    let detail = error.detail.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let detail: String = detail.chars().take(MOST).collect();
    let message = error.message.to_string();
    if detail.is_empty() { message } else { format!("{message}: {detail}") }
}

/// Starts the supervisor of the servers' programs. They run without a sandbox, as they do in the agents that the file
/// is for.
fn host(has_program: bool) -> std::io::Result<(Arc<SkillHost>, TempDir)> {
    let scratch = tempfile::tempdir()?;
    let watchdog = WatchdogCommand::this_program().ok().filter(|_| has_program);
    let host = SkillHost::start(scratch.path(), has_program.then_some(false), watchdog)?;
    Ok((Arc::new(host), scratch))
}

/// Describes a server as a callable skill, with its request headers and its program's environment.
fn described(server: &UrlServer, file: &Path, context: &Context) -> (CallableSkill, BTreeMap<String, String>, Context) {
    let directory = file.parent().unwrap_or(Path::new("/")).to_owned();
    let mut context = context.clone();
    let mut config = AdapterConfig { tool: Some(server.tool.name.clone()), ..AdapterConfig::default() };
    let (entrypoint, headers) = match &server.transport {
        ServerTransport::Program { args, env, .. } => {
            config.command = program_of(server, file, &context).map(|path| path.display().to_string());
            config.args = Some(args.clone());
            config.env = PASSED.iter().map(|name| (*name).to_owned()).chain(env.keys().cloned()).collect();
            context.env.extend(env.clone());
            (String::new(), BTreeMap::new())
        }
        ServerTransport::Address { url, headers } => (url.clone(), headers.clone()),
    };
    let skill = CallableSkill {
        id: server.name.as_str().into(),
        name: server.name.clone(),
        version: String::new(),
        description: String::new(),
        tags: Vec::new(),
        input_schema: None,
        output_schema: None,
        adapter: AdapterType::Mcp,
        entrypoint,
        metadata: Map::new(),
        config,
        directory,
        file: file.to_owned(),
        hash: "".into(),
    };
    (skill, headers, context)
}

/// Returns `true` if a server handles a URL: a pattern and the tool's expression match.
pub(crate) fn fits(server: &UrlServer, url: &str) -> bool {
    let Ok(parsed) = Url::parse(url) else { return false };
    server.patterns.iter().any(|pattern| matches(pattern, &parsed)) && arguments(&server.tool, url).is_some()
}

/// Matches a URL against a pattern: a host including its subdomains, and the start of a path; `*` is any text. Hosts
/// are compared as hosts, so that `https://evil.example/docs.example.com` doesn't match `docs.example.com`.
pub fn matches(pattern: &str, url: &Url) -> bool {
    let (scheme, rest) = pattern.split_once("://").map_or((None, pattern), |(scheme, rest)| (Some(scheme), rest));
    let (host, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
    let wanted_host = host.to_ascii_lowercase();
    let name = url.host_str().unwrap_or_default();
    let host_and_port = url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
    let star = |pattern: &str| regex::escape(pattern).replace(r"\*", ".*");
    let is_match = |expression: &str, text: &str| Regex::new(expression).is_ok_and(|regex| regex.is_match(text));
    let is_host = [name, host_and_port.as_str()]
        .iter()
        .any(|host| is_match(&format!(r"^(?:[^/]*\.)?{}$", star(&wanted_host)), host));
    let url_path = &url[url::Position::BeforePath..];
    scheme.is_none_or(|scheme| scheme == "*" || scheme.eq_ignore_ascii_case(url.scheme()))
        && is_host
        && is_match(&format!("^{}", star(&format!("/{path}"))), url_path)
}

/// Builds the tool's arguments for a URL; `None` if its expression doesn't match.
pub fn arguments(tool: &FetchTool, url: &str) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    if let Some(expression) = &tool.regex {
        let groups = Regex::new(expression).ok()?.captures(url)?;
        for (name, template) in &tool.params {
            let mut value = String::new();
            groups.expand(&braced(template), &mut value);
            arguments.insert(name.clone(), Value::String(value));
        }
    }
    let url_param = tool.url_param.as_deref().or_else(|| tool.regex.is_none().then_some("url"));
    if let Some(name) = url_param {
        arguments.insert(name.to_owned(), Value::String(url.to_owned()));
    }
    Some(arguments)
}

/// Converts a JavaScript replacement template to the `regex` crate's: there `$1_x` would be one name, `$<name>` and
/// `$&` don't exist, and a literal `$` is doubled.
fn braced(template: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let named = |open: char, close: char| {
            let (name, _) = after.strip_prefix(open)?.split_once(close)?;
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            (is_name && !name.is_empty()).then_some(name)
        };
        let (group, length) = match named('<', '>').or_else(|| named('{', '}')) {
            Some(name) => (name, name.len() + 2),
            None if after.starts_with('&') => ("0", 1),
            None => (&after[..digits], digits),
        };
        match group {
            "" => out.push_str("$$"),
            group => out.push_str(&format!("${{{group}}}")),
        }
        let doubled = usize::from(group.is_empty() && after.starts_with('$'));
        rest = &after[length + doubled..];
    }
    out.push_str(rest);
    out
}

/// Returns the text of an answer, at the tool's `content_path` if it has one.
pub fn text(tool: &FetchTool, answer: ToolAnswer) -> Result<String, Message> {
    let texts = answer.texts.join("\n");
    if tool.content_path.is_empty() {
        let structured = || answer.structured.as_ref().map(said).unwrap_or_default();
        return Ok(if texts.trim().is_empty() { structured() } else { texts });
    }
    let path = tool.content_path.join(".");
    let parsed = || serde_json::from_str(&texts).ok();
    let content = |value: &Value| value_at(value, &tool.content_path).cloned();
    let whole: Option<Value> =
        answer.structured.clone().filter(|value| content(value).is_some()).or_else(parsed).or(answer.structured);
    let Some(whole) = whole else { return Err(msg!("fetch-not-json", tool = &tool.name, path = path)) };
    match content(&whole) {
        Some(value) if !value.is_null() => Ok(said(&value)),
        _ => Err(msg!("fetch-no-path", tool = &tool.name, path = path, keys = keys(&whole))),
    }
}

/// Returns a string as it is, other values as JSON.
fn said(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value:#}"), str::to_owned)
}

fn value_at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => value.get(part),
    })
}

/// Lists the names in an object, for an error.
fn keys(value: &Value) -> String {
    const SHOWN: usize = 10;
    let names: Vec<String> = value.as_object().into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if names.is_empty() { "–".to_owned() } else { shown }
}
