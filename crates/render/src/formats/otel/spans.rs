//! The spans of one execution: `invoke_agent` with a `chat` for each message of the model and an `execute_tool` for each
//! call, an `invoke_agent` below the call that started a sub-agent; one `chat` where the model is no agent.

use std::collections::VecDeque;

use eval_format::{Ending, VariantResult};
use eval_spec::call::{ToolCall, ToolStatus};
use eval_spec::hash::short_hash;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::values::{OtelAttributes, nanoseconds};
use crate::view::comparison::{ExportedExecution, score, word};
use crate::view::threads::{CallThreads, PlacedCall, unique_ids};

/// `SPAN_KIND_INTERNAL` and `SPAN_KIND_CLIENT`.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;

/// From when to when, and whether one of the two is not recorded but follows from what came before and after.
#[derive(Clone, Copy)]
struct SpanTimes {
    from: Timestamp,
    to: Timestamp,
    estimated: bool,
}

/// A thread whose spans are to be written below a span.
struct OpenThread<'r> {
    span: String,
    messages: Vec<Vec<PlacedCall<'r>>>,
    from: Timestamp,
    is_own: bool,
}

pub(super) fn spans(of: &ExportedExecution<'_>) -> Vec<Value> {
    let mut spans = OtelSpans::new(of);
    let result = of.result;
    let times = whole(of);
    let root = spans.id("root");
    let is_agent = result.turns.is_some() || !result.tool_calls.is_empty();
    spans.root(&root, times, is_agent);
    if is_agent {
        let last = spans.calls(&root, times);
        if let Some(answer) = output_message(result) {
            let id = spans.id("answer");
            let from = last.min(times.to);
            let times = SpanTimes { from, to: times.to, estimated: true };
            spans.chat(&id, &root, times, &answer, true);
        }
    }
    spans.written
}

struct OtelSpans<'r> {
    of: &'r ExportedExecution<'r>,
    /// Text that ids are hashes of.
    key: String,
    trace: String,
    ids: Vec<String>,
    provider: &'r str,
    asked: Option<&'r str>,
    written: Vec<Value>,
}

