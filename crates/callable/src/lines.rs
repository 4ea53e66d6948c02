//! A skill that is a program which stays: one request a line, one answer a line, one after the other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_process::Tail;
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Output};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Host;
use super::launch::{Process, Program, launch};
use super::rpc::{self, Answer, Found, Unreadable};
use super::subprocess::{MAX_OUTPUT, crowded, ended, not_started};
use super::told::{Teller, telling};
use super::unread::{LOOK, Unread};

/// How long the end of a program that has closed its output, and its last words, are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How long the answer is waited for after a line that may be meant as one.
const LIKELY: Duration = Duration::from_millis(250);

/// How long a new program may take to start, besides the time for its answer: less than what the engine grants beyond
/// the limit.
const START: Duration = Duration::from_secs(4);

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
            // Never closed. The engine holds further calls back before their time begins (`at_once`); for whoever doesn't,
            // there are never more processes all the same.
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
        worker.pass_over().await;
        let begun = Instant::now();
        worker.talk = Talk::begin(begun);
        let heard = worker.exchange(&request, id, limit).await;
        let ended = Instant::now();
        if let Heard::Ended { taken } = heard {
            worker.last_words().await;
            // It ended after its last answer, or was there for one only. One that crashed may have done so on this.
            if !is_new && (!taken || worker.ended_well()) {
                return Asked::NotThere;
            }
        }
        worker.said.is_read().await;
        let ready = worker.ready(begun);
        let start = is_new.then(|| worker.process.started.start + (ready - begun));
        let run = worker.process.run(lock(&worker.stderr).text(), is_new).started_in(start);
        let since = |at: Instant| at.saturating_duration_since(ready);
        let (failure, message) = match heard {
            Heard::Answer(Answer::Result { json, tokens }, at) => {
                let output = self.teller.answer(json, since(at), SkillRun { tokens, ..run });
                lock(&self.idle).push(worker);
                return Asked::Result(Box::new(Ok(output)));
            }
            Heard::Answer(Answer::Error { message }, at) => {
                let error = self.teller.said_error(&message, "", (since(at), run));
                lock(&self.idle).push(worker);
                return Asked::Result(Box::new(Err(error)));
            }
            Heard::OtherId(other) => {
                (Failure::Skill, msg!("skills-exec-other-id", id = other.to_string(), expected = id))
            }
            Heard::NotUtf8 => (Failure::Skill, msg!("skills-exec-not-utf8")),
            Heard::Unreadable(why) => (Failure::Skill, msg!("skills-exec-unreadable", why = why)),
            Heard::NotOneLine => (Failure::Skill, msg!("skills-exec-not-one-line")),
            Heard::TooMuch => (Failure::Skill, msg!("skills-exec-too-long", mib = MAX_OUTPUT >> 20)),
            Heard::Ended { .. } => worker.ended(id),
            Heard::Late => worker.late(id, call.timeout),
        };
        let latency = since(ended);
        let printed = worker.printed();
        // What it printed instead says more than nothing.
        let words = [telling(&run.stderr), telling(&printed)].into_iter().find(|words| !words.is_empty());
        let words = words.unwrap_or_default().to_owned();
        let error = self.teller.failed(failure, message, &words, &printed, (latency, run));
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
    /// And when.
    Answer(Answer, Instant),
    OtherId(Value),
    NotUtf8,
    Unreadable(String),
    NotOneLine,
    TooMuch,
    /// Nothing in time.
    Late,
    /// It closed its output. `taken`: after something of the request had gone into its input, whether it was read or
    /// not.
    Ended {
        taken: bool,
    },
}

/// What was heard of one request that is no answer to it.
struct Talk {
    /// The last moment when a new program had not yet read the request: until then it was starting.
    ready: Instant,
    /// How much of the request is in its input.
    sent: u64,
    /// Whole lines.
    said: Vec<u8>,
    /// How much is still searched for an answer that goes over several lines.
    budget: usize,
    /// How many answers were to earlier requests, and the id of the last of them.
    stale: (usize, Value),
    /// What may be meant as the answer, and when it came.
    likely: Option<(Answer, Instant)>,
}

