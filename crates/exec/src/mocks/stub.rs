//! The MCP servers that stand in for those that mocks are for: the four methods that an agent's client asks.

use std::collections::{BTreeMap, BTreeSet};

use eval_spec::mock::Mock;
use serde_json::{Map, Value, json};

use super::names::parts;
use super::session::{MockDecision, MockSession};
use super::web;

/// The versions of the protocol that it knows, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// omk's own server, whose tool an agent asks.
pub(crate) const OWN: &str = "omk";
/// Its tool for questions whether a tool may run.
pub(crate) const PERMISSION: &str = "permission";
/// Its tool for the questions of hooks.
pub(crate) const HOOK: &str = "hook";

/// The servers that an agent needs: those of the mocks, and the one that it asks.
pub(crate) fn servers(session: &MockSession) -> BTreeSet<String> {
    let mocked = session.mocks().mocks.iter().filter_map(|mock| Some(parts(&mock.tool)?.0));
    let web = (!session.stood_in().is_empty()).then_some(web::SERVER);
    let own = (!session.agent().asks.is_empty()).then_some(OWN);
    mocked.chain(web).chain(own).map(str::to_owned).collect()
}

/// The answer to one message; `None` for a notification.
pub(crate) fn answer(session: &MockSession, server: &str, message: &Value) -> Option<Value> {
    let id = message.get("id").filter(|id| !id.is_null())?;
    let parameters = &message["params"];
    let result = match message["method"].as_str() {
        Some("initialize") => Ok(initialized(parameters)),
        Some("ping") => Ok(json!({})),
        Some("tools/list") => Ok(json!({"tools": tools(session, server)})),
        Some("tools/call") => Ok(call(session, server, parameters)),
        _ => Err(json!({"code": -32601, "message": "Method not found"})),
    };
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    })
}

fn initialized(parameters: &Value) -> Value {
    let asked = parameters["protocolVersion"].as_str().filter(|version| VERSIONS.contains(version));
    json!({
        "protocolVersion": asked.unwrap_or(VERSIONS[0]),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "stub", "version": "1.0.0"},
    })
}

fn tools(session: &MockSession, server: &str) -> Vec<Value> {
    if server == OWN {
        return vec![asked(session.agent().asks)];
    }
    let mocks = &session.mocks().mocks;
    let mut tools: BTreeMap<String, Value> = BTreeMap::new();
    for mock in mocks {
        let Some((_, name)) = parts(&mock.tool).filter(|(of, _)| *of == server) else { continue };
        let tool = tools.entry(name.to_owned()).or_insert_with(|| json!({"name": name}));
        if let Some(description) = &mock.description {
            tool["description"] = json!(description);
        }
        if let Some(schema) = &mock.input_schema {
            tool["inputSchema"] = json!(schema);
        }
    }
    for (name, tool) in &mut tools {
        if tool["inputSchema"].is_null() {
            tool["inputSchema"] = guessed_schema(mocks, &format!("mcp__{server}__{name}"));
        }
    }
    let replaced = session.stood_in();
    for stand_in in web::STAND_INS {
        if server == web::SERVER && replaced.contains(&stand_in.own) {
            tools.insert(stand_in.name.to_owned(), stand_in.listed());
        }
    }
    tools.into_values().collect()
}

/// A tool of omk's own, which the model is not offered.
fn asked(name: &str) -> Value {
    let mut tool = json!({"name": name, "inputSchema": {"type": "object"}});
    if name == HOOK {
        tool["_meta"] = json!({"ui": {"visibility": ["app"]}});
    }
    tool
}

/// What the conditions of the mocks of a tool tell about its arguments.
fn guessed_schema(mocks: &[Mock], tool: &str) -> Value {
    let mut properties = Map::new();
    for mock in mocks.iter().filter(|mock| mock.tool == tool) {
        let conditions = &mock.conditions;
        let mut text = |name: &str, is_there: bool| {
            if is_there {
                properties.insert(name.to_owned(), json!({"type": "string"}));
            }
        };
        text("file_path", conditions.file_path.is_some() || conditions.file_path_endswith.is_some());
        text("url", conditions.url.is_some() || conditions.url_glob.is_some());
        text("command", conditions.command_glob.is_some());
        for (name, value) in conditions.input.iter().flatten() {
            let of_type = match value {
                Value::Null => continue,
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            properties.insert(name.clone(), json!({"type": of_type}));
        }
    }
    json!({"type": "object", "properties": properties})
}

fn call(session: &MockSession, server: &str, parameters: &Value) -> Value {
    let name = parameters["name"].as_str().unwrap_or_default();
    if server == OWN {
        let asked = &parameters["arguments"];
        let answer = if name == HOOK { (session.agent().hook)(session, asked) } else { permission(session, asked) };
        return text(&answer.to_string(), false);
    }
    let tool = format!("mcp__{server}__{name}");
    let tool = web::stands_for(&tool).map_or(tool, str::to_owned);
    let id = parameters["_meta"]["claudecode/toolUseId"].as_str();
    match session.decide(id, &tool, &parameters["arguments"]) {
        MockDecision::Answer { answer, .. } => text(&answer.text(), answer.exit != 0),
        MockDecision::Deny | MockDecision::Pass => {
            text(&format!("No answer is prepared for this call of {name}."), true)
        }
    }
}

fn text(text: &str, is_error: bool) -> Value {
    let mut result = json!({"content": [{"type": "text", "text": text}]});
    if is_error {
        result["isError"] = json!(true);
    }
    result
}

/// The answer to a question whether a tool may run: never, in the words of the mock that failed it, of the denial, or of the
/// agent itself where nobody is there to be asked.
fn permission(session: &MockSession, asked: &Value) -> Value {
    let tool = asked["tool_name"].as_str().unwrap_or_default();
    let decided = asked["tool_use_id"].as_str().and_then(|id| session.decided(id));
    let message = match decided {
        Some(MockDecision::Answer { answer, .. }) => answer.text(),
        Some(MockDecision::Deny) => format!("Permission to use {tool} has been denied."),
        Some(MockDecision::Pass) | None => {
            format!("Claude requested permissions to use {tool}, but you haven't granted it yet.")
        }
    };
    json!({"behavior": "deny", "message": message})
}
