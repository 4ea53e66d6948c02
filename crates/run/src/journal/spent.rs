//! What a run's lines cost, and which of them get a grade.

use eval_spec::Outcome;
use eval_spec::units::Usd;

/// What the executions and judgements of a journal cost, attempts that were repeated later included; what came from
/// the cache cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JournalCost {
    /// The sum of the known costs, and of what is assumed.
    pub known: Usd,
    /// The part that is assumed: calls that ended without a word of their cost, each taken for the dearest so far.
    pub assumed: Usd,
    /// Outputs with an unknown cost.
    pub unknown: usize,
    /// The dearest single attempt.
    pub dearest: Usd,
}

impl JournalCost {
    /// The whole sum; `None` when a part of it is unknown.
    #[must_use]
    pub fn total(&self) -> Option<Usd> {
        (self.unknown == 0).then_some(self.known)
    }
}

/// Whether an output is one that gets a grade.
pub(crate) fn is_graded(outcome: Outcome) -> bool {
    outcome == Outcome::Answered
}
