//! The hooks of Codex: before a command runs, it is replaced by a harmless one, whose result is the mock's.
//!
//! They call a tool of omk's own MCP server, which the model doesn't see: no process is started for a question. A command
//! is reported as the program reports any other, because it is one.

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::mock::{MockAnswer, Mocks};
use serde_json::{Value, json};

use super::agent::AgentMocks;
use super::names::{named_by, parts};
use super::printing::printing;
use super::recording::{RecordedCall, of_command, of_text, renamed};
use super::session::{MockDecision, MockSession};
use super::stub;

/// Where the skills on offer lie in its home.
pub(crate) const SKILLS: &str = "skills";

pub(crate) static MOCKS: AgentMocks = AgentMocks {
    answered: &["Bash"],
    answers_any: false,
    fails_any: false,
    tools: &["Bash"],
    // Sub-agents are not among them: their calls are in no trace. What a script of the model calls is asked about.
    harmless: &[
        "write_stdin",
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "read_mcp_resource",
        "request_user_input",
        "update_plan",
        "get_goal",
        "create_goal",
        "update_goal",
        "tool_search",
        "exec",
        "wait",
    ],
    artifacts: &["home/skills"],
    hook,
    asks: stub::HOOK,
    asked_as,
    is_refusal,
    // The run fails where a server isn't there, but not where that lacks a tool. Commands have several names, of which a
    // model may take a wrong one.
    is_absent: |output| output.text.strip_prefix(UNKNOWN).is_some_and(|name| name.trim_start().starts_with("mcp__")),
    is_spoiled: |_, output, _| is_refusal(output),
    // Nothing is expected of what its hooks answered.
    shows: |_, _, _| true,
    record,
    always_confined: true,
    is_recorded: true,
};

/// What it says to a call of a tool that it doesn't have.
const UNKNOWN: &str = "unsupported call:";

fn is_refusal(output: &ToolOutput) -> bool {
    let starts = [UNKNOWN, "unsupported custom tool call:", "failed to parse function arguments:"];
    starts.iter().any(|text| output.text.starts_with(text))
}

/// The question of a hook, whose places are filled by the program.
pub(crate) fn question() -> Value {
    let names = ["hook_event_name", "tool_name", "tool_input", "tool_use_id"];
    names.iter().map(|name| ((*name).to_owned(), json!(format!("${{{name}}}")))).collect()
}

/// Its hooks see one tool for commands, whatever the model calls it.
fn asked_as(mocks: &Mocks, call: &ToolCall) -> (String, Value) {
    let (name, input) = (call.name.as_str(), &call.input);
    match name {
        "exec_command" | "shell_command" | "shell" | "local_shell" => {
            let command = ["cmd", "command"].iter().find_map(|key| input.get(*key));
            ("Bash".to_owned(), json!({"command": command}))
        }
        _ => {
            let plain = |tool: &str| tool.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
            (named_by(mocks, name, plain).unwrap_or_else(|| name.to_owned()), input.clone())
        }
    }
}

/// The answer to a hook.
fn hook(session: &MockSession, event: &Value) -> Value {
    let (Some(id), Some(tool)) = (event["tool_use_id"].as_str(), event["tool_name"].as_str()) else {
        return json!({});
    };
    // Servers of MCP answer for themselves: all of them are the stub's.
    if event["hook_event_name"] != "PreToolUse" || parts(tool).is_some() {
        return json!({});
    }
    let command = match session.decide(Some(id), tool, &event["tool_input"]) {
        MockDecision::Pass => return json!({}),
        MockDecision::Answer { answer, .. } if tool == "Bash" => printing(session, &on_one_stream(answer)).ok(),
        MockDecision::Answer { .. } | MockDecision::Deny => None,
    };
    let mut output = json!({"hookEventName": "PreToolUse", "permissionDecision": "deny"});
    match command {
        Some(command) => {
            let harmless = json!({"command": command});
            session.replaced(id, &harmless);
            output["permissionDecision"] = json!("allow");
            output["updatedInput"] = harmless;
        }
        // Also with a disk that is full: the call fails, rather than being made.
        None => output["permissionDecisionReason"] = json!(format!("permission to use {tool} has been denied")),
    }
    json!({"hookSpecificOutput": output})
}

/// The model sees both streams as one text, and whatever is printed on two comes in any order.
fn on_one_stream(mut answer: MockAnswer) -> MockAnswer {
    answer.stdout.extend_from_slice(std::mem::take(&mut answer.stderr).as_bytes());
    answer
}

/// What a recording makes of a call. Scripts are followed by what they called.
fn record(call: &ToolCall) -> RecordedCall {
    let Some(output) = &call.output else { return RecordedCall::Left };
    if (MOCKS.is_refusal)(output) {
        return RecordedCall::Needless;
    }
    if call.status == Some(ToolStatus::NotRun) {
        return RecordedCall::Denied;
    }
    if MOCKS.harmless.contains(&call.name.as_str()) {
        return RecordedCall::Needless;
    }
    match asked_as(&Mocks::default(), call) {
        (tool, input) if tool == "Bash" => renamed("Bash", input, of_command(&output.text, output.exit_code)),
        (tool, _) if parts(&tool).is_some() => of_text(call),
        _ => RecordedCall::Left,
    }
}
