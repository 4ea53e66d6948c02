//! Looks while a run goes on.

use std::collections::HashMap;

use eval_spec::plan::Plan;
use eval_spec::record::{EarlierLook, Record};
use eval_spec::{Failure, Suite};
use eval_stats::Resampling;

use super::before;
use super::plan::LookPlan;
use super::taken::decisions;
use crate::clusters::{Clusters, TasksInOrder};
use crate::grid::Grid;
use crate::intervals::resampling;
use crate::quality::AlikeSamples;
use crate::strictness::{Risk, Strictness};

/// Facts of earlier reports about a run that goes on.
#[derive(Clone, Debug, Default)]
pub struct EarlierFacts {
    /// The looks at the same artifacts that nobody planned, so far.
    pub looks: Vec<EarlierLook>,
    /// The cells that were asked for again, by their places in the plan, and the first end of each.
    pub redrawn: HashMap<usize, Failure>,
}

/// Decides while a run goes on.
pub struct Decider<'a> {
    grid: Grid<'a>,
    plan: &'a Plan,
    looks: LookPlan,
    earlier: Box<dyn Fn() -> EarlierFacts + Send + 'a>,
    risk: Risk,
    resampling: Resampling,
    of_model_api: bool,
    tasks: TasksInOrder,
    finished: usize,
    is_over: bool,
}

impl<'a> Decider<'a> {
    /// `None` where no looks are planned. `seed` is that of the report, `executor` names what answers, and `earlier` tells what
    /// earlier reports say: another run may end while this one goes on.
    #[must_use]
    pub fn new(
        suite: &'a Suite,
        alike: &AlikeSamples,
        plan: &'a Plan,
        (seed, executor): (u64, &str),
        earlier: impl Fn() -> EarlierFacts + Send + 'a,
    ) -> Option<Decider<'a>> {
        let clusters = Clusters::new(suite, &alike.0);
        let risk = Risk::of(before::inputs(&earlier().looks));
        let looks = LookPlan::of(suite, &clusters, risk)?;
        Some(Decider {
            resampling: resampling(&suite.settings, seed).ok()?,
            of_model_api: eval_spec::vendor::is_model_api(executor),
            earlier: Box::new(earlier),
            risk,
            tasks: TasksInOrder::new(clusters.clone()),
            grid: Grid::empty(suite, plan, clusters),
            plan,
            looks,
            finished: 0,
            is_over: false,
        })
    }

    /// Takes in the next sample in the plan's order, with the records of all its cells. Whether the run may end.
    pub fn finished(&mut self, at: usize, records: &[Record]) -> bool {
        if self.is_over || self.grid.suite.samples.get(at).is_none_or(|sample| sample.tripwire) {
            return self.is_over;
        }
        self.grid.add(at, records, self.plan);
        if self.tasks.completed_by(at).is_empty() {
            return false;
        }
        self.finished += 1;
        let all = self.looks.planned.all();
        if let Some(place) = all.iter().position(|look| look.samples == self.finished) {
            let is_last = place + 1 == all.len();
            self.is_over = is_last || self.is_decided_at(place) && (self.is_as_before() || self.is_decided_at(place));
        }
        self.is_over
    }

    fn is_decided_at(&self, place: usize) -> bool {
        let strictness = Strictness::at(self.looks.planned.all()[place], self.risk);
        let of = decisions(&self.grid, &strictness, false, &self.resampling, self.of_model_api);
        of.iter().all(|of| of.decided.is_some())
    }

    /// Returns true if no further report compared the same meanwhile, and no answer replaces one that a report has. A further one makes all
    /// looks stricter.
    fn is_as_before(&mut self) -> bool {
        let EarlierFacts { looks, redrawn } = (self.earlier)();
        let (risk, is_redrawn) = (Risk::of(before::inputs(&looks)), self.grid.note_redrawn(&redrawn));
        if risk == self.risk {
            return !is_redrawn;
        }
        self.risk = risk;
        if let Some(looks) = LookPlan::of(self.grid.suite, &self.grid.clusters, risk) {
            self.looks = looks;
        }
        false
    }
}
