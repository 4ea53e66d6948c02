//! Replies of the fake API, in the vendors' formats.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::fake_api::Request;

/// Decides the reply to each request.
#[derive(Clone)]
pub struct ReplyScript(pub(crate) Arc<dyn Fn(&Request) -> FakeReply + Send + Sync>);

impl ReplyScript {
    /// Answers every request normally.
    pub fn happy() -> ReplyScript {
        ReplyScript::always(FakeReply::answer(FakeAnswer::default()))
    }

    /// Sends the same reply to every request.
    pub fn always(reply: FakeReply) -> ReplyScript {
        ReplyScript::with(move |_| reply.clone())
    }

    /// Sends one reply after the other, and repeats the last one; an empty list is [`ReplyScript::happy`].
    pub fn list(replies: Vec<FakeReply>) -> ReplyScript {
        ReplyScript::with(move |request| {
            let last = replies.len().saturating_sub(1);
            replies.get(request.number.min(last)).cloned().unwrap_or_else(|| FakeReply::answer(FakeAnswer::default()))
        })
    }

    /// Sends the replies that `decide` returns.
    pub fn with(decide: impl Fn(&Request) -> FakeReply + Send + Sync + 'static) -> ReplyScript {
        ReplyScript(Arc::new(decide))
    }
}

#[derive(Clone, Debug)]
pub struct FakeReply {
    pub status: u16,
    /// Headers besides the content type.
    pub headers: Vec<(String, String)>,
    pub body: FakeBody,
    /// Delay before the server replies.
    pub delay: Duration,
    pub behaviour: Behaviour,
}

/// Body of a reply.
#[derive(Clone, Debug)]
pub enum FakeBody {
    /// Model answer in the format of the requested path, streamed if the request asks for it.
    Answer(FakeAnswer),
    /// Error in the format of the requested path: type and message.
    Error(String, String),
    /// Raw text.
    Raw(String),
}

/// Delivery of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    /// Complete.
    #[default]
    Whole,
    /// Closes the connection before the first byte.
    Drop,
    /// Closes the connection in the middle of the body.
    HalfBody,
    /// Never sends anything.
    Silence,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FakeAnswer {
    /// Text; `None` echoes the prompt: `You said: PROMPT`.
    pub text: Option<String>,
    pub stop: FakeStop,
    /// Input tokens at full price, and output tokens; `None` leaves the usage out.
    pub usage: Option<(u64, u64)>,
    /// Input tokens read from the cache.
    pub cached: u64,
    /// Tool called before the text: name and arguments. Not in OpenAI's chat completions; in its responses, the name
    /// may be `NAMESPACE/NAME`.
    pub tool: Option<(String, Value)>,
    /// Further tools called at the same time, in Anthropic's format only.
    pub at_once: Vec<(String, Value)>,
}

impl Default for FakeAnswer {
    /// Echoes the prompt, with 10 input and 5 output tokens.
    fn default() -> FakeAnswer {
        FakeAnswer { text: None, stop: FakeStop::End, usage: Some((10, 5)), cached: 0, tool: None, at_once: Vec::new() }
    }
}

/// Reason why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FakeStop {
    /// Complete.
    End,
    /// Cut at the output limit.
    Length,
    /// Declined by the model.
    Refusal,
}

impl FakeReply {
    /// A normal answer.
    pub fn answer(answer: FakeAnswer) -> FakeReply {
        FakeReply::new(200, FakeBody::Answer(answer))
    }

    /// An answer with this text.
    pub fn text(text: impl Into<String>) -> FakeReply {
        FakeReply::answer(FakeAnswer { text: Some(text.into()), ..FakeAnswer::default() })
    }

    /// An error in the vendor's format.
    pub fn error(status: u16, kind: &str, message: &str) -> FakeReply {
        FakeReply::new(status, FakeBody::Error(kind.to_owned(), message.to_owned()))
    }

