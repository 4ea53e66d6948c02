//! Which samples of a stored report its numbers rest on.

use std::collections::HashSet;

use eval_format::Report;

/// What tells the samples that count from the others: those that are meant to fail, and those that were only under way
/// when the run was decided (`--stop-when-decided`). Which ones these are depends on how many calls were made at once,
/// so that nothing may rest on them.
pub struct Counting<'r> {
    beyond: HashSet<&'r str>,
}

impl<'r> Counting<'r> {
    /// Of this report.
    pub fn of<R>(report: &'r Report<R>) -> Counting<'r> {
        Counting { beyond: report.stopping.iter().flat_map(|of| &of.beyond).map(String::as_str).collect() }
    }

    /// Whether a sample counts.
    pub(crate) fn counts(&self, sample_id: &str, tripwire: bool) -> bool {
        !tripwire && !self.is_beyond(sample_id)
    }

    /// Whether it was only under way when the run was decided.
    pub fn is_beyond(&self, sample_id: &str) -> bool {
        self.beyond.contains(sample_id)
    }
}
