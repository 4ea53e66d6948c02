//! A call of a tool as a log shows it: its name, its input as inline code or a block, its result as another block.

use eval_spec::call::ToolCall;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::super::SessionEvent;
use super::super::told::{loaded_by, outcome};
use super::{LONGEST, OpenFence, add, after, fence};

#[derive(Debug, Default)]
pub(super) struct ShownCall {
    pub(super) name: String,
    /// Values of the input by what stands before each.
    values: Vec<(String, String)>,
    /// Blocks of code with their languages.
    blocks: Vec<(String, String)>,
    /// How many of them are before the result, and whether the log calls it an error.
    result: Option<(usize, Option<bool>)>,
    open: Option<OpenFence>,
    /// How much of all that is kept, in bytes.
    size: usize,
    /// Whether a line of the result was the last one.
    is_loose: bool,
}

/// What a line or a block costs besides its text, in bytes.
const EACH: usize = 64;

/// What stands before a result, and whether it is an error.
const RESULTS: [(&str, bool); 12] = [
    ("result", false),
    ("results", false),
    ("output", false),
    ("tool result", false),
    ("tool output", false),
    ("response", false),
    ("error", true),
    ("tool error", true),
    ("结果", false),
    ("输出", false),
    ("工具结果", false),
    ("错误", true),
];

