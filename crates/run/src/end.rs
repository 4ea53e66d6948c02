//! How a run ended.

use eval_message::Message;
use eval_spec::ExecError;

use crate::budget::BudgetStop;

/// How a run ended. The records are in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    /// Cells that were executed, those of an earlier part of the run included.
    pub done: usize,
    /// Cells of the plan.
    pub total: usize,
    /// Why it ended.
    pub ended: RunEnding,
    /// What went wrong without harm to the results.
    pub warnings: Vec<Message>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnding {
    /// Every cell was executed, with an output or a failure.
    Complete,
    /// The watch had enough samples; the other cells need not be run.
    Decided,
    /// It was asked to stop.
    Interrupted,
    /// The budget of the run doesn't allow another call.
    BudgetExhausted {
        /// Why not.
        why: BudgetStop,
    },
    /// A judge was away, or none of its replies was usable.
    JudgeFailed {
        /// Error of the last request, with the reply's first characters as its detail.
        error: ExecError,
    },
    /// Going on made no sense.
    Aborted {
        /// The error that every further call would get.
        error: ExecError,
    },
}