    /// A raw body.
    pub fn raw(status: u16, body: impl Into<String>) -> FakeReply {
        FakeReply::new(status, FakeBody::Raw(body.into()))
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> FakeReply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the delay.
    pub fn after(mut self, delay: Duration) -> FakeReply {
        self.delay = delay;
        self
    }

    /// Sets the delivery.
    pub fn behaving(mut self, behaviour: Behaviour) -> FakeReply {
        self.behaviour = behaviour;
        self
    }

    fn new(status: u16, body: FakeBody) -> FakeReply {
        FakeReply { status, headers: Vec::new(), body, delay: Duration::ZERO, behaviour: Behaviour::Whole }
    }
}

/// Returns the content type and the text of a body, as a reply to `request`.
pub(crate) fn render(body: &FakeBody, request: &Request) -> (&'static str, String) {
    const JSON: &str = "application/json";
    let anthropic = request.path.contains("/messages");
    match body {
        FakeBody::Raw(text) => (JSON, text.clone()),
        FakeBody::Error(kind, message) if anthropic => {
            (JSON, json!({"type": "error", "error": {"type": kind, "message": message}}).to_string())
        }
        FakeBody::Error(kind, message) => {
            (JSON, json!({"error": {"type": kind, "message": message, "param": null, "code": kind}}).to_string())
        }
        FakeBody::Answer(_) if request.path.contains("/count_tokens") => {
            (JSON, json!({"input_tokens": 10}).to_string())
        }
        FakeBody::Answer(answer) if anthropic && request.body["stream"] == true => {
            ("text/event-stream", anthropic_events(answer, request))
        }
        FakeBody::Answer(answer) if anthropic => (JSON, anthropic_message(answer, request).to_string()),
        FakeBody::Answer(answer) if request.path.contains(":streamGenerateContent") => {
            ("text/event-stream", format!("data: {}\n\n", gemini_content(answer, request)))
        }
        FakeBody::Answer(answer) if request.path.contains(":generateContent") => {
            (JSON, gemini_content(answer, request).to_string())
        }
        FakeBody::Answer(answer) if request.path.ends_with("/responses") => {
            ("text/event-stream", openai_events(answer, request))
        }
        FakeBody::Answer(answer) => (JSON, openai_completion(answer, request).to_string()),
    }
}

fn text_of(answer: &FakeAnswer, request: &Request) -> String {
    answer.text.clone().unwrap_or_else(|| format!("You said: {}", request.prompt()))
}

fn anthropic_stop(answer: &FakeAnswer) -> &'static str {
    match answer.stop {
        _ if answer.tool.is_some() => "tool_use",
        FakeStop::End => "end_turn",
        FakeStop::Length => "max_tokens",
        FakeStop::Refusal => "refusal",
    }
}

fn anthropic_usage(answer: &FakeAnswer) -> Value {
    match answer.usage {
        Some((input, output)) => json!({
            "input_tokens": input, "output_tokens": output,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": answer.cached,
        }),
        None => Value::Null,
    }
}

