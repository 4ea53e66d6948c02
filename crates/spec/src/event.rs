//! The events of a run, for its observers: terminal, live page, tests.

use std::sync::Arc;
use std::time::Duration;

use crate::call::ExecError;
use crate::plan::CellKey;
use crate::record::Record;
use crate::units::Usd;

/// One event. The engine prints nothing; its observers do.
#[derive(Clone, Debug)]
pub enum Event {
    /// The run begins.
    RunStarted {
        /// Cells in the plan.
        total: usize,
        /// Cells that the journal already contained.
        resumed: usize,
    },
    /// A cell left the queue.
    CellStarted {
        /// The cell.
        key: CellKey,
    },
    /// An attempt failed and another follows.
    AttemptFailed {
        /// Which cell.
        key: CellKey,
        /// The failure of the attempt.
        error: Arc<ExecError>,
        /// When the next attempt starts.
        retry_in: Duration,
    },
    /// A provider asked everybody to slow down.
    Throttled {
        /// Which provider.
        provider: String,
        /// Calls allowed at once from now on.
        limit: usize,
        /// How long nothing is sent.
        pause: Duration,
    },
    /// A cell is done, graded, and safely in the journal.
    CellFinished {
        /// Its execution and grade.
        record: Arc<Record>,
        /// Cells done so far, resumed ones included.
        done: usize,
    },
    /// The money spent so far has changed.
    Budget {
        /// Known costs, and what is assumed; `None` when one is unknown.
        spent: Option<Usd>,
        /// The part that is assumed for calls that failed without a word of their cost.
        assumed: Usd,
    },
    /// The run was asked to stop; calls under way are finished.
    Stopping {
        /// Calls still under way.
        running: usize,
    },
    /// All cells are done.
    RunFinished {
        /// Cells done.
        done: usize,
    },
    /// Judges begin to compare answers.
    ComparingStarted {
        /// Pairs of answers.
        total: usize,
    },
    /// The classifier of hedging begins.
    ClassifyingStarted {
        /// Sentences to ask about.
        total: usize,
    },
    /// A pair of answers was compared, or can't be; or a sentence was classified.
    PairFinished {
        /// Pairs or sentences done so far.
        done: usize,
    },
    /// All pairs or sentences that were begun are done.
    ComparingFinished,
}
