//! What an agent did on the way to its answer.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent did, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// Model turns of the main thread, where the executor tells.
    pub turns: Option<u32>,
    /// The working directory, where the executor tells; a copy has another path in each execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Texts and tool calls in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

impl Trace {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_none() && self.steps.is_empty()
    }

    /// Writes what is nested too deep in an argument of a tool as a text: readers of JSON give up at some depth, and the
    /// record of this run is read back.
    pub fn flatten(&mut self) {
        for step in &mut self.steps {
            if let Step::Tool(call) = step {
                flatten(&mut call.input, MAX_DEPTH);
            }
        }
    }

    /// Whether a skill was loaded: by the agent's own tool for that, or by reading its SKILL.md, which is how an agent
    /// without such a tool loads one. A call that failed loaded nothing, unless its output shows the file all the same:
    /// of several commands the last may fail.
    #[must_use]
    pub fn has_loaded(&self, skill: &str) -> bool {
        let is_named = |named: &Value| named.as_str().and_then(|name| name.rsplit(':').next()) == Some(skill);
        let by_name = self.successes().any(|call| match call.name.as_str() {
            "Skill" => is_named(&call.input["skill"]) || is_named(&call.input["command"]),
            "activate_skill" => is_named(&call.input["name"]),
            _ => call.reads(&format!("{skill}/SKILL.md")),
        });
        by_name || self.outputs().any(|text| shows_skill(text, skill))
    }

    /// Whether what tools returned shows a text, however they got at it: three of its lines that are long enough to tell where
    /// they come from, or all where it has fewer.
    #[must_use]
    pub fn has_shown(&self, text: &str) -> bool {
        let is_telling = |line: &&str| line.chars().count() >= TELLING_CHARS;
        let telling: BTreeSet<&str> = text.lines().map(unnumbered).filter(is_telling).collect();
        let shown = self.outputs().flat_map(str::lines).flat_map(|line| {
            let of_search = file_before(line).map(|(_, rest)| unnumbered(rest));
            std::iter::once(unnumbered(line)).chain(of_search)
        });
        let found: BTreeSet<&str> = shown.filter(|line| telling.contains(line)).collect();
        !found.is_empty() && found.len() >= telling.len().min(TELLING_LINES)
    }

    /// What tools returned, those that write files or start agents aside.
    fn outputs(&self) -> impl Iterator<Item = &str> {
        let calls = self.tool_calls().filter(|call| !NOT_OPENING.contains(&call.name.as_str()));
        calls.filter_map(|call| Some(call.output.as_ref()?.text.as_str()))
    }

    /// Whether a file was opened, by the end of its path: a successful call that reads or runs files names it.
    #[must_use]
    pub fn has_opened(&self, path: &str) -> bool {
        self.successes().any(|call| call.opens(path))
    }

    fn successes(&self) -> impl Iterator<Item = &ToolCall> {
        self.tool_calls().filter(|call| call.output.as_ref().is_some_and(|output| !output.is_error))
    }

    /// The tool calls in order, sub-agents' included.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.steps.iter().filter_map(|step| match step {
            Step::Tool(call) => Some(call),
            Step::Text { .. } => None,
        })
    }
}

/// A line as long as this tells where it comes from.
const TELLING_CHARS: usize = 20;
/// So many of them tell that a text was shown.
const TELLING_LINES: usize = 3;

/// A line without the spaces around it and the number that a tool puts before it.
fn unnumbered(line: &str) -> &str {
    let line = line.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len();
    let rest = rest.strip_prefix(['\t', ':', '→', '|']).filter(|_| is_numbered);
    rest.map_or(line, str::trim)
}

/// The file that a search over several puts before a line, and the rest.
fn file_before(line: &str) -> Option<(&str, &str)> {
    let (file, rest) = line.trim().split_once(':')?;
    (file.contains(['/', '.']) && !file.contains(char::is_whitespace)).then_some((file, rest))
}

/// Whether a text shows a SKILL.md of this name: its front matter, and a line of what follows.
fn shows_skill(text: &str, skill: &str) -> bool {
    let name = |line: &str| line.strip_prefix("name:").map(|name| name.trim().trim_matches(['"', '\'']).to_owned());
    let (mut is_open, mut is_named, mut is_over) = (false, false, false);
    // The file that a search names before each line of what is open.
    let mut file = None;
    for line in text.lines() {
        let of_search = file_before(line).map(|(path, rest)| (path, unnumbered(rest)));
        let path = of_search.filter(|(path, _)| file == Some(*path));
        let line = match (path, of_search) {
            (Some((_, line)), _) => line,
            (None, Some((path, "---"))) => {
                (file, is_open, is_named, is_over) = (Some(path), false, false, false);
                "---"
            }
            (None, _) if file.is_some() => {
                (file, is_open, is_named, is_over) = (None, false, false, false);
                unnumbered(line)
            }
            (None, _) => unnumbered(line),
        };
        match line {
            // A line of its own in Markdown, too: what it doesn't end, it may begin.
            "---" => (is_open, is_over, is_named) = (!(is_open && is_named), is_open && is_named, false),
            "" => {}
            // How `head` and `tail` begin the next file.
            _ if line.starts_with("==> ") => (is_open, is_over, is_named) = (false, false, false),
            _ if is_over => return true,
            _ if is_open => is_named |= name(line).as_deref() == Some(skill),
            _ => {}
        }
    }
    false
}

