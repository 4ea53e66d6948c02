//! The cells of a run, as a report reads them.

use eval_format::ReadError;
use eval_spec::Pair;
use eval_spec::plan::Plan;
use eval_spec::record::Record;

/// The cells of a run and how to get at their records. Every record is read at most twice, and those
/// of samples with gold once more.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The record of a cell, by its place in the plan; `None` if it was not run. Called from several threads.
    pub read: &'a (dyn Fn(usize) -> Result<Option<Record>, ReadError> + Sync),
    /// What judges said of two cells that they compared, by their places in the plan, the earlier variant's first;
    /// `None` if they were not asked.
    pub pair: &'a (dyn Fn([usize; 2]) -> Result<Option<Pair>, ReadError> + Sync),
}
