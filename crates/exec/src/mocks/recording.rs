//! The tool calls of a real run → mocks that answer them with the same results.
//!
//! A call is recognised by its whole input. What differs from run to run is left out of that: the copy of the working
//! directory that an isolated agent works in.

use std::cmp::Reverse;
use std::path::Path;

use eval_spec::call::{ToolCall, Trace};
use eval_spec::mock::MockAnswer;
use regex::Regex;
use serde_json::{Map, Value, json};

use super::matching::PATHS;
use crate::places::{CALL_PREFIX, RUN_PREFIX, WORKSPACE};

/// The mocks that a run gives.
#[derive(Clone, Debug, Default)]
pub struct RecordedMocks {
    /// In order of precedence.
    pub mocks: Vec<RecordedMock>,
    /// Calls that no mock of this agent can answer in the same way.
    pub left: Vec<ToolCall>,
}

/// The answers to calls that are the same.
#[derive(Clone, Debug)]
pub struct RecordedMock {
    /// The tool, as a mock names it.
    pub tool: String,
    /// The keys of `match`; none where any call of the tool is meant.
    pub conditions: Map<String, Value>,
    /// The answers in order; one where all of them are the same.
    pub answers: Vec<MockAnswer>,
}

/// What a recording makes of a call.
pub(crate) enum RecordedCall {
    /// A mock answers it: the tool, the input that tells it from others, and the answer.
    Answered(&'static str, Value, MockAnswer),
    /// The same with the tool's own name and input.
    Plain(MockAnswer),
    /// It needs no mock.
    Needless,
    /// No mock can answer it so.
    Left,
}

/// The mocks for the calls of a trace, whose agent worked in `cwd`, or in a copy of a directory where there is none.
pub(crate) fn recorded(record: fn(&ToolCall) -> RecordedCall, trace: &Trace, cwd: Option<&Path>) -> RecordedMocks {
    let place = WorkingPlace::new(cwd);
    let mut recorded = RecordedMocks::default();
    for call in trace.tool_calls() {
        let (tool, input, answer) = match record(call) {
            RecordedCall::Needless => continue,
            // It loads an artifact.
            _ if place.is_own(&call.input.to_string()) => continue,
            RecordedCall::Left => {
                recorded.left.push(call.clone());
                continue;
            }
            RecordedCall::Plain(answer) => (call.name.as_str(), call.input.clone(), answer),
            RecordedCall::Answered(tool, input, answer) => (tool, input, answer),
        };
        let conditions = place.conditions(tool, input);
        match recorded.mocks.iter_mut().find(|mock| mock.tool == tool && mock.conditions == conditions) {
            Some(known) => known.answers.push(answer),
            None => recorded.mocks.push(RecordedMock { tool: tool.to_owned(), conditions, answers: vec![answer] }),
        }
    }
    for mock in &mut recorded.mocks {
        if mock.answers.iter().all(|answer| *answer == mock.answers[0]) {
            mock.answers.truncate(1);
        }
    }
    // A condition holds for every call that has more: those with most of them come first.
    recorded.mocks.sort_by_key(RecordedMock::precedence);
    recorded
}

impl RecordedMock {
    fn precedence(&self) -> (bool, Reverse<usize>) {
        let of_input = self.conditions.get("input").and_then(Value::as_object).map_or(0, Map::len);
        (self.conditions.contains_key("command_glob"), Reverse(self.conditions.len() + of_input))
    }
}

/// Where the agent worked, as texts name it.
struct WorkingPlace {
    copy: Option<Regex>,
    own: Option<Regex>,
}

impl WorkingPlace {
    fn new(cwd: Option<&Path>) -> WorkingPlace {
        let call = format!(r#"[^\s'"=:]*/{RUN_PREFIX}\w+/{CALL_PREFIX}\w+/"#);
        let place = cwd.map_or_else(|| format!("{call}{WORKSPACE}"), |cwd| regex::escape(&cwd.display().to_string()));
        let copy = Regex::new(&format!(r#"{place}(/|$|[\s'";:,)])"#));
        WorkingPlace { copy: copy.ok(), own: Regex::new(&format!(r"{call}(\w+)")).ok() }
    }

    /// Whether a text names a file of an artifact, or another one that belongs to the call itself.
    fn is_own(&self, text: &str) -> bool {
        let mut named = self.own.iter().flat_map(|own| own.captures_iter(text));
        named.any(|found| found[1] != *WORKSPACE)
    }

    /// A text with something else in the place of the copy; `None` where it doesn't name it.
    fn without(&self, text: &str, with: &str) -> Option<String> {
        let copy = self.copy.as_ref().filter(|copy| copy.is_match(text))?;
        Some(copy.replace_all(text, with).into_owned())
    }

    /// The conditions that tell a call from others.
    fn conditions(&self, tool: &str, input: Value) -> Map<String, Value> {
        let mut conditions = Map::new();
        let mut plain = Map::new();
        let Value::Object(input) = input else { return conditions };
        for (key, value) in input {
            let named = value.as_str().and_then(|text| self.without(text, if tool == "Bash" { "*$1" } else { "" }));
            match (named, tool) {
                (Some(pattern), "Bash") => drop(conditions.insert("command_glob".to_owned(), json!(pattern))),
                (Some(below), _) if PATHS.contains(&key.as_str()) && !below.is_empty() => {
                    conditions.insert("file_path".to_owned(), json!(below));
                }
                (Some(_), _) => {}
                (None, _) => drop(plain.insert(key, value)),
            }
        }
        if !plain.is_empty() {
            conditions.insert("input".to_owned(), Value::Object(plain));
        }
        conditions
    }
}

/// The answer of a command.
pub(crate) fn of_command(text: &str, exit: Option<i64>) -> RecordedCall {
    let Some(exit) = exit.and_then(|exit| u8::try_from(exit).ok()) else { return RecordedCall::Left };
    RecordedCall::Plain(MockAnswer { stdout: text.as_bytes().to_vec(), exit, ..MockAnswer::default() })
}

/// The answer of a tool that gives a text, or fails with one.
pub(crate) fn of_text(call: &ToolCall) -> RecordedCall {
    let Some(output) = &call.output else { return RecordedCall::Left };
    // Pictures and the like.
    if output.text.lines().any(|line| KINDS.contains(&line)) {
        return RecordedCall::Left;
    }
    RecordedCall::Plain(match output.is_error {
        true => MockAnswer { stderr: output.text.clone(), exit: 1, ..MockAnswer::default() },
        false => MockAnswer { stdout: output.text.clone().into_bytes(), ..MockAnswer::default() },
    })
}

/// Contents that are no text.
const KINDS: [&str; 5] = ["[image]", "[audio]", "[resource]", "[resource_link]", "[document]"];

/// The same answer to another tool or input.
pub(crate) fn renamed(tool: &'static str, input: Value, made: RecordedCall) -> RecordedCall {
    match made {
        RecordedCall::Plain(answer) => RecordedCall::Answered(tool, input, answer),
        other => other,
    }
}
