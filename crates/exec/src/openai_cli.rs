//! `openai`: the command line of OpenAI's Python package, up to version 2.30, which later ones don't have.
//!
//! System prompt and prompt are arguments, and the answer is its whole standard output: there is no usage, no id, and no
//! word on whether the answer was cut.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_message::{Message, msg};
use eval_process::programs::find;
use eval_process::{Launch, ProcessExit, run, run_blocking};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Output};
use url::Url;

use crate::access::Access;
use crate::channels;
use crate::executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe};
use crate::http::{bare, host};
use crate::openai_api::{KEY, base};
use crate::program_error::{process_error, signal, with_detail};
use crate::secrets::{Redact, environment};

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: "openai",
    summary: eval_message::key!("exec-openai-cli"),
    default_model: "gpt-4o",
    default_judge: "gpt-4o-mini",
    model_prefixes: &[],
    kind: ExecutorKind::Model,
    reports_cost: false,
    own_tokens: 0,
    bytes_per_token: 4,
    probe,
    version: Some(installed),
    access,
    build,
    channels: channels::none,
    mention: None,
    attaches: false,
    mocks: || None,
};

/// The longest answer, in bytes.
const MAX_OUTPUT: usize = 16 << 20;
/// The longest argument that Linux passes to a program, in bytes, with its end.
const MAX_ARGUMENT: usize = 128 << 10;
/// How long the question for the version may take: Python starts slowly on a busy machine.
const VERSION_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest answer to it, in bytes.
const MAX_VERSION: usize = 64 << 10;

struct OpenAiCli {
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    cwd: PathBuf,
    identity: Identity,
    redact: Redact,
}

fn probe(context: &Context) -> Probe {
    match (find(TYPE.name, context), context.var(KEY)) {
        (None, _) => Probe::Missing { why: msg!("exec-openai-cli-gone") },
        (_, None) => Probe::Missing { why: msg!("exec-missing-key", name = KEY) },
        _ => Probe::Ready,
    }
}

fn installed(context: &Context) -> Option<Result<String, BuildError>> {
    let program = find(TYPE.name, context)?;
    Some(version(&program, &environment_of(context, None), context))
}

fn access(context: &Context) -> Result<Option<Access>, BuildError> {
    let (url, _) = base(context)?;
    Ok(Some(Access::new(&[KEY], context, &url, true)))
}

/// The environment of the program, with the address that isn't the vendor's own.
fn environment_of(context: &Context, address: Option<&Url>) -> Vec<(OsString, OsString)> {
    let mut environment = environment(context, |name| name.starts_with("OPENAI_"));
    environment.retain(|(name, _)| name != "OPENAI_BASE_URL");
    environment.extend(address.map(|url| ("OPENAI_BASE_URL".into(), url.as_str().into())));
    environment
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    if let Probe::Missing { why } = probe(b.context) {
        return Err(BuildError::missing(why));
    }
    let Some(program) = find(TYPE.name, b.context) else {
        return Err(BuildError::missing(msg!("exec-openai-cli-gone")));
    };
    if b.settings.effort.is_some() {
        return Err(BuildError::invalid(msg!("exec-agent-setting", agent = TYPE.name, setting = "effort")));
    }
    let (url, own) = base(b.context)?;
    let environment = environment_of(b.context, (!own).then_some(&url));
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: Some(version(&program, &environment, b.context)?),
        provider: if own { "openai".to_owned() } else { host(&url) },
        base_url: (!own).then(|| bare(&url)),
        details: None,
        program: None,
        sandbox: None,
    };
    let (cwd, redact) = (b.context.cwd.clone(), Redact::new(b.context));
    Ok(Arc::new(OpenAiCli { program, environment, cwd, identity, redact }))
}

/// A program of that name which isn't this one has no such version, and isn't asked anything else.
fn version(
    program: &std::path::Path,
    environment: &[(OsString, OsString)],
    context: &Context,
) -> Result<String, BuildError> {
    let arguments = [OsString::from("--version")];
    let launch = Launch {
        program,
        arguments: &arguments,
        environment,
        cwd: context.cwd.clone(),
        stdin: &[],
        timeout: VERSION_TIMEOUT,
    };
    let answer = run_blocking(&launch, MAX_VERSION).ok().filter(|(exit, _)| exit.status.success());
    let text = answer.map(|(_, stdout)| String::from_utf8_lossy(&stdout).into_owned()).unwrap_or_default();
    let version = text.trim().strip_prefix("openai ").filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let redact = Redact::new(context).for_errors();
    let version = version.map(|version| redact.clean(version).into_owned());
    version.ok_or_else(|| BuildError::missing(msg!("exec-openai-cli-gone")))
}

