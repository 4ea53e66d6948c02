//! What all models of a provider share: rates, and the silence after "too many requests".

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::context::Clock;
use eval_spec::{ExecError, Failure, Output};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tokio::time::Instant;

use super::LONGEST_PAUSE;
use super::bucket::Bucket;
use crate::limits::number::to_f64;
use crate::retry::jittered;

/// The first pause after a 429 without `Retry-After`, before jitter; it doubles while nothing gets through.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause of our own making.
const LONGEST_OWN_PAUSE: Duration = Duration::from_secs(30);
/// A limit on requests a minute is over by then: a provider that answers nothing but 429 from the start is given up.
const PATIENCE_AT_THE_START: Duration = Duration::from_secs(60);
/// A longer wait is reported without a number.
const A_DAY: Duration = Duration::from_secs(86_400);

#[derive(Debug)]
pub(crate) struct Provider {
    name: String,
    clock: Clock,
    state: Mutex<ProviderState>,
}

#[derive(Debug)]
struct ProviderState {
    silent_until: Option<Instant>,
    /// Limits that were lowered since anything got through.
    in_a_row: u32,
    /// The first 429 since anything got through.
    limited_since: Option<Instant>,
    has_answered: bool,
    jitter: ChaCha8Rng,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

/// Whether a call may leave now.
#[derive(Debug)]
pub(super) enum ProviderGate {
    /// It may, and what it needs has been taken.
    Open,
    /// Not before then.
    Until(Instant),
    /// Not in this run.
    Closed(ExecError),
}

impl Provider {
    /// `seed` only spreads the pauses.
    pub(crate) fn new(name: &str, rpm: Option<u32>, tpm: Option<u64>, seed: u64, clock: Clock) -> Provider {
        let now = Instant::now();
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let state = ProviderState {
            silent_until: None,
            in_a_row: 0,
            limited_since: None,
            has_answered: false,
            jitter: ChaCha8Rng::seed_from_u64(seed ^ hasher.finish()),
            // A tenth of a second's worth at once makes up for the timer's coarseness.
            requests: rpm.map(|rpm| Bucket::new(f64::from(rpm.max(1)), 1.0, 1.0 / 600.0, now)),
            tokens: tpm.map(|tpm| Bucket::new(to_f64(tpm.max(1)), 0.0, 0.1, now)),
        };
        Provider { name: name.to_owned(), clock, state: Mutex::new(state) }
    }

    pub(super) fn gate(&self, tokens: f64, now: Instant) -> ProviderGate {
        let mut state = self.state();
        if let Some(then) = state.silent_until.filter(|then| *then > now) {
            let left = then - now;
            return if left > LONGEST_PAUSE {
                ProviderGate::Closed(self.come_back(left))
            } else {
                ProviderGate::Until(then)
            };
        }
        let state = &mut *state;
        let wait = |bucket: &mut Option<Bucket>, amount: f64| {
            bucket.as_mut().map_or(Duration::ZERO, |bucket| bucket.wait(amount, now))
        };
        let wait = wait(&mut state.requests, 1.0).max(wait(&mut state.tokens, tokens));
        if !wait.is_zero() {
            return ProviderGate::Until(now + wait);
        }
        if let Some(bucket) = &mut state.requests {
            bucket.take(1.0);
        }
        if let Some(bucket) = &mut state.tokens {
            bucket.take(tokens);
        }
        ProviderGate::Open
    }

    pub(super) fn succeeded(&self) {
        let mut state = self.state();
        (state.in_a_row, state.limited_since, state.has_answered) = (0, None, true);
    }

    /// Takes note of a 429; returns why nothing more is to be sent, once there was nothing else for too long.
    pub(super) fn limited(&self, now: Instant) -> Option<Message> {
        let mut state = self.state();
        let lasted = now - *state.limited_since.get_or_insert(now);
        let patience = if state.has_answered { LONGEST_PAUSE } else { PATIENCE_AT_THE_START };
        (lasted >= patience)
            .then(|| msg!("run-only-limited", provider = self.name.as_str(), seconds = lasted.as_secs()))
    }

    pub(super) fn correct_tokens(&self, guessed: f64, real: f64, now: Instant) {
        if let Some(bucket) = &mut self.state().tokens {
            bucket.correct(guessed, real, now);
        }
    }

    /// Silences the provider as long as it asked for, or, when it didn't say and the limit has just
    /// fallen (`slower`), for a pause of our own. Returns the pause, if there is a new one.
    pub(super) fn pause_after(&self, error: &ExecError, slower: bool, now: Instant) -> Option<Duration> {
        let mut state = self.state();
        let pause = match error.retry_after_ms {
            Some(ms) => Duration::from_millis(ms),
            None if slower => {
                let whole = FIRST_PAUSE.saturating_mul(1 << state.in_a_row.min(10)).min(LONGEST_OWN_PAUSE);
                state.in_a_row += 1;
                jittered(whole, &mut state.jitter)
            }
            None => return None,
        };
        // An hour-long wait is not waited for, so a year's worth is as good as the largest number.
        let then = now + pause.min(Duration::from_secs(365 * 86_400));
        let longer = state.silent_until.is_none_or(|until| then > until);
        if longer {
            state.silent_until = Some(then);
        }
        (longer || slower).then_some(pause)
    }

    /// The failure that says when to try again.
    pub(crate) fn come_back(&self, wait: Duration) -> ExecError {
        let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let mut error = ExecError::new(Failure::RateLimited, self.come_back_message(wait));
        error.retry_after_ms = Some(ms);
        error
    }

    pub(crate) fn come_back_message(&self, wait: Duration) -> Message {
        // An account that is closed, or a header that means nothing: no date to wait for.
        if wait > A_DAY {
            return msg!("run-come-back-late", provider = self.name.as_str());
        }
        // Beyond the calendar's end the wait itself has to do.
        let then = self.clock.now().checked_add(wait).unwrap_or(jiff::Timestamp::MAX);
        let then = then.strftime("%Y-%m-%d %H:%M:%SZ").to_string();
        msg!("run-come-back", provider = self.name.as_str(), minutes = wait.as_secs().div_ceil(60), at = then)
    }

    fn state(&self) -> MutexGuard<'_, ProviderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens of question and answer, where they are known.
pub(super) fn tokens_of(output: &Output) -> Option<(f64, f64)> {
    output.usage.map(|usage| (to_f64(usage.total_input()), to_f64(usage.output_tokens)))
}