impl<'r> OtelSpans<'r> {
    fn new(of: &'r ExportedExecution<'r>) -> OtelSpans<'r> {
        let meta = &of.report.meta;
        let key = json!([of.report.id, of.sample.sample_id, of.variant, of.repeat]).to_string();
        OtelSpans {
            of,
            trace: short_hash(key.as_bytes(), 32),
            key,
            ids: unique_ids(&of.result.tool_calls),
            provider: match meta.executor_runtime.provider.as_str() {
                "google" => "gcp.gemini",
                other => other,
            },
            asked: Some(meta.model.as_str()).filter(|model| !model.is_empty()),
            written: Vec::new(),
        }
    }

    fn id(&self, part: &str) -> String {
        short_hash(format!("{}/{part}", self.key).as_bytes(), 16)
    }

    fn put(&mut self, id: &str, parent: Option<&str>, name: &str, kind: u8, times: SpanTimes, more: SpanMore) {
        let SpanMore { mut attributes, status } = more;
        attributes.yes("omk.times.estimated", times.estimated);
        self.written.push(json!({
            "traceId": self.trace,
            "spanId": id,
            "parentSpanId": parent.unwrap_or_default(),
            "name": name,
            "kind": kind,
            "startTimeUnixNano": nanoseconds(times.from),
            "endTimeUnixNano": nanoseconds(times.to),
            "attributes": attributes.list(),
            "status": status.unwrap_or_else(|| json!({})),
        }));
    }

    /// The whole execution, with its tokens and what the evaluation says of it.
    fn root(&mut self, id: &str, times: SpanTimes, is_agent: bool) {
        let (of, meta, result) = (self.of, &self.of.report.meta, self.of.result);
        let agent = meta.executor_runtime.executor.as_str();
        let operation = if is_agent { "invoke_agent" } else { "chat" };
        let mut attributes = self.about_model(operation, true);
        if is_agent {
            attributes.text("gen_ai.agent.name", agent);
            attributes.text("gen_ai.agent.version", meta.executor_runtime.version.as_deref());
        }
        attributes
            .text("gen_ai.response.id", result.request_id.as_deref())
            .texts("gen_ai.response.finish_reasons", &result.stop_reason.iter().map(String::as_str).collect::<Vec<_>>())
            .number("gen_ai.usage.input_tokens", result.input_tokens)
            .number("gen_ai.usage.output_tokens", result.output_tokens)
            .number("gen_ai.usage.cache_read.input_tokens", result.cache_read_tokens)
            .number("gen_ai.usage.cache_creation.input_tokens", result.cache_write_tokens);
        if let Some(system) = of.system() {
            attributes.json("gen_ai.system_instructions", &json!([{ "type": "text", "content": system }]));
        }
        if let Some(prompt) = of.prompt() {
            let asked = json!([{ "role": "user", "parts": [{ "type": "text", "content": prompt }] }]);
            attributes.json("gen_ai.input.messages", &asked);
        }
        if let Some(answer) = output_message(result) {
            attributes.json("gen_ai.output.messages", &answer);
        }
        attributes
            .text("omk.report", of.report.id.as_str())
            .text("omk.sample", of.sample.sample_id.as_str())
            .text("omk.variant", of.variant)
            .text("omk.role", of.role)
            .number("omk.repeat", u64::from(of.repeat))
            .text("omk.outcome", word(&result.outcome).as_str())
            .fraction("omk.score", score(result))
            .fraction("omk.cost_usd", result.cost_usd)
            .yes("omk.cached", result.cached);
        let error = result.error.as_ref();
        attributes.text("error.type", error.map(|error| word(&error.failure)).as_deref());
        let status = error.map(|error| failed(&error.message));
        let name = if is_agent { format!("invoke_agent {agent}") } else { self.chat_name() };
        let kind = if is_agent { INTERNAL } else { CLIENT };
        self.put(id, None, &name, kind, times, SpanMore { attributes, status });
    }

    /// The model of a sub-agent is not recorded.
    fn about_model(&self, operation: &str, is_own: bool) -> OtelAttributes {
        let mut attributes = OtelAttributes::default();
        attributes.text("gen_ai.operation.name", operation).text("gen_ai.provider.name", self.provider);
        if is_own {
            attributes.text("gen_ai.request.model", self.asked);
            attributes.text("gen_ai.response.model", self.of.result.model.as_deref());
        }
        attributes
    }

    fn chat_name(&self) -> String {
        self.asked.map_or_else(|| "chat".to_owned(), |model| format!("chat {model}"))
    }

    fn chat(&mut self, id: &str, parent: &str, times: SpanTimes, said: &Value, is_own: bool) {
        let name = if is_own { self.chat_name() } else { "chat".to_owned() };
        let mut attributes = self.about_model("chat", is_own);
        attributes.json("gen_ai.output.messages", said);
        self.put(id, Some(parent), &name, CLIENT, times, SpanMore { attributes, status: None });
    }

    /// The messages and calls of every thread, and when the last of the agent's own ended.
    fn calls(&mut self, root: &str, times: SpanTimes) -> Timestamp {
        let mut threads = CallThreads::new(&self.of.result.tool_calls);
        let mut open = VecDeque::new();
        let mut last = times.from;
        if let Some(messages) = threads.take(None) {
            open.push_back(OpenThread { span: root.to_owned(), messages, from: times.from, is_own: true });
        }
        loop {
            let Some(thread) = open.pop_front() else {
                // A sub-agent's calls whose start was not recorded.
                let Some((_, messages)) = threads.take_any() else { return last };
                open.push_back(OpenThread { span: root.to_owned(), messages, from: times.from, is_own: false });
                continue;
            };
            let (is_own, ended) = (thread.is_own, self.thread(thread, &mut threads, &mut open));
            if is_own {
                last = ended;
            }
        }
    }

    fn thread(
        &mut self,
        thread: OpenThread<'r>,
        threads: &mut CallThreads<'r>,
        open: &mut VecDeque<OpenThread<'r>>,
    ) -> Timestamp {
        let mut last = thread.from;
        for calls in thread.messages {
            let first = calls.iter().filter_map(|(_, call)| call.started_at).min().unwrap_or(last);
            // Which call came by which message is not told everywhere.
            if calls[0].1.turn.is_some() {
                let times = SpanTimes { from: last.min(first), to: first, estimated: true };
                let id = self.id(&format!("message/{}", calls[0].0));
                self.chat(&id, &thread.span, times, &self.calls_message(&calls), thread.is_own);
            }
            last = last.max(first);
            for (place, call) in calls {
                let times = of_call(call, first);
                last = last.max(times.to);
                let id = self.tool(place, call, &thread.span, times);
                if let Some(messages) = threads.take(Some(&call.id)) {
                    let span = self.sub_agent(place, call, &id, times, &messages);
                    open.push_back(OpenThread { span, messages, from: times.from, is_own: false });
                }
            }
        }
        last
    }

    fn calls_message(&self, calls: &[PlacedCall<'_>]) -> Value {
        let part = |(place, call): &PlacedCall<'_>| json!({ "type": "tool_call", "id": self.ids[*place], "name": call.name, "arguments": call.input });
        let parts: Vec<Value> = calls.iter().map(part).collect();
        json!([{ "role": "assistant", "parts": parts, "finish_reason": "tool_call" }])
    }

    fn tool(&mut self, place: usize, call: &ToolCall, parent: &str, times: SpanTimes) -> String {
        let id = self.id(&format!("call/{place}"));
        let mut attributes = OtelAttributes::default();
        attributes
            .text("gen_ai.operation.name", "execute_tool")
            .text("gen_ai.tool.name", call.name.as_str())
            .text("gen_ai.tool.type", "function")
            .text("gen_ai.tool.call.id", self.ids[place].as_str())
            .json("gen_ai.tool.call.arguments", &call.input)
            .text("gen_ai.tool.call.result", call.output.as_ref().map(|output| output.text.as_str()))
            .text("omk.tool.status", call.status.map(|status| word(&status)).as_deref())
            .yes("omk.tool.mocked", call.mock.is_some());
        let wrong = match call.status {
            Some(status @ (ToolStatus::Failed | ToolStatus::NotRun)) => Some(word(&status)),
            Some(ToolStatus::Ok | ToolStatus::NoMatch) => None,
            None => call.output.as_ref().is_some_and(|output| output.is_error).then(|| word(&ToolStatus::Failed)),
        };
        attributes.text("error.type", wrong.as_deref());
        let status = wrong.map(|wrong| failed(&wrong));
        let name = format!("execute_tool {}", call.name);
        self.put(&id, Some(parent), &name, INTERNAL, times, SpanMore { attributes, status });
        id
    }

    /// A sub-agent in the background works on when the call that started it has returned.
    fn sub_agent(
        &mut self,
        place: usize,
        call: &ToolCall,
        parent: &str,
        times: SpanTimes,
        messages: &[Vec<PlacedCall<'_>>],
    ) -> String {
        let id = self.id(&format!("agent/{place}"));
        let ends = messages.iter().flatten().map(|(_, inner)| of_call(inner, times.from).to);
        let to = ends.fold(times.to, Timestamp::max);
        let name = ["subagent_type", "agent_name", "name"].iter().find_map(|key| call.input[*key].as_str());
        let mut attributes = self.about_model("invoke_agent", false);
        attributes.text("gen_ai.agent.name", name);
        let title = name.map_or_else(|| "invoke_agent".to_owned(), |name| format!("invoke_agent {name}"));
        let times = SpanTimes { to, estimated: true, ..times };
        self.put(&id, Some(parent), &title, INTERNAL, times, SpanMore { attributes, status: None });
        id
    }
}

/// Name, kind and attributes of a span.
struct SpanMore {
    attributes: OtelAttributes,
    status: Option<Value>,
}

/// `STATUS_CODE_ERROR`.
fn failed(why: &str) -> Value {
    json!({ "code": 2, "message": why })
}

/// The answer, or what came of one that broke off, as the conventions have a message.
fn output_message(of: &VariantResult) -> Option<Value> {
    let error = of.error.as_ref();
    let text = of.full_output.as_deref().or_else(|| error.and_then(|error| error.partial_output.as_deref()));
    let reason = match of.outcome {
        Ending::Truncated | Ending::LimitHit => "length",
        Ending::Refused => "content_filter",
        _ if error.is_some() => "error",
        _ => "stop",
    };
    let message = |text| json!([{ "role": "assistant", "parts": [{ "type": "text", "content": text }], "finish_reason": reason }]);
    text.filter(|text| !text.is_empty()).map(message)
}

fn of_call(call: &ToolCall, otherwise: Timestamp) -> SpanTimes {
    let from = call.started_at.unwrap_or(otherwise);
    let estimated = call.started_at.is_none() || call.duration_ms.is_none();
    SpanTimes { from, to: after(from, call.duration_ms), estimated }
}

fn after(from: Timestamp, milliseconds: Option<u64>) -> Timestamp {
    let passed = milliseconds.and_then(|passed| i64::try_from(passed).ok()).unwrap_or(0);
    from.saturating_add(SignedDuration::from_millis(passed)).unwrap_or(from)
}

/// The times of the whole. Those of an answer from the cache are those of its calls: it was made in an earlier run; and
/// the recorded start is that of the first attempt.
fn whole(of: &ExportedExecution<'_>) -> SpanTimes {
    let result = of.result;
    let started: Option<Timestamp> = result.started_at.as_deref().and_then(|at| at.parse().ok());
    let calls = || result.tool_calls.iter().filter(|call| call.started_at.is_some());
    let first = calls().filter_map(|call| call.started_at).min();
    let is_told = started.is_some() && !result.cached && result.attempts <= 1;
    let began = || of.report.meta.timestamp.parse().unwrap_or(Timestamp::UNIX_EPOCH);
    let from = if is_told { started } else { first.or(started) }.unwrap_or_else(began);
    let from = first.map_or(from, |first| from.min(first));
    let ends = calls().map(|call| of_call(call, from).to);
    let to = ends.fold(after(from, result.duration_ms), Timestamp::max);
    SpanTimes { from, to, estimated: !is_told || result.duration_ms.is_none() }
}
