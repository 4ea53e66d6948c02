//! A skill that is a program which stays: one request a line, one answer a line, one after the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_spec::call::Identity;
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Message, Output, msg};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Host;
use super::launch::{Process, Program, launch};
use super::rpc::{self, Answer, Found};
use super::subprocess::{MAX_OUTPUT, crowded, ended, not_started};
use super::told::Teller;
use crate::process::Tail;

/// How long the end of a program that has closed its output, and its last words, are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

struct Lines {
    program: Program,
    host: Arc<Host>,
    teller: Teller,
    /// One for each worker that may be.
    places: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

/// Builds the executor of a program that stays; with as many processes as the skill allows.
pub(super) fn build(skill: &CallableSkill, program: Program, host: &Arc<Host>, context: &Context) -> Arc<dyn Executor> {
    let workers = skill.config.workers.unwrap_or(1).max(1);
    let teller = Teller::new(skill, context, &program.line(), None);
    let places = Semaphore::new(usize::try_from(workers).unwrap_or(1).min(Semaphore::MAX_PERMITS));
    Arc::new(Lines { program, host: Arc::clone(host), teller, places, idle: Mutex::default() })
}

impl Executor for Lines {
    fn identity(&self) -> &Identity {
        &self.teller.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            // Never closed. To wait here is to queue.
            let _place = self.places.acquire().await;
            let mut limit = call.timeout;
            if let Some(worker) = self.an_idle_one() {
                let begun = Instant::now();
                match self.ask(worker, call, Turn { is_new: false, limit }).await {
                    Asked::Result(result) => return *result,
                    // Once: a new one that ends without an answer ended on this request.
                    Asked::NotThere => limit = limit.saturating_sub(begun.elapsed()),
                }
            }
            let worker = Worker::start(&self.host, &self.program).await;
            let worker = worker.map_err(|error| self.teller.clean(not_started(&self.program, &error)))?;
            match self.ask(worker, call, Turn { is_new: true, limit }).await {
                Asked::Result(result) => *result,
                Asked::NotThere => Err(self.teller.not_called(Failure::Crashed, msg!("skills-exec-no-answer"), "")),
            }
        })
    }
}

impl Lines {
    fn an_idle_one(&self) -> Option<Worker> {
        loop {
            let mut worker = lock(&self.idle).pop()?;
            if worker.is_alive() {
                return Some(worker);
            }
        }
    }

    /// Asks, and keeps the worker unless something went wrong: then it is killed.
    async fn ask(&self, mut worker: Worker, call: &Call, Turn { is_new, limit }: Turn) -> Asked {
        worker.last_id += 1;
        let id = worker.last_id;
        let request = rpc::request(id, &call.prompt);
        *lock(&worker.stderr) = Tail::default();
        let begun = Instant::now();
        let heard = tokio::time::timeout_at(begun + limit, worker.exchange(&request, id)).await;
        let latency = begun.elapsed();
        if let Ok(Heard::Ended { taken }) = heard {
            worker.last_words().await;
            // It ended after its last answer, or was there for one only. One that crashed may have done so on this.
            if !is_new && (!taken || worker.ended_well()) {
                return Asked::NotThere;
            }
        }
        let run = worker.process.run(lock(&worker.stderr).text(), is_new);
        let (failure, message) = match heard {
            Ok(Heard::Answer(Answer::Result { json, tokens })) => {
                let output = self.teller.answer(json, latency, SkillRun { tokens, ..run });
                lock(&self.idle).push(worker);
                return Asked::Result(Box::new(Ok(output)));
            }
            Ok(Heard::Answer(Answer::Error { message })) => {
                let error = self.teller.said_error(&message, "", (latency, run));
                lock(&self.idle).push(worker);
                return Asked::Result(Box::new(Err(error)));
            }
            Ok(Heard::OtherId(other)) => {
                (Failure::Skill, msg!("skills-exec-other-id", id = other.to_string(), expected = id))
            }
            Ok(Heard::NotUtf8) => (Failure::Skill, msg!("skills-exec-not-utf8")),
            Ok(Heard::TooMuch) => (Failure::Skill, msg!("skills-exec-too-long", mib = MAX_OUTPUT >> 20)),
            Ok(Heard::Ended { .. }) => worker.ended(),
            Err(_) => (Failure::Timeout, msg!("skills-exec-timeout", seconds = call.timeout.as_secs_f64())),
        };
        let stderr = run.stderr.clone();
        let error = self.teller.failed(failure, message, &stderr, &worker.printed(), (latency, run));
        Asked::Result(Box::new(Err(error)))
    }
}

/// How a worker is asked.
struct Turn {
    /// Whether it was started for this request.
    is_new: bool,
    limit: Duration,
}

