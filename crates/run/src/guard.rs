//! Everything around a call: cache, retries, provider limits, budget, deadline, stop.
//!
//! [`Guard`] is what all calls of a run share; [`Guarded`] wraps one executor with it. The engine runs
//! cells through a `Guarded`, and a grader's judges get one of their own with the same `Guard`, so
//! that both keep to the same limits and the same budget.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::context::Clock;
use eval_spec::record::{BegunCall, Executed, Execution};
use eval_spec::units::Usd;
use eval_spec::{BoxFuture, Call, CallPrice, CellKey, Event, ExecError, Executor, Failure, Identity, Output};
use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::Instant;

use crate::budget::{BudgetRefusal, BudgetStop, Purse};
use crate::cache::{Cache, CacheKey, CachedCall};
use crate::end::RunEnding;
use crate::journal::Journal;
use crate::limits::{Aftermath, LONGEST_PAUSE, Lane, Provider};
use crate::outage::Outage;
use crate::policy::RunLimits;
use crate::retry::Retries;
use crate::stop::Stop;

/// What an executor may overrun its own time limit by before its future is dropped.
const BACKSTOP: Duration = Duration::from_secs(5);

/// What all calls of one run share.
#[derive(Debug)]
pub struct Guard {
    limits: RunLimits,
    stop: Stop,
    seed: u64,
    clock: Clock,
    purse: Purse,
    /// Where calls are written down as they leave.
    journal: OnceLock<Arc<Journal>>,
    /// One place for each call that may be under way, of all executors together.
    calls: Semaphore,
    providers: Mutex<HashMap<String, Arc<Provider>>>,
    lanes: Mutex<HashMap<(String, String), Arc<Lane>>>,
    given_up: OnceLock<RunEnding>,
    /// Whether an earlier part of the run has answers.
    has_answers: AtomicBool,
    /// Why cells were left although the run went on.
    left: OnceLock<RunEnding>,
    events: Mutex<Option<UnboundedSender<Event>>>,
    warnings: Mutex<Vec<Message>>,
}

impl Guard {
    /// The guard of one run. `seed` only spreads the waiting times; `clock` stamps the records.
    #[must_use]
    pub fn new(limits: RunLimits, stop: Stop, seed: u64, clock: Clock) -> Guard {
        Guard {
            purse: Purse::new(limits.budget),
            calls: Semaphore::new(limits.concurrency.clamp(1, Semaphore::MAX_PERMITS)),
            journal: OnceLock::new(),
            limits,
            stop,
            seed,
            clock,
            providers: Mutex::default(),
            lanes: Mutex::default(),
            given_up: OnceLock::new(),
            has_answers: AtomicBool::new(false),
            left: OnceLock::new(),
            events: Mutex::default(),
            warnings: Mutex::default(),
        }
    }

    /// The limits it was made with.
    #[must_use]
    pub fn limits(&self) -> &RunLimits {
        &self.limits
    }

    /// The handle that ends the run early.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// What its calls cost in this process; `None` when a part is unknown.
    #[must_use]
    pub fn spent(&self) -> Option<Usd> {
        self.purse.spent()
    }

