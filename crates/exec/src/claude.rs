//! `claude`: the command line of Claude Code, headless, with its whole trace.
//!
//! The prompt goes in by standard input: an argument is limited to 128 KiB, and a prompt that begins
//! with `-` would be an option. The artifact goes in by a file of its own, for this call only, and is
//! added to the system prompt. Retries are ours, so the program's own are off.

use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval_message::msg;
use eval_process::programs::find;
use eval_process::{Ended, Launch, Stopped, run};
use eval_spec::suite::Settings;
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Output};
use eval_trace::claude::{Exit, Reader};
use tempfile::NamedTempFile;

use crate::anthropic_api::PROXY_VARIABLE;
use crate::channels::{CHANNELS, Channels};
use crate::command::{signal, with_detail};
use crate::executors::{Build, BuildError, ExecutorType, Kind, Probe};
use crate::http::{bare, base_url, host};
use crate::prices::Prices;
use crate::secrets::{Redact, environment};

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: "claude",
    summary: eval_message::key!("exec-claude"),
    default_model: "sonnet",
    default_judge: "haiku",
    kind: Kind::Agent,
    reports_cost: true,
    probe,
    build,
    channels,
};

/// No setting, hook, memory file, skill or MCP server of the user's or the project's (X7). What these
/// flags leave open is the notes it keeps between sessions and the files of the working directory.
const ISOLATED: &[&str] = &["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"];

/// The quiet, predictable way to run: no update checks and telemetry, no second result from a
/// sub-agent in the background, no retries of its own.
const QUIET: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1"),
    ("CLAUDE_CODE_MAX_RETRIES", "0"),
];

/// What tells the program that it runs inside of itself, which it refuses to.
const NESTED: &[&str] = &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"];

/// The most it may print, in bytes.
const MAX_OUTPUT: usize = 256 << 20;

/// How long `--version` may take; it takes 10 ms on an idle machine.
const VERSION_TIMEOUT: Duration = Duration::from_secs(20);

struct Claude {
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    cwd: PathBuf,
    temporary: PathBuf,
    isolated: bool,
    identity: Identity,
    redact: Redact,
    prices: Arc<Prices>,
}

fn probe(context: &Context) -> Probe {
    match find(TYPE.name, context) {
        Some(_) => Probe::Ready,
        None => Probe::Missing { why: msg!("exec-claude-missing") },
    }
}

fn channels(settings: &Settings) -> Channels {
    let cut = ["user-settings", "project-settings", "skills", "mcp", "plugins"];
    let state = |channel| match (cut.contains(&channel), settings.strict_baseline) {
        (true, true) => "cut",
        (true, false) => "open",
        (false, _) => "unverified",
    };
    CHANNELS.map(|channel| (channel, state(channel))).to_vec()
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    let Some(program) = find(TYPE.name, b.context) else {
        return Err(BuildError::missing(msg!("exec-claude-missing")));
    };
    if b.settings.generation.temperature.is_some() {
        return Err(BuildError::invalid(msg!("exec-claude-temperature")));
    }
    let environment = child_environment(b.context, b.settings);
    let (provider, base_url) = endpoint(b.context)?;
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: Some(version(&program, &environment)?),
        provider,
        base_url,
        details: Some(details(b.settings, &environment)),
    };
    Ok(Arc::new(Claude {
        program,
        environment,
        cwd: b.context.cwd.clone(),
        temporary: b.context.var("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from),
        isolated: b.settings.strict_baseline,
        identity,
        redact: Redact::new(b.context),
        prices: b.prices.clone(),
    }))
}

/// Its own keys and no others; those of a cloud only when it is told to go there.
fn child_environment(context: &Context, settings: &Settings) -> Vec<(OsString, OsString)> {
    let on = |name: &str| context.var(name).is_some_and(|value| value != "0" && value != "false");
    let (bedrock, vertex) = (on("CLAUDE_CODE_USE_BEDROCK"), on("CLAUDE_CODE_USE_VERTEX"));
    let foundry = on("CLAUDE_CODE_USE_FOUNDRY");
    let needs = |name: &str| {
        name.starts_with("ANTHROPIC_")
            || name.starts_with("CLAUDE_")
            || (bedrock && name.starts_with("AWS_"))
            || (vertex && name.starts_with("GOOGLE_"))
            || (foundry && name.starts_with("AZURE_"))
    };
    let mut environment = environment(context, needs);
    environment.retain(|(name, _)| !NESTED.iter().any(|nested| name == nested));
    let mut set = |name: &str, value: &str| {
        environment.retain(|(known, _)| known != name);
        environment.push((name.into(), value.into()));
    };
    QUIET.iter().for_each(|(name, value)| set(name, value));
    if let Some(proxy) = context.var(PROXY_VARIABLE) {
        set("ANTHROPIC_BASE_URL", proxy);
    }
    if let Some(tokens) = settings.generation.max_tokens {
        set("CLAUDE_CODE_MAX_OUTPUT_TOKENS", &tokens.to_string());
    }
    environment
}

