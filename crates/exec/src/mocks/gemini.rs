//! Gemini: only tools of MCP servers can be answered. Nothing lets a hook put a result in the place of a tool's own; it can
//! deny calls, which is what strict mocks need.

use eval_spec::call::ToolCall;
use eval_spec::mock::Mocks;
use serde_json::{Value, json};

use super::agent::AgentMocks;
use super::names::named_by;
use super::recording::RecordedCall;
use super::session::MockSession;

/// The longest name of a function of the model's.
const LONGEST: usize = 63;

pub(crate) static MOCKS: AgentMocks = AgentMocks {
    answered: &[],
    answers_any: false,
    fails_any: false,
    tools: &[],
    // Sub-agents are not among them: their calls are in no trace.
    harmless: &["activate_skill", "update_topic"],
    artifacts: &["home/.gemini/skills"],
    hook: |_, _| json!({}),
    asks: "",
    asked_as,
    is_refusal: |output| output.note.as_deref().is_some_and(|note| [WRONG, UNKNOWN].contains(&note)),
    is_absent: |output| output.note.as_deref() == Some(UNKNOWN),
    // Its hooks replace nothing.
    is_spoiled: |_, _, _| false,
    // Nothing is expected of what its hooks answered.
    shows: |_, _, _| true,
    // It is isolated in any case, and so has no servers.
    record: |_| RecordedCall::Left,
    always_confined: false,
    is_recorded: false,
};

/// What the program calls an error of arguments, and of a tool that it doesn't have.
const WRONG: &str = "invalid_tool_params";
const UNKNOWN: &str = "tool_not_registered";

/// `mcp_SERVER_TOOL` to the model.
fn asked_as(mocks: &Mocks, call: &ToolCall) -> (String, Value) {
    let name = named_by(mocks, &call.name, shown).unwrap_or_else(|| call.name.clone());
    (name, call.input.clone())
}

fn shown(tool: &str) -> String {
    let plain = |c: char| !c.is_ascii_alphanumeric() && !"_-.:".contains(c);
    let name = tool.replacen("__", "_", 2).replace(plain, "_");
    if name.len() <= LONGEST {
        return name;
    }
    // Every character is a byte.
    format!("{}...{}", &name[..30], &name[name.len() - 30..])
}

/// A hook that denies the calls that it is asked about, but for reading what lies in the session's own folders.
pub(crate) fn denying(session: &MockSession) -> Value {
    let denied = json!({"decision": "deny", "reason": "permission to use this tool has been denied"}).to_string();
    let deny = format!("echo '{denied}'");
    let reads = session.own().iter().map(|own| {
        let path = format!("\"file_path\":{}", json!(format!("{}/", own.display())).to_string().trim_end_matches('"'));
        shlex::try_quote(&path).map_or_else(|_| String::new(), |path| format!("*{path}*) ;; "))
    });
    let command = format!("case \"$(cat)\" in *../*) {deny};; {}*) {deny};; esac", reads.collect::<String>());
    let free = MOCKS.harmless.join("$|");
    json!([{"matcher": format!("^(?!mcp_|{free}$)"), "hooks": [{"type": "command", "command": command}]}])
}
