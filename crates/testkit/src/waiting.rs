//! Waits for other processes and threads.

use std::time::{Duration, Instant};

/// The deadline of every wait: far more than needed on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asserts that `work` takes less than a minute: a guard against waits that would take far longer.
#[track_caller]
pub fn before_deadline<T>(work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = work();
    let took = started.elapsed();
    assert!(took < PATIENCE, "it took {took:?}");
    result
}

#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain for: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