/// What else decides the answers: our flags, and the variables that steer the program (which model a
/// short name stands for, which cloud answers), as a hash. Keys decide nothing.
fn details(settings: &Settings, environment: &[(OsString, OsString)]) -> String {
    let steers = |name: &str| {
        (name.starts_with("ANTHROPIC_") || name.starts_with("CLAUDE_"))
            && !["KEY", "TOKEN", "SECRET", "BASE_URL"].iter().any(|end| name.ends_with(end))
            && !QUIET.iter().any(|(quiet, _)| *quiet == name)
    };
    let mut steering: Vec<String> = environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?, value.to_string_lossy())))
        .filter(|(name, _)| steers(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    steering.sort_unstable();
    let flags = if settings.strict_baseline { ISOLATED.join(" ") } else { "open".to_owned() };
    format!("{flags} env:{}", eval_spec::hash::short_hash(steering.join("\n").as_bytes(), 12))
}

/// What shares its rate limit, and the base URL if it is not the vendor's.
fn endpoint(context: &Context) -> Result<(String, Option<String>), BuildError> {
    let named = [PROXY_VARIABLE, "ANTHROPIC_BASE_URL"].into_iter().find_map(|name| Some((name, context.var(name)?)));
    let Some((name, text)) = named else { return Ok(("anthropic".to_owned(), None)) };
    let url = base_url(name, text)?;
    Ok((host(&url), Some(bare(&url))))
}

/// Asks the program; it must not hang us before the run has begun.
fn version(program: &Path, environment: &[(OsString, OsString)]) -> Result<String, BuildError> {
    let failed = |why: String| BuildError::missing(msg!("exec-claude-version", why = why));
    let mut command = std::process::Command::new(program);
    command.arg("--version").env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let deadline = Instant::now() + VERSION_TIMEOUT;
    while child.try_wait().map_err(|error| failed(error.to_string()))?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(failed(format!("{} s", VERSION_TIMEOUT.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let word = text.split_whitespace().next().filter(|_| output.status.success());
    word.map(str::to_owned).ok_or_else(|| failed(output.status.to_string()))
}

impl Executor for Claude {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let result = self.run(call).await;
            result
                .map(|output| self.redact.for_answers().clean_value(output))
                .map_err(|error| self.redact.clean_value(error))
        })
    }
}

impl Claude {
    async fn run(&self, call: &Call) -> Result<Output, ExecError> {
        let system = match call.system.as_deref().filter(|system| !system.is_empty()) {
            Some(text) => Some(self.system_file(text)?),
            None => None,
        };
        let launch = Launch {
            program: &self.program,
            arguments: &self.arguments(call, system.as_ref().map(NamedTempFile::path)),
            environment: &self.environment,
            cwd: call.cwd.clone().unwrap_or_else(|| self.cwd.clone()),
            stdin: call.prompt.as_bytes(),
            timeout: call.timeout,
        };
        let (mut reader, mut printed) = (Reader::default(), 0);
        let ended = run(&launch, |bytes| {
            reader.push(bytes);
            printed += bytes.len();
            if printed > MAX_OUTPUT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .await;
        match ended {
            Ok(ended) => self.conclude(reader, &ended, &call.model),
            Err(stopped) => Err(self.stopped(stopped, reader, call.timeout)),
        }
    }

    fn arguments(&self, call: &Call, system: Option<&Path>) -> Vec<OsString> {
        let model = if call.model.is_empty() { TYPE.default_model } else { &call.model };
        let mut arguments: Vec<OsString> =
            ["-p", "--output-format", "stream-json", "--verbose", "--model", model].map(OsString::from).to_vec();
        let mut add = |flag: &str, value: &std::ffi::OsStr| arguments.extend([flag.into(), value.to_owned()]);
        if let Some(turns) = call.generation.max_turns {
            add("--max-turns", turns.to_string().as_ref());
        }
        if let Some(effort) = &call.effort {
            add("--effort", effort.as_ref());
        }
        if let Some(path) = system {
            add("--append-system-prompt-file", path.as_os_str());
        }
        if self.isolated {
            arguments.extend(ISOLATED.iter().map(OsString::from));
        }
        match call.allowed_tools.as_deref() {
            None => {}
            Some([]) => arguments.extend(["--tools", ""].map(OsString::from)),
            // Takes what follows up to the next flag: last.
            Some(tools) => arguments
                .extend(std::iter::once("--allowedTools").chain(tools.iter().map(String::as_str)).map(OsString::from)),
        }
        arguments
    }

    /// A file that only this user can read and that is gone after the call.
    fn system_file(&self, text: &str) -> Result<NamedTempFile, ExecError> {
        let written = tempfile::Builder::new().prefix("omk-system-").suffix(".md").tempfile_in(&self.temporary);
        let written = written.and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
        written.map_err(|error| {
            with_detail(
                Failure::Spawn,
                msg!("exec-claude-system-file", folder = self.temporary.display().to_string()),
                &error.to_string(),
            )
        })
    }

    fn conclude(&self, reader: Reader, ended: &Ended, model: &str) -> Result<Output, ExecError> {
        let killed = || format!("signal {}\n{}", signal(ended.status), ended.stderr);
        let stderr = if ended.status.code().is_none() { killed() } else { ended.stderr.clone() };
        let mut output = reader.finish(&Exit { code: ended.status.code(), stderr: &stderr })?;
        output.latency_ms = u64::try_from(ended.latency.as_millis()).ok();
        let answered_by = output.model.clone().unwrap_or_else(|| model.to_owned());
        output.cost = output.cost.or_else(|| self.prices.cost(&answered_by, output.usage.as_ref()?));
        Ok(output)
    }

    fn stopped(&self, stopped: Stopped, reader: Reader, timeout: Duration) -> ExecError {
        let error = match stopped {
            Stopped::Spawn(error) => with_detail(
                Failure::Spawn,
                msg!("exec-spawn", program = self.program.display().to_string()),
                &error.to_string(),
            ),
            Stopped::Timeout { stderr } => {
                with_detail(Failure::Timeout, msg!("exec-claude-timeout", seconds = timeout.as_secs_f64()), &stderr)
            }
            Stopped::Refused => {
                ExecError::new(Failure::Malformed, msg!("exec-command-too-long", mib = MAX_OUTPUT >> 20))
            }
            Stopped::Wait(error) => with_detail(Failure::Crashed, msg!("exec-wait"), &error.to_string()),
        };
        ExecError { partial: reader.partial(), ..error }
    }
}
