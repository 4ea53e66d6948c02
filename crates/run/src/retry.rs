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
pub(crate) struct Retries {
    allowed: Retry,
    used: u32,
    free: u32,
    waits: u32,
    jitter: ChaCha8Rng,
}

impl Retries {
    /// `allowed` attempts beyond the first.
    pub(crate) fn new(allowed: Retry, seed: u64, key: &CellKey) -> Retries {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let jitter = ChaCha8Rng::seed_from_u64(seed ^ hasher.finish());
        Retries { allowed, used: 0, free: if allowed.transient == 0 { 0 } else { FREE_RATE_LIMITS }, waits: 0, jitter }
    }

    /// How long to wait before the next attempt; `None` when there is none. `crowded` says that other
    /// calls to the same model were allowed beside the failed one.
    pub(crate) fn after(&mut self, error: &ExecError, crowded: bool) -> Option<Duration> {
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

#[cfg(test)]
mod tests {
    use eval_message::msg;

    use super::*;

    fn retries(allowed: u32) -> Retries {
        Retries::new(Retry::infrastructure(allowed), 7, &CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 })
    }

    fn error(failure: Failure) -> ExecError {
        ExecError::new(failure, msg!("run-interrupted"))
    }

    #[test]
    fn waits_double_within_their_jitter_up_to_a_minute() {
        let mut retries = retries(8);
        for base in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
            let wait = retries.after(&error(Failure::Server), false).map_or(0.0, |wait| wait.as_secs_f64());
            assert!((base / 2.0..=base).contains(&wait), "{wait} for {base}");
        }
        assert_eq!(retries.after(&error(Failure::Server), false), None);
    }

    #[test]
    fn a_longer_retry_after_is_obeyed() {
        let asked = ExecError { retry_after_ms: Some(30_000), ..error(Failure::RateLimited) };
        assert_eq!(retries(1).after(&asked, false), Some(Duration::from_secs(30)));
    }

    #[test]
    fn a_429_among_many_calls_costs_no_retry_but_not_forever_and_never_with_zero() {
        let mut one = retries(1);
        let granted = (0..20).filter(|_| one.after(&error(Failure::RateLimited), true).is_some()).count();
        assert_eq!(granted, 6);
        assert_eq!(retries(0).after(&error(Failure::RateLimited), true), None);
    }

    #[test]
    fn only_infrastructure_failures_that_may_pass_are_retried() {
        for failure in [
            Failure::Auth,
            Failure::Rejected,
            Failure::Spawn,
            Failure::Crashed,
            Failure::Skill,
            Failure::NoRecording,
            Failure::Interrupted,
            Failure::Budget,
        ] {
            assert_eq!(retries(5).after(&error(failure), true), None, "{failure:?}");
        }
    }

    #[test]
    fn a_skills_own_error_is_asked_again_only_where_that_is_wanted() {
        let key = CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 };
        let granted = |allowed: Retry, failure| {
            let mut retries = Retries::new(allowed, 7, &key);
            (0..9).filter(|_| retries.after(&error(failure), false).is_some()).count()
        };
        let skills = Retry { transient: 2, unanswered: 0, failed: 0 };
        assert_eq!(granted(skills, Failure::Server), 2);
        assert_eq!(granted(skills, Failure::Timeout), 0);
        assert_eq!(granted(Retry { failed: 3, ..skills }, Failure::Skill), 3);
        assert_eq!(granted(Retry { failed: 3, ..skills }, Failure::Spawn), 0);
    }
}
