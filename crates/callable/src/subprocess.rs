//! A skill that is a program: one process per call.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use eval_exec::signal;
use eval_message::{Message, msg};
use eval_process::{OutputFlow, ProcessError, ProcessState, communicate};
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, CallPrice, Context, ExecError, Executor, Failure, Identity, Output};
use tokio::time::Instant;

use super::SkillHost;
use super::launch::{SkillProcess, SkillProgram, launch};
use super::outcome::{OutcomeBuilder, likely_cause};
use super::rpc::{self, MalformedAnswer, RpcAnswer, RpcMatch};

/// The longest output for one answer, in bytes.
pub(super) const MAX_OUTPUT: usize = 8 << 20;

/// The id of the only request.
const ID: u64 = 1;

struct OneShot {
    program: SkillProgram,
    host: Arc<SkillHost>,
    outcomes: OutcomeBuilder,
}

/// Builds the executor of a program that answers once.
pub(super) fn build(
    skill: &CallableSkill,
    program: SkillProgram,
    host: &Arc<SkillHost>,
    context: &Context,
) -> Arc<dyn Executor> {
    let outcomes = OutcomeBuilder::new(skill, context, &program.line(), &[]).below(host.scratch());
    Arc::new(OneShot { program, host: Arc::clone(host), outcomes })
}

impl Executor for OneShot {
    fn identity(&self) -> &Identity {
        &self.outcomes.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let request = rpc::request(ID, &call.prompt);
            let mut process = launch(&self.host, &self.program)
                .await
                .map_err(|error| self.outcomes.clean(not_started(&self.program, &error)))?;
            // The time before it reads, such as an interpreter's start, is part of the latency.
            let begun = process.running_since();
            let mut output = OutputBuffer::new();
            let mut state = ProcessState::default();
            let exchanged = {
                let mut read = |bytes: &[u8]| output.push(bytes);
                let exchange = communicate(&mut process.supervised.child, request.as_bytes(), &mut read, &mut state);
                tokio::time::timeout_at(begun + call.timeout, exchange).await
            };
            let stopped = match exchanged {
                Ok(Ok(())) => None,
                Ok(Err(stopped)) => Some(stopped),
                Err(_) => Some(ProcessError::Timeout { stderr: String::new() }),
            };
            self.conclude(output, &state, stopped, &process, begun, call.timeout)
        })
    }
}

impl OneShot {
    fn conclude(
        &self,
        output: OutputBuffer,
        state: &ProcessState,
        stopped: Option<ProcessError>,
        process: &SkillProcess,
        begun: Instant,
        timeout: Duration,
    ) -> Result<Output, ExecError> {
        let run = process.run(state.stderr.text(), true);
        let ended = state.exit.map_or_else(Instant::now, |(_, at)| at);
        let (found, at, text) = output.matched(ended);
        let record = (at - begun, run);
        match found {
            RpcMatch::Answer(RpcAnswer::Result { json, tokens })
            | RpcMatch::Likely(RpcAnswer::Result { json, tokens }) => {
                let (latency, run) = record;
                Ok(self.outcomes.answer(json, latency, SkillRun { tokens, ..run }))
            }
            RpcMatch::Answer(RpcAnswer::Error { message }) | RpcMatch::Likely(RpcAnswer::Error { message }) => {
                Err(self.outcomes.reported_error(&message, &text, record))
            }
            RpcMatch::OtherId(_) | RpcMatch::Malformed(_) | RpcMatch::NotUtf8 | RpcMatch::Nothing => {
                let (failure, message) =
                    unanswered(found, state.exit.map(|(status, _)| status), stopped, process, timeout);
                let words = likely_cause(&record.1.stderr).to_owned();
                Err(self.outcomes.failed(failure, message, &words, &text, record))
            }
        }
    }
}

/// A program that could not be started. If its file is the cause, the skill has failed.
pub(super) fn not_started(program: &SkillProgram, error: &std::io::Error) -> ExecError {
    use std::io::ErrorKind::{InvalidInput, NotADirectory, NotFound, PermissionDenied};
    /// `ENOEXEC` has no kind of its own.
    const NOT_A_PROGRAM: i32 = 8;
    let own = matches!(error.kind(), NotFound | PermissionDenied | NotADirectory | InvalidInput)
        || error.raw_os_error() == Some(NOT_A_PROGRAM);
    let failure = if own { Failure::Crashed } else { Failure::Spawn };
    let message = msg!("skills-exec-spawn", program = program.program.display().to_string());
    ExecError { detail: Some(error.to_string()), ..ExecError::new(failure, message) }
}

