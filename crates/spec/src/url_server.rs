//! MCP servers that fetch URLs, as `.mcp.json` describes them.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The servers of a configuration file that fetch URLs.
#[derive(Clone, Debug, PartialEq)]
pub struct UrlServers {
    /// The file, absolute.
    pub file: PathBuf,
    /// SHA-256 over its content.
    pub sha256: String,
    /// The servers, in the author's order. Those without `urlPatterns` are left out: they are for agents.
    pub servers: Vec<UrlServer>,
}

/// A server whose tool fetches what stands at a URL.
#[derive(Clone, Debug, PartialEq)]
pub struct UrlServer {
    /// Its name in the file.
    pub name: String,
    /// How it is reached.
    pub transport: ServerTransport,
    /// The same as written, without the values of variables.
    pub written: ServerTransport,
    /// `urlPatterns`: the URLs that it is asked for.
    pub patterns: Vec<String>,
    /// The tool that is called.
    pub tool: FetchTool,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerTransport {
    /// A program, spoken to through its standard input and output.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables of its environment.
        env: BTreeMap<String, String>,
    },
    /// An address, spoken to by Streamable HTTP.
    Address {
        /// The address.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
}

/// `fetchTool`: a tool and what it is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FetchTool {
    /// The tool's name.
    pub name: String,
    /// The parameter that is given the URL itself.
    pub url_param: Option<String>,
    /// The regular expression of `urlTransform`, which must match the URL.
    pub regex: Option<String>,
    /// Parameters of `urlTransform`: texts in which `$1` stands for what the first group matched.
    pub params: BTreeMap<String, String>,
    /// The path to the text in what the tool answers, in parts; none for all of it.
    pub content_path: Vec<String>,
}
