//! `tool_calls`: the calls that a skill answers with, against those that are expected: the same names in the same
//! order (in any order with `anyOrder`), arguments deeply equal as JSON, in any order of keys; a number that no
//! float holds is equal to the text it is written as.
//!
//! Calls are understood as `{name, arguments}` (also `input`, `args` or `parameters`), as OpenAI writes them
//! (`{function: {name, arguments: "JSON"}}`, messages with `tool_calls`, responses with `function_call` items) and as
//! Anthropic does (`content` with `tool_use` blocks) or Google (`parts` with `functionCall`), alone, in a list, or in the
//! result; also as a text that holds any of these as JSON. Other blocks are passed over; an answer without any is no
//! call at all. Arguments that are missing, `null` or empty are `{}`; an expected call
//! without arguments may have any.
//!
//! The score is the number of calls that match over the longer of both lists, so a call too many costs as much as one
//! too few; it passes at 1.

use eval_message::{Message, msg};
use eval_spec::callable::read_exactly;
use serde_json::{Map, Value, json};

use super::exact::identical;
use super::shown::share;
use crate::excerpt::{EVIDENCE, excerpts};
use crate::finding::CheckFinding;
use crate::scorer::scored::CompiledScorer;

/// How deep calls are looked for.
const DEPTH: usize = 12;

/// More calls than any answer has.
const MOST: usize = 10_000;

/// How many names are shown.
const LISTED: usize = 20;

/// The keys of an object that may contain its calls, in the order of the search.
const HOLDERS: [&str; 17] = [
    "tool_calls",
    "toolCalls",
    "calls",
    "tool_call",
    "toolCall",
    "function_call",
    "functionCall",
    "content",
    "choices",
    "message",
    "result",
    "output",
    "answer",
    "function_calls",
    "functionCalls",
    "candidates",
    "parts",
];

/// The keys of arguments.
const ARGUMENTS: [&str; 4] = ["arguments", "input", "args", "parameters"];

#[derive(Clone, Debug, PartialEq)]
struct ExpectedCall {
    name: String,
    /// `None` where any arguments will do.
    arguments: Option<Value>,
}

pub(super) fn compile(expected: &Value, any_order: bool) -> Result<CompiledScorer, Message> {
    let Value::Array(items) = expected else { return Err(msg!("skills-grade-calls-no-list")) };
    let read: Option<Vec<ExpectedCall>> = items.iter().map(ExpectedCall::read).collect();
    let expected = read.ok_or_else(|| msg!("skills-grade-calls-unread"))?;
    Ok(CompiledScorer::quick(move |seen| score(&expected, seen.output, any_order)))
}

fn score(expected: &[ExpectedCall], output: &Value, any_order: bool) -> CheckFinding {
    let found = calls_in(output, DEPTH).unwrap_or_default();
    if found.len() > MOST {
        return CheckFinding::unscored(msg!("skills-grade-calls-many", limit = MOST));
    }
    let matched = if any_order { in_any_order(expected, &found) } else { in_order(expected, &found) };
    let whole = expected.len().max(found.len());
    let names = |calls: &[ExpectedCall]| excerpts(calls.iter().map(|call| call.name.as_str()), LISTED).join(", ");
    let reason = msg!(
        "skills-grade-calls",
        matched = matched,
        expected = expected.len(),
        found = found.len(),
        expectedNames = crate::excerpt::excerpt(&names(expected), EVIDENCE),
        foundNames = crate::excerpt::excerpt(&names(&found), EVIDENCE),
    );
    let seen = json!({ "matched": matched, "expected": expected.len(), "found": found.len() });
    CheckFinding::partial(matched == whole, share(matched, whole), reason).having_seen(seen)
}

/// The longest common subsequence.
fn in_order(expected: &[ExpectedCall], found: &[ExpectedCall]) -> usize {
    let mut row = vec![0_usize; expected.len() + 1];
    for call in found {
        let mut diagonal = 0;
        for (at, wanted) in expected.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if wanted.is_met_by(call) { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// The largest number of pairs: calls with given arguments are matched first, then those with any.
fn in_any_order(expected: &[ExpectedCall], found: &[ExpectedCall]) -> usize {
    let mut taken = vec![false; found.len()];
    let (open, exact): (Vec<&ExpectedCall>, Vec<&ExpectedCall>) =
        expected.iter().partition(|call| call.arguments.is_none());
    let mut take = |wanted: &&ExpectedCall| {
        let at = found.iter().zip(&taken).position(|(call, taken)| !taken && wanted.is_met_by(call));
        at.is_some_and(|at| !std::mem::replace(&mut taken[at], true))
    };
    exact.into_iter().chain(open).filter(|wanted| take(wanted)).count()
}

impl ExpectedCall {
    /// The call that `value` is.
    fn read(value: &Value) -> Option<ExpectedCall> {
        let fields = value.as_object()?;
        let inside = match fields.get("function") {
            Some(Value::Object(function)) => function,
            _ => fields,
        };
        let name = inside.get("name").or_else(|| inside.get("tool")).and_then(Value::as_str)?;
        let arguments = ARGUMENTS.iter().find_map(|key| inside.get(*key)).map(arguments);
        Some(ExpectedCall { name: name.to_owned(), arguments })
    }

    /// Whether `found` is this call; missing arguments of `found` are none.
    fn is_met_by(&self, found: &ExpectedCall) -> bool {
        let none = Value::Object(Map::new());
        let given = found.arguments.as_ref().unwrap_or(&none);
        self.name == found.name && self.arguments.as_ref().is_none_or(|wanted| identical(wanted, given))
    }
}

/// Arguments as a value; some write them as a text that holds JSON.
fn arguments(value: &Value) -> Value {
    match value {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => read_exactly(text).unwrap_or_else(|_| value.clone()),
        other => other.clone(),
    }
}

/// The calls in `value`; `None` when it holds none.
fn calls_in(value: &Value, depth: usize) -> Option<Vec<ExpectedCall>> {
    match value {
        _ if depth == 0 => None,
        // A skill that returns text only writes its calls as JSON.
        Value::String(text) if text.trim_start().starts_with(['{', '[', '"']) => {
            calls_in(&read_exactly(text.trim()).ok()?, depth - 1)
        }
        Value::Array(items) => {
            let found: Vec<ExpectedCall> =
                items.iter().filter_map(|item| calls_in(item, depth - 1)).flatten().collect();
            (!found.is_empty()).then_some(found)
        }
        Value::Object(fields) if is_call(fields) => ExpectedCall::read(value).map(|call| vec![call]),
        Value::Object(fields) => {
            HOLDERS.iter().filter_map(|key| fields.get(*key)).find_map(|inside| calls_in(inside, depth - 1))
        }
        _ => None,
    }
}

/// Whether an object of an answer is a call: it has a name, and nothing else that would hold calls.
fn is_call(fields: &Map<String, Value>) -> bool {
    let named =
        |fields: &Map<String, Value>| ["name", "tool"].iter().any(|key| fields.get(*key).is_some_and(Value::is_string));
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or("function");
    let is_kind = ["function", "function_call", "tool_call", "tool_use"].contains(&kind);
    let holds_calls =
        HOLDERS.iter().filter_map(|key| fields.get(*key)).any(|inside| inside.is_object() || inside.is_array());
    let nested = matches!(fields.get("function"), Some(Value::Object(function)) if named(function));
    is_kind && (nested || named(fields) && !holds_calls)
}
