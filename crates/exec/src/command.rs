//! Any command line as an executor.
//!
//! The program gets one JSON object on standard input: `model`, `system` and `prompt`, always texts
//! (`system` is empty for a baseline), and `temperature`, `maxTokens`, `maxTurns`, `effort` when they
//! were set. It answers on standard output: a JSON object with `output`, or plain text. JSON without
//! `output` is the answer itself, as text, unless it has other fields of a reply or nothing but `error`: that, and JSON that
//! begins as a reply and can't be read, is malformed. Besides `output` it
//! may give `inputTokens` and `outputTokens` (both, or the usage is unknown), `costUSD`, `turns` and `toolCalls`
//! (`{name, input, output?, status?, success?, isError?, exitCode?}`).
//!
//! It runs in the variant's working directory, and gets every environment variable but secrets; those
//! it needs are named in `OMK_PASS_ENV`.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use eval_message::{Message, msg};
use eval_process::programs::find;
use eval_process::{Launch, ProcessError, ProcessExit, run};
use eval_spec::call::{Cost, CostSource, Step, ToolCall, ToolOutput, ToolStatus, Trace, Usage};
use eval_spec::halves::read_mended;
use eval_spec::hash::short_hash;
use eval_spec::units::Usd;
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Outcome, Output};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::executor_type::{Build, BuildError};
use crate::executors::choices;
use crate::prices::Prices;
use crate::program_error::{process_error, signal, with_detail};
use crate::secrets::{Redact, environment, withheld};

/// The longest output, in bytes.
const MAX_OUTPUT: usize = 16 << 20;

/// The most one call can cost, in US dollars: a larger cost is a mistake of the program.
const MAX_USD: f64 = 1e6;

/// The largest file of a command line that is hashed for the identity, in bytes.
const MAX_HASHED: u64 = 4 << 20;

struct CommandExecutor {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    withheld: Vec<String>,
    cwd: PathBuf,
    identity: Identity,
    redact: Redact,
    prices: Arc<Prices>,
}

/// Builds the executor of a command line.
pub(crate) fn build(line: &str, b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    let words = split(line)?;
    let Some((name, arguments)) = words.split_first() else {
        return Err(BuildError::Unknown { message: msg!("exec-empty"), help: choices(b.context) });
    };
    let program = find(name, b.context).ok_or_else(|| unknown(name, arguments, b.context))?;
    let redact = Redact::new(b.context);
    let details = format!("{}{}", redact.clean(line.trim()), files_of(&program, &words, b.context));
    let identity = Identity {
        executor: "command".to_owned(),
        version: None,
        provider: format!("command {name}"),
        base_url: None,
        details: Some(details),
        program: None,
        sandbox: None,
    };
    Ok(Arc::new(CommandExecutor {
        program,
        arguments: arguments.iter().map(OsString::from).collect(),
        environment: environment(b.context, |_| false),
        withheld: withheld(b.context),
        cwd: b.context.cwd.clone(),
        identity,
        redact,
        prices: b.prices.clone(),
    }))
}

fn split(line: &str) -> Result<Vec<String>, BuildError> {
    shlex::split(line).ok_or_else(|| BuildError::Command {
        message: msg!("exec-command-quotes", line = line),
        help: vec![msg!("exec-command-help")],
    })
}

fn unknown(name: &str, arguments: &[String], context: &Context) -> BuildError {
    if arguments.is_empty() && !name.contains('/') {
        return BuildError::Unknown { message: msg!("exec-unknown", name = name), help: choices(context) };
    }
    let message = match name.contains('/') {
        true => msg!("exec-no-program-file", name = name),
        false => msg!("exec-no-program", name = name),
    };
    BuildError::Command { message, help: vec![msg!("exec-command-help")] }
}

/// A short hash of each file of the command line, or the size of a large one, so that an edited script is not answered from
/// the cache.
fn files_of(program: &Path, words: &[String], context: &Context) -> String {
    let arguments = words.iter().skip(1).map(|word| (word.as_str(), context.absolute(Path::new(word))));
    let files = std::iter::once((words.first().map_or("", String::as_str), program.to_owned())).chain(arguments);
    files.filter_map(|(word, path)| Some(format!(" [{word} {}]", content_of(&path)?))).collect()
}

fn content_of(path: &Path) -> Option<String> {
    let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    if length > MAX_HASHED {
        return Some(format!("{length} bytes"));
    }
    Some(short_hash(&std::fs::read(path).ok()?, 12))
}

