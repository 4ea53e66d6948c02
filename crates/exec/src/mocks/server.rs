//! The server in this process that hooks and MCP clients of agents ask.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{Response, StatusCode, header};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::session::MockSession;
use super::stub;

/// The longest message of an agent, in bytes.
const MAX_MESSAGE: usize = 64 << 20;

#[derive(Default)]
struct Desks(Mutex<HashMap<String, Arc<MockSession>>>);

/// A server on 127.0.0.1 for the mocks of all calls of a run, until it is dropped.
pub(crate) struct MockServer {
    address: String,
    desks: Arc<Desks>,
    task: JoinHandle<()>,
}

impl MockServer {
    /// Starts it on a free port.
    pub(crate) async fn start() -> io::Result<MockServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = format!("http://{}", listener.local_addr()?);
        let desks = Arc::new(Desks::default());
        let router = Router::new()
            .route("/{call}/hook", post(hook))
            .route("/{call}/mcp/{server}", post(mcp))
            .layer(DefaultBodyLimit::max(MAX_MESSAGE))
            .with_state(Arc::clone(&desks));
        let task = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        Ok(MockServer { address, desks, task })
    }

    /// Answers for a session until the desk is dropped.
    pub(crate) fn open(&self, session: &Arc<MockSession>) -> io::Result<MockDesk> {
        let mut random = [0; 16];
        let source = rustls::crypto::ring::default_provider().secure_random;
        source.fill(&mut random).map_err(|_| io::Error::other("the system gives no random bytes"))?;
        let name: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut desks = self.desks.0.lock().unwrap_or_else(PoisonError::into_inner);
        desks.insert(name.clone(), Arc::clone(session));
        Ok(MockDesk { url: format!("{}/{name}", self.address), name, desks: Arc::clone(&self.desks) })
    }
}

impl Drop for MockServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Where one call's hooks and clients ask.
pub(crate) struct MockDesk {
    /// Its address.
    url: String,
    name: String,
    desks: Arc<Desks>,
}

impl MockDesk {
    /// The address for hooks.
    pub(crate) fn hook(&self) -> String {
        format!("{}/hook", self.url)
    }

    /// The address of an MCP server.
    pub(crate) fn mcp(&self, server: &str) -> String {
        let server: String = url::form_urlencoded::byte_serialize(server.as_bytes()).collect();
        format!("{}/mcp/{server}", self.url)
    }
}

impl Drop for MockDesk {
    fn drop(&mut self) {
        self.desks.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

impl Desks {
    fn of(&self, call: &str) -> Option<Arc<MockSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(call).cloned()
    }
}

async fn hook(
    State(desks): State<Arc<Desks>>,
    Path(call): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, StatusCode> {
    let session = desks.of(&call).ok_or(StatusCode::NOT_FOUND)?;
    let event: Value = serde_json::from_slice(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    Ok(Json((session.agent().hook)(&session, &event)))
}

async fn mcp(
    State(desks): State<Arc<Desks>>,
    Path((call, server)): Path<(String, String)>,
    body: Bytes,
) -> Result<Response<Body>, StatusCode> {
    let session = desks.of(&call).ok_or(StatusCode::NOT_FOUND)?;
    let message: Value = serde_json::from_slice(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let reply = Response::builder();
    let reply = match stub::answer(&session, &server, &message) {
        Some(answer) => reply.header(header::CONTENT_TYPE, "application/json").body(Body::from(answer.to_string())),
        None => reply.status(StatusCode::ACCEPTED).body(Body::empty()),
    };
    reply.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
