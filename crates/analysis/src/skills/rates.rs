//! The formulas: task results in, numbers out.
//!
//! Only passed, failed, error and timeout count; unscored tasks and harness errors are in no rate.

use std::collections::BTreeMap;

use eval_format::skills::{RateInterval, RateMethod, StatusCounts, TaskResult, TaskStatus};
use eval_spec::callable::ScoringMethod;
use eval_stats::{Resampling, mean, mean_interval, wilson, wilson_of_share};

/// The level of intervals.
const LEVEL: f64 = 0.95;

/// Resampling needs as many tasks that passed, and as many that didn't, to see their spread: the field's rule for
/// the normal approximation of a rate, `np ≥ 5` and `n(1 − p) ≥ 5`.
const TELLING: usize = 5;

/// How the results ended. `total` is what was planned, which an interrupted run doesn't reach.
pub fn counts<'a>(results: impl IntoIterator<Item = &'a TaskResult>, total: usize) -> StatusCounts {
    let mut counts = StatusCounts { total, ..StatusCounts::default() };
    for result in results {
        *match result.status {
            TaskStatus::Pass => &mut counts.pass,
            TaskStatus::Fail => &mut counts.fail,
            TaskStatus::Error => &mut counts.error,
            TaskStatus::Timeout => &mut counts.timeout,
            TaskStatus::Unscored => &mut counts.unscored,
            TaskStatus::HarnessError => &mut counts.harness_error,
        } += 1;
    }
    counts
}

/// A part of a whole, 0–1; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of results")]
pub fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The score of what counts; an error or timeout is 0. `None` where nothing counts, or only what weighs nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of runs")]
pub(crate) fn partial_score(results: &[&TaskResult], method: ScoringMethod) -> Option<f64> {
    let counted = results.iter().filter(|of| of.status.counts());
    match method {
        ScoringMethod::Mean => mean(&counted.map(|of| of.score.unwrap_or(0.0)).collect::<Vec<_>>()),
        ScoringMethod::WeightedMean => {
            let weighed: Vec<(f64, f64)> =
                counted.map(|of| (of.weight.unwrap_or(1.0), of.score.unwrap_or(0.0))).collect();
            let whole: f64 = weighed.iter().map(|(weight, _)| weight).sum();
            let sum: f64 = weighed.iter().map(|(weight, score)| weight * score).sum();
            (whole > 0.0).then(|| sum / whole)
        }
        ScoringMethod::PassAtK => {
            let tallies = tallies(results.iter().copied());
            let tasks = tallies.values().filter(|of| of.counted > 0);
            mean(&tasks.map(|of| of.passed as f64 / of.counted as f64).collect::<Vec<_>>())
        }
    }
}

/// Latencies of attempted tasks, ascending; a timeout counts with its limit. Harness errors are not the skill's latency
/// and don't count.
pub fn latencies(results: &[&TaskResult]) -> Vec<f64> {
    let attempted = results.iter().filter(|of| of.status != TaskStatus::HarnessError);
    let mut all: Vec<f64> = attempted.filter_map(|of| of.latency_ms).filter(|ms| ms.is_finite()).collect();
    all.sort_unstable_by(f64::total_cmp);
    all
}

/// Percentile `percent` by nearest rank: the value at place `⌈n · percent / 100⌉`, counted from 1.
#[must_use]
pub fn percentile(ascending: &[f64], percent: usize) -> Option<f64> {
    let rank = (ascending.len() * percent).div_ceil(100).max(1);
    ascending.get(rank - 1).copied()
}

/// `1 − σ` of the runs' completion rates, σ being the population's deviation; `None` below two runs.
#[expect(clippy::cast_precision_loss, reason = "at most a thousand runs")]
pub(crate) fn consistency(rates: &[f64]) -> Option<f64> {
    let middle = mean(rates).filter(|_| rates.len() > 1)?;
    let variance = rates.iter().map(|rate| (rate - middle).powi(2)).sum::<f64>() / rates.len() as f64;
    Some(1.0 - variance.sqrt())
}

/// `0.5·CR + 0.2·(1 − min(1, P95 / limit)) + 0.3·(1 − ER)`, the middle term 0 when the skill never answered. `None`
/// when it was never called, since then it has no latency.
pub fn composite(counts: &StatusCounts, p95: Option<f64>, limit_ms: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let limit = limit_ms as f64;
    let normal = match p95 {
        None if counts.answered() => return None,
        Some(p95) if counts.answered() && limit > 0.0 => (p95 / limit).min(1.0),
        _ => 1.0,
    };
    Some(0.5 * counts.completion_rate()? + 0.2 * (1.0 - normal) + 0.3 * (1.0 - counts.error_rate()?))
}

