//! The samples that are finished without a gap, in the plan's order: only these are passed to the rule that may end a run
//! early. Short answers come back first, so a decision over everything finished by now would favour short answers, and
//! would change with the concurrency.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Record};
use eval_spec::{Cell, CellKey, Failure};

use crate::error::RunError;
use crate::journal::spent::is_graded;
use crate::journal::{CellState, Journal};
use crate::outage::Outage;

/// Called with every finished sample, in the plan's order without a gap: its index among the suite's samples, and the records
/// of its cells in the plan's order. `true` ends the run: no further cell is started.
pub type Watch<'a> = Box<dyn FnMut(usize, Vec<Record>) -> bool + Send + 'a>;

/// How far the finished samples reach.
pub(crate) struct Prefix<'a> {
    plan: &'a Plan,
    journal: Arc<Journal>,
    watch: Watch<'a>,
    samples: Vec<InOrder>,
    /// The place of a sample in `samples`, by its name.
    places: HashMap<Arc<str>, usize>,
    /// Samples passed on so far.
    passed_on: usize,
    decided: bool,
}

/// A sample in the plan's order.
struct InOrder {
    sample: usize,
    /// The places of its cells in the plan.
    cells: Range<usize>,
    /// Those of them that are not finished.
    left: usize,
}

impl<'a> Prefix<'a> {
    /// Nothing passed on yet; what the journal holds counts as finished. The plan must hold whole samples, one after another.
    pub(crate) fn new(plan: &'a Plan, journal: &Arc<Journal>, watch: Watch<'a>) -> Prefix<'a> {
        let mut samples = in_order(plan);
        for of in &mut samples {
            of.left = plan.cells[of.cells.clone()]
                .iter()
                .filter(|cell| journal.state(cell, Outage::EndsTheRun) != CellState::Final)
                .count();
        }
        let name = |of: &InOrder| Arc::clone(&plan.cells[of.cells.start].key.sample);
        let places = samples.iter().enumerate().map(|(place, of)| (name(of), place)).collect();
        Prefix { plan, journal: Arc::clone(journal), watch, samples, places, passed_on: 0, decided: false }
    }

    /// Records that a cell is finished, and passes on the samples that it completes. Returns whether the run may end.
    pub(crate) fn finished(&mut self, key: &CellKey) -> Result<bool, RunError> {
        if let Some(of) = self.places.get(&key.sample).and_then(|place| self.samples.get_mut(*place)) {
            of.left = of.left.saturating_sub(1);
        }
        while !self.decided
            && let Some(of) = self.samples.get(self.passed_on).filter(|of| of.left == 0)
        {
            let Some(records) = records(&self.journal, &self.plan.cells[of.cells.clone()])? else { break };
            self.decided = (self.watch)(of.sample, records);
            self.passed_on += 1;
        }
        Ok(self.decided)
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.decided
    }
}

/// Whether the run had ended as decided before: on what the journal holds, failures included, which would be tried again
/// if it went on.
///
/// # Errors
/// When the journal can't be read.
pub fn is_decided(plan: &Plan, journal: &Journal, mut watch: Watch<'_>) -> Result<bool, RunError> {
    for of in in_order(plan) {
        let Some(records) = records(journal, &plan.cells[of.cells])? else { return Ok(false) };
        if !records.iter().all(is_over) {
            return Ok(false);
        }
        if watch(of.sample, records) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a record says all that there will be, unless it is tried again.
fn is_over(record: &Record) -> bool {
    match &record.execution.result {
        Executed::Output(output) => record.grade.is_some() || !is_graded(output.outcome),
        Executed::Failed(error) => error.failure != Failure::Interrupted,
    }
}

/// The records of some cells; `None` when one has none.
fn records(journal: &Journal, cells: &[Cell]) -> Result<Option<Vec<Record>>, RunError> {
    cells.iter().map(|cell| journal.record(cell)).collect()
}

fn in_order(plan: &Plan) -> Vec<InOrder> {
    let mut samples: Vec<InOrder> = Vec::new();
    for (at, cell) in plan.cells.iter().enumerate() {
        match samples.last_mut().filter(|last| last.sample == cell.sample) {
            Some(last) => last.cells.end = at + 1,
            None => samples.push(InOrder { sample: cell.sample, cells: at..at + 1, left: 0 }),
        }
    }
    samples
}
