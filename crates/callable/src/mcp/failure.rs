//! From the SDK's errors to classes of failure.

use std::error::Error as _;

use eval_message::{Message, msg};
use eval_spec::{ExecError, Failure};
use rmcp::model::ErrorData;
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::program::ServerProcess;
use super::transport::{BrokenLimits, MAX_MESSAGE};
use crate::http::class_of;

/// The connection that failed.
pub(super) struct ConnectionState<'a> {
    /// The skill's id.
    pub(super) skill: &'a str,
    /// The server, if it is a program that was started here.
    pub(super) program: Option<&'a ServerProcess>,
    /// Which limits it broke.
    pub(super) broken: &'a BrokenLimits,
}

/// Why no connection came about.
pub(super) fn opening(error: ClientInitializeError, c: &ConnectionState<'_>) -> ExecError {
    match error {
        ClientInitializeError::TransportError { error, .. } => transport(&error, c),
        ClientInitializeError::JsonRpcError(error) => refused(&error),
        ClientInitializeError::ConnectionClosed(_) => ended(c),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => opening(*fallback, c),
        other => {
            with_detail(Failure::Malformed, msg!("skills-exec-mcp-malformed", skill = c.skill), &other.to_string())
        }
    }
}

/// Why a request on an open connection failed.
pub(super) fn request(error: ServiceError, c: &ConnectionState<'_>) -> ExecError {
    match error {
        ServiceError::McpError(error) => refused(&error),
        ServiceError::TransportSend(error) => transport(&error, c),
        ServiceError::TransportClosed | ServiceError::Cancelled { .. } => ended(c),
        other => {
            with_detail(Failure::Malformed, msg!("skills-exec-mcp-malformed", skill = c.skill), &other.to_string())
        }
    }
}

/// The server's own error.
fn refused(error: &ErrorData) -> ExecError {
    let message = msg!("skills-exec-mcp-refused", code = i64::from(error.code.0));
    with_detail(Failure::Skill, message, &error.message)
}

/// The connection is over.
fn ended(c: &ConnectionState<'_>) -> ExecError {
    if let Some((failure, message)) = c.program.and_then(ServerProcess::over_limit) {
        return ExecError::new(failure, message);
    }
    if c.broken.too_long() {
        return ExecError::new(
            Failure::Malformed,
            msg!("skills-exec-mcp-too-long", skill = c.skill, mib = MAX_MESSAGE >> 20),
        );
    }
    if let Some(why) = c.broken.unreadable() {
        return with_detail(Failure::Malformed, msg!("skills-exec-mcp-unreadable", skill = c.skill), why);
    }
    if c.broken.too_many() {
        return ExecError::new(Failure::Malformed, msg!("skills-exec-mcp-too-many", skill = c.skill));
    }
    if c.broken.other_id() {
        return ExecError::new(Failure::Malformed, msg!("skills-exec-mcp-other-id", skill = c.skill));
    }
    let failure = if c.program.is_some() { Failure::Crashed } else { Failure::Dropped };
    ExecError::new(failure, msg!("skills-exec-mcp-ended", skill = c.skill))
}

fn transport(error: &DynamicTransportError, c: &ConnectionState<'_>) -> ExecError {
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(_) if c.broken.unreadable().is_some() => ended(c),
        Some(error) => http(error, c),
        // A pipe: the program closed its end.
        None => ended(c),
    }
}

fn http(error: &StreamableHttpError<reqwest::Error>, c: &ConnectionState<'_>) -> ExecError {
    match error {
        StreamableHttpError::HttpStatus(error) => ExecError {
            retry_after_ms: error.retry_after.as_deref().and_then(seconds),
            ..of_status(error.status, "", c)
        },
        StreamableHttpError::AuthRequired(_) => of_status(401, "", c),
        StreamableHttpError::InsufficientScope(_) => of_status(403, "", c),
        StreamableHttpError::SessionExpired => of_status(404, "", c),
        StreamableHttpError::Client(error) => client(error, c),
        StreamableHttpError::ResponseBodyTooLarge { .. } => ExecError::new(
            Failure::Malformed,
            msg!("skills-exec-mcp-too-long", skill = c.skill, mib = MAX_MESSAGE >> 20),
        ),
        StreamableHttpError::UnexpectedServerResponse(words) => match status_in(words) {
            Some((status, body)) => of_status(status, body, c),
            None => with_detail(Failure::Malformed, msg!("skills-exec-mcp-malformed", skill = c.skill), words),
        },
        StreamableHttpError::TransportChannelClosed | StreamableHttpError::UnexpectedEndOfStream => ended(c),
        other => {
            with_detail(Failure::Malformed, msg!("skills-exec-mcp-malformed", skill = c.skill), &other.to_string())
        }
    }
}

fn of_status(status: u16, body: &str, c: &ConnectionState<'_>) -> ExecError {
    let message = msg!("skills-exec-mcp-status", skill = c.skill, status = status);
    ExecError { status: Some(status), ..with_detail(class_of(status), message, body) }
}

fn client(error: &reqwest::Error, c: &ConnectionState<'_>) -> ExecError {
    if let Some(status) = error.status() {
        return of_status(status.as_u16(), "", c);
    }
    let why = innermost(error);
    if error.is_connect() {
        return with_detail(Failure::Unreachable, msg!("skills-exec-mcp-unreachable", skill = c.skill), &why);
    }
    with_detail(Failure::Dropped, msg!("skills-exec-mcp-ended", skill = c.skill), &why)
}

/// The innermost cause of an error of the client; its own text would repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut words = String::new();
    let mut next = error.source();
    while let Some(cause) = next {
        words = cause.to_string();
        next = cause.source();
    }
    words
}

/// The SDK has statuses without a class of their own only in words: `HTTP 401 Unauthorized: …`.
fn status_in(words: &str) -> Option<(u16, &str)> {
    let rest = words.strip_prefix("HTTP ")?;
    let status = rest.get(..3)?.parse().ok()?;
    Some((status, rest.split_once(": ").map_or("", |(_, body)| body)))
}

/// `Retry-After` in whole seconds, in milliseconds. A date is left to the engine's own waiting.
fn seconds(retry_after: &str) -> Option<u64> {
    retry_after.trim().parse::<u64>().ok()?.checked_mul(1_000)
}

/// An error with what the server or the system says about it.
pub(super) fn with_detail(failure: Failure, message: Message, detail: &str) -> ExecError {
    ExecError { detail: Some(detail.to_owned()), ..ExecError::new(failure, message) }
}
