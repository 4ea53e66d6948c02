//! How many calls at once: TCP's congestion control, for calls.
//!
//! The first call goes alone. Then a slow start (each answer lets three more calls in, so their number
//! is fourfold every round trip) up to the first 429; from there one more per round trip, and half on a 429.

/// What a proven lane starts with.
const START: f64 = 16.0;
/// Calls that each answer lets in during the slow start.
const SLOW_START_STEP: f64 = 3.0;

#[derive(Debug)]
pub(super) struct CongestionWindow {
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
    pub(super) fn new(ceiling: usize, adaptive: bool) -> CongestionWindow {
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
    pub(super) fn limit(&self) -> usize {
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

    pub(super) fn succeeded(&mut self) {
        if !self.proven {
            self.prove();
        } else if self.slow_start {
            self.raise(SLOW_START_STEP);
        } else {
            self.raise(1.0 / self.limit);
        }
    }

    /// A failure that says nothing about load: the first call needn't be the only one any longer.
    pub(super) fn failed(&mut self) {
        if !self.proven {
            self.prove();
        }
    }

    /// A 429 of a call that started in `epoch`; returns whether it lowered the limit.
    pub(super) fn limited(&mut self, epoch: u64) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(window: &mut CongestionWindow, calls: usize) {
        (0..calls).for_each(|_| window.succeeded());
    }

    fn round_trip(window: &mut CongestionWindow) -> usize {
        let calls = window.limit();
        answer(window, calls);
        window.limit()
    }

    fn full_window() -> CongestionWindow {
        let mut window = CongestionWindow::new(32, true);
        while round_trip(&mut window) < 32 {}
        window
    }

    #[test]
    fn it_reaches_32_one_round_trip_after_the_first_call() {
        let mut window = CongestionWindow::new(32, true);
        let limits: Vec<usize> = (0..3).map(|_| round_trip(&mut window)).collect();
        assert_eq!(limits, [16, 32, 32]);
    }

    #[test]
    fn after_a_429_it_is_half_and_grows_by_one_a_round_trip() {
        let mut window = full_window();
        assert!(window.limited(0));
        assert_eq!(window.limit(), 16);
        answer(&mut window, 17);
        assert_eq!(window.limit(), 17);
    }

    #[test]
    fn a_burst_of_429s_halves_once() {
        let mut window = full_window();
        let falls = (0..32).filter(|_| window.limited(0)).count();
        assert_eq!((falls, window.limit()), (1, 16));
    }

    #[test]
    fn it_never_falls_below_one() {
        let mut window = CongestionWindow::new(32, true);
        window.succeeded();
        let falls = (0..20).filter(|epoch| window.limited(*epoch)).count();
        assert_eq!(falls, 20);
        assert_eq!(window.limit(), 1);
    }

    #[test]
    fn without_adapting_only_the_first_call_is_alone() {
        let mut window = CongestionWindow::new(8, false);
        assert_eq!(window.limit(), 1);
        window.failed();
        assert_eq!(window.limit(), 8);
    }
}
