//! When a failed attempt is followed by another one, and after how long.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use eval_spec::{CellKey, ExecError, Failure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::policy::Retry;

/// The first wait, before jitter; it doubles with every further attempt.
const FIRST: Duration = Duration::from_secs(1);
/// The first wait after an error of a callable skill itself: no server has to recover.
const FIRST_OF_A_SKILL: Duration = Duration::from_millis(100);
/// The longest wait of our own making; a vendor may ask for a longer one.
const LONGEST: Duration = Duration::from_secs(60);
/// So many 429s that met more than one call in flight are the limiter's doing and cost a cell no retry.
const FREE_RATE_LIMITS: u32 = 5;

/// The retries of one call.
#[derive(Debug)]
pub struct Retries {
    allowed: Retry,
    used: u32,
    free: u32,
    waits: u32,
    jitter: ChaCha8Rng,
}

impl Retries {
    /// `allowed` attempts beyond the first.
    pub fn new(allowed: Retry, seed: u64, key: &CellKey) -> Retries {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let jitter = ChaCha8Rng::seed_from_u64(seed ^ hasher.finish());
        Retries { allowed, used: 0, free: if allowed.transient == 0 { 0 } else { FREE_RATE_LIMITS }, waits: 0, jitter }
    }

    /// How long to wait before the next attempt; `None` when there is none. `crowded` says that other
    /// calls to the same model were allowed beside the failed one.
    pub fn after(&mut self, error: &ExecError, crowded: bool) -> Option<Duration> {
        if error.failure == Failure::RateLimited && crowded && self.free > 0 {
            self.free -= 1;
        } else if self.used < self.allowed.after(error.failure) {
            self.used += 1;
        } else {
            return None;
        }
        let asked = Duration::from_millis(error.retry_after_ms.unwrap_or(0));
        let first = match error.failure {
            Failure::Skill | Failure::Crashed => FIRST_OF_A_SKILL,
            _ => FIRST,
        };
        Some(self.backoff(first).max(asked))
    }

    /// A doubling wait with jitter, so that calls which failed together come back apart.
    fn backoff(&mut self, first: Duration) -> Duration {
        let whole = first.saturating_mul(1 << self.waits.min(16)).min(LONGEST);
        self.waits += 1;
        jittered(whole, &mut self.jitter)
    }
}

/// Between half and all of a wait.
pub(crate) fn jittered(whole: Duration, jitter: &mut ChaCha8Rng) -> Duration {
    let share = f64::from(jitter.next_u32()) / f64::from(u32::MAX);
    whole.mul_f64(0.5 + 0.5 * share)
}
