//! The file of a session, or of a sub-agent's → its trace and the number of the model's answers.

use std::collections::HashMap;

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus};
use serde_json::Value;

use crate::calls::{status, time};
use crate::search::{NO_MATCH, finds_nothing};

#[derive(Debug, Default)]
pub(super) struct GeminiSession {
    /// The sub-agent's id; `None` for the session of the run itself.
    pub(super) sub_agent: Option<String>,
    /// The model's answers in order, each as it was written last.
    answers: Vec<Value>,
    places: HashMap<String, usize>,
}

impl GeminiSession {
    pub(super) fn record(&mut self, record: Value) {
        if record["kind"] == "subagent" {
            self.sub_agent = record["sessionId"].as_str().map(str::to_owned);
        }
        let Some(id) = record["id"].as_str().filter(|_| record["type"] == "gemini").map(str::to_owned) else { return };
        match self.places.get(&id) {
            Some(&place) => self.answers[place] = record,
            None => {
                self.places.insert(id, self.answers.len());
                self.answers.push(record);
            }
        }
    }

    /// Answers of the model; `None` when there was none.
    pub(super) fn turns(&self) -> Option<u32> {
        u32::try_from(self.answers.len()).ok().filter(|&turns| turns > 0)
    }

    /// The call that started a sub-agent.
    pub(super) fn call_of(&self, sub_agent: &str) -> Option<String> {
        let calls = self.answers.iter().flat_map(|answer| answer["toolCalls"].as_array().into_iter().flatten());
        let call = calls.into_iter().find(|call| call["agentId"] == sub_agent)?;
        call["id"].as_str().map(str::to_owned)
    }

    /// Texts and calls of tools in order.
    pub(super) fn steps(&self) -> Vec<Step> {
        let of = |(number, answer): (u32, &Value)| {
            let said = answer["content"].as_str().filter(|text| !text.is_empty());
            let calls = answer["toolCalls"].as_array().map_or(&[][..], Vec::as_slice);
            let said = said.map(|text| Step::Text { text: text.to_owned() });
            let call = |call: &Value| {
                let mut made = tool_call(call, number);
                made.timed(time(&answer["timestamp"]), time(&call["timestamp"]));
                Step::Tool(made)
            };
            said.into_iter().chain(calls.iter().map(call)).collect::<Vec<_>>()
        };
        (1..).zip(&self.answers).flat_map(of).collect()
    }
}

/// A call as an answer holds it, with its result where it has ended.
pub(crate) fn tool_call(call: &Value, turn: u32) -> ToolCall {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Until the tool has ended there is no result.
    let output = call["result"].is_array().then(|| output(call));
    let (id, name, input) = (text(&call["id"]), text(&call["name"]), call["args"].clone());
    let is_blocked = |output: &ToolOutput| output.is_error && output.text.starts_with("Tool execution blocked:");
    let status = output.as_ref().map(|output| match call["status"] == "cancelled" || is_blocked(output) {
        true => ToolStatus::NotRun,
        false => status(output),
    });
    ToolCall { id, name, input, output, status, turn: Some(turn), ..ToolCall::default() }
}

fn output(call: &Value) -> ToolOutput {
    let response = &call["result"][0]["functionResponse"]["response"];
    let given = response["output"].as_str().or(response["error"].as_str()).unwrap_or_default();
    let (text, code) = of_shell(given);
    let command = call["args"]["command"].as_str();
    let display = &call["resultDisplay"];
    let found_nothing = display["summary"] == NO_MATCH
        || display == "No files found"
        || command.is_some_and(|command| finds_nothing(command, code, text));
    ToolOutput {
        is_error: call["status"] == "error" || (code.is_some_and(|code| code != 0) && !found_nothing),
        note: found_nothing.then(|| NO_MATCH.to_owned()),
        exit_code: code,
        text: text.to_owned(),
    }
}

/// The text and the exit code of a command, from what the model is given of it: `Output: …`, then lines about the process.
fn of_shell(given: &str) -> (&str, Option<i64>) {
    let inner = given.strip_prefix("<untrusted_context>\n").and_then(|rest| rest.split_once("\n</untrusted_context>"));
    let Some((inner, _)) = inner else { return (given, None) };
    let Some(rest) = inner.strip_prefix("Output: ") else { return (inner, None) };
    let about = ["\nExit Code: ", "\nError: ", "\nSignal: ", "\nBackground PIDs: ", "\nProcess Group PGID: "];
    let end = about.into_iter().filter_map(|line| rest.rfind(line)).min().unwrap_or(rest.len());
    let code = rest[end..].lines().find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok());
    let text = &rest[..end];
    (if text == "(empty)" { "" } else { text }, code)
}
