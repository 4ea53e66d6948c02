//! A skill that is a persistent program: one request a line, one answer a line, one after the other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::{BoxFuture, Call, CallPrice, Context, ExecError, Executor, Failure, Identity, Output};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::SkillHost;
use super::buffered::{POLL, PipeBuffer, StderrReader, lock};
use super::launch::{SkillProcess, SkillProgram, launch};
use super::outcome::{OutcomeBuilder, likely_cause};
use super::rpc::{self, MalformedAnswer, RpcAnswer, RpcMatch};
use super::subprocess::{MAX_OUTPUT, ended, not_started};

/// How long a program that has closed its output may take to end and to write the rest of its standard error.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// How long the answer may take after a line that is likely one.
const LIKELY: Duration = Duration::from_millis(250);

/// How long a new program may take to start, on top of the time for its answer: less than the engine's grace beyond the
/// limit.
const START: Duration = Duration::from_secs(4);

struct LineSkill {
    program: SkillProgram,
    host: Arc<SkillHost>,
    outcomes: OutcomeBuilder,
    /// A permit per worker.
    places: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

/// Builds the executor of a persistent program, with as many processes as the skill allows.
pub(super) fn build(
    skill: &CallableSkill,
    program: SkillProgram,
    host: &Arc<SkillHost>,
    context: &Context,
) -> Arc<dyn Executor> {
    let workers = skill.config.workers.unwrap_or(1).max(1);
    let outcomes = OutcomeBuilder::new(skill, context, &program.line(), &[]).below(host.scratch());
    let places = Semaphore::new(usize::try_from(workers).unwrap_or(1).min(Semaphore::MAX_PERMITS));
    Arc::new(LineSkill { program, host: Arc::clone(host), outcomes, places, idle: Mutex::default() })
}

impl Executor for LineSkill {
    fn identity(&self) -> &Identity {
        &self.outcomes.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            // Never closed. The engine starts no more calls than `at_once`; for a caller that does, the number of
            // processes stays limited.
            let _place = self.places.acquire().await;
            let mut limit = call.timeout;
            if let Some(worker) = self.idle_worker() {
                let begun = Instant::now();
                match self.ask(worker, call, WorkerRequest { is_new: false, limit }).await {
                    WorkerOutcome::Result(result) => return *result,
                    // One retry: a new worker that ends without an answer ended on this request.
                    WorkerOutcome::Gone => limit = limit.saturating_sub(begun.elapsed()),
                }
            }
            let worker = Worker::start(&self.host, &self.program).await;
            let worker = worker.map_err(|error| self.outcomes.clean(not_started(&self.program, &error)))?;
            match self.ask(worker, call, WorkerRequest { is_new: true, limit }).await {
                WorkerOutcome::Result(result) => *result,
                WorkerOutcome::Gone => {
                    Err(self.outcomes.not_called(Failure::Crashed, msg!("skills-exec-no-answer"), ""))
                }
            }
        })
    }
}

/// How much larger the next id is, at least 2: an answer that was printed before its request can't know its id, and later
/// ids are larger. 65,536 steps fit into 32 bits.
fn unpredictable_step() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    2 + RandomState::new().hash_one(()) % (1 << 16)
}

impl LineSkill {
    fn idle_worker(&self) -> Option<Worker> {
        loop {
            let mut worker = lock(&self.idle).pop()?;
            if worker.is_alive() {
                return Some(worker);
            }
        }
    }

