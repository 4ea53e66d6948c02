//! Skills behind HTTP.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::solve;
use crate::fake_api::{FakeApi, Request};
use crate::shapes::{Behaviour, FakeBody, FakeReply, ReplyScript};

/// Token required by `/bearer`.
pub const TOKEN: &str = "token-4f1d9c0a7b2e";

/// Key required by `/api-key`, in `X-API-Key`.
pub const API_KEY: &str = "key-91c3e5d7a0b8";

/// Starts a service that takes `{skillId, version, input}` and calculates, with one behaviour per path:
///
/// - `/calculate` calculates; `/bearer` and `/api-key` only with [`TOKEN`] or [`API_KEY`],
/// - `/busy` answers 429 to the first request of each input and `/outage` 503, and then normally,
/// - `/broken` answers 500, `/teapot` 418, `/moved` a redirect to `/calculate`, `/garbage` no JSON,
/// - `/slow` takes a minute, `/silent` never answers, `/drop` closes the connection.
pub fn service() -> FakeApi {
    let seen = Mutex::new(HashSet::new());
    FakeApi::start(ReplyScript::with(move |request| {
        let is_first = || {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.insert(format!("{} {}", request.path, request.body["input"]))
        };
        match request.path.as_str() {
            "/calculate" => answer(request),
            "/bearer" if has(request, "authorization", &format!("Bearer {TOKEN}")) => answer(request),
            "/api-key" if has(request, "x-api-key", API_KEY) => answer(request),
            "/bearer" | "/api-key" => FakeReply::raw(401, json!({"error": "who are you?"}).to_string()),
            "/busy" if is_first() => {
                FakeReply::raw(429, json!({"error": "busy"}).to_string()).header("retry-after-ms", "1")
            }
            "/outage" if is_first() => FakeReply::raw(503, "upstream is away"),
            "/busy" | "/outage" => answer(request),
            "/broken" => FakeReply::raw(500, json!({"error": {"message": "the calculator fell"}}).to_string()),
            "/teapot" => FakeReply::raw(418, json!({"error": "short and stout"}).to_string()),
            "/moved" => FakeReply::raw(307, "").header("location", "/calculate"),
            "/garbage" => FakeReply::raw(200, "<html>hello</html>"),
            "/slow" => answer(request).after(Duration::from_secs(60)),
            "/silent" => answer(request).behaving(Behaviour::Silence),
            "/drop" => answer(request).behaving(Behaviour::Drop),
            _ => FakeReply::raw(404, "no such path"),
        }
    }))
}

fn has(request: &Request, header: &str, value: &str) -> bool {
    request.headers.get(header).is_some_and(|given| given == value)
}

fn answer(request: &Request) -> FakeReply {
    match solve(&request.body["input"]) {
        Ok(value) => {
            FakeReply::raw(200, json!({"answer": value, "usage": {"inputTokens": 4, "outputTokens": 2}}).to_string())
        }
        Err(why) => FakeReply::raw(422, json!({"error": why}).to_string()),
    }
}

/// Starts an MCP server over Streamable HTTP, without sessions, whose tool `calculator` calculates:
///
/// - `/mcp` calculates; `/bearer` and `/api-key` only with [`TOKEN`] or [`API_KEY`],
/// - `/refuses` answers calls with a JSON-RPC error,
/// - `/busy` answers 429, `/broken` 500, `/outage` 503, `/moved` a redirect to `/mcp`, `/garbage` no JSON, `/huge` too
///   much of it,
/// - `/odd/null`, `/odd/batch`, `/odd/half`, `/odd/nan` and `/odd/nothing` answer calls with unusual JSON in an event,
///   `/body/…` with such a body; `/body/lines` with a body of several lines, `/body/first` every request with one that has
///   `"error": null`,
/// - `/silent` never answers, `/drop` closes the connection.
pub fn mcp_service() -> FakeApi {
    FakeApi::start(ReplyScript::with(|request| match request.path.as_str() {
        _ if request.method != "POST" => FakeReply::raw(405, ""),
        "/mcp" | "/refuses" => protocol(request),
        path if path.starts_with("/odd/") || path.starts_with("/body/") => odd(path, request),
        "/bearer" if has(request, "authorization", &format!("Bearer {TOKEN}")) => protocol(request),
        "/api-key" if has(request, "x-api-key", API_KEY) => protocol(request),
        "/bearer" | "/api-key" => FakeReply::raw(401, json!({"error": "who are you?"}).to_string()),
        "/busy" => FakeReply::raw(429, "busy").header("retry-after", "2"),
        "/broken" => FakeReply::raw(500, "the calculator fell"),
        "/outage" => FakeReply::raw(503, "upstream is away"),
        "/moved" => FakeReply::raw(307, "").header("location", "/mcp"),
        "/garbage" => FakeReply::raw(200, "<html>hello</html>"),
        "/huge" => FakeReply::raw(200, format!("\"{}\"", "x".repeat(24 << 20))),
        "/silent" => protocol(request).behaving(Behaviour::Silence),
        "/drop" => protocol(request).behaving(Behaviour::Drop),
        _ => FakeReply::raw(404, "no such path"),
    }))
}

/// Answers a call with unusual JSON, in an event or as a body.
fn odd(path: &str, request: &Request) -> FakeReply {
    if path == "/body/first" {
        let mut reply = protocol(request);
        if let FakeBody::Raw(body) = &mut reply.body {
            *body = body.replace("\"result\"", "\"error\":null,\"result\"");
        }
        return reply;
    }
    if request.body["method"] != "tools/call" {
        return protocol(request);
    }
    let text = |text: &str| json!({"content": [{"type": "text", "text": text}]}).to_string();
    let answer = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.body["id"]);
    let (form, name) = path[1..].split_once('/').unwrap_or_default();
    let event = match name {
        "null" => answer(&text("5")).replace("\"result\"", "\"error\":null,\"result\""),
        "batch" => format!("[{}]", answer(&text("5"))),
        "half" => answer(&text("5 half")).replace("half", "\\ud83d"),
        "nan" => answer("NaN"),
        "lines" => answer(&text("5")).replace(',', ",\n  "),
        "many" => {
            let note =
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}});
            format!("[{note}, {}]", answer(&text("5")))
        }
        _ => answer("1").replace("result", "outcome"),
    };
    match form {
        "body" => FakeReply::raw(200, event).header("content-type", "application/json"),
        _ => FakeReply::raw(200, format!("data: {event}\n\n")).header("content-type", "text/event-stream"),
    }
}

fn protocol(request: &Request) -> FakeReply {
    let parameters = &request.body["params"];
    let result = match request.body["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "fake", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": [{"name": "calculator", "inputSchema": {"type": "object"}}]}),
        Some("tools/call") if request.path == "/refuses" => {
            let error = json!({"code": -32602, "message": "no such expression"});
            return FakeReply::raw(
                200,
                json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error}).to_string(),
            );
        }
        Some("tools/call") => match solve(&parameters["arguments"]) {
            Ok(value) => {
                json!({"content": [{"type": "text", "text": value.as_str().map_or_else(|| value.to_string(), str::to_owned)}]})
            }
            Err(why) => json!({"content": [{"type": "text", "text": why}], "isError": true}),
        },
        _ => return FakeReply::raw(202, ""),
    };
    FakeReply::raw(200, json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result}).to_string())
}
