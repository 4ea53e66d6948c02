//! Replies of the server, in the vendors' formats.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::fake_api::Request;

/// Decides the reply to each request.
#[derive(Clone)]
pub struct Script(pub(crate) Arc<dyn Fn(&Request) -> Reply + Send + Sync>);

impl Script {
    /// A normal answer to every request.
    #[must_use]
    pub fn happy() -> Script {
        Script::always(Reply::answer(Answer::default()))
    }

    /// The same reply to every request.
    #[must_use]
    pub fn always(reply: Reply) -> Script {
        Script::with(move |_| reply.clone())
    }

    /// One reply after the other; the last one is repeated, and an empty list is [`Script::happy`].
    #[must_use]
    pub fn list(replies: Vec<Reply>) -> Script {
        Script::with(move |request| {
            let last = replies.len().saturating_sub(1);
            replies.get(request.number.min(last)).cloned().unwrap_or_else(|| Reply::answer(Answer::default()))
        })
    }

    /// The replies of `decide`.
    #[must_use]
    pub fn with(decide: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Script {
        Script(Arc::new(decide))
    }
}

/// One reply.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Headers beyond the content type.
    pub headers: Vec<(String, String)>,
    /// The content of the body.
    pub body: Body,
    /// The delay before the server replies.
    pub delay: Duration,
    /// Whether it arrives.
    pub behaviour: Behaviour,
}

/// The content of a reply's body.
#[derive(Clone, Debug)]
pub enum Body {
    /// A model's answer in the format of the requested path, streamed if the request says so.
    Answer(Answer),
    /// An error in the format of the requested path: its type and message.
    Error(String, String),
    /// These bytes.
    Raw(String),
}

/// How a reply is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    /// Completely.
    #[default]
    Whole,
    /// The connection is closed before the first byte.
    Drop,
    /// The connection is closed in the middle of the body.
    HalfBody,
    /// Nothing is ever sent.
    Silence,
}

/// A model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its text; `None` derives one from the prompt: `You said: PROMPT`.
    pub text: Option<String>,
    /// Why it ended.
    pub stop: Stop,
    /// Input tokens at full price and output tokens; `None` leaves the usage out.
    pub usage: Option<(u64, u64)>,
    /// Input tokens read from the cache.
    pub cached: u64,
    /// A tool to call before the text: its name and arguments. Anthropic's format only.
    pub tool: Option<(String, Value)>,
}

impl Default for Answer {
    /// The prompt echoed, 10 tokens in and 5 out.
    fn default() -> Answer {
        Answer { text: None, stop: Stop::End, usage: Some((10, 5)), cached: 0, tool: None }
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Complete.
    End,
    /// Cut at the output limit.
    Length,
    /// Declined by the model.
    Refusal,
}

impl Reply {
    /// A model's answer.
    #[must_use]
    pub fn answer(answer: Answer) -> Reply {
        Reply::new(200, Body::Answer(answer))
    }

    /// A model's answer with this text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::answer(Answer { text: Some(text.into()), ..Answer::default() })
    }

    /// An error in the vendor's format.
    #[must_use]
    pub fn error(status: u16, kind: &str, message: &str) -> Reply {
        Reply::new(status, Body::Error(kind.to_owned(), message.to_owned()))
    }

    /// These bytes.
    #[must_use]
    pub fn raw(status: u16, body: impl Into<String>) -> Reply {
        Reply::new(status, Body::Raw(body.into()))
    }

    /// The same with one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same after a delay.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Reply {
        self.delay = delay;
        self
    }

    /// The same with this delivery.
    #[must_use]
    pub fn behaving(mut self, behaviour: Behaviour) -> Reply {
        self.behaviour = behaviour;
        self
    }

    fn new(status: u16, body: Body) -> Reply {
        Reply { status, headers: Vec::new(), body, delay: Duration::ZERO, behaviour: Behaviour::Whole }
    }
}

