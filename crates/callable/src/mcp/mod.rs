//! `mcp` skills: a tool of a server that speaks the Model Context Protocol.
//!
//! The server is a program, spoken to through its standard input and output, or an address, spoken to by
//! Streamable HTTP. The first call opens the connection, all calls share it, several at once if need be
//! (`workers` for a program). A call that finds it broken, or a program that let a call time out, opens another. Opening
//! counts towards the time limit of the call that does it, but not towards its latency.

pub(crate) mod answer;
mod connection;
mod events;
mod failure;
mod messages;
mod program;
mod tool;
mod transport;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_exec::BuildError;
use eval_exec::http::bare;
use eval_message::msg;
use eval_spec::callable::{AdapterConfig, CallableSkill, McpServerInfo, Protocol, SkillRun};
use eval_spec::{BoxFuture, Call, CallPrice, Context, ExecError, Executor, Failure, Identity, Output};
use reqwest::header::COOKIE;
use rmcp::model::{CallToolResponse, CallToolResult, JsonObject};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use self::connection::{ConnectFailure, Connection, HttpServer, McpServer, open};
use self::failure::with_detail;
pub use self::tool::{McpTool, ToolAnswer};
use super::host::SkillHost;
use super::http::{self, Credentials};
use super::launch::{program, words};
use super::outcome::{OutcomeBuilder, likely_cause};

struct Mcp {
    skill: CallableSkill,
    server: McpServer,
    outcomes: OutcomeBuilder,
    /// The connection in use.
    current: Mutex<Option<Arc<Connection>>>,
    /// Locked by the call that opens one.
    opening: tokio::sync::Mutex<()>,
}

/// Builds the executor of a skill.
///
/// # Errors
/// The entrypoint is no address and no program that can be found, or the token of an address is not there.
pub(super) fn build(
    skill: &CallableSkill,
    host: &Arc<SkillHost>,
    context: &Context,
) -> Result<Arc<dyn Executor>, BuildError> {
    Ok(Arc::new(Mcp::new(skill, host, context)?))
}

/// Returns the introduction of a skill's server, if it can be asked.
pub(super) async fn introduction(
    skill: &CallableSkill,
    host: &Arc<SkillHost>,
    context: &Context,
    within: Duration,
) -> Option<McpServerInfo> {
    let mcp = Mcp::new(skill, host, context).ok()?;
    let (connection, _) = mcp.connection(Instant::now() + within).await.ok()?;
    connection.server.clone()
}

fn of_program(
    skill: &CallableSkill,
    host: &Arc<SkillHost>,
    context: &Context,
) -> Result<(McpServer, OutcomeBuilder), BuildError> {
    // A server is persistent, as a program of the line protocol.
    let config = AdapterConfig { protocol: Protocol::JsonRpcLines, ..skill.config.clone() };
    let persistent = CallableSkill { config, ..skill.clone() };
    let program = program(words(&skill.entrypoint, skill)?, &persistent, context)?;
    let outcomes = OutcomeBuilder::new(skill, context, &program.line(), &[]).below(host.scratch());
    Ok((McpServer::Program(program, Arc::clone(host)), outcomes))
}

fn of_address(
    address: &str,
    skill: &CallableSkill,
    context: &Context,
) -> Result<(McpServer, OutcomeBuilder), BuildError> {
    let mut url = http::url(address, skill)?;
    let Credentials { mut headers, query, cookies, secrets } = http::credentials(skill, context)?;
    let client = eval_exec::http::client(&url, context)
        .map_err(|error| BuildError::invalid(msg!("exec-http-client", why = eval_exec::http::chain(&error))))?;
    let mut outcomes = OutcomeBuilder::new(skill, context, address, &secrets);
    outcomes.identity.base_url = Some(bare(&url));
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(&query);
    }
    headers.extend(http::cookie_header(&cookies, None)?.map(|cookies| (COOKIE, cookies)));
    let headers = headers.into_iter().filter_map(|(name, value)| Some((name?, value))).collect();
    Ok((McpServer::Address(HttpServer { client, url: url.as_str().into(), headers }), outcomes))
}

impl Executor for Mcp {
    fn identity(&self) -> &Identity {
        &self.outcomes.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(self.answer(call))
    }
}

