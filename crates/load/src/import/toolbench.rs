//! ToolBench's query files (github.com/OpenBMB/ToolBench, `data/instruction/G*_query.json` and
//! `data/test_instruction/*.json`): a list of objects with `query_id`, `query`, `api_list` and `relevant APIs`, pairs of
//! tool and API.
//!
//! They say which APIs answer a query, not with what arguments or in what order; so that is what is expected: these
//! functions, once each, in any order. Functions have the names that ToolBench gives them (`API_for_TOOL`). A list whose
//! objects have `calls` with arguments instead is expected as written, in its order.

use std::collections::HashMap;

use eval_message::msg;
use eval_spec::callable::Decimal;
use eval_spec::source::Span;
use serde_json::{Map, Value, json};

use super::super::benchmark::refuse_inexact;
use super::super::decode;
use super::super::problems::Problems;
use super::super::tree::{self, Format, Node, NodeData, ObjectEntry};
use super::ImportHead;

pub(super) fn head() -> ImportHead {
    ImportHead {
        id: "toolbench-lite".to_owned(),
        name: "ToolBench".to_owned(),
        domain: "tool-use",
        description: "ToolBench's queries ({\"query\": …, \"tools\": [{name, description, parameters}]}); a skill answers \
                      with the calls it would make, [{name, arguments}]. Query files name functions only, so \
                      arguments don't count there.",
        max_latency_ms: 60_000,
        source: "https://github.com/OpenBMB/ToolBench",
    }
}

pub(super) fn tasks(text: &str, problems: &mut Problems) -> Vec<Value> {
    let Some(root) = tree::parse(Format::Json, text, 0, problems) else { return Vec::new() };
    let Some(items) = decode::list(&root, "list", problems) else { return Vec::new() };
    let mut first: HashMap<String, Span> = HashMap::new();
    let mut unknown: Option<(Span, usize)> = None;
    let mut tasks = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let Some(query) = Query::read(item, at, problems) else { continue };
        if let Some(earlier) = first.insert(query.id.clone(), item.span) {
            problems.repeated(item.span, earlier, msg!("skills-grade-import-twice", id = query.id.as_str()));
        }
        match query.task() {
            Some(task) => tasks.push(task),
            None => unknown = Some(unknown.map_or((item.span, 1), |(span, count)| (span, count + 1))),
        }
    }
    if let Some((span, count)) = unknown {
        problems.warning(span, msg!("skills-grade-import-apis", count = count), None);
    }
    tasks
}

/// One query, its parts as they are written.
struct Query {
    id: String,
    query: String,
    apis: Vec<Value>,
    relevant: Vec<Value>,
    calls: Option<Value>,
    tools: Option<Value>,
}

impl Query {
    fn read(item: &Node, at: usize, problems: &mut Problems) -> Option<Query> {
        let fields = decode::any_object(item, problems)?;
        let query = decode::filled_text(fields.require("query", problems)?, problems)?;
        let listed = |key: &str, problems: &mut Problems| match fields.get(key) {
            Some(node) if node.data != NodeData::Null => {
                Some(decode::list(node, "list", problems)?.iter().map(Node::value).collect())
            }
            _ => Some(Vec::new()),
        };
        let (apis, relevant) = (listed("api_list", problems)?, listed("relevant APIs", problems)?);
        let calls = fields.get("calls").map(|calls| expected_calls(calls, problems));
        if relevant.is_empty() && calls.is_none() {
            problems.error(item.span, msg!("load-missing-key", key = "relevant APIs"));
            return None;
        }
        let id = fields.get("query_id").or_else(|| fields.get("id")).map(Node::value);
        let id = match id {
            Some(Value::String(id)) if !id.trim().is_empty() => id,
            Some(Value::Number(id)) => id.to_string(),
            _ => format!("query-{}", at + 1),
        };
        let calls = calls.map_or(Some(None), |calls| calls.map(Some))?;
        ["tools", "api_list"].iter().filter_map(|key| fields.get(key)).for_each(|node| {
            refuse_inexact(node, Decimal::is_whole, problems);
        });
        Some(Query { id, query, apis, relevant, calls, tools: fields.get("tools").map(Node::value) })
    }

    /// The task; `None` when a relevant API is not in the list.
    fn task(self) -> Option<Value> {
        let (calls, any_order) = match &self.calls {
            Some(calls) => (calls.clone(), false),
            None => (self.relevant_calls()?, true),
        };
        let tools = self.tools.unwrap_or_else(|| self.apis.iter().map(function).collect());
        Some(json!({
            "id": self.id,
            "inputData": { "query": self.query, "tools": tools },
            "expectedOutput": { "type": "tool_calls", "calls": calls, "anyOrder": any_order },
            "evaluator": { "type": "tool_calls" },
            "tags": tags(&self.apis),
        }))
    }