/// Whether an argument of a call names a path that ends so.
fn mentions(input: &Value, path: &str) -> bool {
    match input {
        Value::String(text) => text.match_indices(path).any(|(at, _)| {
            let is_edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
            is_edge(text[..at].chars().next_back()) && is_edge(text[at + path.len()..].chars().next())
        }),
        Value::Array(all) => all.iter().any(|value| mentions(value, path)),
        Value::Object(all) => all.values().any(|value| mentions(value, path)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Programs that print what is in a file.
const PRINTING: [&str; 12] =
    ["cat", "head", "tail", "sed", "awk", "less", "more", "bat", "nl", "tac", "python3", "grep"];

/// Whether a command line prints a file: one of its simple commands has a program that prints files, and names the file after
/// it. Listing, testing and writing it do not.
fn prints(command: &Value, path: &str) -> bool {
    let line = match command {
        Value::String(line) => line.clone(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => return false,
    };
    line.replace(['\'', '"'], " ").split([';', '|', '&', '\n', '(', ')', '`', '>']).any(|simple| {
        let mut words = simple.split_whitespace();
        let is_printing = |word: &str| PRINTING.contains(&word.rsplit('/').next().unwrap_or_default());
        words.any(is_printing) && words.any(|word| mentions(&Value::String(word.to_owned()), path))
    })
}

/// One step of an agent.
#[expect(clippy::large_enum_variant, reason = "most steps are calls of tools")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// A text of the model.
    Text {
        /// The text.
        text: String,
    },
    /// The model called a tool.
    Tool(ToolCall),
}

/// One tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The call's id in the transcript.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model gave them.
    pub input: Value,
    /// What the tool returned; `None` when no result was seen.
    pub output: Option<ToolOutput>,
    /// How it ended; absent when no result was seen, or the transcript doesn't tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ToolStatus>,
    /// When the model made the call, RFC 3339; absent where the transcript has no times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub started_at: Option<Timestamp>,
    /// From the call to its result, in milliseconds; absent where the transcript has no times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The number of the model's message with the call, from 1, in the thread of its own (sub-)agent: calls with the
    /// same number were made at once. Absent where the transcript doesn't tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The call of the sub-agent this one happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The index of the mock that answered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mock: Option<usize>,
}

/// How deep the arguments of a tool may be nested; a record has some levels around them.
const MAX_DEPTH: usize = 64;

fn flatten(value: &mut Value, depth: usize) {
    match value {
        Value::Array(all) if depth > 0 => all.iter_mut().for_each(|value| flatten(value, depth - 1)),
        Value::Object(all) if depth > 0 => all.values_mut().for_each(|value| flatten(value, depth - 1)),
        Value::Array(_) | Value::Object(_) => *value = Value::String(value.to_string()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Tools that take a text about a file, or write one, and open none by that.
const NOT_OPENING: [&str; 12] = [
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Agent",
    "Task",
    "TodoWrite",
    "apply_patch",
    "file_change",
    "write_file",
    "replace",
    "todo_list",
];

/// The keys under which tools that read files name them.
const FILES: [&str; 5] = ["file_path", "path", "absolute_path", "paths", "include"];

impl ToolCall {
    /// Whether it opens a file, by the end of its path.
    fn opens(&self, path: &str) -> bool {
        !NOT_OPENING.contains(&self.name.as_str()) && mentions(&self.input, path)
    }

    /// Whether it reads a file, by the end of its path: as the file that it names, or by a command that prints files.
    fn reads(&self, path: &str) -> bool {
        let is_named = || FILES.iter().any(|key| mentions(&self.input[*key], path));
        let is_printed = || ["command", "cmd"].iter().any(|key| prints(&self.input[*key], path));
        self.opens(path) && (is_named() || is_printed())
    }

    /// Sets the times: that of the call, and that of its result.
    pub fn timed(&mut self, called: Option<Timestamp>, returned: Option<Timestamp>) {
        self.started_at = called.or(self.started_at);
        let passed = self.started_at.zip(returned).map(|(from, to)| to.as_millisecond() - from.as_millisecond());
        self.duration_ms = passed.and_then(|passed| u64::try_from(passed).ok()).or(self.duration_ms);
    }
}

/// How a tool call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ToolStatus {
    /// The tool did what was asked.
    Ok,
    /// It searched and found nothing, which is no error.
    NoMatch,
    /// It failed; also a call of a tool that doesn't exist, or with arguments that the tool refuses.
    Failed,
    /// It was not run: a permission, a hook or a user refused the call, or the agent cancelled it.
    NotRun,
}

/// What a tool returned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolOutput {
    /// Its text.
    pub text: String,
    /// Whether it failed, as the transcript says.
    pub is_error: bool,
    /// What the transcript says beyond text and error flag, such as "No matches found" for a search
    /// whose exit status is not an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The exit code of a command; absent where the transcript doesn't tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
}
