//! With repeats: how much a whole run's mean moves from one repeat to the next, and beside
//! it the same with the sample as the unit.
//!
//! Over runs the unit is the run. The verdict never reads it: runs over the same samples are not independent observations
//! of new samples.

use eval_format::{
    Comparison, Difference, PairedDifference, RunComparison, RunSpread, SampleMean, Variance, VariantSummary,
};
use eval_stats::{Resampling, sd, sign_flip_test, t_interval, welch};

use crate::grid::{Grid, Measure};
use crate::intervals::{ci as ci_of, interval_beside};
use crate::numbers::{average, count, snap};
use crate::pairs::Pairs;

const LEVEL: f64 = 0.95;
/// The most pairs of two treatments that are tested; above that the interval is precise enough.
const MOST_TESTED: usize = 2000;

/// `None` without repeats.
pub(crate) fn variance(
    grid: &Grid,
    names: &[String],
    summaries: &[VariantSummary],
    decided: &[Comparison],
    resampling: &Resampling,
) -> Option<Variance> {
    let runs = grid.suite.settings.repeat;
    if runs < 2 {
        return None;
    }
    let spread = |(variant, summary)| spread(grid, variant, runs, summary);
    let spreads: Vec<RunSpread> = summaries.iter().enumerate().map(spread).collect();
    let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| [a, b]));
    let comparison = |[a, b]: [usize; 2]| {
        let by_sample = match a {
            0 => deciding(&decided[b - 1].diff),
            _ => between(grid, [a, b], resampling),
        };
        comparison((&names[a], &spreads[a]), (&names[b], &spreads[b]), by_sample)
    };
    let comparisons = pairs.map(comparison).collect();
    Some(Variance { runs, per_variant: names.iter().cloned().zip(spreads).collect(), comparisons })
}

fn spread(grid: &Grid, variant: usize, runs: u32, summary: &VariantSummary) -> RunSpread {
    let scores: Vec<Option<f64>> = (0..runs as usize).map(|run| run_mean(grid, variant, run)).collect();
    let known: Vec<f64> = scores.iter().copied().flatten().collect();
    let mean = summary.avg_composite_score.filter(|_| summary.scored_samples > 0);
    RunSpread {
        mean: average(&known),
        stddev: sd(&known).map(snap),
        ci: t_interval(&known, LEVEL).map(|interval| ci_of(&interval, 1)),
        scores,
        by_sample: SampleMean { n: summary.scored_samples, mean, ci: summary.ci },
        shares: crate::shares::of_variant(grid, variant),
    }
}

/// What the verdict reads of a treatment and the control.
fn deciding(of: &Difference) -> PairedDifference {
    PairedDifference { n: of.n, mean: of.mean, ci: of.ci, p_value: of.p_value_adjusted, decides: true }
}

/// Two treatments, about which nothing is decided.
fn between(grid: &Grid, variants: [usize; 2], resampling: &Resampling) -> PairedDifference {
    let pairs = Pairs::between(grid, variants, Measure::Composite);
    let values: Vec<f64> = pairs.diffs.into_iter().flatten().collect();
    PairedDifference {
        n: count(values.len()),
        mean: average(&values),
        ci: interval_beside(&values, resampling),
        p_value: (values.len() <= MOST_TESTED)
            .then(|| sign_flip_test(&values, resampling.seed))
            .flatten()
            .map(|test| test.p_value),
        decides: false,
    }
}

fn run_mean(grid: &Grid, variant: usize, run: usize) -> Option<f64> {
    let score = |sample| grid.of(sample, variant).nth(run)?.composite.points();
    average(&grid.samples().filter_map(score).collect::<Vec<_>>())
}

fn comparison(
    (a, of_a): (&String, &RunSpread),
    (b, of_b): (&String, &RunSpread),
    by_sample: PairedDifference,
) -> RunComparison {
    let known = |spread: &RunSpread| spread.scores.iter().copied().flatten().collect::<Vec<f64>>();
    // of the second minus the first, like the difference over samples
    let test = welch(&known(of_b), &known(of_a));
    RunComparison {
        a: a.clone(),
        b: b.clone(),
        t_statistic: test.map(|test| test.t),
        df: test.map(|test| test.df),
        p_value: test.map(|test| test.p_value),
        significant: test.map(|test| test.p_value < 1.0 - LEVEL),
        by_sample,
    }
}
