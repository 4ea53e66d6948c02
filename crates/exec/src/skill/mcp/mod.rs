//! `mcp` skills (L5): a tool of a server that speaks the Model Context Protocol.
//!
//! The server is a program, spoken to through its standard input and output, or an address, spoken to by
//! Streamable HTTP. The first call opens the connection, all calls share it, several at once if need be,
//! and a call that finds it broken opens another. Opening it counts towards the time limit of the call
//! that does it, but not towards its latency.

mod answer;
mod connection;
mod failure;
pub(crate) mod program;
mod transport;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_spec::call::Identity;
use eval_spec::callable::{Auth, AuthKind, CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Outcome, Output, msg};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{CallToolResponse, CallToolResult, JsonObject};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use url::Url;

use self::connection::{Address, Connection, NotOpened, Server, open};
use self::failure::with_detail;
use self::program::Program;
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

/// Builds the executor of a skill whose server is a program.
pub(crate) fn of_program(skill: &CallableSkill, program: Box<dyn Program>, context: &Context) -> Arc<dyn Executor> {
    build(skill, Server::Program(program), &format!("mcp {}", skill.id), context)
}

/// Builds the executor of a skill whose server is at `url`.
///
/// # Errors
/// The variable of its token is unset, or what it holds can't be sent.
pub(crate) fn of_address(skill: &CallableSkill, url: &Url, context: &Context) -> Result<Arc<dyn Executor>, BuildError> {
    let (bearer, headers) = match &skill.config.auth {
        Some(auth) => authorisation(auth, context)?,
        None => (None, HashMap::new()),
    };
    let client = crate::http::client(url, context)
        .map_err(|error| BuildError::invalid(msg!("exec-http-client", why = crate::http::chain(&error))))?;
    let address = Address { client, url: url.as_str().into(), bearer, headers };
    Ok(build(skill, Server::Address(address), &crate::http::host(url), context))
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

fn build(skill: &CallableSkill, server: Server, provider: &str, context: &Context) -> Arc<dyn Executor> {
    let identity = Identity {
        executor: "mcp".to_owned(),
        version: Some(skill.version.clone()),
        provider: provider.to_owned(),
        base_url: None,
        details: Some(format!("{} {}", skill.id, skill.hash)),
    };
    Arc::new(Mcp {
        skill: skill.clone(),
        server,
        identity,
        redact: Redact::new(context),
        current: Mutex::new(None),
        opening: tokio::sync::Mutex::new(()),
    })
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
        let (connection, start) = self.connection(deadline).await.map_err(|not_opened| {
            let run = SkillRun { stderr: self.redact.clean(&not_opened.stderr).into_owned(), ..SkillRun::default() };
            failed(not_opened.error, run, None)
        })?;
        let asked = Instant::now();
        let answered = timeout_at(deadline, connection.call(arguments, &self.skill.id)).await;
        let latency = asked.elapsed();
        let run = |tokens| SkillRun {
            stderr: self.redact.clean(&connection.stderr()).into_owned(),
            start_ms: start.map(milliseconds),
            tokens,
            enforced: connection.enforced(),
        };
        match answered {
            Ok(Ok(CallToolResponse::Complete(result))) => {
                let run = run(answer::tokens(&result));
                self.complete(result, run, latency, &connection.tool)
            }
            Ok(Ok(_)) => {
                let message = msg!("skills-exec-mcp-wants-more", tool = connection.tool.as_str());
                Err(failed(ExecError::new(Failure::Skill, message), run(None), Some(latency)))
            }
            Ok(Err(error)) => Err(failed(error, run(None), Some(latency))),
            Err(_) => {
                connection.fell_silent();
                let message = msg!(
                    "skills-exec-mcp-timeout",
                    tool = connection.tool.as_str(),
                    seconds = call.timeout.as_secs_f64()
                );
                Err(failed(ExecError::new(Failure::Timeout, message), run(None), Some(latency)))
            }
        }
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
        let late = || NotOpened {
            error: ExecError::new(Failure::Timeout, msg!("skills-exec-mcp-not-ready", skill = &*self.skill.id)),
            stderr: String::new(),
        };
        let _turn = timeout_at(deadline, self.opening.lock()).await.map_err(|_| late())?;
        let current = self.slot().clone();
        if let Some(current) = current {
            if timeout_at(deadline, current.is_usable()).await.map_err(|_| late())? {
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

    fn complete(
        &self,
        result: CallToolResult,
        run: SkillRun,
        latency: Duration,
        tool: &str,
    ) -> Result<Output, ExecError> {
        if result.is_error == Some(true) {
            let error =
                with_detail(Failure::Skill, msg!("skills-exec-mcp-failed", tool = tool), &answer::words(result));
            return Err(failed(error, run, Some(latency)));
        }
        Ok(Output {
            outcome: Outcome::Answered,
            latency_ms: Some(milliseconds(latency)),
            skill: Some(Box::new(run)),
            ..Output::text(answer::value(result).to_string())
        })
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

#[cfg(test)]
mod tests;
