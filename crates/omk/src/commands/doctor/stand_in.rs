//! A server on this machine that stands in for the vendor of an agent: it keeps every request, and answers a short text in the
//! vendor's form. It never asks for a tool, so the agent does nothing but ask.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The longest request that is kept, in bytes.
const MAX_REQUEST: usize = 64 << 20;

/// The answer to everything.
const ANSWER: &str = "OK";

/// One request.
pub(super) struct SentRequest {
    head: String,
    /// Every text of the body as it reads, a line each: keys as well.
    pub(super) texts: String,
}

impl SentRequest {
    pub(super) fn contains(&self, text: &str) -> bool {
        self.head.contains(text) || self.texts.contains(text)
    }
}

pub(super) struct StandIn {
    /// Its base URL.
    pub(super) url: String,
    requests: Arc<Mutex<Vec<SentRequest>>>,
    serving: JoinHandle<()>,
}

impl StandIn {
    /// A server on a free port of this machine.
    pub(super) async fn start() -> io::Result<StandIn> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = Arc::clone(&kept);
                tokio::spawn(async move {
                    // An agent that hangs up has its reasons.
                    let _ = serve(stream, &kept).await;
                });
            }
        });
        Ok(StandIn { url, requests, serving })
    }

    /// Returns what was sent since the last time.
    pub(super) fn take(&self) -> Vec<SentRequest> {
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(mut stream: TcpStream, kept: &Mutex<Vec<SentRequest>>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    let mut needed = None;
    while needed.is_none_or(|needed| bytes.len() < needed) {
        let count = stream.read(&mut buffer).await?;
        if count == 0 || bytes.len() > MAX_REQUEST {
            break;
        }
        bytes.extend_from_slice(&buffer[..count]);
        if needed.is_none() {
            needed = whole_length(&bytes);
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let value: Option<Value> = serde_json::from_str(body).ok();
    let texts = value.as_ref().map_or_else(|| body.to_owned(), texts);
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(SentRequest { head: head.to_owned(), texts });
    let (kind, answer) = answer(head.lines().next().unwrap_or_default(), value.as_ref());
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        answer.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// The length of a request with its body, once its head is there. A body in pieces has an end of its own, and is not
/// waited for beyond its first piece's announcement: agents send theirs whole.
fn whole_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    Some(end + length.unwrap_or(0))
}

/// Every text of a value, a line each: keys as well.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(texts).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| format!("{key}\n{}", texts(value))).collect(),
        _ => String::new(),
    }
}

/// The answer in the form of the API that was asked.
fn answer(line: &str, request: Option<&Value>) -> (&'static str, String) {
    const STREAM: &str = "text/event-stream";
    const JSON: &str = "application/json";
    let model = request.and_then(|request| request["model"].as_str()).unwrap_or("model");
    let streams = request.is_some_and(|request| request["stream"] == true);
    let path = line.split_whitespace().nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
    if path.ends_with("/messages") {
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let message = |content: Value, stop: Value| {
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
                   "stop_reason": stop, "stop_sequence": null, "usage": usage})
        };
        if !streams {
            return (JSON, message(json!([{"type": "text", "text": ANSWER}]), json!("end_turn")).to_string());
        }
        let events = [
            json!({"type": "message_start", "message": message(json!([]), Value::Null)}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": usage}),
            json!({"type": "message_stop"}),
        ];
        return (STREAM, events.iter().map(event).collect());
    }
    if path.ends_with("/responses") {
        let item = json!({"type": "message", "id": "m1", "role": "assistant", "status": "completed",
                          "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]});
        let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2});
        let events = [
            json!({"type": "response.created", "response": {"id": "r1"}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"id": "r1", "output": [item], "usage": usage}}),
        ];
        return (STREAM, events.iter().map(event).collect());
    }
    let content = json!({
        "candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    });
    match path {
        _ if path.ends_with(":streamGenerateContent") => (STREAM, format!("data: {content}\n\n")),
        _ if path.ends_with(":generateContent") => (JSON, content.to_string()),
        _ if path.ends_with("count_tokens") => (JSON, json!({"input_tokens": 1}).to_string()),
        _ => (JSON, "{}".to_owned()),
    }
}

fn event(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}
