//! The tool calls of a real run → mocks that answer them with the same results.
//!
//! A call is recognised by its whole input. What differs from run to run is left out of that: the copy of the working
//! directory that an isolated agent works in, and masked secrets. What was denied tells nothing of the real tool.

use std::cmp::Reverse;
use std::path::Path;

use eval_spec::call::{ToolCall, Trace};
use eval_spec::mock::MockAnswer;
use eval_spec::sandbox::ProgramSandbox;
use serde_json::{Map, Value, json};

use super::agent::AgentMocks;
use super::matching::PATHS;
use super::recorded_place::RecordedPlace;
use crate::secrets::{has_mask, with_wildcards};

/// A real run of an agent.
#[derive(Clone, Copy, Debug)]
pub struct RecordedRun<'a> {
    /// What it did.
    pub trace: &'a Trace,
    /// Where it worked; `None` where that was a copy, which is gone.
    pub cwd: Option<&'a Path>,
    /// The sandbox that it ran in.
    pub sandbox: Option<&'a ProgramSandbox>,
}

/// The mocks that a run gives.
#[derive(Clone, Debug, Default)]
pub struct RecordedMocks {
    /// In order of precedence.
    pub mocks: Vec<RecordedMock>,
    /// Calls that no mock of this agent can answer in the same way.
    pub left: Vec<ToolCall>,
    /// Calls that the real tool didn't do, or not all of.
    pub denied: Vec<(ToolCall, CallDenial)>,
    /// Calls with a mock whose success may hide that something was denied.
    pub doubtful: Vec<(ToolCall, CallDenial)>,
}

/// What denied a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDenial {
    /// The agent: its permissions, or a hook.
    Agent,
    /// The sandbox, where it wrote.
    Sandbox,
    /// The closed network.
    Network,
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
    /// The agent denied it.
    Denied,
    /// No mock can answer it so.
    Left,
}

/// The mocks for the calls of a run.
pub(crate) fn recorded(agent: &AgentMocks, run: &RecordedRun<'_>) -> RecordedMocks {
    let place = RecordedPlace::new(run.cwd);
    let mut recorded = RecordedMocks::default();
    for call in run.trace.tool_calls() {
        let (tool, input, answer) = match (agent.record)(call) {
            RecordedCall::Needless => continue,
            // It loads an artifact.
            _ if place.is_own(&call.input.to_string()) => continue,
            RecordedCall::Denied => {
                recorded.denied.push((place.call(call), CallDenial::Agent));
                continue;
            }
            RecordedCall::Left => {
                recorded.left.push(place.call(call));
                continue;
            }
            RecordedCall::Plain(answer) => (call.name.as_str(), call.input.clone(), answer),
            RecordedCall::Answered(tool, input, answer) => (tool, input, answer),
        };
        match denial(agent, run.sandbox, tool, &input, &answer) {
            Some(denial) if answer.exit != 0 => {
                recorded.denied.push((place.call(call), denial));
                continue;
            }
            // Files have such words, too, and a command can go on without what it was denied.
            Some(denial) => recorded.doubtful.push((place.call(call), denial)),
            None => {}
        }
        let (conditions, answer) = (conditions(&place, tool, input), place.answer(answer));
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

/// What the system says to a program that may not write.
const UNWRITTEN: [&str; 3] = ["permission denied", "read-only file system", "operation not permitted"];
/// What programs say that reach nobody.
const UNREACHED: [&str; 12] = [
    "could not resolve",
    "name resolution",
    "name or service not known",
    "no such host",
    "network is unreachable",
    "connection refused",
    "failed to connect",
    "unable to connect",
    "eai_again",
    "enotfound",
    "enetunreach",
    "econnrefused",
];
/// Programs that use the network, and the exit codes by which they say so alone that they reached nobody.
const OF_NETWORK: [(&str, &[u8]); 2] = [("curl", &[6, 7, 28]), ("wget", &[4])];

/// What of the sandbox may have denied something to a call that was made: commands and tools that write say so in their own
/// words, or by their exit codes.
fn denial(
    agent: &AgentMocks,
    sandbox: Option<&ProgramSandbox>,
    tool: &str,
    input: &Value,
    answer: &MockAnswer,
) -> Option<CallDenial> {
    let is_in_force = |guard: &str| sandbox.is_some_and(|of| of.enforced.iter().any(|name| name == guard));
    let may_be = tool == "Bash" || (answer.exit != 0 && !agent.answered.contains(&tool));
    let text = if may_be { answer.text().to_lowercase() } else { return None };
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match () {
        () if (agent.always_confined || is_in_force("landlock-write")) && says(&UNWRITTEN) => Some(CallDenial::Sandbox),
        () if is_in_force("network") && (says(&UNREACHED) || reached_nobody(input, answer.exit)) => {
            Some(CallDenial::Network)
        }
        () => None,
    }
}

/// Whether a command calls a program that must have failed to reach anybody, or may have where another one ended well.
fn reached_nobody(input: &Value, exit: u8) -> bool {
    let command = input["command"].as_str().unwrap_or_default();
    let calls = |program: &str| command.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == program);
    OF_NETWORK.iter().any(|(program, codes)| calls(program) && (exit == 0 || codes.contains(&exit)))
}

/// The conditions that tell a call from others.
fn conditions(place: &RecordedPlace, tool: &str, input: Value) -> Map<String, Value> {
    let mut conditions = Map::new();
    let mut plain = Map::new();
    let Value::Object(input) = input else { return conditions };
    for (key, value) in input {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if tool == "Bash" {
            let pattern = with_wildcards(&place.without(&text, "*"));
            match pattern == text {
                true => drop(plain.insert(key, value)),
                false => drop(conditions.insert("command_glob".to_owned(), json!(pattern))),
            }
            continue;
        }
        let below = place.without(&text, "");
        if below == text && !has_mask(&text) {
            plain.insert(key, value);
        } else if PATHS.contains(&key.as_str()) && !below.is_empty() && !has_mask(&below) {
            conditions.insert("file_path".to_owned(), json!(below.trim_start_matches('/')));
        }
    }
    if !plain.is_empty() {
        conditions.insert("input".to_owned(), Value::Object(plain));
    }
    conditions
}

impl RecordedMock {
    fn precedence(&self) -> (bool, Reverse<usize>) {
        let of_input = self.conditions.get("input").and_then(Value::as_object).map_or(0, Map::len);
        (self.conditions.contains_key("command_glob"), Reverse(self.conditions.len() + of_input))
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
