//! Tool calls that look for something, by what they do and not by their name in one agent.

use eval_spec::call::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
const PLACES: [&str; 5] = ["path", "dir_path", "directory", "target_directory", "url"];

/// The tools of the agents, lower case, and the arguments that say what is looked for.
const TOOLS: &[(SearchTool, &[&str], &[&str])] = &[
    (
        SearchTool::Grep,
        &["grep", "search_file_content", "grep_search", "ripgrep", "search_files", "codebase_search"],
        &["pattern", "query", "regex"],
    ),
    (
        SearchTool::Glob,
        &["glob", "find_files", "file_search", "glob_file_search", "find_path"],
        &["pattern", "glob", "query"],
    ),
    (
        SearchTool::Read,
        &["read", "read_file", "read_many_files", "view", "view_file", "open_file", "notebookread"],
        &["file_path", "path", "absolute_path", "paths", "include", "target_file", "notebook_path"],
    ),
    (
        SearchTool::List,
        &["ls", "list_directory", "list_dir", "list_files"],
        &["path", "dir_path", "directory", "target_directory"],
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
            "exec",
            "shell_command",
            "terminal",
        ],
        &["command", "cmd"],
    ),
];

/// The search of a call; `None` where it does something else.
pub(crate) fn search(call: &ToolCall) -> Option<SearchCall> {
    let name = call.name.rsplit("__").next().unwrap_or(&call.name).to_lowercase();
    let (tool, _, arguments) = TOOLS.iter().find(|(_, names, _)| names.contains(&name.as_str()))?;
    let query = arguments.iter().find_map(|argument| words(&call.input[*argument]))?;
    let place = PLACES.iter().find_map(|argument| words(&call.input[*argument]));
    match tool {
        SearchTool::Shell => of_shell(&query),
        SearchTool::Read => {
            Some(SearchCall { tool: *tool, place: Some(query.clone()), files: vec![query.clone()], query, line: None })
        }
        _ => Some(SearchCall { tool: *tool, place, query, files: Vec::new(), line: None }),
    }
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
    })
}
