//! The looks that a run was given, taken again when its report is made.

use std::collections::HashSet;

use eval_format::{ArmInputs, DiffInputs, Limits, StoppingLook, TreatmentInputs, TreatmentLook, VerdictInputs};
use eval_spec::plan::Plan;
use eval_spec::record::EarlierLook;
use eval_stats::Resampling;

use super::before;
use super::plan::LookPlan;
use crate::clusters::{Clusters, TasksInOrder};
use crate::compare::Deciding;
use crate::grid::Grid;
use crate::meta::RunStatus;
use crate::numbers::count;
use crate::pairs::composites;
use crate::strictness::{Risk, Strictness};

/// The looks of a run, in order.
pub struct LookResult {
    pub(super) plan: LookPlan,
    /// The samples up to the last look.
    pub(super) planned: HashSet<usize>,
    /// The samples that count.
    pub(crate) order: Vec<usize>,
    /// Whether all treatments were decided by then.
    pub(crate) decided: bool,
    /// Whether it went on to the last look.
    pub(crate) is_whole: bool,
    pub(super) looks: Vec<StoppingLook>,
    strictness: Strictness,
    /// How many of the looks that nobody planned came before.
    pub(crate) before: usize,
}

/// Takes the looks of a run after these earlier ones. The scores of the samples that count tell whether it reads one of those
/// again, and they depend on how strictly the looks are read: each of them is supposed in turn to be the one that is read again.
pub(crate) fn look_after(
    grid: &mut Grid,
    plan: &Plan,
    ended: &RunStatus,
    earlier: &[EarlierLook],
    reading: (&Resampling, bool),
) -> Option<LookResult> {
    let mut after = |before: usize| {
        let result = look(grid, plan, ended, Risk::of(before::inputs(&earlier[..before])), reading)?;
        let hashes = grid.among(&result.order, before::scores_hashes);
        Some((LookResult { before, ..result }, hashes))
    };
    for (place, supposed) in earlier.iter().enumerate() {
        let (result, hashes) = after(place)?;
        if before::has_scores(supposed, &hashes) {
            return Some(result);
        }
    }
    Some(after(earlier.len())?.0)
}

/// Looks at the samples again, in the order of the plan, until all treatments are decided or the last look is taken. Without
/// that, answers of an earlier run count up to the first gap, and of a run that ended for another reason counts what is there.
fn look(
    grid: &mut Grid,
    plan: &Plan,
    ended: &RunStatus,
    risk: Risk,
    (resampling, of_model_api): (&Resampling, bool),
) -> Option<LookResult> {
    let looks = LookPlan::of(grid.suite, &grid.clusters, risk)?;
    let order = in_order(grid, plan);
    let finished = order.iter().take_while(|sample| grid.is_finished(**sample)).count();
    let mut tasks = TasksInOrder::new(grid.clusters.clone());
    let (mut done, mut taken, mut ends_at, mut decided) = (0, Vec::new(), None, false);
    for (place, &sample) in order[..finished].iter().enumerate() {
        done += usize::from(!tasks.completed_by(sample).is_empty());
        let all = looks.planned.all();
        let Some(next) = all.get(taken.len()).filter(|look| look.samples == done) else { continue };
        let is_last = taken.len() + 1 == all.len();
        let strictness = Strictness::at(*next, risk);
        let of = grid.among(&order[..=place], |grid| decisions(grid, &strictness, is_last, resampling, of_model_api));
        decided = of.iter().all(|of| of.decided.is_some());
        taken.push(of);
        if decided || is_last {
            ends_at = Some(place + 1);
            break;
        }
    }
    let planned = up_to(&order, looks.planned.last().samples, &grid.clusters);
    let counted = match (ends_at, ended) {
        (Some(end), _) => order[..end].to_vec(),
        (None, RunStatus::AnswersEnd) => order[..finished].to_vec(),
        (None, _) => planned_and_finished(grid, &order, &planned),
    };
    let tasks = grid.clusters.count(counted.iter().copied());
    let taken = looks.planned.all().iter().zip(taken.into_iter().map(Some).chain(std::iter::repeat(None)));
    let looks_of = taken.map(|(look, of)| StoppingLook {
        samples: count(look.samples),
        tail: look.tail,
        unseen_risk: look.unseen_risk,
        treatments: of.into_iter().flatten().collect(),
    });
    Some(LookResult {
        looks: looks_of.collect(),
        strictness: Strictness::at(looks.reached(tasks), risk),
        is_whole: ends_at.is_some() && tasks >= looks.planned.last().samples,
        plan: looks,
        planned,
        order: counted,
        decided,
        before: 0,
    })
}

/// What each treatment shows at a look, and how that decides it.
pub(super) fn decisions(
    grid: &Grid,
    strictness: &Strictness,
    is_last: bool,
    resampling: &Resampling,
    of_model_api: bool,
) -> Vec<TreatmentLook> {
    let variants = &grid.suite.variants;
    let composites = composites(grid, variants.len());
    let deciding = Deciding::of(grid, &composites, strictness, resampling, of_model_api);
    let mut limits = Limits::new(&grid.suite.settings);
    strictness.set(&mut limits);
    let treatments = deciding.inputs(grid, &composites, &limits);
    let inputs = VerdictInputs::of_variants(limits, ArmInputs::named(&variants[0].name), treatments);
    let decided = |of: &TreatmentInputs| {
        let DiffInputs { n, mean, low, high, .. } = of.diff;
        let decided = eval_verdict::look_decides(&inputs, of, is_last);
        TreatmentLook { treatment: of.arm.name.clone(), n, mean, low, high, decided }
    };
    inputs.treatments.iter().map(decided).collect()
}

/// The samples that count, in the order in which the plan starts them.
fn in_order(grid: &Grid, plan: &Plan) -> Vec<usize> {
    let mut seen = HashSet::new();
    let counts: HashSet<usize> = grid.samples().collect();
    plan.cells.iter().map(|cell| cell.sample).filter(|sample| counts.contains(sample) && seen.insert(*sample)).collect()
}

fn planned_and_finished(grid: &Grid, order: &[usize], planned: &HashSet<usize>) -> Vec<usize> {
    order.iter().copied().filter(|sample| planned.contains(sample) && grid.is_finished(*sample)).collect()
}

/// The samples of the first so many tasks.
fn up_to(order: &[usize], most: usize, clusters: &Clusters) -> HashSet<usize> {
    let (mut tasks, mut done) = (TasksInOrder::new(clusters.clone()), 0);
    let is_within = |sample: &usize| {
        let is_within = done < most;
        done += usize::from(!tasks.completed_by(*sample).is_empty());
        is_within
    };
    order.iter().copied().filter(is_within).collect()
}

impl LookResult {
    /// The samples that don't count.
    pub(crate) fn beyond(&self, grid: &Grid) -> Vec<usize> {
        let counted: HashSet<usize> = self.order.iter().copied().collect();
        grid.samples().filter(|sample| !counted.contains(sample)).collect()
    }

    /// How strictly the differences of this run are read.
    pub(crate) fn strictness(&self) -> Strictness {
        self.strictness
    }
}
