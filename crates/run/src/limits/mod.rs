//! How fast a provider may be asked.
//!
//! A [`Lane`] (provider and model) decides how many calls are under way at once; a [`Provider`] decides
//! when the next one may leave: rates, and the silence after "too many requests". Calls leave a lane in
//! the order in which they came.

pub(crate) mod bucket;
mod number;
mod provider;
pub(crate) mod window;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_message::Message;
use eval_spec::{Call, ExecError, Failure, Output};
use provider::{ProviderGate, tokens_of};
use tokio::sync::Notify;
use tokio::time::Instant;
use window::CongestionWindow;

pub(crate) use provider::Provider;

/// A vendor that asks for a longer pause than this is not waited for.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// The calls to one model of one provider.
#[derive(Debug)]
pub(crate) struct Lane {
    provider: Arc<Provider>,
    /// Locked by the call that goes next; passed on in first-come order.
    turnstile: tokio::sync::Mutex<()>,
    changed: Notify,
    state: Mutex<LaneState>,
    /// Whether a first call that fails hopelessly is the last.
    is_unproven: bool,
    /// Whether an account without credit ends all calls.
    ends_without_credit: bool,
}

#[derive(Debug)]
struct LaneState {
    window: CongestionWindow,
    /// Why nothing can go here any more: what the very first call failed with, or that the account is empty.
    dead: Option<ExecError>,
    /// A moving mean of the tokens of an answer, to guess the next call's.
    answer_tokens: f64,
}

/// Leave to make one call; the place is free again when it is dropped.
#[derive(Debug)]
pub(crate) struct CallPermit {
    lane: Arc<Lane>,
    epoch: u64,
    /// Whether other calls were allowed beside this one.
    pub(crate) crowded: bool,
    tokens: f64,
}

/// What a call's end means for the others.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// The calls allowed at once and the pause, when the provider has just asked to slow down.
    pub(crate) throttled: Option<(usize, Duration)>,
    /// Whether the same would befall every other call.
    pub(crate) hopeless: bool,
    /// Why nothing more is to be sent, when the provider has answered nothing but 429 for too long.
    pub(crate) only_limited: Option<Message>,
}

impl Lane {
    /// A lane for at most `ceiling` calls at once: from the start, or, when `adaptive`, as the provider
    /// turns out to bear.
    pub(crate) fn new(provider: Arc<Provider>, ceiling: usize, adaptive: bool) -> Lane {
        let state = LaneState { window: CongestionWindow::new(ceiling, adaptive), dead: None, answer_tokens: 500.0 };
        Lane {
            provider,
            turnstile: tokio::sync::Mutex::default(),
            changed: Notify::new(),
            state: Mutex::new(state),
            is_unproven: false,
            ends_without_credit: false,
        }
    }

    /// The same lane of a run that ends when its provider is out; `is_unproven` if nothing says that any call can succeed.
    pub(crate) fn ending_the_run(self, is_unproven: bool) -> Lane {
        Lane { is_unproven, ends_without_credit: true, ..self }
    }

    /// Waits until `call` may leave.
    ///
    /// # Errors
    /// At once, when the first call of the lane failed hopelessly, or when the provider wants no call
    /// for longer than [`LONGEST_PAUSE`].
    pub(crate) async fn enter(self: &Arc<Lane>, call: &Call) -> Result<CallPermit, ExecError> {
        let _turn = self.turnstile.lock().await;
        loop {
            match self.try_enter(call)? {
                LaneEntry::Go(pass) => return Ok(pass),
                LaneEntry::Full => self.changed.notified().await,
                LaneEntry::NotBefore(then) => tokio::time::sleep_until(then).await,
            }
        }
    }

    fn try_enter(self: &Arc<Lane>, call: &Call) -> Result<LaneEntry, ExecError> {
        let mut state = self.state();
        if let Some(error) = &state.dead {
            return Err(error.clone());
        }
        if !state.window.has_room() {
            return Ok(LaneEntry::Full);
        }
        let tokens = question_tokens(call) + state.answer_tokens;
        match self.provider.gate(tokens, Instant::now()) {
            ProviderGate::Closed(error) => Err(error),
            ProviderGate::Until(then) => Ok(LaneEntry::NotBefore(then)),
            ProviderGate::Open => {
                let crowded = state.window.enter();
                let epoch = state.window.epoch();
                Ok(LaneEntry::Go(CallPermit { lane: Arc::clone(self), epoch, crowded, tokens }))
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum LaneEntry {
    Go(CallPermit),
    Full,
    NotBefore(Instant),
}

impl CallPermit {
    /// Takes note of how the call ended, and frees its place.
    pub(crate) fn leave(self, result: &Result<Output, ExecError>) -> Aftermath {
        let now = Instant::now();
        let mut state = self.lane.state();
        let mut aftermath = Aftermath::default();
        match result {
            Ok(output) => {
                state.window.succeeded();
                self.lane.provider.succeeded();
                if let Some((question, answer)) = tokens_of(output) {
                    state.answer_tokens += 0.1 * (answer - state.answer_tokens);
                    self.lane.provider.correct_tokens(self.tokens, question + answer, now);
                }
            }
            Err(error) if self.lane.ends_without_credit && error.failure == Failure::NoCredit => {
                state.dead = Some(error.clone());
                aftermath.hopeless = true;
            }
            Err(error) if self.lane.is_unproven && befalls_all(error) && state.window.first_call() => {
                state.dead = Some(error.clone());
                aftermath.hopeless = true;
            }
            Err(error) => {
                let slower = match error.failure {
                    Failure::RateLimited => {
                        aftermath.only_limited = self.lane.provider.limited(now);
                        state.window.limited(self.epoch)
                    }
                    _ => {
                        state.window.failed();
                        false
                    }
                };
                let pause = self.lane.provider.pause_after(error, slower, now);
                aftermath.throttled = pause.map(|pause| (state.window.limit(), pause));
            }
        }
        aftermath
        // Dropping `self` frees the place.
    }
}

/// Whether every call will fail so. What is forbidden may be one request.
fn befalls_all(error: &ExecError) -> bool {
    const FORBIDDEN: u16 = 403;
    error.failure.hopeless() && error.status != Some(FORBIDDEN)
}

impl Drop for CallPermit {
    fn drop(&mut self) {
        self.lane.state().window.leave();
        self.lane.changed.notify_one();
    }
}

/// A token is about three bytes of prose, English or Chinese.
fn question_tokens(call: &Call) -> f64 {
    let bytes = call.prompt.len() + call.system.as_ref().map_or(0, |system| system.len());
    crate::limits::number::to_f64(bytes as u64) / 3.0
}