/// The body's content type and bytes, as an answer to `request`.
pub(crate) fn render(body: &Body, request: &Request) -> (&'static str, String) {
    const JSON: &str = "application/json";
    let anthropic = request.path.contains("/messages");
    match body {
        Body::Raw(text) => (JSON, text.clone()),
        Body::Error(kind, message) if anthropic => {
            (JSON, json!({"type": "error", "error": {"type": kind, "message": message}}).to_string())
        }
        Body::Error(kind, message) => {
            (JSON, json!({"error": {"type": kind, "message": message, "param": null, "code": kind}}).to_string())
        }
        Body::Answer(_) if request.path.contains("/count_tokens") => (JSON, json!({"input_tokens": 10}).to_string()),
        Body::Answer(answer) if anthropic && request.body["stream"] == true => {
            ("text/event-stream", anthropic_events(answer, request))
        }
        Body::Answer(answer) if anthropic => (JSON, anthropic_message(answer, request).to_string()),
        Body::Answer(answer) => (JSON, openai_completion(answer, request).to_string()),
    }
}

fn text_of(answer: &Answer, request: &Request) -> String {
    answer.text.clone().unwrap_or_else(|| format!("You said: {}", request.prompt()))
}

fn anthropic_stop(answer: &Answer) -> &'static str {
    match answer.stop {
        _ if answer.tool.is_some() => "tool_use",
        Stop::End => "end_turn",
        Stop::Length => "max_tokens",
        Stop::Refusal => "refusal",
    }
}

fn anthropic_usage(answer: &Answer) -> Value {
    match answer.usage {
        Some((input, output)) => json!({
            "input_tokens": input, "output_tokens": output,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": answer.cached,
        }),
        None => Value::Null,
    }
}

fn anthropic_message(answer: &Answer, request: &Request) -> Value {
    let mut content = vec![json!({"type": "text", "text": text_of(answer, request)})];
    if let Some((name, input)) = &answer.tool {
        let id = format!("toolu_{:06}", request.number);
        content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
    }
    let mut message = json!({
        "id": format!("msg_{:06}", request.number),
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": content,
        "stop_reason": anthropic_stop(answer),
        "stop_sequence": null,
        "usage": anthropic_usage(answer),
    });
    if let (None, Some(object)) = (answer.usage, message.as_object_mut()) {
        object.remove("usage");
    }
    message
}

/// The same message as server-sent events, which the `claude` command line requires.
fn anthropic_events(answer: &Answer, request: &Request) -> String {
    let mut message = anthropic_message(answer, request);
    let blocks = message["content"].as_array().cloned().unwrap_or_default();
    let (stop, usage) = (message["stop_reason"].take(), anthropic_usage(answer));
    message["content"] = json!([]);
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        let (empty, delta) = match block["type"].as_str() {
            Some("tool_use") => (
                json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}),
                json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}),
            ),
            _ => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]})),
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": null},
        "usage": {"output_tokens": usage["output_tokens"]},
    }));
    events.push(json!({"type": "message_stop"}));
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or(""))).collect()
}

fn openai_completion(answer: &Answer, request: &Request) -> Value {
    let text = text_of(answer, request);
    let (content, refusal, finish) = match answer.stop {
        Stop::End => (json!(text), Value::Null, "stop"),
        Stop::Length => (json!(text), Value::Null, "length"),
        Stop::Refusal => (Value::Null, json!(text), "stop"),
    };
    let mut completion = json!({
        "id": format!("chatcmpl-{:06}", request.number),
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.body["model"],
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": content, "refusal": refusal},
            "logprobs": null,
            "finish_reason": finish,
        }],
    });
    if let Some((input, output)) = answer.usage {
        completion["usage"] = json!({
            "prompt_tokens": input + answer.cached,
            "completion_tokens": output,
            "total_tokens": input + answer.cached + output,
            "prompt_tokens_details": {"cached_tokens": answer.cached},
        });
    }
    completion
}
