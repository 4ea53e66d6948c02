//! Access to the cells of a run.

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
    /// The answer from the cache that a newer one of the cell replaced; `None` where there is none.
    pub replaced: &'a (dyn Fn(usize) -> Result<Option<Record>, ReadError> + Sync),
    /// The judges' comparison of two cells, by their indexes in the plan, the earlier variant's first; `None` if they
    /// were not compared.
    pub pair: &'a (dyn Fn([usize; 2]) -> Result<Option<Pair>, ReadError> + Sync),
    /// How the texts of samples and artifacts are written into the report; `None` where they are left out.
    pub texts: Option<&'a (dyn Fn(&str) -> String + Sync)>,
}
