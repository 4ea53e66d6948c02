//! ATIF, the Agent Trajectory Interchange Format of Harbor and Terminal-Bench: one trajectory a line.
//!
//! A report has no texts between the calls and no tokens of single messages, so that the steps have none either.

use std::io::{Result, Write};

use eval_format::{Report, VariantResult};
use eval_message::msg;
use eval_spec::call::ToolCall;
use serde_json::{Map, Value, json};

use crate::formats::spec::FormatSpec;
use crate::view::comparison::{ExportedExecution, executions, score, word};
use crate::view::threads::{CallThreads, PlacedCall, unique_ids};

/// The first version with trajectories of sub-agents inside.
const VERSION: &str = "ATIF-v1.7";

/// How deep sub-agents are nested; those of deeper ones stand beside them.
const DEEPEST: usize = 16;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "atif",
    extension: "jsonl",
    about: || msg!("report-format-atif"),
    comparison: Some(|report, _, to| write(report, to)),
    evaluation: None,
};

/// An execution of which nothing was recorded is no trajectory: there is nothing that an agent did.
fn write(report: &Report, to: &mut dyn Write) -> Result<()> {
    for trajectory in executions(report).filter_map(|execution| trajectory(&execution)) {
        serde_json::to_writer(&mut *to, &trajectory)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

fn trajectory(of: &ExportedExecution<'_>) -> Option<Value> {
    let result = of.result;
    let id = format!("{}/{}/{}/{}", of.report.id, of.sample.sample_id, of.variant, of.repeat);
    let ids = unique_ids(&result.tool_calls);
    let mut threads = CallThreads::new(&result.tool_calls);
    let mut root = AtifThread { id: &id, ids: &ids, steps: Vec::new(), inner: Vec::new(), agent: agent(of) };
    if let Some(system) = of.system() {
        root.step("system", json!({ "message": system }));
    }
    if let Some(prompt) = of.prompt() {
        root.step("user", json!({ "message": prompt }));
    }
    let own = threads.take(None).unwrap_or_default();
    root.messages(own, &mut threads, 0);
    while let Some((started_by, messages)) = threads.take_any() {
        root.sub_agent(started_by, None, messages, &mut threads, 0);
    }
    root.answer(result);
    let tokens = known(json!({
        "total_prompt_tokens": result.input_tokens,
        "total_completion_tokens": result.output_tokens,
        "total_cached_tokens": result.cache_read_tokens,
        "total_cost_usd": result.cost_usd,
        "total_steps": root.steps.len(),
        "extra": known(json!({
            "cache_write_tokens": result.cache_write_tokens,
            "duration_ms": result.duration_ms,
            "turns": result.turns,
        })),
    }));
    let mut whole = root.whole()?;
    whole.insert("session_id".to_owned(), json!(id));
    whole.insert("final_metrics".to_owned(), tokens);
    whole.insert("extra".to_owned(), about(of));
    Some(Value::Object(whole))
}

/// Returns scores and checks of the execution.
fn about(of: &ExportedExecution<'_>) -> Value {
    let result = of.result;
    known(json!({
        "report": of.report.id,
        "sample": of.sample.sample_id,
        "variant": of.variant,
        "role": of.role,
        "repeat": of.repeat,
        "outcome": result.outcome,
        "score": score(result),
        "stop_reason": result.stop_reason,
        "cached": result.cached,
        "started_at": result.started_at,
        "failure": result.error.as_ref().map(|error| word(&error.failure)),
        "error": result.error.as_ref().map(|error| &error.message),
    }))
}

fn agent(of: &ExportedExecution<'_>) -> Value {
    let meta = &of.report.meta;
    let asked = Some(&meta.model).filter(|model| !model.is_empty());
    known(json!({
        "name": meta.executor_runtime.executor,
        "version": meta.executor_runtime.version.as_deref().unwrap_or("unknown"),
        "model_name": of.result.model.as_ref().or(asked),
    }))
}

struct AtifThread<'r> {
    id: &'r str,
    ids: &'r [String],
    agent: Value,
    steps: Vec<Value>,
    inner: Vec<Value>,
}

impl AtifThread<'_> {
    fn step(&mut self, source: &str, fields: Value) {
        let mut step = Map::new();
        step.insert("step_id".to_owned(), json!(self.steps.len() + 1));
        step.insert("source".to_owned(), json!(source));
        if let Value::Object(fields) = known(fields) {
            step.extend(fields);
        }
        self.steps.push(Value::Object(step));
    }

    fn messages<'c>(&mut self, of: Vec<Vec<PlacedCall<'c>>>, threads: &mut CallThreads<'c>, depth: usize) {
        for calls in of {
            let mut results = Vec::new();
            for &(place, call) in &calls {
                let inner = Some(depth).filter(|depth| *depth < DEEPEST).and_then(|_| threads.take(Some(&call.id)));
                let inner = inner.map(|inner| self.sub_agent(&self.ids[place], Some(call), inner, threads, depth + 1));
                if call.output.is_some() || inner.is_some() {
                    results.push(result(&self.ids[place], call, inner));
                }
            }
            let made: Vec<Value> = calls.iter().map(|(place, call)| tool_call(&self.ids[*place], call)).collect();
            let observation = (!results.is_empty()).then(|| json!({ "results": results }));
            let at = calls.iter().find_map(|(_, call)| call.started_at);
            self.step(
                "agent",
                json!({ "timestamp": at, "message": "", "tool_calls": made, "observation": observation }),
            );
        }
    }

    /// The id of the sub-agent's trajectory, which is inside this one.
    fn sub_agent<'c>(
        &mut self,
        started_by: &str,
        call: Option<&ToolCall>,
        messages: Vec<Vec<PlacedCall<'c>>>,
        threads: &mut CallThreads<'c>,
        depth: usize,
    ) -> String {
        let id = format!("{}/{started_by}", self.id);
        let mut inner =
            AtifThread { id: &id, ids: self.ids, steps: Vec::new(), inner: Vec::new(), agent: self.agent.clone() };
        let prompt = |call: &'_ ToolCall| {
            ["prompt", "message"].iter().find_map(|key| call.input[*key].as_str().map(str::to_owned))
        };
        if let Some(prompt) = call.and_then(prompt) {
            inner.step("user", json!({ "message": prompt }));
        }
        inner.messages(messages, threads, depth);
        self.inner.extend(inner.whole().map(Value::Object));
        id
    }

    /// The answer; what came of one that broke off is marked.
    fn answer(&mut self, of: &VariantResult) {
        let whole = of.full_output.as_deref().map(|text| (text, false));
        let partial = of.error.as_ref().and_then(|error| error.partial_output.as_deref()).map(|text| (text, true));
        let Some((text, is_partial)) = whole.or(partial).filter(|(text, _)| !text.is_empty()) else { return };
        // What one message used is known when there was one only.
        let alone = of.tool_calls.is_empty() && of.turns.is_none_or(|turns| turns == 1);
        let metrics = alone.then(|| {
            known(json!({
                "prompt_tokens": of.input_tokens,
                "completion_tokens": of.output_tokens,
                "cached_tokens": of.cache_read_tokens,
                "cost_usd": of.cost_usd,
            }))
        });
        let extra = is_partial.then(|| json!({ "partial": true }));
        self.step("agent", json!({ "message": text, "metrics": metrics, "extra": extra }));
    }

    /// `None` without a step of the agent's.
    fn whole(self) -> Option<Map<String, Value>> {
        if !self.steps.iter().any(|step| step["source"] == "agent") {
            return None;
        }
        let Value::Object(mut whole) = json!({
            "schema_version": VERSION,
            "trajectory_id": self.id,
            "agent": self.agent,
            "steps": self.steps,
        }) else {
            return None;
        };
        if !self.inner.is_empty() {
            whole.insert("subagent_trajectories".to_owned(), Value::Array(self.inner));
        }
        Some(whole)
    }
}

fn tool_call(id: &str, call: &ToolCall) -> Value {
    let arguments = match &call.input {
        Value::Object(_) => call.input.clone(),
        Value::Null => json!({}),
        // Codex has tools whose only argument is a text.
        other => json!({ "input": other }),
    };
    let extra = known(json!({ "started_at": call.started_at, "turn": call.turn, "mock": call.mock }));
    known(json!({ "tool_call_id": id, "function_name": call.name, "arguments": arguments, "extra": extra }))
}

fn result(id: &str, call: &ToolCall, sub_agent: Option<String>) -> Value {
    let output = call.output.as_ref();
    known(json!({
        "source_call_id": id,
        "content": output.map(|output| &output.text),
        "subagent_trajectory_ref": sub_agent.map(|id| [json!({ "trajectory_id": id })]),
        "extra": known(json!({
            "status": call.status,
            "is_error": output.map(|output| output.is_error),
            "note": output.and_then(|output| output.note.as_ref()),
            "duration_ms": call.duration_ms,
        })),
    }))
}

/// An object without its unknown fields; unknown itself if it has no other.
fn known(of: Value) -> Value {
    let Value::Object(fields) = of else { return of };
    let fields: Map<String, Value> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}
