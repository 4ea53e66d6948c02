//! Which samples of a stored report its numbers rest on.

use std::collections::HashSet;

use eval_format::Report;

/// Which samples count: not tripwires, and not the samples that were still running when the run was decided
/// (`--stop-when-decided`). Which samples those are depends on the concurrency, so no number may depend on them.
pub struct Counting<'r> {
    beyond: HashSet<&'r str>,
}

impl<'r> Counting<'r> {
    /// The samples of a report that count.
    pub fn of<R>(report: &'r Report<R>) -> Counting<'r> {
        Counting { beyond: report.stopping.iter().flat_map(|of| &of.beyond).map(String::as_str).collect() }
    }

    /// Whether a sample counts.
    pub(crate) fn counts(&self, sample_id: &str, tripwire: bool) -> bool {
        !tripwire && !self.is_beyond(sample_id)
    }

    /// Whether it was still running when the run was decided.
    pub fn is_beyond(&self, sample_id: &str) -> bool {
        self.beyond.contains(sample_id)
    }
}