impl Mcp {
    fn new(skill: &CallableSkill, host: &Arc<SkillHost>, context: &Context) -> Result<Mcp, BuildError> {
        let (server, outcomes) = match skill.address() {
            Some(address) => of_address(&address, skill, context)?,
            None => of_program(skill, host, context)?,
        };
        let (current, opening) = (Mutex::new(None), tokio::sync::Mutex::new(()));
        Ok(Mcp { skill: skill.clone(), server, outcomes, current, opening })
    }

    async fn answer(&self, call: &Call) -> Result<Output, ExecError> {
        let (result, latency, run) = self.ask(self.arguments(&call.prompt)?, call.timeout).await?;
        let tokens = answer::tokens(&result);
        Ok(self.outcomes.answer(answer::json(result), latency, SkillRun { tokens, ..run }))
    }

    /// What the tool returned, how long that took, and the record of the server.
    async fn ask(
        &self,
        arguments: Option<JsonObject>,
        timeout: Duration,
    ) -> Result<(CallToolResult, Duration, SkillRun), ExecError> {
        let begun = Instant::now();
        let deadline = begun + timeout;
        let opened = self.connection(deadline).await;
        let (connection, start) =
            opened.map_err(|ConnectFailure { error, run }| self.failed(error, (begun.elapsed(), run)))?;
        let asked = Instant::now();
        let answered = timeout_at(deadline, connection.call(arguments, &self.skill.id)).await;
        let latency = asked.elapsed();
        let tool = connection.tool.as_str();
        let answered = match answered {
            Ok(Ok(CallToolResponse::Complete(result))) => complete(result, tool),
            Ok(Ok(_)) => Err(ExecError::new(Failure::Skill, msg!("skills-exec-mcp-wants-more", tool = tool))),
            Ok(Err(error)) => Err(error),
            Err(_) => {
                connection.fell_silent();
                let message = msg!("skills-exec-mcp-timeout", tool = tool, seconds = timeout.as_secs_f64());
                Err(ExecError::new(Failure::Timeout, message))
            }
        };
        let has_ended = answered.as_ref().is_err_and(|error| error.failure == Failure::Crashed);
        let run = connection.run(has_ended).await.started_in(start);
        match answered {
            Ok(result) => Ok((result, latency, run)),
            Err(error) => Err(self.failed(error, (latency, run))),
        }
    }

    /// An error with the record of the call; without a detail, the likely cause from standard error.
    fn failed(&self, error: ExecError, record: (Duration, SkillRun)) -> ExecError {
        let ExecError { failure, message, detail, status, retry_after_ms, .. } = error;
        let words = detail.unwrap_or_else(|| likely_cause(&record.1.stderr).to_owned());
        let error = self.outcomes.failed(failure, message, &words, "", record);
        ExecError { status, retry_after_ms, ..error }
    }

    /// The arguments of a tool are an object or absent.
    fn arguments(&self, input: &str) -> Result<Option<JsonObject>, ExecError> {
        match serde_json::from_str(input) {
            Ok(Value::Object(fields)) => Ok(Some(fields)),
            Ok(Value::Null) => Ok(None),
            // An input that can't be sent is not a failure of the skill.
            _ => Err(ExecError::new(Failure::Rejected, msg!("skills-exec-mcp-not-object", skill = &*self.skill.id))),
        }
    }

    /// The connection in use, or a new one and how long it took to open.
    async fn connection(&self, deadline: Instant) -> Result<(Arc<Connection>, Option<Duration>), ConnectFailure> {
        let late = || ExecError::new(Failure::Timeout, msg!("skills-exec-mcp-not-ready", skill = &*self.skill.id));
        let _turn = timeout_at(deadline, self.opening.lock()).await.map_err(|_| late())?;
        let current = self.slot().clone();
        if let Some(current) = current {
            if current.is_usable(deadline).await {
                return Ok((current, None));
            }
            // Calls that are still on it keep it until they are done.
            *self.slot() = None;
        }
        let begun = Instant::now();
        let connection = Arc::new(open(&self.server, &self.skill, deadline).await?);
        *self.slot() = Some(connection.clone());
        Ok((connection, Some(begun.elapsed())))
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Arc<Connection>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a tool returned, or what it says about its failure.
fn complete(result: CallToolResult, tool: &str) -> Result<CallToolResult, ExecError> {
    match result.is_error {
        Some(true) => {
            Err(with_detail(Failure::Skill, msg!("skills-exec-mcp-failed", tool = tool), &answer::words(result)))
        }
        _ => Ok(result),
    }
}
