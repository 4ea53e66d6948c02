//! What an executor needs to reach its model, as far as it shows without a call: a diagnosis asks for it, a run never.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_process::{Launch, ProcessError, run_blocking};
use eval_spec::{Context, ExecError, Failure};
use reqwest::Method;
use reqwest::header::HeaderMap;
use url::Url;

use crate::http::{Http, bare};
use crate::secrets::{Redact, environment};

/// How long the question for the version may take; 10 ms on an idle machine.
const VERSION_TIMEOUT: Duration = Duration::from_secs(20);

/// The longest answer to it, in bytes.
const MAX_VERSION: usize = 64 << 10;

/// A key or login, by where it is: its value is in no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// In an environment variable.
    Variable(&'static str),
    /// In a file of a login.
    File(PathBuf),
    /// With the cloud that this variable switches on.
    Cloud(&'static str),
}

/// What an executor needs to reach its model.
#[derive(Clone, Debug)]
pub struct Access {
    /// The credential that it would use.
    pub credential: Option<Credential>,
    /// The variables that could hold one.
    pub variables: Vec<&'static str>,
    /// Whether no call is possible without a credential; another server than the vendor's may ask for none.
    pub needs_credential: bool,
    /// Where requests go, without what is secret in it; `None` for a cloud's.
    pub address: Option<Url>,
}

impl Access {
    /// Access to an address of which nothing secret is kept.
    pub(crate) fn new(variables: &[&'static str], context: &Context, base: &Url, needs_credential: bool) -> Access {
        let credential = variables.iter().find(|name| context.var(name).is_some());
        Access {
            credential: credential.map(|name| Credential::Variable(name)),
            variables: variables.to_vec(),
            needs_credential,
            address: Url::parse(&bare(base)).ok(),
        }
    }
}

/// Asks whether something answers at an address, without a key or a body, and returns the status.
///
/// # Errors
/// Nothing answered within `limit`.
pub async fn reach(address: &Url, context: &Context, limit: Duration) -> Result<u16, ExecError> {
    let http = Http::new(address.clone(), HeaderMap::new(), context)
        .map_err(|error| ExecError::new(Failure::Unreachable, error.message().clone()))?;
    let late = || {
        let message = msg!("exec-http-timeout", host = http.host(), seconds = limit.as_secs_f64());
        ExecError::new(Failure::Timeout, message)
    };
    let request = http.request(Method::HEAD, address.clone());
    match tokio::time::timeout(limit, http.send(request)).await {
        Ok(answer) => Ok(answer?.status().as_u16()),
        Err(_) => Err(late()),
    }
}

/// The version of a program that is no executor's, such as `git`.
///
/// # Errors
/// It can't be started, or says none.
pub fn version_of(name: &str, program: &Path, context: &Context) -> Result<String, Message> {
    ask_version(program, &["--version"], &environment(context, |_| false), context)
        .map_err(|why| msg!("exec-agent-version", agent = name, why = why))
}

/// Asks a program for its version, which is shown and stored without secrets; it must not block before a run has begun.
pub(crate) fn ask_version(
    program: &Path,
    arguments: &[&str],
    environment: &[(OsString, OsString)],
    context: &Context,
) -> Result<String, String> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let launch = Launch {
        program,
        arguments: &arguments,
        environment,
        cwd: context.cwd.clone(),
        stdin: &[],
        timeout: VERSION_TIMEOUT,
    };
    let (exit, stdout) = run_blocking(&launch, MAX_VERSION).map_err(|error| match error {
        ProcessError::Spawn(error) | ProcessError::Wait(error) => error.to_string(),
        ProcessError::Timeout { .. } => format!("{} s", VERSION_TIMEOUT.as_secs()),
        ProcessError::OutputTooLong => format!("> {} KiB", MAX_VERSION >> 10),
    })?;
    let text = String::from_utf8_lossy(&stdout);
    // `2.1.330 (Claude Code)`, `codex-cli 0.169.0`
    let numbered = || text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let word = numbered().or_else(|| text.split_whitespace().next()).filter(|_| exit.status.success());
    let redact = Redact::new(context).for_errors();
    word.map(|word| redact.clean(word).into_owned()).ok_or_else(|| exit.status.to_string())
}