    pub(crate) fn purse(&self) -> &Purse {
        &self.purse
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the time now, counted from the first attempt of a call: the machine's clock may be set meanwhile, and the
    /// difference of both times is a latency.
    fn time_after(&self, start: &CallStart) -> Timestamp {
        match self.clock {
            Clock::System => start.time.checked_add(start.clock.elapsed()).unwrap_or(start.time),
            Clock::Fixed(now) => now,
        }
    }

    /// Takes over what an earlier part of the run spent, and whether calls succeeded there.
    pub(crate) fn remember(&self, journal: &Arc<Journal>) {
        self.purse.remember(journal);
        // One guard serves one run.
        let _ = self.journal.set(Arc::clone(journal));
        self.has_answers.store(journal.answers() > 0, Ordering::Relaxed);
    }

    /// Ends the run for `why`, unless it is ending for another reason already.
    pub(crate) fn give_up(&self, why: RunEnding) {
        // The first reason is reported.
        let _ = self.given_up.set(why);
        self.stop.drain();
    }

    /// Notes why a cell is not run; the run goes on with the others.
    pub(crate) fn leave(&self, why: RunEnding) {
        let _ = self.left.set(why);
    }

    /// Why cells were left, if any were.
    pub(crate) fn left(&self) -> Option<&RunEnding> {
        self.left.get()
    }

    /// Writes down that a call leaves which costs something.
    fn write_begun(&self, call: &Call, price: CallPrice, is_judgement: bool) {
        let up_to = match price {
            CallPrice::Free => return,
            CallPrice::UpTo(usd) => Some(usd),
            CallPrice::Unknown => None,
        };
        if let Some(journal) = self.journal.get() {
            let at = self.now();
            journal.write_begun(&BegunCall { key: call.key.clone(), is_judgement, up_to, at });
        }
    }

    /// How the run ends early, once that is decided.
    #[must_use]
    pub fn ending(&self) -> Option<&RunEnding> {
        self.given_up.get()
    }

    /// Where events of calls go from now on.
    pub(crate) fn send_events_to(&self, events: UnboundedSender<Event>) {
        *lock(&self.events) = Some(events);
    }

    pub(crate) fn emit(&self, event: Event) {
        if let Some(events) = lock(&self.events).as_ref() {
            // The receiver is gone once the run is over.
            let _ = events.send(event);
        }
    }

    /// What went wrong without harm to the results, each kind once.
    pub(crate) fn warnings(&self) -> Vec<Message> {
        lock(&self.warnings).clone()
    }

    fn warn(&self, message: Message) {
        let mut warnings = lock(&self.warnings);
        if warnings.iter().all(|known| known.id != message.id) {
            warnings.push(message);
        }
    }

    fn provider(&self, name: &str) -> Arc<Provider> {
        let make = || Arc::new(Provider::new(name, self.limits.rpm, self.limits.tpm, self.seed, self.clock));
        Arc::clone(lock(&self.providers).entry(name.to_owned()).or_insert_with(make))
    }

    fn lane(&self, provider: &str, model: &str, adaptive: bool) -> Arc<Lane> {
        let make = || {
            let lane = Lane::new(self.provider(provider), self.limits.concurrency, adaptive);
            Arc::new(match self.limits.outage {
                Outage::EndsTheRun => lane.ending_the_run(!self.has_answers.load(Ordering::Relaxed)),
                Outage::IsAResult => lane,
            })
        };
        let name = (provider.to_owned(), model.to_owned());
        Arc::clone(lock(&self.lanes).entry(name).or_insert_with(make))
    }
}

/// An executor behind cache, retries, provider limits, budget and deadline.
///
/// Called as an [`Executor`] (by a judge) it returns the last failure when nothing helped, and it goes
/// on while the run drains, since a grade belongs to what runs.
pub struct Guarded {
    inner: Arc<dyn Executor>,
    guard: Arc<Guard>,
    cache: Option<Arc<Cache>>,
    adaptive: bool,
    /// One place for each call that the executor can take at once; `None`: any number.
    places: Option<Semaphore>,
    /// Which outputs of an [`Executor`]'s calls are cached.
    usable: fn(&Call, &Output) -> bool,
    /// The part of a call that its answer is cached by; `None`: all of it.
    cached_by: Option<fn(&Call) -> Call>,
    /// Whether the run can do without its answers: nothing that happens to them ends it.
    is_optional: bool,
}

/// The result of a call with its attempts.
pub(crate) struct Called {
    pub(crate) result: Result<Output, ExecError>,
    pub(crate) failed_attempts: Vec<ExecError>,
    /// The failures of earlier runs that asked the same, oldest first.
    pub(crate) earlier_failures: Vec<Failure>,
    pub(crate) started_at: Timestamp,
    pub(crate) finished_at: Timestamp,
    pub(crate) cached: bool,
    /// When an output from the cache was stored.
    pub(crate) given_at: Option<Timestamp>,
    /// Where it belongs in the cache, if it is a new one.
    pub(crate) place: Option<CachePlace>,
}

impl Called {
    /// As the journal keeps it.
    pub(crate) fn into_execution(self, key: CellKey, fingerprint: String) -> Execution {
        Execution {
            key,
            fingerprint,
            started_at: self.started_at,
            finished_at: self.finished_at,
            failed_attempts: self.failed_attempts,
            earlier_failures: self.earlier_failures,
            result: match self.result {
                Ok(output) => Executed::Output(Box::new(output)),
                Err(error) => Executed::Failed(error),
            },
            cached: self.cached,
            given_at: self.given_at,
        }
    }
}

/// Where a call is cached; see [`Guarded::keep_cell`].
pub(crate) struct CachePlace {
    cache: Arc<Cache>,
    key: CacheKey,
}

/// Why no attempt was made at all.
pub(crate) enum NotCalled {
    /// The run is ending.
    Stopped,
    /// The run's budget is used up.
    Budget(BudgetStop),
}

/// What a call is for.
#[derive(Debug)]
pub(crate) enum Caller {
    /// The engine.
    Cell {
        /// Which of the plan's cells that ask exactly this, from 0.
        observation: u32,
        /// When it may start.
        turn: StartTurn,
        /// Whether it is asked though the cache has its answer.
        is_again: bool,
    },
    /// A grader.
    Judge,
}

/// A cell's place in the plan's order of starting. Many cells are claimed at once and would race for
/// the lane; each waits until the one before it has started, or has ended without starting.
#[derive(Debug)]
pub(crate) struct StartTurn {
    before: Option<oneshot::Receiver<()>>,
    /// Its end, by whatever way, lets the next one start.
    after: Option<oneshot::Sender<()>>,
}

impl StartTurn {
    /// The turn after `last`, which it becomes.
    pub(crate) fn after(last: &mut Option<oneshot::Receiver<()>>) -> StartTurn {
        let (sender, receiver) = oneshot::channel();
        StartTurn { before: last.replace(receiver), after: Some(sender) }
    }
}

impl Caller {
    fn is_cell(&self) -> bool {
        matches!(self, Caller::Cell { .. })
    }