/// Why there is no answer.
fn unanswered(
    found: RpcMatch,
    status: Option<ExitStatus>,
    stopped: Option<ProcessError>,
    process: &SkillProcess,
    timeout: Duration,
) -> (Failure, Message) {
    if let Some(over_limit) = process.over_limit() {
        return over_limit;
    }
    match (stopped, found, status) {
        (
            Some(ProcessError::Timeout { .. }) | None,
            RpcMatch::Malformed(MalformedAnswer { why, is_cut: false }),
            None,
        ) => (Failure::Skill, msg!("skills-exec-unreadable", why = why)),
        (Some(ProcessError::Timeout { .. }), RpcMatch::OtherId(id), None) => {
            let (seconds, id) = (timeout.as_secs_f64(), id.to_string());
            (Failure::Timeout, msg!("skills-exec-timeout-other-id", seconds = seconds, id = id, expected = ID))
        }
        (Some(ProcessError::Timeout { .. }), _, None) => {
            (Failure::Timeout, msg!("skills-exec-timeout", seconds = timeout.as_secs_f64()))
        }
        (Some(ProcessError::OutputTooLong), ..) => {
            (Failure::Skill, msg!("skills-exec-too-long", mib = MAX_OUTPUT >> 20))
        }
        (Some(ProcessError::Spawn(error) | ProcessError::Wait(error)), ..) => {
            (Failure::Spawn, msg!("skills-exec-wait", why = error.to_string()))
        }
        (_, RpcMatch::NotUtf8, _) => (Failure::Skill, msg!("skills-exec-not-utf8")),
        (_, RpcMatch::OtherId(id), _) => {
            (Failure::Skill, msg!("skills-exec-other-id", id = id.to_string(), expected = ID))
        }
        (_, RpcMatch::Malformed(MalformedAnswer { why, .. }), Some(status)) if status.success() => {
            (Failure::Skill, msg!("skills-exec-unreadable", why = why))
        }
        (_, _, Some(status)) => ended(status),
        (_, _, None) => (Failure::Skill, msg!("skills-exec-no-answer")),
    }
}

/// A program that ended without an answer.
pub(super) fn ended(status: ExitStatus) -> (Failure, Message) {
    if status.success() {
        return (Failure::Skill, msg!("skills-exec-no-answer"));
    }
    let message = match (status.code(), signal(status).as_str()) {
        (Some(code), _) => msg!("skills-exec-exit", code = code),
        (None, "24") => msg!("skills-exec-cpu-time"),
        (None, "25") => msg!("skills-exec-file-size"),
        (None, signal) => msg!("skills-exec-signal", signal = signal),
    };
    (Failure::Crashed, message)
}

/// The output of a program, and the answer in it as soon as it is complete.
struct OutputBuffer {
    bytes: Vec<u8>,
    answer: Option<(RpcAnswer, Instant)>,
    /// When the first likely answer was complete.
    likely: Option<Instant>,
    /// How many bytes are still searched before the program has ended.
    budget: usize,
}

impl OutputBuffer {
    fn new() -> OutputBuffer {
        OutputBuffer { bytes: Vec::new(), answer: None, likely: None, budget: 4 * MAX_OUTPUT }
    }

    fn push(&mut self, bytes: &[u8]) -> OutputFlow {
        if self.answer.is_some() {
            return OutputFlow::Complete;
        }
        if self.bytes.len() + bytes.len() > MAX_OUTPUT {
            return OutputFlow::TooLong;
        }
        self.bytes.extend_from_slice(bytes);
        if !bytes.contains(&b'}') || self.bytes.len() > self.budget {
            return OutputFlow::Incomplete;
        }
        self.budget -= self.bytes.len();
        match self.find() {
            RpcMatch::Answer(answer) => {
                self.answer = Some((answer, Instant::now()));
                OutputFlow::Complete
            }
            RpcMatch::Likely(_) => {
                self.likely.get_or_insert_with(Instant::now);
                OutputFlow::Incomplete
            }
            RpcMatch::OtherId(_) | RpcMatch::Malformed(_) | RpcMatch::NotUtf8 | RpcMatch::Nothing => {
                OutputFlow::Incomplete
            }
        }
    }

    fn find(&self) -> RpcMatch {
        rpc::find_bytes(&self.bytes, ID)
    }

    /// The best match in it, since when, and the beginning of the output for errors.
    fn matched(self, ended: Instant) -> (RpcMatch, Instant, String) {
        let text = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(8 << 10)]).into_owned();
        match self.answer {
            Some((answer, at)) => (RpcMatch::Answer(answer), at, text),
            None => match self.find() {
                likely @ RpcMatch::Likely(_) => (likely, self.likely.unwrap_or(ended), text),
                found => (found, ended, text),
            },
        }
    }
}
