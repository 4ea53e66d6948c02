//! Tool calls that look for something, by what they do and not by their name in one agent.

use std::collections::BTreeSet;

use eval_spec::call::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversation::Conversation;
use crate::rules::GapPatterns;
use crate::shell::{self, PipelineSearch, ShellLine};

/// A kind of tool that looks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchTool {
    /// Searches the content of files.
    Grep,
    /// Searches files by their names.
    Glob,
    /// Reads a file.
    Read,
    /// Lists a folder.
    List,
    /// Searches the web.
    WebSearch,
    /// Reads a page.
    WebFetch,
    /// A line of a shell that searches.
    Shell,
    /// Asks a search of a server: a wiki, a ticket system, a database, an index.
    Server,
}

/// A call that looks for something.
#[derive(Clone, Debug)]
pub(crate) struct SearchCall {
    pub(crate) tool: SearchTool,
    /// What it looks for: a pattern, a path, an address.
    pub(crate) query: String,
    /// The file, folder or page that a tool looks in; those of a line are its words.
    pub(crate) place: Option<String>,
    /// The files that it reads by their names.
    pub(crate) files: Vec<String>,
    /// What a line of a shell does.
    pub(crate) line: Option<SearchingLine>,
    /// Whether it found nothing, where a team says how that looks.
    pub(crate) has_nothing: Option<bool>,
}

/// A line of a shell, and the searches among its pipelines, by their places.
#[derive(Clone, Debug)]
pub(crate) struct SearchingLine {
    pub(crate) line: ShellLine,
    pub(crate) searches: Vec<(usize, PipelineSearch)>,
}

impl SearchingLine {
    /// The search that is the pipeline at a place.
    pub(crate) fn search(&self, at: usize) -> Option<&PipelineSearch> {
        self.searches.iter().find(|(place, _)| *place == at).map(|(_, search)| search)
    }

    /// The search that the line ends with.
    pub(crate) fn last(&self) -> Option<&PipelineSearch> {
        self.search(self.line.pipelines.len().checked_sub(1)?)
    }
}

/// Arguments that say where is looked.
const PLACES: [&str; 7] =
    ["path", "dir_path", "directory", "target_directory", "targetDirectory", "relative_workspace_path", "url"];

/// The tools of the agents, lower case, and the arguments that say what is looked for.
const TOOLS: &[(SearchTool, &[&str], &[&str])] = &[
    (
        SearchTool::Grep,
        &[
            "grep",
            "search_file_content",
            "grep_search",
            "ripgrep",
            "ripgrep_raw_search",
            "search_files",
            "codebase_search",
            "copilot_searchcodebase",
            "copilot_findtextinfiles",
            "semantic_search_full",
        ],
        &["pattern", "query", "regex"],
    ),
    (
        SearchTool::Glob,
        &["glob", "find_files", "file_search", "glob_file_search", "find_path", "copilot_findfiles"],
        &["pattern", "glob_pattern", "globPattern", "glob", "query"],
    ),
    (
        SearchTool::Read,
        &["read", "read_file", "read_many_files", "view", "view_file", "open_file", "notebookread", "copilot_readfile"],
        &["file_path", "path", "absolute_path", "paths", "include", "target_file", "targetFile", "notebook_path"],
    ),
    (
        SearchTool::List,
        &["ls", "list_directory", "list_dir", "list_files", "copilot_listdirectory"],
        &["path", "dir_path", "directory", "target_directory", "targetDirectory", "relative_workspace_path"],
    ),
    (SearchTool::WebSearch, &["websearch", "web_search", "google_web_search"], &["query", "queries"]),
    (SearchTool::WebFetch, &["webfetch", "web_fetch", "fetch"], &["url", "prompt"]),
    (
        SearchTool::Shell,
        &[
            "bash",
            "shell",
            "exec_command",
            "run_shell_command",
            "local_shell",
            "execute_bash",
            "run_terminal_cmd",
            "run_terminal_command",
            "exec",
            "shell_command",
            "terminal",
        ],
        &["command", "cmd"],
    ),
];

/// The search of a call; `None` where it does something else.
pub(crate) fn search(call: &ToolCall, rules: &GapPatterns) -> Option<SearchCall> {
    if rules.is_search(&call.name) {
        return Some(SearchCall { has_nothing: rules.has_nothing(call), ..of_server(call) });
    }
    let Some((tool, _, arguments)) = of_agent(&call.name) else {
        return is_server_search(&call.name).then(|| of_server(call));
    };
    let query = arguments.iter().find_map(|argument| words(&call.input[*argument]))?;
    let place = PLACES.iter().find_map(|argument| words(&call.input[*argument]));
    match tool {
        SearchTool::Shell => of_shell(&query),
        SearchTool::Read => Some(SearchCall {
            tool: *tool,
            place: Some(query.clone()),
            files: vec![query.clone()],
            query,
            line: None,
            has_nothing: None,
        }),
        _ => Some(SearchCall { tool: *tool, place, query, files: Vec::new(), line: None, has_nothing: None }),
    }
}