    async fn turn_comes(&mut self) {
        if let Caller::Cell { turn, .. } = self
            && let Some(before) = turn.before.take()
        {
            // The sender says nothing; it goes.
            let _ = before.await;
        }
    }

    fn passes_on(&mut self) {
        if let Caller::Cell { turn, .. } = self {
            turn.after = None;
        }
    }
}

/// Returns the ending that `error` of a cell's call, or of a judge's, gives a run.
fn aborted(error: &ExecError, is_cell: bool) -> RunEnding {
    match is_cell {
        true => RunEnding::Aborted { error: error.clone() },
        false => RunEnding::JudgeFailed { error: error.clone() },
    }
}

impl Guarded {
    /// Wraps `inner`. `adaptive` starts low and lets the provider's answers decide how many calls go at
    /// once; without it (a local program, recordings) all that [`RunLimits::concurrency`] allows go at once
    /// after the first.
    #[must_use]
    pub fn new(inner: Arc<dyn Executor>, guard: Arc<Guard>, cache: Option<Arc<Cache>>, adaptive: bool) -> Guarded {
        Guarded {
            inner,
            guard,
            cache,
            adaptive,
            places: None,
            usable: |_, _| true,
            cached_by: None,
            is_optional: false,
        }
    }

    /// The same, but never more than so many calls at once, at least one: further ones wait before their time limit
    /// begins.
    #[must_use]
    pub fn at_once(self, calls: usize) -> Guarded {
        Guarded { places: Some(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))), ..self }
    }

    /// The same, but only a `usable` output is cached when it is called as an [`Executor`]: a cached unusable one would be
    /// served to every later attempt.
    #[must_use]
    pub fn keeping(self, usable: fn(&Call, &Output) -> bool) -> Guarded {
        Guarded { usable, ..self }
    }

    /// The same, for answers that the run can do without: a budget that is used up and a provider that is away fail the
    /// call, and end nothing.
    #[must_use]
    pub fn optional(self) -> Guarded {
        Guarded { is_optional: true, ..self }
    }

    /// The same, but answers are cached by a part of their call: by all that decides them.
    #[must_use]
    pub fn cached_by(self, part: fn(&Call) -> Call) -> Guarded {
        Guarded { cached_by: Some(part), ..self }
    }

    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    pub(crate) fn is_optional(&self) -> bool {
        self.is_optional
    }

    pub(crate) fn is_cached(&self) -> bool {
        self.cache.is_some()
    }

    /// Makes `call`: from the cache, or with as many attempts as it takes and is allowed.
    pub(crate) async fn execute(&self, call: &Call, mut caller: Caller) -> Result<Called, NotCalled> {
        let observation = match caller {
            Caller::Cell { observation, .. } => observation,
            Caller::Judge => 0,
        };
        let Some(cache) = &self.cache else {
            let called = self.attempts(call, &mut caller).await?;
            return Ok(Called { earlier_failures: self.inner.failures_before(call), ..called });
        };
        let part = self.cached_by.map(|part| part(call));
        let key = CacheKey::of(part.as_ref().unwrap_or(call), self.inner.identity(), observation);
        let is_again = matches!(caller, Caller::Cell { is_again: true, .. });
        let CachedCall { output, failures: earlier_failures } = look_up(cache, &key).await;
        if let Some((output, given_at)) = output.filter(|_| !is_again) {
            self.unless_stopped(caller.is_cell(), caller.turn_comes()).await?;
            self.started(call, &caller);
            let called = self.called(Ok(output), Vec::new(), None);
            return Ok(Called { cached: true, given_at: Some(given_at), earlier_failures, ..called });
        }
        let called = self.attempts(call, &mut caller).await?;
        // Its key has the files that the run began with.
        let is_beside_others = call.surroundings.as_ref().is_some_and(|around| around.changed_cwd.is_some());
        let place = (!is_beside_others).then(|| CachePlace { cache: Arc::clone(cache), key });
        Ok(Called { place, earlier_failures, ..called })
    }

    /// Keeps what a cell was answered for later runs, and the failures before. A run keeps it only once its journal holds it: a run
    /// killed in between would find what it has paid for in the cache, and take it for another run's.
    pub(crate) async fn keep_cell(
        &self,
        place: CachePlace,
        call: &Call,
        execution: &Execution,
        replaced: Vec<Failure>,
    ) {
        let before = execution.failures_after(&replaced);
        let result = match &execution.result {
            Executed::Output(output) => Ok((**output).clone()),
            Executed::Failed(error) => Err(error.failure),
        };
        self.keep(place, call, result, before, execution.finished_at).await;
    }

    /// The same of any call.
    pub(crate) async fn keep(
        &self,
        place: CachePlace,
        call: &Call,
        result: Result<Output, Failure>,
        before: Vec<Failure>,
        now: Timestamp,
    ) {
        let CachePlace { cache, key } = place;
        let cell = call.key.clone();
        let keep = move || match result {
            Ok(output) => cache.put(&key, &cell, &output, before, now),
            Err(failure) => cache.put_failure(&key, &cell, failure, before, now),
        };
        let kept = tokio::task::spawn_blocking(keep).await;
        if let Ok(Err(error)) = kept {
            self.guard.warn(msg!("run-cache-not-kept", why = error.to_string()));
        }
    }

    async fn attempts(&self, call: &Call, caller: &mut Caller) -> Result<Called, NotCalled> {
        let mut retries = Retries::new(self.guard.limits.retry, self.guard.seed, &call.key);
        let mut failed_attempts: Vec<ExecError> = Vec::new();
        let mut start = None;
        loop {
            let attempt = match self.attempt(call, caller, &mut start).await {
                Ok(attempt) => attempt,
                Err(not_called) => match failed_attempts.pop() {
                    // Stopped between two attempts: not done, but what was tried is written down.
                    Some(error) => {
                        failed_attempts.push(error);
                        return Ok(self.called(Err(interrupted()), failed_attempts, start));
                    }
                    None => return Err(not_called),
                },
            };
            let error = match attempt.result {
                Ok(output) => return Ok(self.called(Ok(output), failed_attempts, start)),
                Err(error) => error,
            };
            let wait = if attempt.last { None } else { retries.after(&error, attempt.crowded) };
            let Some(retry_in) = wait else { return Ok(self.called(Err(error), failed_attempts, start)) };
            let key = call.key.clone();
            self.guard.emit(Event::AttemptFailed { key, error: Arc::new(error.clone()), retry_in });
            failed_attempts.push(error);
            // A stop shows at the next attempt.
            let _ = self.unless_stopped(caller.is_cell(), tokio::time::sleep(retry_in)).await;
        }
    }

    /// One attempt: limiter, budget, call.
    async fn attempt(
        &self,
        call: &Call,
        caller: &mut Caller,
        start: &mut Option<CallStart>,
    ) -> Result<CallAttempt, NotCalled> {
        let identity = self.inner.identity();
        let lane = self.guard.lane(&identity.provider, &call.model, self.adaptive);
        let is_cell = caller.is_cell();
        self.unless_stopped(is_cell, caller.turn_comes()).await?;
        let pass = match self.unless_stopped(is_cell, lane.enter(call)).await? {
            Ok(pass) => pass,
            Err(error) => {
                let ending = aborted(&error, is_cell);
                match self.guard.limits.outage {
                    _ if self.is_optional => {}
                    Outage::EndsTheRun => self.guard.give_up(ending),
                    Outage::IsAResult if is_cell => self.guard.leave(ending),
                    Outage::IsAResult => {}
                }
                // Nothing was sent, so nothing failed: the cell is left for when the run is resumed.
                return if is_cell { Err(NotCalled::Stopped) } else { Ok(CallAttempt::last(error)) };
            }
        };
        // Never closed. Acquired first: a call that waits here holds nothing that another executor's call needs.
        let _own = match &self.places {
            Some(places) => Some(self.unless_stopped(is_cell, places.acquire()).await?),
            None => None,
        };
        // Never closed, and taken for the call only: a call that waits here holds nothing that another call needs.
        let _place = self.unless_stopped(is_cell, self.guard.calls.acquire()).await?;
        let price = self.inner.price(call);
        let reserve = self.guard.purse.reserve(&call.key.sample, is_cell, price);
        let reservation = match self.unless_stopped(is_cell, reserve).await? {
            Ok(reservation) => reservation,
            Err(BudgetRefusal::Sample(message)) => {
                return Ok(CallAttempt::last(ExecError::new(Failure::Budget, message)));
            }
            Err(BudgetRefusal::Run(why)) => {
                if !self.is_optional {
                    self.guard.give_up(RunEnding::BudgetExhausted { why });
                }
                return Err(NotCalled::Budget(why));
            }
        };
        if start.is_none() {
            *start = Some(CallStart { time: self.guard.now(), clock: Instant::now() });
            self.guard.write_begun(call, price, !is_cell);
            self.started(call, caller);
            caller.passes_on();
        }
        let crowded = pass.crowded;
        let left = Instant::now();
        let cut_short = reservation.time_left.filter(|time_left| *time_left < call.timeout);
        let mut result = match cut_short {
            None => self.call_once(call).await,
            Some(timeout) => self.call_once(&Call { timeout, ..call.clone() }).await,
        };
        if let (Err(error), Some(_)) = (&mut result, cut_short)
            && error.failure == Failure::Timeout
        {
            error.failure = Failure::Budget;
            error.message = reservation.out_of_time();
        }
        reservation.settle(&result, left.elapsed());
        let aftermath = pass.leave(&result);
        let last = self.take_in(&mut result, &aftermath, &identity.provider, is_cell);
        Ok(CallAttempt { result, crowded, last })
    }

    async fn call_once(&self, call: &Call) -> Result<Output, ExecError> {
        let limit = call.timeout.saturating_add(BACKSTOP);
        tokio::select! {
            biased;
            () = self.guard.stop.killed() => Err(interrupted()),
            result = tokio::time::timeout(limit, self.inner.call(call)) => match result {
                Ok(mut result) => {
                    let output = match &mut result {
                        Ok(output) => Some(output),
                        Err(error) => error.partial.as_deref_mut(),
                    };
                    if let Some(output) = output {
                        output.trace.flatten();
                        output.drop_thoughts();
                    }
                    result
                }
                Err(_) => Err(ExecError::new(Failure::Timeout, msg!("run-overran", seconds = limit.as_secs()))),
            },
        }
    }

    /// Applies the consequences for the run; returns whether another attempt makes no sense.
    fn take_in(
        &self,
        result: &mut Result<Output, ExecError>,
        aftermath: &Aftermath,
        provider: &str,
        is_cell: bool,
    ) -> bool {
        let provider_name = provider.to_owned();
        // A pause that is too long to wait for ends the run, which reports it.
        if let Some((limit, pause)) = aftermath.throttled.filter(|(_, pause)| *pause <= LONGEST_PAUSE) {
            self.guard.emit(Event::Throttled { provider: provider_name, limit, pause });
        }
        let Err(error) = result else { return false };
        let asked = Duration::from_millis(error.retry_after_ms.unwrap_or(0));
        let too_long = error.failure.retryable() && asked > LONGEST_PAUSE;
        if too_long {
            let said = std::mem::replace(&mut error.message, self.guard.provider(provider).come_back_message(asked));
            error.detail.get_or_insert_with(|| said.to_string());
        }
        let ends_all = self.guard.limits.outage == Outage::EndsTheRun;
        if let Some(why) = aftermath.only_limited.as_ref().filter(|_| ends_all && !too_long) {
            let said = std::mem::replace(&mut error.message, why.clone());
            error.detail.get_or_insert_with(|| said.to_string());
        }
        let is_over = ends_all && (aftermath.hopeless || aftermath.only_limited.is_some());
        if (is_over || (ends_all && too_long)) && !self.is_optional {
            self.guard.give_up(aborted(error, is_cell));
        }
        too_long || is_over
    }

    /// A cell that waits gives way to a stop; a judge only to a kill.
    async fn unless_stopped<T>(&self, is_cell: bool, waiting: impl Future<Output = T>) -> Result<T, NotCalled> {
        let stop = &self.guard.stop;
        let stopped = async {
            match is_cell {
                true => stop.draining().await,
                false => stop.killed().await,
            }
        };
        tokio::select! {
            biased;
            () = stopped => Err(NotCalled::Stopped),
            done = waiting => Ok(done),
        }
    }

    fn started(&self, call: &Call, caller: &Caller) {
        if caller.is_cell() {
            self.guard.emit(Event::CellStarted { key: call.key.clone() });
        }
    }

    fn called(
        &self,
        result: Result<Output, ExecError>,
        failed_attempts: Vec<ExecError>,
        start: Option<CallStart>,
    ) -> Called {
        let now = self.guard.now();
        let (started_at, finished_at) = start.map_or((now, now), |start| (start.time, self.guard.time_after(&start)));
        Called {
            result,
            failed_attempts,
            earlier_failures: Vec::new(),
            started_at,
            finished_at,
            cached: false,
            given_at: None,
            place: None,
        }
    }
}