/// What came of asking a worker.
enum Asked {
    Result(Box<Result<Output, ExecError>>),
    /// It was gone when it was asked.
    NotThere,
}

/// What came from a worker.
enum Heard {
    Answer(Answer),
    OtherId(Value),
    NotUtf8,
    TooMuch,
    /// It closed its output. `taken`: after something of the request had gone into its input, whether it was read or
    /// not.
    Ended {
        taken: bool,
    },
}

/// One process.
struct Worker {
    process: Process,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What was read and is not yet a line.
    rest: Vec<u8>,
    stderr: Arc<Mutex<Tail>>,
    reader: JoinHandle<()>,
    last_id: u64,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Worker {
    async fn start(host: &Arc<Host>, program: &Program) -> std::io::Result<Worker> {
        let mut process = launch(host, program).await?;
        let (stdin, stdout, stderr) = process.pipes()?;
        let tail = Arc::new(Mutex::new(Tail::default()));
        let reader = tokio::spawn(read_all(stderr, Arc::clone(&tail)));
        Ok(Worker { process, stdin, stdout, rest: Vec::new(), stderr: tail, reader, last_id: 0 })
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.process.started.child.try_wait(), Ok(None)) && crowded(&self.process).is_none()
    }

    /// Sends a request while reading, until its answer is there.
    async fn exchange(&mut self, request: &str, id: u64) -> Heard {
        let Worker { stdin, stdout, rest, .. } = self;
        let taken = AtomicBool::new(false);
        let feed = async {
            let mut left = request.as_bytes();
            while let Ok(written @ 1..) = stdin.write(left).await {
                taken.store(true, Ordering::Relaxed);
                left = &left[written..];
            }
            let _ = stdin.flush().await;
        };
        tokio::pin!(feed);
        let (mut fed, mut heard) = (false, 0);
        let (mut searched, mut buffer) = (0, vec![0; 16 << 10]);
        loop {
            tokio::select! {
                () = &mut feed, if !fed => fed = true,
                read = stdout.read(&mut buffer) => {
                    let read = read.unwrap_or(0);
                    if read == 0 {
                        return Heard::Ended { taken: taken.load(Ordering::Relaxed) };
                    }
                    heard += read;
                    rest.extend_from_slice(&buffer[..read]);
                    if let Some(answer) = in_lines(rest, searched, id) {
                        return answer;
                    }
                    searched = rest.len();
                    if heard > MAX_OUTPUT {
                        return Heard::TooMuch;
                    }
                }
            }
        }
    }

    /// Waits a moment for its end and for what it said last.
    async fn last_words(&mut self) {
        let words = async {
            let _ = self.process.started.child.wait().await;
            let _ = (&mut self.reader).await;
        };
        let _ = tokio::time::timeout(LAST_WORDS, words).await;
    }

    fn ended_well(&mut self) -> bool {
        crowded(&self.process).is_none()
            && matches!(self.process.started.child.try_wait(), Ok(Some(status)) if status.success())
    }

    fn ended(&mut self) -> (Failure, Message) {
        if let Some(crowded) = crowded(&self.process) {
            return crowded;
        }
        match self.process.started.child.try_wait() {
            Ok(Some(status)) => ended(status),
            Ok(None) | Err(_) => (Failure::Skill, msg!("skills-exec-closed")),
        }
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&self.rest[..self.rest.len().min(8 << 10)]).into_owned()
    }
}

/// Takes whole lines out of `rest` until one is the answer to request `id`, or to one that was never made. No line ends
/// before `searched`.
fn in_lines(rest: &mut Vec<u8>, searched: usize, id: u64) -> Option<Heard> {
    let (mut begin, mut from) = (0, searched);
    let mut heard = None;
    while let Some(length) = rest[from..].iter().position(|&byte| byte == b'\n') {
        let line = &rest[begin..from + length];
        begin = from + length + 1;
        from = begin;
        heard = match rpc::find_bytes(line, id) {
            Found::Answer(answer) => Some(Heard::Answer(answer)),
            // Said twice: that was answered before.
            Found::OtherId(other) if other.as_u64().is_some_and(|other| other < id) => None,
            Found::OtherId(other) => Some(Heard::OtherId(other)),
            Found::NotUtf8 => Some(Heard::NotUtf8),
            Found::Nothing => None,
        };
        if heard.is_some() {
            break;
        }
    }
    rest.drain(..begin);
    heard
}

async fn read_all(mut stderr: ChildStderr, tail: Arc<Mutex<Tail>>) {
    let mut buffer = vec![0; 4 << 10];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        lock(&tail).push(&buffer[..read]);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
