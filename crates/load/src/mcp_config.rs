//! `.mcp.json`: the servers in it that fetch URLs.
//!
//! The file is that of agents, so keys that are not known here are left alone, and so are servers without `urlPatterns`.

use std::collections::BTreeMap;
use std::path::Path;

use eval_message::msg;
use eval_spec::hash::sha256_hex;
use eval_spec::url_server::{FetchTool, ServerTransport, UrlServer, UrlServers};
use eval_spec::{Context, Diagnostics};

use super::decode::{self, Keys, ObjectFields};
use super::document::{decode_text, format_of};
use super::problems::Problems;
use super::tree::{Node, NodeData};
use super::{Loaded, file};

/// The keys that make a server one that fetches URLs.
const OWN_KEYS: [&str; 2] = ["urlPatterns", "fetchTool"];

/// Reads the servers of an MCP configuration that fetch URLs. `${VAR}` and `${VAR:-default}` stand for variables of the
/// environment.
///
/// # Errors
/// Everything that is wrong with these servers, in file order.
pub fn url_servers(context: &Context, path: &Path) -> Result<Loaded<UrlServers>, Diagnostics> {
    let path = context.absolute(path);
    let source = file::read(context, &path)?;
    let sha256 = sha256_hex(source.text.as_bytes());
    decode_text(context, &source, format_of(&path), msg!("load-mcp-empty"), |root, problems| {
        let fields = decode::any_object(root, problems)?;
        let servers = decode::any_object(fields.require("mcpServers", problems)?, problems)?;
        let mut reader = McpReader { context, problems };
        let servers = servers.entries.iter().filter_map(|entry| reader.server(&entry.key, &entry.value)).collect();
        Some(UrlServers { file: path.clone(), sha256, servers })
    })
}

struct McpReader<'a> {
    context: &'a Context,
    problems: &'a mut Problems,
}