impl Executor for OpenAiCli {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let result = self.run(call).await;
            result
                .map(|output| self.redact.for_answers().clean_value(output))
                .map_err(|error| self.redact.for_errors().clean_value(error))
        })
    }
}

impl OpenAiCli {
    async fn run(&self, call: &Call) -> Result<Output, ExecError> {
        let arguments = arguments(call)?;
        let launch = Launch {
            program: &self.program,
            arguments: &arguments,
            environment: &self.environment,
            cwd: call.cwd.clone().unwrap_or_else(|| self.cwd.clone()),
            stdin: &[],
            timeout: call.timeout,
        };
        let mut stdout = Vec::new();
        let ended = run(&launch, |bytes| {
            stdout.extend_from_slice(bytes);
            if stdout.len() > MAX_OUTPUT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .await;
        let late = msg!("exec-agent-timeout", agent = TYPE.name, seconds = call.timeout.as_secs_f64());
        let exit = ended.map_err(|error| process_error(error, &self.program, late, MAX_OUTPUT))?;
        if !exit.status.success() {
            return Err(failed(&exit));
        }
        let text = String::from_utf8_lossy(&stdout);
        let latency_ms = u64::try_from(exit.latency.as_millis()).ok();
        Ok(Output { latency_ms, ..Output::text(text.strip_suffix('\n').unwrap_or(&text)) })
    }
}

fn arguments(call: &Call) -> Result<Vec<OsString>, ExecError> {
    let model = if call.model.is_empty() { TYPE.default_model } else { &call.model };
    let mut arguments: Vec<String> = ["api", "chat.completions.create", "-m", model].map(str::to_owned).into();
    let system = call.system.as_deref().filter(|system| !system.is_empty()).map(|text| ("system", text));
    for (role, text) in system.into_iter().chain([("user", &*call.prompt)]) {
        let refused = |message: Message| ExecError::new(Failure::Rejected, message);
        // Python's parser takes it for an option.
        if text.starts_with('-') {
            return Err(refused(msg!("exec-openai-cli-dash")));
        }
        if text.len() >= MAX_ARGUMENT {
            return Err(refused(msg!("exec-openai-cli-long", kib = MAX_ARGUMENT >> 10)));
        }
        arguments.extend(["-g".to_owned(), role.to_owned(), text.to_owned()]);
    }
    if let Some(temperature) = call.generation.temperature {
        arguments.extend(["-t".to_owned(), temperature.to_string()]);
    }
    if let Some(tokens) = call.generation.max_tokens {
        arguments.extend(["-M".to_owned(), tokens.to_string()]);
    }
    Ok(arguments.into_iter().map(OsString::from).collect())
}

/// `Error: Error code: 429 - {…}`, `Error: Connection error.`, or Python's own words.
fn failed(exit: &ProcessExit) -> ExecError {
    let status = exit.stderr.split("Error code: ").nth(1).and_then(|rest| rest.get(..3)?.parse::<u16>().ok());
    if let Some(status) = status {
        let message = msg!("exec-agent-status", agent = TYPE.name, status = status);
        let failure = match Failure::quotes_no_credit(&exit.stderr) {
            true => Failure::NoCredit,
            false => Failure::of_status(status),
        };
        return ExecError { status: Some(status), ..with_detail(failure, message, &exit.stderr) };
    }
    if exit.stderr.contains("Connection error") {
        let message = msg!("exec-agent-connection", agent = TYPE.name);
        return with_detail(Failure::Dropped, message, &exit.stderr);
    }
    let message = match exit.status.code() {
        Some(code) => msg!("exec-command-exit", code = code),
        None => msg!("exec-command-signal", signal = signal(exit.status)),
    };
    with_detail(Failure::Crashed, message, &exit.stderr)
}
