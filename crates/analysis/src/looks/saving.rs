//! The `stopping` block of a report: the cells that were not run, and the cost saved.

use std::collections::HashSet;

use eval_format::{Ending, SavedCost, Stopping, StoppingLook, TreatmentLook};
use eval_message::{Message, msg};
use eval_spec::plan::Plan;

use super::taken::LookResult;
use crate::grid::Grid;
use crate::numbers::{average, count, snap};

/// The inputs of the cost estimate of cells that were not run.
pub(crate) struct Saving<'a> {
    /// Requests that judges would be sent about one answer to each sample.
    pub(crate) requests: &'a [u64],
    /// What the judges cost in this run; `None` when unknown.
    pub(crate) judges: Option<f64>,
    /// Whether the answers are those of an earlier run, so that nothing could have been paid for.
    pub(crate) is_regrade: bool,
}

/// The block of the report; `None` where no looks were planned. `grid` must be restricted to what counts already.
pub(crate) fn block(
    grid: &Grid,
    plan: &Plan,
    looked: Option<&LookResult>,
    labels: &[String],
    is_complete: bool,
    saving: &Saving<'_>,
) -> Option<Stopping> {
    let looked = looked?;
    let mut seen = HashSet::new();
    let drawn: Vec<usize> = plan.cells.iter().map(|cell| cell.sample).filter(|sample| seen.insert(*sample)).collect();
    let id = |sample: &usize| Some(grid.suite.samples.get(*sample)?.id.clone());
    // the labels hide the names of a blind run
    let named = |look: &StoppingLook| {
        let treatments = look.treatments.iter().zip(&labels[1..]);
        let treatments = treatments.map(|(of, label)| TreatmentLook { treatment: label.clone(), ..of.clone() });
        StoppingLook { treatments: treatments.collect(), ..look.clone() }
    };
    let is_left = |at: &usize| !grid.suite.samples[*at].tripwire && !looked.planned.contains(at);
    let mut block = Stopping {
        rule: looked.plan.message().into(),
        looks: looked.looks.iter().map(named).collect(),
        samples_planned: count(looked.planned.len()),
        looked: count(looked.order.len()),
        decided_after: looked.decided.then_some(count(looked.order.len())),
        samples_left: count(grid.all_samples().filter(is_left).count()),
        samples_saved: 0,
        calls_saved: 0,
        judge_calls_saved: 0,
        cost_saved_estimate: None,
        cost_saved_why: None,
        beyond: Vec::new(),
        order: drawn.iter().filter_map(id).collect(),
        caution: msg!("report-stopping-caution").into(),
    };
    if is_complete {
        let is_planned = |at: &usize| {
            let sample = plan.cells[*at].sample;
            looked.planned.contains(&sample) || grid.suite.samples[sample].tripwire
        };
        let is_saved = |at: &usize| grid.all()[*at].ending == Ending::NotRun && is_planned(at);
        let saved: Vec<usize> = (0..plan.cells.len()).filter(is_saved).collect();
        let cells = plan.cells.iter().zip(grid.all());
        let ran: HashSet<usize> =
            cells.filter(|(_, cell)| cell.ending != Ending::NotRun).map(|(cell, _)| cell.sample).collect();
        let (under_way, not_run): (Vec<usize>, Vec<usize>) = grid.beyond().iter().partition(|of| ran.contains(of));
        block.samples_saved = count(not_run.iter().filter(|sample| looked.planned.contains(sample)).count());
        block.beyond = under_way.iter().filter_map(id).collect();
        block.calls_saved = count(saved.len());
        let requests = |at: usize| saving.requests.get(plan.cells[at].sample).copied().unwrap_or(0);
        block.judge_calls_saved = saved.iter().map(|at| requests(*at)).sum();
        match cost_saved(grid, plan, &saved, requests, saving) {
            Ok(cost) => block.cost_saved_estimate = cost,
            Err(why) => block.cost_saved_why = Some(why.into()),
        }
    }
    Some(block)
}

/// Each execution at its variant's mean price, and each request to a judge at the mean of those that were made.
#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
fn cost_saved(
    grid: &Grid,
    plan: &Plan,
    saved: &[usize],
    requests: impl Fn(usize) -> u64,
    saving: &Saving<'_>,
) -> Result<Option<SavedCost>, Message> {
    if saved.is_empty() {
        return Ok(None);
    }
    if saving.is_regrade {
        return Err(msg!("report-stopping-cost-regrade"));
    }
    let unknown = || msg!("report-stopping-cost-unknown");
    let price = |variant: usize| {
        let answered: Vec<Option<f64>> =
            grid.arm(variant).filter(|cell| cell.ending == Ending::Answered).map(|cell| cell.price).collect();
        let known: Option<Vec<f64>> = answered.into_iter().collect();
        average(&known?)
    };
    let prices: Vec<Option<f64>> = (0..grid.suite.variants.len()).map(price).collect();
    let mut usd = 0.0;
    for at in saved {
        usd += prices.get(plan.cells[*at].subject).copied().flatten().ok_or_else(unknown)?;
    }
    let is_graded = |at: &usize| grid.all()[*at].graded;
    let made: u64 = (0..plan.cells.len()).filter(is_graded).map(&requests).sum();
    let left: u64 = saved.iter().map(|at| requests(*at)).sum();
    if left > 0 {
        let paid = saving.judges.filter(|_| made > 0).ok_or_else(unknown)?;
        usd += paid / made as f64 * left as f64;
    }
    Ok(Some(SavedCost { usd: snap(usd), basis: msg!("report-stopping-cost-basis").into() }))
}