fn anthropic_message(answer: &FakeAnswer, request: &Request) -> Value {
    let mut content = vec![json!({"type": "text", "text": text_of(answer, request)})];
    if let Some((name, input)) = &answer.tool {
        let id = format!("toolu_{:06}", request.number);
        content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
    }
    for (index, (name, input)) in answer.at_once.iter().enumerate() {
        let id = format!("toolu_{:06}_{index}", request.number);
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

/// Formats [`anthropic_message`] as server-sent events, which the `claude` command line requires.
fn anthropic_events(answer: &FakeAnswer, request: &Request) -> String {
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

/// Formats OpenAI's responses as server-sent events, which the `codex` command line requires.
fn openai_events(answer: &FakeAnswer, request: &Request) -> String {
    let number = request.number;
    let said = json!({"type": "output_text", "text": text_of(answer, request), "annotations": []});
    let mut items =
        vec![json!({"type": "message", "id": format!("msg_{number:06}"), "role": "assistant", "content": [said]})];
    if let Some((name, input)) = &answer.tool {
        items.push(openai_call(number, name, input));
    }
    let usage = answer.usage.map(|(input, output)| {
        json!({
            "input_tokens": input + answer.cached,
            "input_tokens_details": {"cached_tokens": answer.cached},
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input + answer.cached + output,
        })
    });
    let response =
        |status: &str| json!({"id": format!("resp_{number:06}"), "status": status, "output": items, "usage": usage});
    let mut events = vec![json!({"type": "response.created", "response": {"id": format!("resp_{number:06}")}})];
    for (index, item) in items.iter().enumerate() {
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": item}));
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    let incomplete = |reason: &str| {
        let mut response = response("incomplete");
        response["incomplete_details"] = json!({"reason": reason});
        json!({"type": "response.incomplete", "response": response})
    };
    events.push(match answer.stop {
        FakeStop::End => json!({"type": "response.completed", "response": response("completed")}),
        FakeStop::Length => incomplete("max_output_tokens"),
        FakeStop::Refusal => incomplete("content_filter"),
    });
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or(""))).collect()
}

/// Formats a tool call. MCP tools have their server as namespace; a script is text, not JSON.
fn openai_call(number: usize, name: &str, input: &Value) -> Value {
    let (id, call) = (format!("fc_{number:06}"), format!("call_{number:06}"));
    if let ("exec", Value::String(script)) = (name, input) {
        return json!({"type": "custom_tool_call", "id": id, "call_id": call, "name": name, "input": script});
    }
    let arguments = input.to_string();
    let called =
        |name: &str| json!({"type": "function_call", "id": id, "call_id": call, "name": name, "arguments": arguments});
    match name.strip_prefix("mcp__").and_then(|name| name.split_once("__")) {
        Some((server, tool)) => {
            let mut call = called(tool);
            call["namespace"] = json!(format!("mcp__{server}"));
            call
        }
        None => match name.split_once('/') {
            Some((space, name)) => {
                let mut call = called(name);
                call["namespace"] = json!(space);
                call
            }
            None => called(name),
        },
    }
}

/// Formats Google's answer; the `gemini` command line requires it as a server-sent event.
fn gemini_content(answer: &FakeAnswer, request: &Request) -> Value {
    let mut parts = vec![json!({"text": text_of(answer, request)})];
    if let Some((name, input)) = &answer.tool {
        parts.push(json!({"functionCall": {"name": name, "args": input}}));
    }
    let finish = match answer.stop {
        FakeStop::End => "STOP",
        FakeStop::Length => "MAX_TOKENS",
        FakeStop::Refusal => "SAFETY",
    };
    let content = match answer.stop {
        FakeStop::Refusal => json!({"role": "model", "parts": []}),
        FakeStop::End | FakeStop::Length => json!({"role": "model", "parts": parts}),
    };
    let mut event = json!({"candidates": [{"content": content, "finishReason": finish, "index": 0}]});
    if let Some((input, output)) = answer.usage {
        event["usageMetadata"] = json!({
            "promptTokenCount": input + answer.cached,
            "cachedContentTokenCount": answer.cached,
            "candidatesTokenCount": output,
            "totalTokenCount": input + answer.cached + output,
        });
    }
    let model = request.path.rsplit('/').next().and_then(|last| last.split(':').next());
    event["modelVersion"] = json!(model);
    event["responseId"] = json!(format!("resp_{:06}", request.number));
    event
}

fn openai_completion(answer: &FakeAnswer, request: &Request) -> Value {
    let text = text_of(answer, request);
    let (content, refusal, finish) = match answer.stop {
        FakeStop::End => (json!(text), Value::Null, "stop"),
        FakeStop::Length => (json!(text), Value::Null, "length"),
        FakeStop::Refusal => (Value::Null, json!(text), "stop"),
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