    fn relevant_calls(&self) -> Option<Value> {
        let call = |pair: &Value| {
            let (tool, api) = (pair.get(0)?.as_str()?, pair.get(1)?.as_str()?);
            let known = |entry: &&Value| of(entry, "tool_name") == tool && of(entry, "api_name") == api;
            let name = self.apis.iter().find(known).map(function_name)?;
            Some(json!({ "name": name }))
        };
        self.relevant.iter().map(call).collect()
    }
}

/// The calls of a list, `{name, arguments}` each; some write `tool` and `args`.
fn expected_calls(node: &Node, problems: &mut Problems) -> Option<Value> {
    let calls: Vec<Option<Value>> = decode::list(node, "list", problems)?.iter().map(|c| call(c, problems)).collect();
    calls.into_iter().collect()
}

fn call(node: &Node, problems: &mut Problems) -> Option<Value> {
    const NAMES: [&str; 2] = ["name", "tool"];
    const ARGUMENTS: [&str; 4] = ["arguments", "args", "input", "parameters"];
    let get = |keys: &[&str]| keys.iter().find_map(|key| node.get(key));
    let name = get(&NAMES).and_then(|name| match &name.data {
        NodeData::Text(name) if !name.trim().is_empty() => Some(name.clone()),
        _ => None,
    });
    let (Some(name), NodeData::Object(entries)) = (name, &node.data) else {
        let help = Some(msg!("skills-grade-import-call-help"));
        problems.error_with_help(node.span, msg!("skills-grade-import-call"), help);
        return None;
    };
    // What isn't understood might have been expected too.
    let is_known = |entry: &&ObjectEntry| NAMES.contains(&&*entry.key) || ARGUMENTS.contains(&&*entry.key);
    if let Some(entry) = entries.iter().find(|entry| !is_known(entry)) {
        let help = Some(msg!("skills-grade-import-call-help"));
        problems.error_with_help(entry.key_span, msg!("skills-grade-import-call-key", key = entry.key.as_str()), help);
        return None;
    }
    let mut call = json!({ "name": name });
    if let Some(arguments) = get(&ARGUMENTS) {
        decode::any_object(arguments, problems)?;
        refuse_inexact(arguments, |_| true, problems);
        call["arguments"] = arguments.value();
    }
    Some(call)
}

/// The categories of the APIs, each once.
fn tags(apis: &[Value]) -> Vec<String> {
    let mut tags: Vec<String> = apis.iter().map(|api| of(api, "category_name").trim().to_lowercase()).collect();
    tags.retain(|tag| !tag.is_empty());
    tags.sort();
    tags.dedup();
    tags
}

fn of<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// An API as the function that a model would call.
fn function(api: &Value) -> Value {
    let parameters = |key: &str| api.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let (required, optional) = (parameters("required_parameters"), parameters("optional_parameters"));
    let properties: Map<String, Value> = required.iter().chain(&optional).map(property).collect();
    let names: Vec<String> = required.iter().map(|parameter| property(parameter).0).collect();
    json!({
        "name": function_name(api),
        "description": of(api, "api_description"),
        "parameters": { "type": "object", "properties": properties, "required": names },
    })
}

fn property(parameter: &Value) -> (String, Value) {
    let kind = match of(parameter, "type").to_ascii_uppercase().as_str() {
        "NUMBER" => "number",
        "BOOLEAN" => "boolean",
        "OBJECT" => "object",
        "ARRAY" => "array",
        _ => "string",
    };
    let name = no_keyword(standard(of(parameter, "name")));
    (name, json!({ "type": kind, "description": of(parameter, "description") }))
}

/// `API_for_TOOL`, of which the last 64 characters count.
pub fn function_name(api: &Value) -> String {
    let name = format!("{}_for_{}", no_keyword(standard(of(api, "api_name"))), standard(of(api, "tool_name")));
    let surplus = name.chars().count().saturating_sub(64);
    name.chars().skip(surplus).collect()
}

/// Lower case; what is no letter, digit or Han character is one `_`, none at the ends; no digit in front.
fn standard(name: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || c == '^' || matches!(c, '\u{4e00}'..='\u{9fa5}');
    let words: Vec<String> =
        name.split(|c| !kept(c)).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    let name = words.join("_");
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("get_{name}") } else { name }
}

fn no_keyword(name: String) -> String {
    match name.as_str() {
        "from" | "class" | "return" | "false" | "true" | "id" | "and" => format!("is_{name}"),
        _ => name,
    }
}