/// One process.
struct Worker {
    process: Process,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What was read and is not yet a line.
    rest: Vec<u8>,
    talk: Talk,
    /// Until it has read something.
    unread: Option<Unread>,
    /// Whether it was asked and has read nothing.
    never_read: bool,
    stderr: Arc<Mutex<Tail>>,
    /// Standard error.
    said: Unread,
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
        let said = Unread::of(&stderr)?;
        let reader = tokio::spawn(read_all(stderr, Arc::clone(&tail)));
        let (unread, talk) = (Some(Unread::of(&stdin)?), Talk::begin(Instant::now()));
        Ok(Worker {
            process,
            stdin,
            stdout,
            rest: Vec::new(),
            talk,
            unread,
            never_read: false,
            stderr: tail,
            said,
            reader,
            last_id: 0,
        })
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.process.started.child.try_wait(), Ok(None)) && crowded(&self.process).is_none()
    }

    /// Passes over what it has said since its last answer: that answers nothing that is still to be asked.
    async fn pass_over(&mut self) {
        const PIECES: usize = 64;
        let mut buffer = vec![0; 16 << 10];
        for _ in 0..PIECES {
            let read = tokio::select! {
                biased;
                read = self.stdout.read(&mut buffer) => read.unwrap_or(0),
                () = std::future::ready(()) => 0,
            };
            if read == 0 {
                break;
            }
            self.rest.extend_from_slice(&buffer[..read]);
        }
        let lines = self.rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.rest.drain(..lines);
    }

    /// Sends a request while reading, until its answer is there.
    ///
    /// The limit is for the answer: what a new program takes to start comes on top, up to [`START`].
    async fn exchange(&mut self, request: &str, id: u64, limit: Duration) -> Heard {
        let begun = self.talk.ready;
        let Worker { stdin, stdout, rest, talk, unread, .. } = self;
        let written = AtomicU64::new(0);
        let feed = async {
            let mut left = request.as_bytes();
            while let Ok(taken @ 1..) = stdin.write(left).await {
                written.fetch_add(taken as u64, Ordering::Relaxed);
                left = &left[taken..];
            }
            let _ = stdin.flush().await;
        };
        tokio::pin!(feed);
        let (mut fed, mut heard) = (false, 0);
        let (mut searched, mut buffer) = (0, vec![0; 16 << 10]);
        loop {
            talk.sent = written.load(Ordering::Relaxed);
            if unread.take_if(|pipe| talk.sent > 0 && pipe.bytes() < talk.sent).is_none() && unread.is_some() {
                talk.ready = Instant::now();
            }
            let deadline = talk.ready.min(begun + START) + limit;
            let patience = talk.likely.as_ref().map_or_else(Instant::now, |(_, at)| *at + LIKELY);
            tokio::select! {
                () = &mut feed, if !fed => fed = true,
                () = tokio::time::sleep(LOOK), if unread.is_some() => {}
                () = tokio::time::sleep_until(deadline) => {
                    return talk.likely.take().map_or(Heard::Late, |(answer, at)| Heard::Answer(answer, at));
                }
                () = tokio::time::sleep_until(patience), if talk.likely.is_some() => {
                    if let Some((answer, at)) = talk.likely.take() {
                        return Heard::Answer(answer, at);
                    }
                }
                read = stdout.read(&mut buffer) => {
                    let read = read.unwrap_or(0);
                    heard += read;
                    match read {
                        // A last line need not be ended.
                        0 if !rest.is_empty() => rest.push(b'\n'),
                        _ => rest.extend_from_slice(&buffer[..read]),
                    }
                    if let Some(answer) = in_lines(rest, searched, id, talk) {
                        return answer;
                    }
                    if read == 0 {
                        let taken = talk.sent > 0;
                        return talk.likely.take().map_or(Heard::Ended { taken }, |(answer, at)| Heard::Answer(answer, at));
                    }
                    searched = rest.len();
                    if heard > MAX_OUTPUT {
                        return Heard::TooMuch;
                    }
                }
            }
        }
    }

    /// When it had started. One that never read the request was not ready for it: then its time is latency.
    fn ready(&mut self, begun: Instant) -> Instant {
        let sent = self.talk.sent;
        self.never_read = self.unread.take().is_some_and(|pipe| sent == 0 || pipe.bytes() >= sent);
        if self.never_read { begun } else { self.talk.ready }
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

    /// Why there is no answer, though it has ended.
    fn ended(&mut self, id: u64) -> (Failure, Message) {
        if let Some(crowded) = crowded(&self.process) {
            return crowded;
        }
        let status = self.process.started.child.try_wait();
        match (status, &self.talk.stale) {
            (Ok(Some(status)), _) if !status.success() => ended(status),
            _ if self.is_spread(id) => (Failure::Skill, msg!("skills-exec-not-one-line")),
            (_, (1.., other)) => (Failure::Skill, msg!("skills-exec-other-id", id = other.to_string(), expected = id)),
            (Ok(Some(status)), _) => ended(status),
            (Ok(None) | Err(_), _) => (Failure::Skill, msg!("skills-exec-closed")),
        }
    }

    /// Why there is no answer, though it had its time.
    fn late(&mut self, id: u64, limit: Duration) -> (Failure, Message) {
        let seconds = limit.as_secs_f64();
        match &self.talk.stale {
            _ if self.never_read => {
                let seconds = (limit + START).as_secs_f64();
                (Failure::Timeout, msg!("skills-exec-timeout-start", seconds = seconds))
            }
            _ if self.is_spread(id) => (Failure::Skill, msg!("skills-exec-not-one-line")),
            (1.., other) => {
                let other = other.to_string();
                (Failure::Timeout, msg!("skills-exec-timeout-other-id", seconds = seconds, id = other, expected = id))
            }
            _ => (Failure::Timeout, msg!("skills-exec-timeout", seconds = seconds)),
        }
    }

    /// Whether its answer is there, but not on a line.
    fn is_spread(&self, id: u64) -> bool {
        matches!(rpc::find_bytes(&[&*self.talk.said, &self.rest].concat(), id), Found::Answer(_))
    }

    fn printed(&self) -> String {
        let printed = self.talk.said.iter().chain(&self.rest).take(8 << 10).copied().collect::<Vec<_>>();
        String::from_utf8_lossy(&printed).into_owned()
    }
}

