//! The handle that ends a run early.

use tokio::sync::watch;

/// Ends a run early; clones act on the same run.
///
/// [`Stop::drain`] (Ctrl-C once) starts nothing new and finishes what runs; [`Stop::kill`] (twice)
/// drops the running calls, which ends their processes. The journal can be resumed after both.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    level: watch::Sender<Level>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    #[default]
    Run,
    Drain,
    Kill,
}

impl Stop {
    /// A handle that hasn't been used yet.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Start nothing new, finish what runs.
    pub fn drain(&self) {
        self.raise(Level::Drain);
    }

    /// Drop what runs.
    pub fn kill(&self) {
        self.raise(Level::Kill);
    }

    /// Whether nothing new may start.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        *self.level.borrow() >= Level::Drain
    }

    /// Returns once nothing new may start.
    pub async fn draining(&self) {
        self.reached(Level::Drain).await;
    }

    /// Returns once what runs is to be dropped.
    pub async fn killed(&self) {
        self.reached(Level::Kill).await;
    }

    fn raise(&self, level: Level) {
        self.level.send_if_modified(|now| {
            let higher = level > *now;
            *now = level.max(*now);
            higher
        });
    }

    async fn reached(&self, level: Level) {
        // It fails only when every sender is gone, and we hold one.
        let _ = self.level.subscribe().wait_for(|now| *now >= level).await;
    }
}
