//! `mcp` skills (L5): a tool of a server that speaks the Model Context Protocol.
//!
//! The server is a program, spoken to through its standard input and output, or an address, spoken to by
//! Streamable HTTP. The first call opens the connection, all calls share it, several at once if need be,
//! and a call that finds it broken opens another. Opening it counts towards the time limit of the call
//! that does it, but not towards its latency.

mod answer;
mod connection;
mod failure;
mod program;
mod transport;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_spec::call::Identity;
use eval_spec::callable::{AdapterConfig, Auth, AuthKind, CallableSkill, Protocol, SkillRun};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Outcome, Output, msg};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{CallToolResponse, CallToolResult, JsonObject};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use url::Url;

use self::connection::{Address, Connection, NotOpened, Server, open};
use self::failure::with_detail;
use super::host::Host;
use super::launch::{program, words};
use crate::executors::BuildError;
use crate::secrets::Redact;

struct Mcp {
    skill: CallableSkill,
    server: Server,
    identity: Identity,
    redact: Redact,
    /// The connection in use.
    current: Mutex<Option<Arc<Connection>>>,
    /// Held by the call that opens one.
    opening: tokio::sync::Mutex<()>,
}

/// Builds the executor of a skill.
///
/// # Errors
/// The entrypoint is no address and no program that can be found, or the token of an address is not there.
pub(super) fn build(
    skill: &CallableSkill,
    host: &Arc<Host>,
    context: &Context,
) -> Result<Arc<dyn Executor>, BuildError> {
    let (server, provider) = match address(skill)? {
        Some(url) => (Server::Address(at(&url, skill, context)?), crate::http::host(&url)),
        None => {
            // Its program stays, as one of the persistent protocol does.
            let staying = AdapterConfig { protocol: Protocol::JsonRpcLines, ..skill.config.clone() };
            let staying = CallableSkill { config: staying, ..skill.clone() };
            let program = program(words(&skill.entrypoint, skill)?, &staying, context)?;
            (Server::Program(program, Arc::clone(host)), format!("mcp {}", skill.id))
        }
    };
    let identity = Identity {
        executor: "mcp".to_owned(),
        version: Some(skill.version.clone()),
        provider,
        base_url: None,
        details: Some(format!("{} {}", skill.id, skill.hash)),
    };
    Ok(Arc::new(Mcp {
        skill: skill.clone(),
        server,
        identity,
        redact: Redact::new(context),
        current: Mutex::new(None),
        opening: tokio::sync::Mutex::new(()),
    }))
}

/// The server's address, if the entrypoint is one, or is relative to the configuration's.
fn address(skill: &CallableSkill) -> Result<Option<Url>, BuildError> {
    let entrypoint = skill.entrypoint.trim();
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    if let Some(url) = Url::parse(entrypoint).ok().filter(is_web) {
        return Ok(Some(url));
    }
    let Some(base) = &skill.config.base_url else { return Ok(None) };
    let url = Url::parse(base).and_then(|base| base.join(entrypoint)).ok().filter(is_web);
    url.map(Some).ok_or_else(|| BuildError::invalid(msg!("skills-exec-mcp-bad-address", skill = &*skill.id)))
}

fn at(url: &Url, skill: &CallableSkill, context: &Context) -> Result<Address, BuildError> {
    let (bearer, headers) = match &skill.config.auth {
        Some(auth) => authorisation(auth, context)?,
        None => (None, HashMap::new()),
    };
    let client = crate::http::client(url, context)
        .map_err(|error| BuildError::invalid(msg!("exec-http-client", why = crate::http::chain(&error))))?;
    Ok(Address { client, url: url.as_str().into(), bearer, headers })
}

type Authorisation = (Option<String>, HashMap<HeaderName, HeaderValue>);

fn authorisation(auth: &Auth, context: &Context) -> Result<Authorisation, BuildError> {
    let variable = auth.token_env_key.as_str();
    let token = context
        .var(variable)
        .ok_or_else(|| BuildError::invalid(msg!("skills-exec-mcp-no-token", variable = variable)))?;
    let mut value = HeaderValue::from_str(token)
        .map_err(|_| BuildError::invalid(msg!("skills-exec-mcp-bad-token", variable = variable)))?;
    value.set_sensitive(true);
    match &auth.kind {
        AuthKind::Bearer => Ok((Some(token.to_owned()), HashMap::new())),
        AuthKind::ApiKey { header } => {
            let name = HeaderName::try_from(header.as_str())
                .map_err(|_| BuildError::invalid(msg!("skills-exec-mcp-bad-header", header = header)))?;
            Ok((None, HashMap::from([(name, value)])))
        }
    }
}

impl Executor for Mcp {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let deadline = Instant::now() + call.timeout;
            let answered = self.answer(call, deadline).await;
            answered
                .map(|output| self.redact.for_answers().clean_value(output))
                .map_err(|error| self.redact.clean_value(error))
        })
    }
}

impl Mcp {
    async fn answer(&self, call: &Call, deadline: Instant) -> Result<Output, ExecError> {
        let arguments = self.arguments(&call.prompt)?;
        let opened = self.connection(deadline).await;
        let (connection, start) =
            opened.map_err(|not_opened| failed(not_opened.error, self.clean(not_opened.run), None))?;
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
                let message = msg!("skills-exec-mcp-timeout", tool = tool, seconds = call.timeout.as_secs_f64());
                Err(ExecError::new(Failure::Timeout, message))
            }
        };
        let has_ended = answered.as_ref().is_err_and(|error| error.failure == Failure::Crashed);
        let run = SkillRun { start_ms: start.map(milliseconds), ..self.clean(connection.run(has_ended).await) };
        match answered {
            Ok((answer, tokens)) => Ok(Output {
                outcome: Outcome::Answered,
                latency_ms: Some(milliseconds(latency)),
                skill: Some(Box::new(SkillRun { tokens, ..run })),
                ..Output::text(answer.to_string())
            }),
            Err(error) => Err(failed(error, run, Some(latency))),
        }
    }

    /// A run whose standard error holds no secrets.
    fn clean(&self, run: SkillRun) -> SkillRun {
        SkillRun { stderr: self.redact.clean(&run.stderr).into_owned(), ..run }
    }

    /// The arguments of a tool are an object or absent.
    fn arguments(&self, input: &str) -> Result<Option<JsonObject>, ExecError> {
        match serde_json::from_str(input) {
            Ok(Value::Object(fields)) => Ok(Some(fields)),
            Ok(Value::Null) => Ok(None),
            _ => Err(ExecError::new(Failure::Rejected, msg!("skills-exec-mcp-not-object", skill = &*self.skill.id))),
        }
    }

    /// The connection in use, or a new one and how long it took to open.
    async fn connection(&self, deadline: Instant) -> Result<(Arc<Connection>, Option<Duration>), NotOpened> {
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

/// The answer of a tool and the tokens it took, or what it says about its failure.
fn complete(result: CallToolResult, tool: &str) -> Result<(Value, Option<u64>), ExecError> {
    match result.is_error {
        Some(true) => {
            Err(with_detail(Failure::Skill, msg!("skills-exec-mcp-failed", tool = tool), &answer::words(result)))
        }
        _ => {
            let tokens = answer::tokens(&result);
            Ok((answer::value(result), tokens))
        }
    }
}

/// An error with what is known of the run.
fn failed(error: ExecError, run: SkillRun, latency: Option<Duration>) -> ExecError {
    let partial = Output { latency_ms: latency.map(milliseconds), skill: Some(Box::new(run)), ..Output::text("") };
    ExecError { partial: Some(Box::new(partial)), ..error }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