    /// Sends a request and returns the worker to the pool, or kills it after a failure.
    async fn ask(
        &self,
        mut worker: Worker,
        call: &Call,
        WorkerRequest { is_new, limit }: WorkerRequest,
    ) -> WorkerOutcome {
        worker.last_id += unpredictable_step();
        let id = worker.last_id;
        let request = rpc::request(id, &call.prompt);
        worker.stderr.clear();
        worker.discard_stale_output().await;
        let asked_at = Instant::now();
        let begun = if is_new { worker.process.running_since() } else { asked_at };
        worker.state = ExchangeState::begin(asked_at);
        let reply = worker.exchange(&request, id, limit).await;
        let ended = Instant::now();
        if let LineReply::Ended { taken } = reply {
            worker.exit_grace().await;
            // It ended after its last answer, or serves one request only. A crash may be due to this request.
            if !is_new && (!taken || worker.ended_well()) {
                return WorkerOutcome::Gone;
            }
        }
        worker.stderr.drained().await;
        let ready = worker.ready(begun);
        let start = is_new.then(|| worker.process.supervised.start + (ready - begun));
        let run = worker.process.run(worker.stderr.text(), is_new).started_in(start);
        let since = |at: Instant| at.saturating_duration_since(ready);
        let (failure, message) = match reply {
            LineReply::Answer(RpcAnswer::Result { json, tokens }, at) => {
                let output = self.outcomes.answer(json, since(at), SkillRun { tokens, ..run });
                lock(&self.idle).push(worker);
                return WorkerOutcome::Result(Box::new(Ok(output)));
            }
            LineReply::Answer(RpcAnswer::Error { message }, at) => {
                let error = self.outcomes.reported_error(&message, "", (since(at), run));
                lock(&self.idle).push(worker);
                return WorkerOutcome::Result(Box::new(Err(error)));
            }
            LineReply::OtherId(other) => {
                (Failure::Skill, msg!("skills-exec-other-id", id = other.to_string(), expected = id))
            }
            LineReply::NotUtf8 => (Failure::Skill, msg!("skills-exec-not-utf8")),
            LineReply::Malformed(why) => (Failure::Skill, msg!("skills-exec-unreadable", why = why)),
            LineReply::NotOneLine => (Failure::Skill, msg!("skills-exec-not-one-line")),
            LineReply::TooMuch => (Failure::Skill, msg!("skills-exec-too-long", mib = MAX_OUTPUT >> 20)),
            LineReply::Ended { .. } => worker.ended(id),
            LineReply::Late => worker.late(id, call.timeout),
        };
        let latency = since(ended);
        let printed = worker.printed();
        // Without standard error, its output may name the cause.
        let words = [likely_cause(&run.stderr), likely_cause(&printed)].into_iter().find(|words| !words.is_empty());
        let words = words.unwrap_or_default().to_owned();
        let error = self.outcomes.failed(failure, message, &words, &printed, (latency, run));
        WorkerOutcome::Result(Box::new(Err(error)))
    }
}

/// A request to a worker.
struct WorkerRequest {
    /// Whether it was started for this request.
    is_new: bool,
    limit: Duration,
}

/// The outcome of a request to a worker.
enum WorkerOutcome {
    Result(Box<Result<Output, ExecError>>),
    /// It had ended before it took the request.
    Gone,
}

/// What a worker replied.
enum LineReply {
    /// With its time.
    Answer(RpcAnswer, Instant),
    OtherId(Value),
    NotUtf8,
    Malformed(String),
    NotOneLine,
    TooMuch,
    /// Nothing in time.
    Late,
    /// It closed its output. `taken`: after some of the request had been written to its input, read or
    /// not.
    Ended {
        taken: bool,
    },
}

/// The state of the exchange about one request.
struct ExchangeState {
    /// The last moment when a new program had not yet read the request: until then it was starting.
    ready: Instant,
    /// How many bytes of the request are in its input.
    sent: u64,
    /// Whole lines that are no answer.
    lines: Vec<u8>,
    /// How many bytes are still searched for an answer over several lines.
    budget: usize,
    /// How many answers were to earlier requests, and the id of the last of them.
    stale: (usize, Value),
    /// The likely answer, and when it came.
    likely: Option<(RpcAnswer, Instant)>,
}

