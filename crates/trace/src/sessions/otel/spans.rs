//! A span, as far as it is used.

use eval_spec::call::{ToolStatus, Usage};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::super::told::{items, text, unquoted};
use super::messages::{OtelMessage, attributes, of_attributes, of_event, plain, shown};

/// What a span is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SpanWork {
    /// A request to a model.
    Chat,
    /// The work of an agent.
    Agent,
    /// A call of a tool.
    Tool,
    /// Anything else.
    #[default]
    Other,
}

#[derive(Debug, Default)]
pub(super) struct OtelSpan {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) trace: String,
    pub(super) work: SpanWork,
    pub(super) from: i128,
    pub(super) to: i128,
    pub(super) asked: Vec<OtelMessage>,
    pub(super) said: Vec<OtelMessage>,
    pub(super) usage: Option<Usage>,
    pub(super) model: Option<String>,
    pub(super) response: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) version: Option<String>,
    pub(super) tool: Option<OtelCall>,
    /// Whether it is a record that belongs to another span.
    pub(super) is_record: bool,
}

/// The call of a tool that a span is about.
#[derive(Debug)]
pub(super) struct OtelCall {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) input: Value,
    pub(super) result: Option<String>,
    pub(super) is_error: bool,
    /// How it ended, where `--export otel` wrote it.
    pub(super) told: Option<ToolStatus>,
}

/// A time as Unix nanoseconds.
pub(super) fn time(nanoseconds: i128) -> Option<Timestamp> {
    Timestamp::from_nanosecond(nanoseconds).ok().filter(|_| nanoseconds > 0)
}

fn nanoseconds(value: &Value) -> i128 {
    value.as_str().and_then(|text| text.parse().ok()).or(value.as_i64().map(i128::from)).unwrap_or(0)
}

impl OtelSpan {
    /// `None` for what has nothing of generative AI.
    pub(super) fn of_span(of: &Value) -> Option<OtelSpan> {
        let about = attributes(&of["attributes"]);
        let mut span = OtelSpan {
            id: text(&of["spanId"])?,
            parent: text(&of["parentSpanId"]),
            trace: text(&of["traceId"]).unwrap_or_default(),
            from: nanoseconds(&of["startTimeUnixNano"]),
            to: nanoseconds(&of["endTimeUnixNano"]),
            ..OtelSpan::default()
        };
        span.about(&about);
        if span.work == SpanWork::Tool {
            let is_failed = of["status"]["code"] == 2 || of["status"]["code"] == "STATUS_CODE_ERROR";
            span.tool = Some(called(&about, is_failed));
        }
        for event in items(&of["events"]) {
            let (asked, said) =
                of_event(event["name"].as_str().unwrap_or_default(), &attributes(&event["attributes"]), &Value::Null);
            span.asked.extend(asked);
            span.said.extend(said);
        }
        Some(span)
    }

    /// A log record of a message.
    pub(super) fn of_record(of: &Value) -> Option<OtelSpan> {
        let about = attributes(&of["attributes"]);
        let name = of["eventName"].as_str().or(about.get("event.name").and_then(Value::as_str))?;
        let at = nanoseconds(&of["timeUnixNano"]).max(nanoseconds(&of["observedTimeUnixNano"]));
        let (asked, said) = of_event(name, &about, &plain(&of["body"]));
        let id = text(&of["spanId"]).unwrap_or_else(|| format!("record-{at}"));
        let mut span = OtelSpan { id, trace: text(&of["traceId"]).unwrap_or_default(), ..OtelSpan::default() };
        span.about(&about);
        let is_message = !asked.is_empty() || !said.is_empty();
        let span = OtelSpan { asked, said, from: at, to: at, work: SpanWork::Chat, is_record: true, ..span };
        is_message.then_some(span)
    }

    fn about(&mut self, of: &Map<String, Value>) {
        let named = |key: &str| of.get(key).and_then(text);
        let operation = named("gen_ai.operation.name").or(named("llm.request.type"));
        (self.asked, self.said) = of_attributes(of);
        self.usage = tokens(of);
        self.work = match operation.as_deref() {
            Some("invoke_agent" | "create_agent" | "invoke_workflow") => SpanWork::Agent,
            Some("execute_tool") => SpanWork::Tool,
            Some("chat" | "text_completion" | "generate_content" | "completion") => SpanWork::Chat,
            _ if of.contains_key("gen_ai.tool.name") => SpanWork::Tool,
            _ if self.usage.is_some() || !self.said.is_empty() => SpanWork::Chat,
            _ => SpanWork::Other,
        };
        self.model = named("gen_ai.response.model").or(named("gen_ai.request.model"));
        self.response = named("gen_ai.response.id");
        self.conversation = named("gen_ai.conversation.id");
        self.version = named("gen_ai.agent.version");
    }
}

fn called(of: &Map<String, Value>, is_failed: bool) -> OtelCall {
    let named = |key: &str| of.get(key).and_then(text);
    OtelCall {
        id: named("gen_ai.tool.call.id"),
        name: named("gen_ai.tool.name").unwrap_or_default(),
        input: of.get("gen_ai.tool.call.arguments").map(unquoted).unwrap_or_default(),
        result: of.get("gen_ai.tool.call.result").map(shown),
        is_error: is_failed || of.contains_key("error.type"),
        told: of.get("omk.tool.status").and_then(|status| serde_json::from_value(status.clone()).ok()),
    }
}

/// Input tokens come with those of the cache among them, except where they are fewer.
fn tokens(of: &Map<String, Value>) -> Option<Usage> {
    let tokens = |keys: [&str; 2]| keys.iter().find_map(|key| of.get(&format!("gen_ai.usage.{key}"))?.as_u64());
    let (input, output) = (tokens(["input_tokens", "prompt_tokens"]), tokens(["output_tokens", "completion_tokens"]));
    let read = tokens(["cache_read.input_tokens", "cache_read_input_tokens"]).unwrap_or(0);
    let written = tokens(["cache_creation.input_tokens", "cache_creation_input_tokens"]).unwrap_or(0);
    if input.is_none() && output.is_none() {
        return None;
    }
    let input = input.unwrap_or(0);
    Some(Usage {
        input_tokens: input.checked_sub(read.saturating_add(written)).unwrap_or(input),
        output_tokens: output.unwrap_or(0),
        cache_read_tokens: read,
        cache_write_tokens: written,
    })
}