/// What a line says of the result: whether it is an error, and what follows on the line.
pub(super) fn result_label(line: &str) -> Option<(bool, &str)> {
    let line = line.trim_start_matches(['#', '*', ' ', '>', '-', '_']);
    let end = line.find([':', '：', '*']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let name = name.trim().to_lowercase();
    let found = RESULTS.iter().find(|(label, _)| *label == name)?;
    Some((found.1, rest.trim_start_matches([':', '：', '*', ' ', '_'])))
}

impl ShownCall {
    /// A call whose arguments stand beside its name.
    pub(super) fn new(name: &str, arguments: &str) -> ShownCall {
        let mut call = ShownCall { name: name.to_owned(), ..ShownCall::default() };
        match serde_json::from_str::<Value>(arguments) {
            Ok(Value::Object(_)) => call.blocks.push(("json".to_owned(), arguments.to_owned())),
            _ if arguments.is_empty() => {}
            _ => call.values.extend(pairs(arguments)),
        }
        call
    }

    pub(super) fn is_fenced(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn has_result(&self) -> bool {
        self.result.is_some() || self.blocks.len() > self.inputs()
    }

    /// Takes a line; a result label is one where `labels` are.
    pub(super) fn line(&mut self, line: &str, labels: Option<bool>) {
        let open = after(self.open.clone(), line);
        match (&self.open, &open) {
            (None, Some(_)) => self.block(fence(line).map_or("", |(_, info)| info)),
            (Some(_), Some(_)) => self.add(line),
            (Some(_), None) => {}
            (None, None) => self.text(line, labels),
        }
        self.open = open;
    }

    /// Takes an argument by its name.
    pub(super) fn argument(&mut self, name: &str, value: &str) {
        if self.has_room(value) {
            self.values.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Takes the word of the log for how the call ended.
    pub(super) fn ends_with_error(&mut self, is_error: bool) {
        if let Some((_, known)) = self.result.as_mut() {
            *known = Some(is_error);
        }
    }

    /// Takes a line of the result.
    pub(super) fn result_line(&mut self, line: &str, is_error: Option<bool>) {
        let before = self.blocks.len();
        self.result = self.result.or(Some((before, is_error)));
        if !self.is_loose {
            self.block("");
        }
        self.is_loose = true;
        self.add(line);
    }

    fn block(&mut self, info: &str) {
        self.is_loose = false;
        if self.has_room(info) {
            self.blocks.push((info.to_owned(), String::new()));
        }
    }

    fn add(&mut self, line: &str) {
        let has_room = self.has_room(line);
        if let Some((_, text)) = self.blocks.last_mut().filter(|_| has_room) {
            add(text, line);
        }
    }

    /// Counts what is to be kept; no more than the longest text.
    fn has_room(&mut self, more: &str) -> bool {
        self.size = self.size.saturating_add(more.len()).saturating_add(EACH);
        self.size < LONGEST
    }

    fn text(&mut self, line: &str, labels: Option<bool>) {
        if let Some((is_error, rest)) = result_label(line) {
            let is_error = if is_error { Some(true) } else { labels };
            self.result = Some((self.blocks.len(), is_error));
            self.is_loose = false;
            if !rest.is_empty() {
                self.result_line(rest, is_error);
            }
        } else if self.result.is_some() {
            if !line.trim().is_empty() {
                self.result_line(line, None);
            }
        } else if self.has_room(line) {
            self.values.extend(spans(line));
        }
    }

    /// How many blocks are the input.
    fn inputs(&self) -> usize {
        let is_input =
            |(info, _): &(String, String)| matches!(info.as_str(), "json" | "bash" | "sh" | "shell" | "zsh" | "xml");
        let first = usize::from(self.blocks.first().is_some_and(|block| self.values.is_empty() || is_input(block)));
        self.result.map_or(first, |(before, _)| before)
    }

    /// The call and its result, where the log shows one.
    pub(super) fn end(self, id: String, at: Option<Timestamp>, place: (u32, Option<String>)) -> Vec<SessionEvent> {
        let inputs = self.inputs();
        let input = self.input(inputs);
        let (turn, parent) = (Some(place.0), place.1);
        let mut call =
            ToolCall { id: id.clone(), name: self.name, input, started_at: at, turn, parent, ..ToolCall::default() };
        let mut events = vec![SessionEvent::Call { message: None, call: call.clone() }];
        let results: Vec<&str> = self.blocks.iter().skip(inputs).map(|(_, text)| text.trim_end_matches('\n')).collect();
        if self.result.is_some() || !results.is_empty() {
            let is_error = self.result.and_then(|(_, is_error)| is_error);
            let (output, status) = outcome(&call.input, &results.join("\n"), is_error);
            call.output = Some(output.clone());
            events.push(SessionEvent::Result { call: id, at: None, output, status });
            events.extend(loaded_by(&call));
        }
        events
    }

    fn input(&self, inputs: usize) -> Value {
        let blocks = self.blocks.iter().take(inputs).map(|(_, text)| text.trim_end());
        let mut fields = Map::new();
        for block in blocks {
            match serde_json::from_str::<Value>(block) {
                Ok(Value::Object(all)) => fields.extend(all),
                _ => _ = fields.entry(self.main_key()).or_insert_with(|| json!(block)),
            }
        }
        for (key, value) in &self.values {
            let key = if key.is_empty() { self.main_key() } else { key };
            fields.entry(key).or_insert_with(|| json!(value));
        }
        Value::Object(fields)
    }

    /// What a value without a name is.
    fn main_key(&self) -> &'static str {
        let name = self.name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match () {
            () if has(&["bash", "shell", "exec", "terminal", "command"]) => "command",
            () if has(&["fetch", "browse"]) => "url",
            () if has(&["websearch", "web_search"]) => "query",
            () if has(&["grep", "search", "glob", "find"]) => "pattern",
            () if has(&["read", "write", "edit", "view", "open", "list", "ls"]) => "file_path",
            () => "input",
        }
    }
}

/// The inline code of a line, with the word before each.
fn spans(line: &str) -> Vec<(String, String)> {
    let mut parts = line.split('`');
    let mut found = Vec::new();
    while let (Some(before), Some(code)) = (parts.next(), parts.next()) {
        let word = before
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let is_key = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        found.push((if is_key { word.to_owned() } else { String::new() }, code.to_owned()));
    }
    found
}

/// Arguments beside a name: `pattern: "x", path: "y"`, or one value.
fn pairs(arguments: &str) -> Vec<(String, String)> {
    let arguments = arguments.trim().trim_matches('`');
    let pair = |part: &str| {
        let (key, value) = part.split_once(':').or(part.split_once('='))?;
        let is_key = key.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        is_key.then(|| (key.trim().to_owned(), value.to_owned()))
    };
    let all: Option<Vec<_>> = arguments.split(", ").map(pair).collect();
    all.unwrap_or_else(|| vec![(String::new(), arguments.to_owned())])
}