/// One process.
struct Worker {
    process: SkillProcess,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// The beginning of a line.
    rest: Vec<u8>,
    state: ExchangeState,
    /// Its standard input, until it has read some of it.
    stdin_pipe: Option<PipeBuffer>,
    /// Whether it has read nothing of the request.
    never_read: bool,
    stderr: StderrReader,
    last_id: u64,
}

impl Worker {
    async fn start(host: &Arc<SkillHost>, program: &SkillProgram) -> std::io::Result<Worker> {
        let mut process = launch(host, program).await?;
        let (stdin, stdout, stderr) = process.pipes()?;
        let (stdin_pipe, state) = (Some(PipeBuffer::of(&stdin)?), ExchangeState::begin(Instant::now()));
        Ok(Worker {
            process,
            stdin,
            stdout,
            rest: Vec::new(),
            state,
            stdin_pipe,
            never_read: false,
            stderr: StderrReader::start(stderr)?,
            last_id: 0,
        })
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.process.supervised.child.try_wait(), Ok(None)) && self.process.over_limit().is_none()
    }

    /// Discards its output since its last answer: it answers no later request.
    async fn discard_stale_output(&mut self) {
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
    async fn exchange(&mut self, request: &str, id: u64, limit: Duration) -> LineReply {
        let begun = self.state.ready;
        let Worker { stdin, stdout, rest, state, stdin_pipe, .. } = self;
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
        let (mut fed, mut received) = (false, 0);
        let (mut searched, mut buffer) = (0, vec![0; 16 << 10]);
        loop {
            state.sent = written.load(Ordering::Relaxed);
            if stdin_pipe.take_if(|pipe| state.sent > 0 && pipe.bytes() < state.sent).is_none() && stdin_pipe.is_some()
            {
                state.ready = Instant::now();
            }
            let deadline = state.ready.min(begun + START) + limit;
            let patience = state.likely.as_ref().map_or_else(Instant::now, |(_, at)| *at + LIKELY);
            tokio::select! {
                () = &mut feed, if !fed => fed = true,
                () = tokio::time::sleep(POLL), if stdin_pipe.is_some() => {}
                () = tokio::time::sleep_until(deadline) => {
                    return state.likely.take().map_or(LineReply::Late, |(answer, at)| LineReply::Answer(answer, at));
                }
                () = tokio::time::sleep_until(patience), if state.likely.is_some() => {
                    if let Some((answer, at)) = state.likely.take() {
                        return LineReply::Answer(answer, at);
                    }
                }
                read = stdout.read(&mut buffer) => {
                    let read = read.unwrap_or(0);
                    received += read;
                    match read {
                        // A last line need not be ended.
                        0 if !rest.is_empty() => rest.push(b'\n'),
                        _ => rest.extend_from_slice(&buffer[..read]),
                    }
                    if let Some(answer) = in_lines(rest, searched, id, state) {
                        return answer;
                    }
                    if read == 0 {
                        let taken = state.sent > 0;
                        return state.likely.take().map_or(LineReply::Ended { taken }, |(answer, at)| LineReply::Answer(answer, at));
                    }
                    searched = rest.len();
                    if received > MAX_OUTPUT {
                        return LineReply::TooMuch;
                    }
                }
            }
        }
    }

    /// When it had started. If it never read the request, the start counts as latency.
    fn ready(&mut self, begun: Instant) -> Instant {
        let sent = self.state.sent;
        self.never_read = self.stdin_pipe.take().is_some_and(|pipe| sent == 0 || pipe.bytes() >= sent);
        if self.never_read { begun } else { self.state.ready }
    }

    /// Waits up to [`EXIT_GRACE`] for its end and for the rest of its standard error.
    async fn exit_grace(&mut self) {
        let words = async {
            let _ = self.process.supervised.child.wait().await;
            self.stderr.closed().await;
        };
        let _ = tokio::time::timeout(EXIT_GRACE, words).await;
    }

    fn ended_well(&mut self) -> bool {
        self.process.over_limit().is_none()
            && matches!(self.process.supervised.child.try_wait(), Ok(Some(status)) if status.success())
    }

    /// Why a worker that has ended gave no answer.
    fn ended(&mut self, id: u64) -> (Failure, Message) {
        if let Some(over_limit) = self.process.over_limit() {
            return over_limit;
        }
        let status = self.process.supervised.child.try_wait();
        match (status, &self.state.stale) {
            (Ok(Some(status)), _) if !status.success() => ended(status),
            _ if self.is_spread(id) => (Failure::Skill, msg!("skills-exec-not-one-line")),
            (_, (1.., other)) => (Failure::Skill, msg!("skills-exec-other-id", id = other.to_string(), expected = id)),
            (Ok(Some(status)), _) => ended(status),
            (Ok(None) | Err(_), _) => (Failure::Skill, msg!("skills-exec-closed")),
        }
    }

    /// Why there was no answer in time.
    fn late(&mut self, id: u64, limit: Duration) -> (Failure, Message) {
        let seconds = limit.as_secs_f64();
        match &self.state.stale {
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

    /// Whether its answer is spread over several lines.
    fn is_spread(&self, id: u64) -> bool {
        matches!(rpc::find_bytes(&[&*self.state.lines, &self.rest].concat(), id), RpcMatch::Answer(_))
    }

    fn printed(&self) -> String {
        let printed = self.state.lines.iter().chain(&self.rest).take(8 << 10).copied().collect::<Vec<_>>();
        String::from_utf8_lossy(&printed).into_owned()
    }
}

impl ExchangeState {
    fn begin(now: Instant) -> ExchangeState {
        ExchangeState {
            ready: now,
            sent: 0,
            lines: Vec::new(),
            budget: 4 * MAX_OUTPUT,
            stale: (0, Value::Null),
            likely: None,
        }
    }

    /// Classifies a whole line. A line that is nothing by itself may end an answer that began some lines before.
    fn line(&mut self, line: &[u8], id: u64) -> Option<LineReply> {
        let found = rpc::find_bytes(line, id);
        match found {
            RpcMatch::Answer(answer) => return Some(LineReply::Answer(answer, Instant::now())),
            RpcMatch::Malformed(MalformedAnswer { is_cut: true, .. }) => return Some(LineReply::NotOneLine),
            RpcMatch::Malformed(MalformedAnswer { why, .. }) => return Some(LineReply::Malformed(why)),
            RpcMatch::NotUtf8 => return Some(LineReply::NotUtf8),
            // One stale answer is a repeated one; a second means that its ids are off.
            RpcMatch::OtherId(other) if self.stale.0 == 0 && other.as_u64().is_some_and(|other| other < id) => {
                self.stale = (1, other);
            }
            RpcMatch::OtherId(other) => return Some(LineReply::OtherId(other)),
            RpcMatch::Likely(answer) => {
                self.likely.get_or_insert((answer, Instant::now()));
            }
            RpcMatch::Nothing => {}
        }
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        if line.trim_ascii() != b"}" || self.lines.len() > self.budget {
            return None;
        }
        self.budget -= self.lines.len();
        match rpc::find_bytes(&self.lines, id) {
            RpcMatch::Answer(_) => Some(LineReply::NotOneLine),
            RpcMatch::Malformed(MalformedAnswer { why, is_cut: false }) => Some(LineReply::Malformed(why)),
            _ => None,
        }
    }
}

/// Takes whole lines out of `rest` until one decides request `id`. No line ends before `searched`.
fn in_lines(rest: &mut Vec<u8>, searched: usize, id: u64, state: &mut ExchangeState) -> Option<LineReply> {
    let (mut begin, mut from) = (0, searched);
    let mut reply = None;
    while let Some(length) = rest[from..].iter().position(|&byte| byte == b'\n') {
        let line = &rest[begin..from + length];
        begin = from + length + 1;
        from = begin;
        reply = state.line(line, id);
        if reply.is_some() {
            break;
        }
    }
    rest.drain(..begin);
    reply
}
