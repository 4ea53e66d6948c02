//! A skill that is a program: one process for each call.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use eval_exec::command::signal;
use eval_message::{Message, msg};
use eval_process::{Heard, Seen, Stopped, attend};
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Output};
use tokio::time::Instant;

use super::Host;
use super::launch::{Process, Program, launch};
use super::rpc::{self, Answer, Found, Unreadable};
use super::told::{Teller, telling};

/// The most that a skill may print for one answer, in bytes.
pub(super) const MAX_OUTPUT: usize = 8 << 20;

/// The id of the only request.
const ID: u64 = 1;

struct OneShot {
    program: Program,
    host: Arc<Host>,
    teller: Teller,
}

/// Builds the executor of a program that answers once.
pub(super) fn build(skill: &CallableSkill, program: Program, host: &Arc<Host>, context: &Context) -> Arc<dyn Executor> {
    let teller = Teller::new(skill, context, &program.line(), None);
    Arc::new(OneShot { program, host: Arc::clone(host), teller })
}

impl Executor for OneShot {
    fn identity(&self) -> &Identity {
        &self.teller.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let request = rpc::request(ID, &call.prompt);
            let mut process = launch(&self.host, &self.program)
                .await
                .map_err(|error| self.teller.clean(not_started(&self.program, &error)))?;
            // The program runs: what it does before it reads, such as an interpreter's own start, is part of the latency.
            let begun = Instant::now();
            let mut heard = Printed::new();
            let mut seen = Seen::default();
            let attended = {
                let mut hear = |bytes: &[u8]| heard.push(bytes);
                let attending = attend(&mut process.started.child, request.as_bytes(), &mut hear, &mut seen);
                tokio::time::timeout_at(begun + call.timeout, attending).await
            };
            let stopped = match attended {
                Ok(Ok(())) => None,
                Ok(Err(stopped)) => Some(stopped),
                Err(_) => Some(Stopped::Timeout { stderr: String::new() }),
            };
            self.conclude(heard, &seen, stopped, &process, begun, call.timeout)
        })
    }
}

impl OneShot {
    fn conclude(
        &self,
        heard: Printed,
        seen: &Seen,
        stopped: Option<Stopped>,
        process: &Process,
        begun: Instant,
        timeout: Duration,
    ) -> Result<Output, ExecError> {
        let run = process.run(seen.stderr.text(), true);
        let ended = seen.ended.map_or_else(Instant::now, |(_, at)| at);
        let (found, at, text) = heard.found(ended);
        let told = (at - begun, run);
        match found {
            Found::Answer(Answer::Result { json, tokens }) | Found::Likely(Answer::Result { json, tokens }) => {
                let (latency, run) = told;
                Ok(self.teller.answer(json, latency, SkillRun { tokens, ..run }))
            }
            Found::Answer(Answer::Error { message }) | Found::Likely(Answer::Error { message }) => {
                Err(self.teller.said_error(&message, &text, told))
            }
            Found::OtherId(_) | Found::Unreadable(_) | Found::NotUtf8 | Found::Nothing => {
                let (failure, message) =
                    unanswered(found, seen.ended.map(|(status, _)| status), stopped, process, timeout);
                let words = telling(&told.1.stderr).to_owned();
                Err(self.teller.failed(failure, message, &words, &text, told))
            }
        }
    }
}

/// A program that could not be started. If its file is to blame, so is the skill.
pub(super) fn not_started(program: &Program, error: &std::io::Error) -> ExecError {
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
    found: Found,
    status: Option<ExitStatus>,
    stopped: Option<Stopped>,
    process: &Process,
    timeout: Duration,
) -> (Failure, Message) {
    if let Some(crowded) = crowded(process) {
        return crowded;
    }
    match (stopped, found, status) {
        (Some(Stopped::Timeout { .. }) | None, Found::Unreadable(Unreadable { why, is_cut: false }), None) => {
            (Failure::Skill, msg!("skills-exec-unreadable", why = why))
        }
        (Some(Stopped::Timeout { .. }), Found::OtherId(id), None) => {
            let (seconds, id) = (timeout.as_secs_f64(), id.to_string());
            (Failure::Timeout, msg!("skills-exec-timeout-other-id", seconds = seconds, id = id, expected = ID))
        }
        (Some(Stopped::Timeout { .. }), _, None) => {
            (Failure::Timeout, msg!("skills-exec-timeout", seconds = timeout.as_secs_f64()))
        }
        (Some(Stopped::Refused), ..) => (Failure::Skill, msg!("skills-exec-too-long", mib = MAX_OUTPUT >> 20)),
        (Some(Stopped::Spawn(error) | Stopped::Wait(error)), ..) => {
            (Failure::Spawn, msg!("skills-exec-wait", why = error.to_string()))
        }
        (_, Found::NotUtf8, _) => (Failure::Skill, msg!("skills-exec-not-utf8")),
        (_, Found::OtherId(id), _) => {
            (Failure::Skill, msg!("skills-exec-other-id", id = id.to_string(), expected = ID))
        }
        (_, Found::Unreadable(Unreadable { why, .. }), Some(status)) if status.success() => {
            (Failure::Skill, msg!("skills-exec-unreadable", why = why))
        }
        (_, _, Some(status)) => ended(status),
        (_, _, None) => (Failure::Skill, msg!("skills-exec-no-answer")),
    }
}

/// A program that was killed for having too many processes.
pub(super) fn crowded(process: &Process) -> Option<(Failure, Message)> {
    process
        .started
        .kept
        .was_crowded()
        .then(|| (Failure::Skill, msg!("skills-exec-crowded", processes = process.most())))
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

/// What a program has printed, and the answer in it as soon as it is there.
struct Printed {
    bytes: Vec<u8>,
    answer: Option<(Answer, Instant)>,
    /// When the first was there that is only likely to be it.
    likely: Option<Instant>,
    /// How much is still tried before the program has ended.
    budget: usize,
}

impl Printed {
    fn new() -> Printed {
        Printed { bytes: Vec::new(), answer: None, likely: None, budget: 4 * MAX_OUTPUT }
    }

    fn push(&mut self, bytes: &[u8]) -> Heard {
        if self.answer.is_some() {
            return Heard::Enough;
        }
        if self.bytes.len() + bytes.len() > MAX_OUTPUT {
            return Heard::TooMuch;
        }
        self.bytes.extend_from_slice(bytes);
        if !bytes.contains(&b'}') || self.bytes.len() > self.budget {
            return Heard::More;
        }
        self.budget -= self.bytes.len();
        match self.find() {
            Found::Answer(answer) => {
                self.answer = Some((answer, Instant::now()));
                Heard::Enough
            }
            Found::Likely(_) => {
                self.likely.get_or_insert_with(Instant::now);
                Heard::More
            }
            Found::OtherId(_) | Found::Unreadable(_) | Found::NotUtf8 | Found::Nothing => Heard::More,
        }
    }

    fn find(&self) -> Found {
        rpc::find_bytes(&self.bytes, ID)
    }

    /// What is in it, since when, and its beginning for errors.
    fn found(self, ended: Instant) -> (Found, Instant, String) {
        let text = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(8 << 10)]).into_owned();
        match self.answer {
            Some((answer, at)) => (Found::Answer(answer), at, text),
            None => match self.find() {
                likely @ Found::Likely(_) => (likely, self.likely.unwrap_or(ended), text),
                found => (found, ended, text),
            },
        }
    }
}
