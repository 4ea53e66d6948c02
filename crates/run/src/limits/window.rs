//! How many calls at once: TCP's congestion control, for calls.
//!
//! The first call goes alone. Then a slow start (each answer lets three more calls in, so their number
//! is fourfold every round trip) up to the first 429; from there one more per round trip, and half on a 429.

/// What a proven lane starts with.
const START: f64 = 16.0;
/// Calls that each answer lets in during the slow start.
const SLOW_START_STEP: f64 = 3.0;

#[derive(Debug)]
pub struct CongestionWindow {
    limit: f64,
    ceiling: f64,
    adaptive: bool,
    under_way: usize,
    /// Whether a call has shown that calls get through at all.
    proven: bool,
    slow_start: bool,
    /// Counts the halvings: 429s of calls that left before the last one were answered by it.
    epoch: u64,
}

impl CongestionWindow {
    pub fn new(ceiling: usize, adaptive: bool) -> CongestionWindow {
        CongestionWindow {
            limit: 1.0,
            ceiling: crate::limits::number::to_f64(ceiling.max(1) as u64),
            adaptive,
            under_way: 0,
            proven: false,
            slow_start: true,
            epoch: 0,
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.under_way < self.limit()
    }

    /// The calls allowed at once; never 0, so that it can't freeze.
    pub fn limit(&self) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the ceiling")]
        let whole = self.limit as usize;
        whole.max(1)
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Takes a slot; returns whether the limit allows other calls beside it.
    pub(super) fn enter(&mut self) -> bool {
        self.under_way += 1;
        self.limit() > 1
    }

    pub(super) fn leave(&mut self) {
        self.under_way -= 1;
    }

    /// Whether no call has got through yet.
    pub(super) fn first_call(&self) -> bool {
        !self.proven
    }

    pub fn succeeded(&mut self) {
        if !self.proven {
            self.prove();
        } else if self.slow_start {
            self.raise(SLOW_START_STEP);
        } else {
            self.raise(1.0 / self.limit);
        }
    }

    /// A failure that says nothing about load: the first call needn't be the only one any longer.
    pub fn failed(&mut self) {
        if !self.proven {
            self.prove();
        }
    }

    /// A 429 of a call that started in `epoch`; returns whether it lowered the limit.
    pub fn limited(&mut self, epoch: u64) -> bool {
        if epoch != self.epoch {
            return false;
        }
        self.epoch += 1;
        if self.proven && self.adaptive {
            self.slow_start = false;
            self.limit = (self.limit / 2.0).max(1.0);
        }
        true
    }

    fn prove(&mut self) {
        self.proven = true;
        self.limit = if self.adaptive { START.min(self.ceiling) } else { self.ceiling };
    }

    fn raise(&mut self, step: f64) {
        self.limit = (self.limit + step).min(self.ceiling);
    }
}