impl Executor for CommandExecutor {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let stdin = question(call).to_string();
            let launch = Launch {
                program: &self.program,
                arguments: &self.arguments,
                environment: &self.environment,
                cwd: call.cwd.clone().unwrap_or_else(|| self.cwd.clone()),
                stdin: stdin.as_bytes(),
                timeout: call.timeout,
            };
            let mut stdout = Vec::new();
            let ended = run(&launch, |bytes| {
                stdout.extend_from_slice(bytes);
                if stdout.len() > MAX_OUTPUT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .await;
            let result = match ended {
                Ok(exit) => self.answer(&stdout, &exit, &call.model),
                Err(error) => Err(self.stopped(error, &stdout, call.timeout)),
            };
            result
                .map(|output| self.redact.for_answers().clean_value(output))
                .map_err(|error| self.redact.for_errors().clean_value(error))
        })
    }
}

fn question(call: &Call) -> Value {
    let mut question = json!({
        "model": call.model,
        "system": call.system.as_deref().unwrap_or(""),
        "prompt": &*call.prompt,
    });
    let generation = &call.generation;
    let optional = [
        ("temperature", generation.temperature.map(|value| json!(value))),
        ("maxTokens", generation.max_tokens.map(|value| json!(value))),
        ("maxTurns", generation.max_turns.map(|value| json!(value))),
        ("effort", call.effort.as_ref().map(|value| json!(value))),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            question[name] = value;
        }
    }
    question
}

impl CommandExecutor {
    fn answer(&self, stdout: &[u8], exit: &ProcessExit, model: &str) -> Result<Output, ExecError> {
        let text = String::from_utf8_lossy(stdout);
        if !exit.status.success() {
            let partial = (!text.trim().is_empty()).then(|| Box::new(cut(&text)));
            return Err(ExecError { partial, ..self.crashed(exit.status, &exit.stderr) });
        }
        let mut output = parse(&text).map_err(|why| malformed(msg!("exec-command-malformed", why = why), &text))?;
        output.latency_ms = u64::try_from(exit.latency.as_millis()).ok();
        output.cost = output.cost.or_else(|| self.prices.cost(model, output.usage.as_ref()?));
        Ok(output)
    }

    fn crashed(&self, status: ExitStatus, stderr: &str) -> ExecError {
        // A program without its key usually names the variable.
        let missed = self.withheld.iter().find(|name| stderr.contains(name.as_str()));
        let message = match (missed, status.code()) {
            (Some(name), _) => msg!("exec-command-withheld", name = name),
            (None, Some(code)) => msg!("exec-command-exit", code = code),
            (None, None) => msg!("exec-command-signal", signal = signal(status)),
        };
        with_detail(Failure::Crashed, message, stderr)
    }

    fn stopped(&self, error: ProcessError, stdout: &[u8], timeout: Duration) -> ExecError {
        let text = String::from_utf8_lossy(stdout);
        let is_partial = matches!(error, ProcessError::Timeout { .. }) && !text.trim().is_empty();
        let late = msg!("exec-command-timeout", seconds = timeout.as_secs_f64());
        ExecError {
            partial: is_partial.then(|| Box::new(cut(&text))),
            ..process_error(error, &self.program, late, MAX_OUTPUT)
        }
    }
}

fn malformed(message: Message, text: &str) -> ExecError {
    with_detail(Failure::Malformed, message, &text.chars().take(500).collect::<String>())
}

