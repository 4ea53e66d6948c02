//! The fake API server.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request as HttpRequest, State};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use futures::{StreamExt, stream};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::shapes::{Behaviour, FakeReply, ReplyScript, render};
use crate::socket::{CuttableListener, Scissors, process_of};

/// A server on 127.0.0.1 that plays a [`ReplyScript`] until it is dropped.
pub struct FakeApi {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub url: String,
    seen: Arc<SeenRequests>,
    stop: Option<oneshot::Sender<Infallible>>,
}

/// A recorded request.
#[derive(Clone, Debug)]
pub struct Request {
    /// Number of earlier requests.
    pub number: usize,
    pub method: String,
    pub path: String,
    /// The query without `?`; empty if there was none.
    pub query: String,
    /// Headers; names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Body; `null` if it was not JSON.
    pub body: Value,
    pub bytes: Vec<u8>,
    pub port: u16,
}

impl Request {
    /// Returns the process that sent it and waits for the reply; Linux only.
    pub fn sender(&self) -> Option<i32> {
        process_of(self.port)
    }

    /// Returns the text of the last user message.
    pub fn prompt(&self) -> String {
        let messages = ["messages", "input", "contents"].into_iter().find_map(|name| self.body[name].as_array());
        let messages = messages.map_or(&[][..], Vec::as_slice);
        let user = messages.iter().rev().find(|message| message["role"] == "user");
        let parts = |message: &'_ Value| {
            if message["parts"].is_array() { message["parts"].clone() } else { message["content"].clone() }
        };
        match user.map(parts) {
            Some(Value::String(text)) => text,
            Some(Value::Array(blocks)) => {
                blocks.iter().filter_map(|block| block["text"].as_str()).next_back().unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    }
}

#[derive(Default)]
struct SeenRequests {
    count: AtomicUsize,
    in_progress: AtomicUsize,
    most_at_once: AtomicUsize,
    requests: Mutex<Vec<Request>>,
}

#[derive(Clone)]
struct Server {
    script: ReplyScript,
    seen: Arc<SeenRequests>,
    keep: bool,
}

impl FakeApi {
    /// Starts a server on a free port, in its own thread.
    pub fn start(script: ReplyScript) -> FakeApi {
        FakeApi::bind(0, script, true).unwrap_or_else(|error| panic!("no port on 127.0.0.1: {error}"))
    }

    /// Starts a server for benchmarks on `port` (0 picks one), which answers after `latency`, and counts requests
    /// without storing them. An error if the port is not free.
    pub fn with_latency(port: u16, latency: Duration) -> io::Result<FakeApi> {
        let reply = FakeReply::answer(crate::shapes::FakeAnswer::default()).after(latency);
        FakeApi::bind(port, ReplyScript::always(reply), false)
    }

    /// Returns the requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of requests so far.
    pub fn count(&self) -> usize {
        self.seen.count.load(Ordering::SeqCst)
    }

    /// Returns the largest number of requests that waited for a reply at the same time.
    pub fn most_at_once(&self) -> usize {
        self.seen.most_at_once.load(Ordering::SeqCst)
    }

    fn bind(port: u16, script: ReplyScript, keep: bool) -> io::Result<FakeApi> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port))?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}", listener.local_addr()?);
        let seen = Arc::new(SeenRequests::default());
        let (stop, stopped) = oneshot::channel();
        let server = Server { script, seen: seen.clone(), keep };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = serve(listener, server) => {}
                    _ = stopped => {}
                }
            });
            runtime.shutdown_background();
        });
        Ok(FakeApi { url, seen, stop: Some(stop) })
    }
}

impl Drop for FakeApi {
    fn drop(&mut self) {
        drop(self.stop.take());
    }
}

/// Counts a request that has no reply yet. Dropped before the reply is sent, so that requests of a client that waits
/// for each reply never overlap.
struct InProgress(Arc<SeenRequests>);

impl InProgress {
    fn begin(seen: &Arc<SeenRequests>) -> InProgress {
        let now = seen.in_progress.fetch_add(1, Ordering::SeqCst) + 1;
        seen.most_at_once.fetch_max(now, Ordering::SeqCst);
        InProgress(Arc::clone(seen))
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.in_progress.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn serve(listener: std::net::TcpListener, server: Server) -> io::Result<()> {
    let listener = CuttableListener(tokio::net::TcpListener::from_std(listener)?);
    let router = Router::new().fallback(handle).with_state(server);
    axum::serve(listener, router.into_make_service_with_connect_info::<Scissors>()).await
}

async fn handle(
    State(server): State<Server>,
    ConnectInfo(scissors): ConnectInfo<Scissors>,
    request: HttpRequest,
) -> Response<Body> {
    let arrived = Instant::now();
    let in_progress = InProgress::begin(&server.seen);
    let Ok(request) = read(&server, request, scissors.port).await else { return Response::new(Body::empty()) };
    let reply = (server.script.0)(&request);
    if server.keep {
        server.seen.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    }
    sleep_until(arrived + reply.delay).await;
    if !matches!(reply.behaviour, Behaviour::Silence) {
        drop(in_progress);
    }
    match reply.behaviour {
        Behaviour::Whole => respond(&reply, &request, false),
        Behaviour::HalfBody => respond(&reply, &request, true),
        Behaviour::Silence => std::future::pending().await,
        Behaviour::Drop => {
            scissors.cut();
            Response::new(Body::empty())
        }
    }
}

/// Waits to within 0.1 ms: benchmarks compare with the exact latency, and the runtime's timer is 1–2 ms late.
async fn sleep_until(due: Instant) {
    const COARSE: Duration = Duration::from_millis(3);
    if let Some(long) = due.saturating_duration_since(Instant::now()).checked_sub(COARSE) {
        tokio::time::sleep(long).await;
    }
    let rest = due.saturating_duration_since(Instant::now());
    if !rest.is_zero() {
        // Fails only when the runtime shuts down.
        let _ = tokio::task::spawn_blocking(move || std::thread::sleep(rest)).await;
    }
}

async fn read(server: &Server, request: HttpRequest, port: u16) -> Result<Request, axum::Error> {
    let number = server.seen.count.fetch_add(1, Ordering::SeqCst);
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 64 << 20).await?;
    Ok(Request {
        number,
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        bytes: bytes.into(),
        port,
    })
}

fn respond(reply: &FakeReply, request: &Request, half: bool) -> Response<Body> {
    let (content_type, text) = render(&reply.body, request);
    let length = text.len();
    let body = if half { half_of(text) } else { Body::from(text) };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    // Vendors use different header names.
    if let Ok(id) = HeaderValue::try_from(format!("req_{:06}", request.number)) {
        headers.insert("request-id", id.clone());
        headers.insert("x-request-id", id);
    }
    if half {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    for (name, value) in &reply.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
    response
}

fn half_of(text: String) -> Body {
    let half = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    // The first half must be sent before the connection is closed, or both would arrive as one.
    let cut = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    };
    Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(cut)))
}