/// The tools of servers that are taken for searches by their names alone, each once.
#[must_use]
pub fn guessed_search_tools(conversation: &Conversation) -> BTreeSet<String> {
    let calls = conversation.turns.iter().flat_map(|turn| &turn.calls);
    let is_guessed =
        |name: &str| of_agent(name).is_none() && !conversation.rules.is_search(name) && is_server_search(name);
    calls.filter(|call| is_guessed(&call.name)).map(|call| call.name.clone()).collect()
}

fn of_agent(name: &str) -> Option<&'static (SearchTool, &'static [&'static str], &'static [&'static str])> {
    let name = name.rsplit("__").next().unwrap_or(name).to_lowercase();
    let name = without_version(&name);
    TOOLS.iter().find(|(_, names, _)| names.contains(&name))
}

/// The name of a tool without the number that an agent gives to a newer one: `list_dir_v2`.
fn without_version(name: &str) -> &str {
    let end = name.rsplit_once("_v").filter(|(_, number)| !number.is_empty());
    end.filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit())).map_or(name, |(name, _)| name)
}

/// Parts of the names of tools that search, and words of those that change something.
const SEARCHES: [&str; 4] = ["search", "query", "lookup", "retrieve"];
const CHANGES: [&str; 12] =
    ["create", "delete", "update", "save", "add", "remove", "write", "insert", "set", "rename", "edit", "replace"];

/// Whether a tool of a server is taken for a search by its name.
pub(crate) fn is_server_search(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("mcp").filter(|rest| rest.starts_with(['_', '-', '.', ':'])) else {
        return false;
    };
    // The name of the server says nothing about its tools.
    let tool = rest.trim_start_matches("__").rsplit_once("__").map_or(rest, |(_, tool)| tool);
    let words = crate::similarity::words(tool);
    let is_search = |word: &String| {
        SEARCHES.iter().any(|part| word.contains(part)) || matches!(word.as_str(), "find" | "findall" | "finder")
    };
    words.iter().any(is_search) && !words.iter().any(|word| CHANGES.contains(&word.as_str()))
}

/// Arguments that say what a server's search looks for.
const ASKED: [&str; 18] = [
    "query",
    "q",
    "question",
    "search",
    "searchQuery",
    "search_query",
    "searchTerm",
    "search_term",
    "keywords",
    "keyword",
    "terms",
    "term",
    "cql",
    "jql",
    "sql",
    "text",
    "pattern",
    "name",
];

fn of_server(call: &ToolCall) -> SearchCall {
    let query = ASKED.iter().find_map(|argument| words(&call.input[*argument]));
    let only = || match call.input.as_object().map(|all| all.values().filter_map(words).collect::<Vec<_>>()) {
        Some(texts) if !texts.is_empty() => texts.join(" "),
        _ => call.name.clone(),
    };
    let query = query.unwrap_or_else(only);
    SearchCall { tool: SearchTool::Server, query, place: None, files: Vec::new(), line: None, has_nothing: None }
}

/// An argument as text; the words of a command that is given as a list, of which a shell takes the last as a line.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(all) => {
            let words: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
            let is_shell = words.len() == 3 && words[1].starts_with('-') && words[1].ends_with('c');
            Some(if is_shell { words[2].to_owned() } else { words.join(" ") })
        }
        _ => None,
    }
}

fn of_shell(text: &str) -> Option<SearchCall> {
    let line = shell::parse(text);
    let searches: Vec<(usize, PipelineSearch)> = line
        .pipelines
        .iter()
        .enumerate()
        .filter_map(|(at, pipeline)| shell::search(pipeline).map(|search| (at, search)))
        .collect();
    let (_, first) = searches.first()?;
    let query = if first.query.is_empty() { first.paths.join(" ") } else { first.query.clone() };
    let reads_only = searches.iter().all(|(_, search)| search.is_read);
    let files =
        if reads_only { searches.iter().flat_map(|(_, search)| search.paths.clone()).collect() } else { Vec::new() };
    Some(SearchCall {
        tool: SearchTool::Shell,
        place: None,
        query,
        files,
        line: Some(SearchingLine { line, searches }),
        has_nothing: None,
    })
}