/// The partial answer of a program that was stopped.
fn cut(text: &str) -> Output {
    Output { outcome: Outcome::Truncated, ..Output::text(text) }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CommandReply {
    output: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    #[serde(rename = "costUSD")]
    cost_usd: Option<f64>,
    turns: Option<u32>,
    tool_calls: Option<Vec<ReplyCall>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplyCall {
    name: String,
    #[serde(default)]
    input: Value,
    output: Option<Value>,
    // What programs wrote here before these fields had a meaning is passed over, and no reply is refused for it.
    #[serde(default)]
    status: Value,
    #[serde(default)]
    success: Value,
    #[serde(default)]
    is_error: Value,
    #[serde(default)]
    exit_code: Value,
}

impl ReplyCall {
    /// Returns how the call ended: by `status`, else by `success` or `isError`, else by `exitCode`.
    fn ended(&self) -> Option<ToolStatus> {
        let by_flag = self.success.as_bool().or(self.is_error.as_bool().map(|is_error| !is_error));
        let by_code = self.exit_code.as_i64().map(|code| code == 0);
        let by_flags = || by_flag.or(by_code).map(|is_ok| if is_ok { ToolStatus::Ok } else { ToolStatus::Failed });
        match self.status.as_str() {
            Some("ok" | "success" | "succeeded" | "completed") => Some(ToolStatus::Ok),
            Some("noMatch" | "no_match" | "no-match") => Some(ToolStatus::NoMatch),
            Some("failed" | "failure" | "error") => Some(ToolStatus::Failed),
            Some("notRun" | "not_run" | "not-run" | "cancelled" | "canceled" | "denied") => Some(ToolStatus::NotRun),
            _ => by_flags(),
        }
    }
}

fn parse(text: &str) -> Result<Output, String> {
    // as some programs begin their files
    let text = text.trim_start_matches('\u{feff}');
    let trimmed = text.trim();
    if !trimmed.starts_with('{') {
        return after_log(trimmed).unwrap_or_else(|| Ok(Output::text(without_line_end(text))));
    }
    match read_mended::<Value>(trimmed) {
        Ok(value) if value.get("output").is_some() => structured(value),
        Ok(value) if is_reply_without_output(&value) => Err(format!("`output` is missing; expected {SHAPE}")),
        // A reply that is cut off or nested too deep is not a plain text answer.
        Err(error) if is_reply(trimmed, &error) => Err(error.to_string()),
        _ => Ok(Output::text(without_line_end(text))),
    }
}

/// A reply that fills the last lines: what a program or one of its libraries printed before it is no answer.
fn after_log(text: &str) -> Option<Result<Output, String>> {
    const TRIED: usize = 20;
    let begins = text.match_indices('\n').filter(|(at, _)| text[at + 1..].starts_with('{')).map(|(at, _)| at + 1);
    let begins: Vec<usize> = begins.collect();
    begins.into_iter().rev().take(TRIED).find_map(|at| {
        let value = read_mended::<Value>(&text[at..]).ok()?;
        let is_known = |object: &Map<String, Value>| object.keys().all(|name| FIELDS.contains(&&**name));
        let is_reply = value.as_object().is_some_and(is_known) || is_reply_without_output(&value);
        match value.get("output") {
            Some(Value::String(_)) if is_reply => Some(structured(value)),
            None if is_reply_without_output(&value) => Some(Err(format!("`output` is missing; expected {SHAPE}"))),
            _ => None,
        }
    })
}

/// The fields of a reply.
const FIELDS: &[&str] = &["output", "inputTokens", "outputTokens", "costUSD", "turns", "toolCalls"];

/// What a reply looks like.
const SHAPE: &str = r#"{"output": "the answer", "inputTokens": 12, "outputTokens": 34, "costUSD": 0.001}"#;

/// Whether valid JSON without `output` is a reply and no answer: it has fields that only replies have, or an error is all
/// that it tells.
fn is_reply_without_output(value: &Value) -> bool {
    const ONLY_REPLIES: &[&str] = &["inputTokens", "outputTokens", "costUSD", "toolCalls"];
    let only_error = value.as_object().is_some_and(|object| object.len() == 1 && object.contains_key("error"));
    only_error || ONLY_REPLIES.iter().any(|name| value.get(name).is_some())
}

/// Whether a text that is not valid JSON was meant as a reply.
fn is_reply(text: &str, error: &serde_json::Error) -> bool {
    let inside = text[1..].trim_start();
    let begins = |name: &&str| {
        let rest = inside.strip_prefix('"').and_then(|rest| rest.strip_prefix(*name)?.strip_prefix('"'));
        rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    FIELDS.iter().any(begins) || (text.contains("\"output\"") && (error.is_eof() || is_too_deep(error)))
}

/// `serde_json` offers no other way to recognise it.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// Programs end their last line; that line feed is not part of the answer.
fn without_line_end(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

fn structured(value: Value) -> Result<Output, String> {
    let reply: CommandReply = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let mut output = Output::text(reply.output);
    if let (Some(input_tokens), Some(output_tokens)) = (reply.input_tokens, reply.output_tokens) {
        output.usage = Some(Usage { input_tokens, output_tokens, ..Usage::default() });
    }
    if let Some(usd) = reply.cost_usd {
        if !(0.0..=MAX_USD).contains(&usd) {
            return Err(format!("`costUSD` is {usd}"));
        }
        output.cost = Some(Cost { usd: Usd(usd), source: CostSource::Reported });
    }
    output.trace = Trace {
        turns: reply.turns,
        cwd: None,
        steps: reply.tool_calls.map_or_else(Vec::new, |calls| steps(calls, &output.text)),
    };
    Ok(output)
}

/// An empty list of tool calls differs from an absent one: the only step is the answer.
fn steps(calls: Vec<ReplyCall>, answer: &str) -> Vec<Step> {
    match calls.is_empty() {
        true => vec![Step::Text { text: answer.to_owned() }],
        false => calls.into_iter().enumerate().map(|(n, call)| Step::Tool(tool_call(n, call))).collect(),
    }
}

fn tool_call(n: usize, call: ReplyCall) -> ToolCall {
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let status = call.ended();
    let is_error = status == Some(ToolStatus::Failed);
    // A call that failed or has an exit code has ended: without a text its output is empty.
    let exit_code = call.exit_code.as_i64();
    let has_ended = is_error || exit_code.is_some();
    let text = call.output.map(text).or_else(|| has_ended.then(String::new));
    let output = text.map(|text| ToolOutput { text, is_error, note: None, exit_code });
    ToolCall { id: format!("call-{n}"), name: call.name, input: call.input, output, status, ..ToolCall::default() }
}
