//! The `stopping` block of a report: the cells that were not run, and the cost saved.

use std::collections::HashSet;

use eval_format::report::Note;
use eval_format::{Ending, SavedCost, Stopping};
use eval_message::{Message, msg};
use eval_spec::plan::Plan;

use super::look::LookResult;
use super::sequence::{FIRST_LOOK, Rule};

use crate::grid::Grid;
use crate::intervals::LEVEL;
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

/// The block of the report; `None` where the run could not end early. `grid` must be restricted to what counts already.
pub(crate) fn block(
    grid: &Grid,
    plan: &Plan,
    looked: Option<&LookResult>,
    is_complete: bool,
    saving: &Saving<'_>,
) -> Option<Stopping> {
    let rule = Rule::of(grid.suite)?;
    let mut block = empty(rule);
    let Some(looked) = looked else {
        block.unused = Some(rule.why_unused().into());
        block.looked = count(rule.planned);
        return Some(block);
    };
    block.looked = count(looked.order.len());
    block.decided_after = looked.decided.then_some(block.looked);
    block.treatments = looked.paths.clone();
    let mut seen = HashSet::new();
    let drawn = plan.cells.iter().map(|cell| cell.sample).filter(|sample| seen.insert(*sample));
    block.order = drawn.filter_map(|sample| Some(grid.suite.samples.get(sample)?.id.clone())).collect();
    if is_complete {
        let saved: Vec<usize> = (0..plan.cells.len()).filter(|at| grid.all()[*at].ending == Ending::NotRun).collect();
        let ran: HashSet<usize> = plan
            .cells
            .iter()
            .zip(grid.all())
            .filter(|(_, cell)| cell.ending != Ending::NotRun)
            .map(|of| of.0.sample)
            .collect();
        let beyond = grid.beyond();
        block.samples_saved = count(beyond.iter().filter(|sample| !ran.contains(sample)).count());
        block.beyond = beyond
            .iter()
            .filter(|sample| ran.contains(sample))
            .map(|sample| grid.suite.samples[*sample].id.clone())
            .collect();
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

fn empty(rule: Rule) -> Stopping {
    Stopping {
        rule: Note::from(rule.message()),
        unused: None,
        first_look: count(FIRST_LOOK),
        level: LEVEL,
        tightest_at: count(rule.tightest_at()),
        samples_planned: count(rule.planned),
        looked: 0,
        decided_after: None,
        samples_saved: 0,
        calls_saved: 0,
        judge_calls_saved: 0,
        cost_saved_estimate: None,
        cost_saved_why: None,
        beyond: Vec::new(),
        order: Vec::new(),
        treatments: Vec::new(),
        caution: Note::from(msg!("report-stopping-caution")),
    }
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
