//! Which tasks moved, and McNemar's test over those that flipped. Both sides are looked at with the same number of runs:
//! a task that ran five times on one side and once on the other would have five chances against one to fail there, and
//! what is the same would look like a loss.

use eval_analysis::skills::rates::{self, TaskTally};
use eval_format::skills::{TaskResult, TaskStatus};
use eval_message::plain::shortened;
use eval_stats::mcnemar_exact;
use schemars::JsonSchema;
use serde::Serialize;

use super::CommonTask;

/// A task that moved.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FlippedTask {
    /// Which.
    pub task: String,
    /// How often it passed in A, of `runs_a`.
    pub passed_a: usize,
    /// Runs of A that are compared: the first that count, as many as both sides have.
    pub runs_a: usize,
    /// How often it passed in B, of `runs_b`.
    pub passed_b: usize,
    /// Runs of B that are compared.
    pub runs_b: usize,
    /// How the first run that didn't pass ended, and why.
    pub why: String,
}

/// The tasks that moved, each in one list at most.
#[derive(Default)]
pub(super) struct Flips {
    pub(super) newly_failing: Vec<FlippedTask>,
    pub(super) newly_passing: Vec<FlippedTask>,
    pub(super) less_often: Vec<FlippedTask>,
    pub(super) more_often: Vec<FlippedTask>,
    /// Tasks of which one side has more runs than are compared.
    pub(super) uneven: usize,
}

impl Flips {
    pub(super) fn of(common: &[CommonTask<'_>]) -> Flips {
        let mut flips = Flips::default();
        for task in common {
            let runs = task.tallies[0].counted.min(task.tallies[1].counted);
            flips.uneven += usize::from(task.tallies[0].counted != task.tallies[1].counted);
            let [of_a, of_b] = [first(&task.a, runs), first(&task.b, runs)];
            let passed = [&of_a, &of_b].map(|of| of.iter().filter(|of| of.status == TaskStatus::Pass).count());
            let (list, failing) = match passed {
                [a, b] if a == b => continue,
                [a, _] if a == runs => (&mut flips.newly_failing, &of_b),
                [_, b] if b == runs => (&mut flips.newly_passing, &of_a),
                [a, b] if b < a => (&mut flips.less_often, &of_b),
                _ => (&mut flips.more_often, &of_a),
            };
            list.push(flipped(task.id, passed, runs, failing));
        }
        flips
    }

    /// Two-sided; a task passes when it passed in every run that is compared.
    pub(super) fn mcnemar(&self) -> f64 {
        mcnemar_exact(self.newly_failing.len() as u64, self.newly_passing.len() as u64)
    }
}

/// The first runs that count.
fn first<'r>(results: &[&'r TaskResult], runs: usize) -> Vec<&'r TaskResult> {
    results.iter().copied().filter(|of| of.status.counts()).take(runs).collect()
}

fn flipped(task: &str, passed: [usize; 2], runs: usize, failing: &[&TaskResult]) -> FlippedTask {
    let first = failing.iter().find(|result| result.status != TaskStatus::Pass);
    FlippedTask {
        task: task.to_owned(),
        passed_a: passed[0],
        runs_a: runs,
        passed_b: passed[1],
        runs_b: runs,
        why: first.map(|of| why(of)).unwrap_or_default(),
    }
}

fn why(of: &TaskResult) -> String {
    let said = of.error.as_deref().or(of.reason.as_deref()).unwrap_or_default();
    format!("{}: {}", of.status.name(), shortened(said, 500))
}

/// One task over all its runs.
pub(super) fn tally(of: &[&TaskResult]) -> TaskTally {
    rates::tallies(of.iter().copied()).into_values().next().unwrap_or_default()
}
