//! One connection to a server: opened, initialised, closed when it is dropped.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eval_message::msg;
use eval_spec::callable::{CallableSkill, McpServerInfo, SkillRun};
use eval_spec::{ExecError, Failure};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ClientRequest, ErrorCode,
    Implementation, JsonObject, PaginatedRequestParams, PingRequest, ProtocolVersion,
};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use rmcp::transport::{IntoTransport, Transport};
use tokio::time::{Instant, timeout_at};

use super::events::MendedEvents;
use super::failure::{self, ConnectionState, with_detail};
use super::program::{ServerProcess, start};
use super::transport::{BrokenLimits, LimitedLines, LimitedTransport, MAX_MESSAGE};
use crate::host::SkillHost;
use crate::launch::SkillProgram;
use crate::subprocess::not_started;

/// How long a server that let a call time out may take to answer a ping; at most a quarter of the next call's time.
const SIGN_OF_LIFE: Duration = Duration::from_secs(3);

/// How many pages of tools are read.
const MAX_PAGES: usize = 50;

/// How many tools an error lists.
const LISTED_TOOLS: usize = 20;

/// How many requests may be under way at once over HTTP; the engine limits them, not the SDK.
const MAX_REQUESTS: usize = 10_000;

/// Where a server is.
pub(super) enum McpServer {
    /// A program that is started and spoken to through its standard input and output.
    Program(SkillProgram, Arc<SkillHost>),
    /// An address that is spoken to by Streamable HTTP.
    Address(HttpServer),
}

/// A server on the network.
pub(super) struct HttpServer {
    pub(super) client: reqwest::Client,
    pub(super) url: Arc<str>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

/// An initialised connection.
pub(super) struct Connection {
    /// First: the program is killed before the transport is closed.
    program: Option<ServerProcess>,
    service: RunningService<RoleClient, ClientConfig>,
    broken: BrokenLimits,
    /// Whether a call timed out on it.
    silent: AtomicBool,
    /// The tool that is the skill.
    pub(super) tool: String,
    /// What the server said of itself.
    pub(super) server: Option<McpServerInfo>,
}

/// Why a connection failed, and the record of the server.
pub(super) struct ConnectFailure {
    pub(super) error: ExecError,
    pub(super) run: SkillRun,
}

impl From<ExecError> for ConnectFailure {
    fn from(error: ExecError) -> ConnectFailure {
        ConnectFailure { error, run: SkillRun::default() }
    }
}

/// Connects to a server and finds the skill's tool, all until `deadline`.
///
/// Nearly every server knows `initialize`. One that refuses it is asked in the way of the protocol's
/// version 2026-07-28, which has no such thing.
pub(super) async fn open(
    server: &McpServer,
    skill: &CallableSkill,
    deadline: Instant,
) -> Result<Connection, ConnectFailure> {
    match attempt(server, skill, deadline, ClientLifecycleMode::Initialize).await {
        Err(OpenAttempt::NoInitialize) => {
            let discover = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
            attempt(server, skill, deadline, discover).await
        }
        other => other,
    }
    .map_err(|attempt| match attempt {
        OpenAttempt::Failed(not_opened) => *not_opened,
        OpenAttempt::NoInitialize => {
            ExecError::new(Failure::Malformed, msg!("skills-exec-mcp-malformed", skill = &*skill.id)).into()
        }
    })
}

enum OpenAttempt {
    Failed(Box<ConnectFailure>),
    NoInitialize,
}

async fn attempt(
    server: &McpServer,
    skill: &CallableSkill,
    deadline: Instant,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, OpenAttempt> {
    let broken = BrokenLimits::default();
    let (program, serving) = match server {
        McpServer::Program(program, host) => {
            let (running, stdin, stdout) = start(host, program)
                .await
                .map_err(|error| OpenAttempt::Failed(Box::new(not_started(program, &error).into())))?;
            let transport = AsyncRwTransport::new_client(LimitedLines::new(stdout, broken.clone()), stdin)
                .with_max_line_length(MAX_MESSAGE + 1);
            (Some(running), serve(transport, broken.clone(), lifecycle))
        }
        McpServer::Address(address) => (None, serve(address.transport(&broken), broken.clone(), lifecycle)),
    };
    let c = ConnectionState { skill: &skill.id, program: program.as_ref(), broken: &broken };
    let opened = match timeout_at(deadline, serving).await {
        Ok(Ok(service)) => timeout_at(deadline, tool(&service, skill, &c)).await.map(|tool| Ok((service, tool?))),
        Ok(Err(ClientInitializeError::JsonRpcError(error)))
            if matches!(error.code, ErrorCode::METHOD_NOT_FOUND | ErrorCode::UNSUPPORTED_PROTOCOL_VERSION) =>
        {
            return Err(OpenAttempt::NoInitialize);
        }
        Ok(Err(error)) => Ok(Err(failure::opening(error, &c))),
        Err(elapsed) => Err(elapsed),
    };
    let error = match opened {
        Ok(Ok((service, tool))) => {
            let server = introduction(&service);
            return Ok(Connection { program, service, broken, silent: AtomicBool::new(false), tool, server });
        }
        Ok(Err(error)) => error,
        Err(_) => ExecError::new(Failure::Timeout, msg!("skills-exec-mcp-not-ready", skill = &*skill.id)),
    };
    let run = record(program.as_ref(), error.failure == Failure::Crashed).await;
    Err(OpenAttempt::Failed(Box::new(ConnectFailure { error, run })))
}

/// The longest name or version of a server that is stored, in characters.
const MAX_NAME: usize = 200;

fn introduction(service: &RunningService<RoleClient, ClientConfig>) -> Option<McpServerInfo> {
    let peer = service.peer_info()?;
    let about = peer.server_info.as_ref()?;
    let short = |text: &str| text.chars().take(MAX_NAME).collect();
    let protocol = short(peer.protocol_version.as_str());
    Some(McpServerInfo { name: short(&about.name), version: short(&about.version), protocol })
}

/// The record of a call, if the server is a program.
async fn record(program: Option<&ServerProcess>, has_ended: bool) -> SkillRun {
    match program {
        Some(program) => program.run(has_ended).await,
        None => SkillRun::default(),
    }
}

type Serving = eval_spec::BoxFuture<'static, Result<RunningService<RoleClient, ClientConfig>, ClientInitializeError>>;

fn serve<T: Transport<RoleClient> + 'static>(
    transport: T,
    broken: BrokenLimits,
    lifecycle: ClientLifecycleMode,
) -> Serving {
    // No capabilities: sampling, elicitation and roots are refused by the SDK's own handler.
    let us =
        ClientConfig::new(ClientCapabilities::default(), Implementation::new("eval-skills", env!("CARGO_PKG_VERSION")));
    Box::pin(us.serve_with_lifecycle(LimitedTransport::new(transport, broken), lifecycle))
}

impl HttpServer {
    fn transport(&self, broken: &BrokenLimits) -> impl Transport<RoleClient> + use<> {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.clone())
            .custom_headers(self.headers.clone())
            .max_concurrent_requests(MAX_REQUESTS)
            .max_sse_event_size(MAX_MESSAGE);
        let client = MendedEvents::new(self.client.clone(), broken.clone());
        StreamableHttpClientTransport::with_client(client, config).into_transport()
    }
}

