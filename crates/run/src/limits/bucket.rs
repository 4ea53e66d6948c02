//! A token bucket that keeps "at most so many a minute" for every minute, not only on average.

use std::time::Duration;

use tokio::time::Instant;

/// Fills steadily, is drained by calls, and may be overdrawn by a call larger than itself.
#[derive(Debug)]
pub struct Bucket {
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
    pub fn new(per_minute: f64, smallest: f64, share: f64, now: Instant) -> Bucket {
        let capacity = (per_minute * share).max(smallest);
        let per_second = (per_minute - (capacity - smallest)) / 60.0;
        Bucket { level: capacity, capacity, per_second, filled_at: now }
    }

    /// How long until `amount`, or all that fits, is there.
    pub fn wait(&mut self, amount: f64, now: Instant) -> Duration {
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

    pub fn take(&mut self, amount: f64) {
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