impl Executor for Guarded {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn price(&self, call: &Call) -> CallPrice {
        self.inner.price(call)
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            match self.execute(call, Caller::Judge).await {
                Ok(mut called) => {
                    if let (Some(place), Ok(output)) = (called.place.take(), &called.result)
                        && (self.usable)(call, output)
                    {
                        self.keep(place, call, Ok(output.clone()), Vec::new(), called.finished_at).await;
                    }
                    called.result
                }
                Err(NotCalled::Stopped) => Err(interrupted()),
                Err(NotCalled::Budget(why)) => Err(ExecError::new(Failure::Budget, why.message())),
            }
        })
    }
}

/// The moment at which the first attempt of a call leaves.
struct CallStart {
    time: Timestamp,
    clock: Instant,
}

struct CallAttempt {
    result: Result<Output, ExecError>,
    crowded: bool,
    last: bool,
}

impl CallAttempt {
    fn last(error: ExecError) -> CallAttempt {
        CallAttempt { result: Err(error), crowded: false, last: true }
    }
}

async fn look_up(cache: &Arc<Cache>, key: &CacheKey) -> CachedCall {
    let (cache, fingerprint) = (Arc::clone(cache), key.fingerprint.clone());
    tokio::task::spawn_blocking(move || cache.get(&fingerprint)).await.unwrap_or_default()
}

pub(crate) fn interrupted() -> ExecError {
    ExecError::new(Failure::Interrupted, msg!("run-interrupted"))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
