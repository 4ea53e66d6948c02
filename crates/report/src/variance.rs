//! With repeats: how much a whole run's mean moves from one repeat to the next (seed 000's variance analysis).
//!
//! Here the unit is the run. The verdict never reads it: runs over the same samples are not independent observations
//! of new samples.

use eval_stats::{sd, t_interval, welch};

use crate::contract::{Ci, RunComparison, RunSpread, Variance};
use crate::grid::Grid;
use crate::numbers::snap;
use crate::summary::average;

const LEVEL: f64 = 0.95;

/// `None` without repeats.
pub(crate) fn variance(grid: &Grid, names: &[String]) -> Option<Variance> {
    let runs = grid.suite.settings.repeat;
    if runs < 2 {
        return None;
    }
    let spreads: Vec<RunSpread> = (0..names.len()).map(|variant| spread(grid, variant, runs)).collect();
    let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
    let comparisons = pairs.map(|(a, b)| comparison((&names[a], &spreads[a]), (&names[b], &spreads[b]))).collect();
    Some(Variance { runs, per_variant: names.iter().cloned().zip(spreads).collect(), comparisons })
}

fn spread(grid: &Grid, variant: usize, runs: u32) -> RunSpread {
    let scores: Vec<Option<f64>> = (0..runs as usize).map(|run| run_mean(grid, variant, run)).collect();
    let known: Vec<f64> = scores.iter().copied().flatten().collect();
    RunSpread {
        mean: average(&known),
        stddev: sd(&known).map(snap),
        ci: t_interval(&known, LEVEL).map(|interval| Ci::of(&interval, 1)),
        scores,
    }
}

fn run_mean(grid: &Grid, variant: usize, run: usize) -> Option<f64> {
    let score = |sample| grid.of(sample, variant).nth(run)?.composite.points();
    average(&grid.samples().filter_map(score).collect::<Vec<_>>())
}

fn comparison((a, of_a): (&String, &RunSpread), (b, of_b): (&String, &RunSpread)) -> RunComparison {
    let known = |spread: &RunSpread| spread.scores.iter().copied().flatten().collect::<Vec<f64>>();
    let test = welch(&known(of_a), &known(of_b));
    RunComparison {
        a: a.clone(),
        b: b.clone(),
        t_statistic: test.map(|test| test.t),
        df: test.map(|test| test.df),
        p_value: test.map(|test| test.p_value),
        significant: test.map(|test| test.p_value < 1.0 - LEVEL),
    }
}