/// One task over its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskTally {
    /// Runs that passed.
    pub passed: usize,
    /// Runs that count.
    pub counted: usize,
}

impl TaskTally {
    /// Whether it passed in some run and didn't in another.
    fn flips(self) -> bool {
        self.passed > 0 && self.passed < self.counted
    }
}

/// Every task over its runs, by id.
pub fn tallies<'a>(results: impl IntoIterator<Item = &'a TaskResult>) -> BTreeMap<&'a str, TaskTally> {
    let mut all: BTreeMap<&str, TaskTally> = BTreeMap::new();
    for result in results {
        let tally = all.entry(result.task_id.as_str()).or_default();
        tally.counted += usize::from(result.status.counts());
        tally.passed += usize::from(result.status == TaskStatus::Pass);
    }
    all
}

/// The share of tasks that passed in some run and didn't in another, of those that counted in every run; `None` with
/// one run.
pub(crate) fn flip_rate(tallies: &BTreeMap<&str, TaskTally>, runs: u32) -> Option<f64> {
    of_whole(tallies, runs, |tally| tally.flips())
}

/// pass^k (Yao et al. 2024, τ-bench) for as many runs as k: the share of tasks that passed in all of them, of those that
/// counted in all of them. It is the unbiased estimate `C(passed, k) / C(runs, k)` at `k = runs`. `None` with one run.
pub(crate) fn pass_hat_k(tallies: &BTreeMap<&str, TaskTally>, runs: u32) -> Option<f64> {
    of_whole(tallies, runs, |tally| tally.passed == tally.counted)
}

fn of_whole(tallies: &BTreeMap<&str, TaskTally>, runs: u32, is: impl Fn(&TaskTally) -> bool) -> Option<f64> {
    let whole: Vec<&TaskTally> = tallies.values().filter(|of| of.counted == runs as usize).collect();
    share(whole.iter().filter(|of| is(of)).count(), whole.len()).filter(|_| runs > 1)
}

/// The 95 % interval of a completion rate. One result a task: Wilson. More: tasks are resampled with
/// all their runs; with too few informative tasks, Wilson with each task as one trial.
///
/// The rate is a ratio, passed over counted, and tasks may count different numbers of runs. So what is resampled is its
/// linear form, `R + (passed − R · counted) / mean(counted)` of each task (Cochran 1977, §6.3), whose mean is R; with
/// equal numbers of runs that is the task's own rate.
pub(crate) fn interval(tallies: &BTreeMap<&str, TaskTally>, seed: u64) -> Option<RateInterval> {
    let tasks: Vec<TaskTally> = tallies.values().copied().filter(|of| of.counted > 0).collect();
    let passed: usize = tasks.iter().map(|of| of.passed).sum();
    let counted: usize = tasks.iter().map(|of| of.counted).sum();
    let rate = share(passed, counted)?;
    if tasks.iter().all(|of| of.counted == 1) {
        return wilson(passed as u64, counted as u64, LEVEL).map(|of| stored(of.low, of.high, RateMethod::Wilson));
    }
    let good = tasks.iter().filter(|of| of.passed > 0).count();
    let bad = tasks.iter().filter(|of| of.passed < of.counted).count();
    let resampled = (good >= TELLING && bad >= TELLING).then(|| resampled(&tasks, rate, counted, seed)).flatten();
    resampled.or_else(|| {
        #[expect(clippy::cast_precision_loss, reason = "counts of tasks")]
        let of = wilson_of_share(rate, tasks.len() as f64, LEVEL)?;
        Some(stored(of.low, of.high, RateMethod::ClusteredWilson))
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of results")]
fn resampled(tasks: &[TaskTally], rate: f64, counted: usize, seed: u64) -> Option<RateInterval> {
    let each = counted as f64 / tasks.len() as f64;
    let linear: Vec<f64> = tasks.iter().map(|of| rate + (of.passed as f64 - rate * of.counted as f64) / each).collect();
    let of = mean_interval(&linear, &Resampling { seed, level: LEVEL, ..Resampling::default() })?;
    (!of.degenerate).then(|| stored(of.low, of.high, RateMethod::ClusteredBootstrap))
}

fn stored(low: f64, high: f64, method: RateMethod) -> RateInterval {
    RateInterval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0), level: LEVEL, method }
}