impl Talk {
    fn begin(now: Instant) -> Talk {
        Talk { ready: now, sent: 0, said: Vec::new(), budget: 4 * MAX_OUTPUT, stale: (0, Value::Null), likely: None }
    }

    /// What a whole line is. One that is nothing by itself may end an answer that began some lines before.
    fn line(&mut self, line: &[u8], id: u64) -> Option<Heard> {
        let found = rpc::find_bytes(line, id);
        match found {
            Found::Answer(answer) => return Some(Heard::Answer(answer, Instant::now())),
            Found::Unreadable(Unreadable { is_cut: true, .. }) => return Some(Heard::NotOneLine),
            Found::Unreadable(Unreadable { why, .. }) => return Some(Heard::Unreadable(why)),
            Found::NotUtf8 => return Some(Heard::NotUtf8),
            // Said twice: that was answered before. Said of two: it counts otherwise than we do.
            Found::OtherId(other) if self.stale.0 == 0 && other.as_u64().is_some_and(|other| other < id) => {
                self.stale = (1, other);
            }
            Found::OtherId(other) => return Some(Heard::OtherId(other)),
            Found::Likely(answer) => {
                self.likely.get_or_insert((answer, Instant::now()));
            }
            Found::Nothing => {}
        }
        self.said.extend_from_slice(line);
        self.said.push(b'\n');
        if line.trim_ascii() != b"}" || self.said.len() > self.budget {
            return None;
        }
        self.budget -= self.said.len();
        match rpc::find_bytes(&self.said, id) {
            Found::Answer(_) => Some(Heard::NotOneLine),
            Found::Unreadable(Unreadable { why, is_cut: false }) => Some(Heard::Unreadable(why)),
            _ => None,
        }
    }
}

/// Takes whole lines out of `rest` until one says what came of request `id`. No line ends before `searched`.
fn in_lines(rest: &mut Vec<u8>, searched: usize, id: u64, talk: &mut Talk) -> Option<Heard> {
    let (mut begin, mut from) = (0, searched);
    let mut heard = None;
    while let Some(length) = rest[from..].iter().position(|&byte| byte == b'\n') {
        let line = &rest[begin..from + length];
        begin = from + length + 1;
        from = begin;
        heard = talk.line(line, id);
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