impl McpReader<'_> {
    fn server(&mut self, name: &str, node: &Node) -> Option<UrlServer> {
        let NodeData::Object(entries) = &node.data else { return None };
        for entry in entries.iter().filter(|entry| !OWN_KEYS.contains(&entry.key.as_str())) {
            let meant = OWN_KEYS.iter().find(|own| own.eq_ignore_ascii_case(&entry.key.replace(['_', '-'], "")));
            if let Some(meant) = meant {
                let help = msg!("load-did-you-mean", suggestion = *meant);
                let message = msg!("load-unknown-key", key = entry.key.as_str());
                self.problems.error_with_help(entry.key_span, message, Some(help));
            }
        }
        let fields = decode::any_object(node, self.problems)?;
        let (patterns, tool) = match (fields.get("urlPatterns"), fields.get("fetchTool")) {
            (None, None) => return None,
            _ => (fields.require("urlPatterns", self.problems), fields.require("fetchTool", self.problems)),
        };
        let patterns = patterns.and_then(|node| self.patterns(node));
        let tool = tool.and_then(|node| self.tool(node));
        let (transport, written) = self.transport(node, fields)?;
        Some(UrlServer { name: name.to_owned(), transport, written, patterns: patterns?, tool: tool? })
    }

    fn patterns(&mut self, node: &Node) -> Option<Vec<String>> {
        let patterns = decode::texts(node, self.problems)?;
        if patterns.is_empty() {
            return decode::unexpected(node, "list-of-texts", self.problems);
        }
        Some(patterns.into_iter().map(encoded).collect())
    }

    /// How a server is reached, with the values of variables, and as it is written.
    fn transport(&mut self, node: &Node, fields: ObjectFields<'_>) -> Option<(ServerTransport, ServerTransport)> {
        let kind = fields.decoded("type", decode::filled_text, self.problems);
        if let (Some(kind), Some(node)) = (&kind, fields.get("type"))
            && !["stdio", "http", "streamable-http"].contains(&kind.as_str())
        {
            let help = Some(msg!("load-mcp-type-help"));
            self.problems.error_with_help(node.span, msg!("load-mcp-type", kind = kind), help);
            return None;
        }
        let is_address = kind.map_or_else(|| fields.get("command").is_none(), |kind| kind != "stdio");
        if fields.get("command").is_none() && fields.get("url").is_none() {
            self.problems.error(node.span, msg!("load-mcp-nowhere"));
            return None;
        }
        Some(match is_address {
            true => {
                let (url, written_url) = self.required(fields, "url")?;
                let (headers, written_headers) = self.texts_by_name(fields.get("headers"))?;
                (
                    ServerTransport::Address { url, headers },
                    ServerTransport::Address { url: written_url, headers: written_headers },
                )
            }
            false => {
                let (command, written_command) = self.required(fields, "command")?;
                let (args, written_args) = self.arguments(fields.get("args"))?;
                let (env, written_env) = self.texts_by_name(fields.get("env"))?;
                (
                    ServerTransport::Program { command, args, env },
                    ServerTransport::Program { command: written_command, args: written_args, env: written_env },
                )
            }
        })
    }

    fn required(&mut self, fields: ObjectFields<'_>, key: &str) -> Option<(String, String)> {
        let node = fields.require(key, self.problems)?;
        self.expanded(node)
    }

    fn arguments(&mut self, node: Option<&Node>) -> Option<(Vec<String>, Vec<String>)> {
        let Some(node) = node else { return Some((Vec::new(), Vec::new())) };
        let items = decode::list(node, "list-of-texts", self.problems)?;
        let items: Vec<_> = items.iter().map(|item| self.expanded(item)).collect();
        items.into_iter().collect::<Option<Vec<_>>>().map(|items| items.into_iter().unzip())
    }

    fn texts_by_name(&mut self, node: Option<&Node>) -> Option<(BTreeMap<String, String>, BTreeMap<String, String>)> {
        let Some(node) = node else { return Some((BTreeMap::new(), BTreeMap::new())) };
        let fields = decode::any_object(node, self.problems)?;
        let one = |entry: &super::tree::ObjectEntry, reader: &mut Self| {
            let (text, written) = reader.expanded(&entry.value)?;
            Some(((entry.key.clone(), text), (entry.key.clone(), written)))
        };
        let all: Vec<_> = fields.entries.iter().map(|entry| one(entry, self)).collect();
        all.into_iter().collect::<Option<Vec<_>>>().map(|all| all.into_iter().unzip())
    }

    /// A text with the values of the variables that it names, and as it is written.
    fn expanded(&mut self, node: &Node) -> Option<(String, String)> {
        let written = decode::text(node, self.problems)?;
        match expanded(&written, |name| self.context.env.get(name).cloned()) {
            Ok(text) => Some((text, written)),
            Err(name) => {
                let help = Some(msg!("load-mcp-variable-help", name = &name));
                self.problems.error_with_help(node.span, msg!("load-mcp-variable", name = &name), help);
                None
            }
        }
    }

    fn tool(&mut self, node: &Node) -> Option<FetchTool> {
        let keys = Keys {
            known: &["name", "urlParam", "urlTransform", "contentExtract"],
            foreign: &[("tool", "name"), ("param", "urlParam"), ("extract", "contentExtract")],
        };
        let fields = decode::object(node, keys, self.problems)?;
        let name = fields.require("name", self.problems).and_then(|node| decode::filled_text(node, self.problems));
        let url_param = fields.decoded("urlParam", decode::filled_text, self.problems);
        let path = fields.decoded("contentExtract", decode::filled_text, self.problems);
        let transform = fields.get("urlTransform").map(|node| self.transform(node));
        let (regex, params) = transform.map_or(Some((None, BTreeMap::new())), |transform| {
            transform.map(|(regex, params)| (Some(regex), params))
        })?;
        let content_path = path.map(|path| path.split('.').map(str::to_owned).collect()).unwrap_or_default();
        Some(FetchTool { name: name?, url_param, regex, params, content_path })
    }

    fn transform(&mut self, node: &Node) -> Option<(String, BTreeMap<String, String>)> {
        let keys = Keys { known: &["regex", "params"], foreign: &[("pattern", "regex"), ("parameters", "params")] };
        let fields = decode::object(node, keys, self.problems)?;
        let regex_node = fields.require("regex", self.problems);
        let regex = regex_node.and_then(|node| decode::filled_text(node, self.problems));
        if let (Some(regex), Some(node)) = (&regex, regex_node)
            && let Err(why) = regex::Regex::new(regex)
        {
            let why = why.to_string();
            let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.problems.error(node.span, msg!("load-mcp-regex", why = why));
            return None;
        }
        let params = decode::any_object(fields.require("params", self.problems)?, self.problems)?;
        let param = |entry: &super::tree::ObjectEntry, problems: &mut Problems| {
            Some((entry.key.clone(), decode::text(&entry.value, problems)?))
        };
        let params: Vec<_> = params.entries.iter().map(|entry| param(entry, self.problems)).collect();
        Some((regex?, params.into_iter().collect::<Option<_>>()?))
    }
}

/// A pattern as URLs are written where they are asked for: other letters than those of ASCII are encoded in them.
pub fn encoded(pattern: String) -> String {
    if pattern.is_ascii() {
        return pattern;
    }
    let (scheme, rest) = pattern.split_once("://").map_or(("", pattern.as_str()), |(scheme, rest)| (scheme, rest));
    let Some(url) = url::Url::parse(&format!("https://{rest}")).ok() else { return pattern };
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let path = if rest.contains('/') { &url[url::Position::BeforePath..] } else { "" };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    format!("{scheme}{host}{path}")
}

/// The text with the values of `${VAR}` and `${VAR:-default}`, or the name of a variable that is not set and has no
/// default. What looks otherwise stays.
pub fn expanded(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let inner = &rest[at + 2..];
        let Some(end) = inner.find('}') else { break };
        let (name, default) = match inner[..end].split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (&inner[..end], None),
        };
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(&rest[..at]);
        match value(name) {
            _ if !is_name => out.push_str(&rest[at..at + 2 + end + 1]),
            Some(value) => out.push_str(&value),
            None => out.push_str(default.ok_or_else(|| name.to_owned())?),
        }
        rest = &inner[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}
