//! A token bucket that keeps "at most so many a minute" for every minute, not only on average.

use std::time::Duration;

use tokio::time::Instant;

/// Fills steadily, is drained by calls, and may be overdrawn by a call larger than itself.
#[derive(Debug)]
pub(super) struct Bucket {
    level: f64,
    capacity: f64,
    per_second: f64,
    filled_at: Instant,
}

impl Bucket {
    /// At most `per_minute` units in any minute, evenly: at most a tenth of them at once.
    ///
    /// In any minute can leave what the bucket holds and what flows in; so the inflow is what the
    /// minute allows beyond the capacity (one unit may leave at each end of the minute, hence `smallest`).
    pub(super) fn new(per_minute: f64, smallest: f64, share: f64, now: Instant) -> Bucket {
        let capacity = (per_minute * share).max(smallest);
        let per_second = (per_minute - (capacity - smallest)) / 60.0;
        Bucket { level: capacity, capacity, per_second, filled_at: now }
    }

    /// How long until `amount`, or all that fits, is there.
    pub(super) fn wait(&mut self, amount: f64, now: Instant) -> Duration {
        self.fill(now);
        let missing = amount.min(self.capacity) - self.level;
        if missing <= 1e-9 {
            return Duration::ZERO;
        }
        // A floor of one tick of the timer, so that rounding can't make a busy loop.
        Duration::try_from_secs_f64(missing / self.per_second)
            .unwrap_or(Duration::from_secs(3600))
            .max(Duration::from_millis(1))
    }

    pub(super) fn take(&mut self, amount: f64) {
        self.level -= amount;
    }

    /// Books `real` instead of the `guessed` that was taken.
    pub(super) fn correct(&mut self, guessed: f64, real: f64, now: Instant) {
        self.fill(now);
        self.level = (self.level + guessed - real).min(self.capacity);
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        self.filled_at = self.filled_at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_minute_holds_more_calls_than_allowed(per_minute in 1u32..3000, pauses in proptest::collection::vec(0u64..90, 0..6)) {
            let (mut now, mut left) = (Instant::now(), Vec::new());
            let mut bucket = Bucket::new(f64::from(per_minute), 1.0, 1.0 / 600.0, now);
            for pause in pauses.into_iter().chain([0]) {
                now += Duration::from_secs(pause);
                for _ in 0..per_minute * 2 {
                    now += bucket.wait(1.0, now);
                    bucket.take(1.0);
                    left.push(now);
                }
            }
            // The call after the next `per_minute - 1` leaves at least a minute later.
            for window in left.windows(per_minute as usize + 1) {
                let span = window[window.len() - 1] - window[0];
                prop_assert!(span >= Duration::from_secs(60), "{per_minute} and one more within {span:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_larger_than_the_bucket_goes_and_is_paid_back() {
        let now = Instant::now();
        let mut bucket = Bucket::new(600.0, 0.0, 0.1, now);
        assert_eq!(bucket.wait(5_000.0, now), Duration::ZERO);
        bucket.take(600.0);
        // 540 overdrawn and 60 to be full again, at 9 a second.
        assert_eq!(bucket.wait(60.0, now).as_secs(), 66);
    }
}
