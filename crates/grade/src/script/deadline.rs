//! A deadline that the JavaScript engine asks about while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The deadline of an engine; clones share it.
#[derive(Clone)]
pub(crate) struct Deadline {
    born: Instant,
    // Nanoseconds after `born`.
    ends: Arc<AtomicU64>,
    fired: Arc<AtomicBool>,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline { born: Instant::now(), ends: Arc::new(AtomicU64::new(u64::MAX)), fired: Arc::default() }
    }
}

impl Deadline {
    /// Ends after `limit` from now.
    pub(crate) fn set(&self, limit: Duration) {
        let ends = u64::try_from((self.born.elapsed() + limit).as_nanos()).unwrap_or(u64::MAX);
        self.fired.store(false, Ordering::Relaxed);
        self.ends.store(ends, Ordering::Relaxed);
    }

    /// Whether the time is up; [`Deadline::fired`] reports it afterwards.
    pub(crate) fn passed(&self) -> bool {
        let passed = self.born.elapsed().as_nanos() > u128::from(self.ends.load(Ordering::Relaxed));
        if passed {
            self.fired.store(true, Ordering::Relaxed);
        }
        passed
    }

    /// Whether the deadline has passed since it was last set.
    pub(crate) fn fired(&self) -> bool {
        self.fired.load(Ordering::Relaxed)
    }

    /// The interrupt handler of the engine; `true` stops it.
    pub(crate) fn handler(&self) -> Box<dyn FnMut() -> bool + Send> {
        let deadline = self.clone();
        Box::new(move || deadline.passed())
    }
}