/// The tool of the configuration, the server's only one, or the one named like the skill.
async fn tool(
    service: &RunningService<RoleClient, ClientConfig>,
    skill: &CallableSkill,
    c: &ConnectionState<'_>,
) -> Result<String, ExecError> {
    if let Some(tool) = &skill.config.tool {
        return Ok(tool.clone());
    }
    let mut names = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let page = service.list_tools(Some(page)).await.map_err(|error| failure::request(error, c))?;
        names.extend(page.tools.into_iter().map(|tool| tool.name.into_owned()));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    match names.iter().position(|name| **name == *skill.id) {
        Some(place) => Ok(names.swap_remove(place)),
        None if names.len() == 1 => Ok(names.remove(0)),
        None if names.is_empty() => {
            Err(ExecError::new(Failure::Skill, msg!("skills-exec-mcp-no-tools", skill = &*skill.id)))
        }
        None => {
            let message = msg!("skills-exec-mcp-which-tool", skill = &*skill.id, count = names.len());
            Err(with_detail(Failure::Skill, message, &listed(&names)))
        }
    }
}

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(LISTED_TOOLS).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > LISTED_TOOLS { format!("{shown}, …") } else { shown }
}

impl Connection {
    /// Calls the skill's tool. Dropping the future tells the server that the call is cancelled.
    pub(super) async fn call(&self, arguments: Option<JsonObject>, skill: &str) -> Result<CallToolResponse, ExecError> {
        let mut parameters = CallToolRequestParams::new(self.tool.clone());
        parameters.arguments = arguments;
        self.service
            .call_tool_once(parameters)
            .await
            .map_err(|error| failure::request(error, &self.connection_state(skill)))
    }

    fn connection_state<'a>(&'a self, skill: &'a str) -> ConnectionState<'a> {
        ConnectionState { skill, program: self.program.as_ref(), broken: &self.broken }
    }

    /// Records that a call timed out.
    pub(super) fn fell_silent(&self) {
        self.silent.store(true, Ordering::Relaxed);
    }

    /// Whether another call may go over it: it isn't closed, and, if a call timed out on it, the server
    /// still answers a ping. A program that let a call time out is not used again: what it still works at would hold
    /// up the next call.
    pub(super) async fn is_usable(&self, deadline: Instant) -> bool {
        if self.service.is_transport_closed() {
            return false;
        }
        if !self.silent.load(Ordering::Relaxed) {
            return true;
        }
        if self.program.is_some() {
            return false;
        }
        let ping = self.service.send_request(ClientRequest::PingRequest(PingRequest::default()));
        let patience = SIGN_OF_LIFE.min(deadline.saturating_duration_since(Instant::now()) / 4);
        let alive = match tokio::time::timeout(patience, ping).await {
            Ok(Ok(_) | Err(ServiceError::McpError(_))) => true,
            Ok(Err(_)) | Err(_) => false,
        };
        if alive {
            self.silent.store(false, Ordering::Relaxed);
        }
        alive
    }

    /// The record of a call.
    pub(super) async fn run(&self, has_ended: bool) -> SkillRun {
        let run = record(self.program.as_ref(), has_ended).await;
        SkillRun { server: self.server.clone(), ..run }
    }
}
