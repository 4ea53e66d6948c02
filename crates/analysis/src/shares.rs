//! Variance components of scores: samples, repeats and judges' opinions, and how much more of each would narrow the
//! interval.

use std::collections::BTreeMap;

use eval_format::{VarianceShare, VarianceShares, WithTwice};
use eval_message::{Message, msg};
use eval_spec::Layer;
use eval_stats::{Component, Undefined, VarianceComponents, mean, variance_components};

use crate::grid::{Grid, place};
use crate::intervals::why_undefined;
use crate::numbers::{count, snap};

/// The scores of one run: one per opinion, or just one.
type RunScores = Vec<Option<f64>>;

/// The shares of one variant's spread.
pub(crate) fn of_variant(grid: &Grid, variant: usize) -> VarianceShares {
    shares(grid, grid.samples().map(|sample| runs(grid, sample, variant)).collect())
}

/// The shares of the spread of a treatment's differences, over the samples that are pairs.
pub(crate) fn of_differences(grid: &Grid, treatment: usize, differences: &[Option<f64>]) -> VarianceShares {
    let pairs = grid.samples().filter(|&sample| differences[sample].is_some());
    let difference = |sample| {
        let (control, treated) = (runs(grid, sample, 0), runs(grid, sample, treatment));
        control.iter().zip(&treated).map(|(control, treated)| difference_of(treated, control)).collect()
    };
    shares(grid, pairs.map(difference).collect())
}

fn unknown(why: Message) -> VarianceShare {
    VarianceShare { why: Some(why.into()), ..VarianceShare::default() }
}

/// The difference of each opinion, or of the means where the numbers of opinions differ.
fn difference_of(treated: &RunScores, control: &RunScores) -> RunScores {
    let whole = |run: &RunScores| mean(&run.iter().copied().flatten().collect::<Vec<_>>());
    match treated.len() == control.len() {
        true => treated.iter().zip(control).map(|(t, c)| Some((*t)? - (*c)?)).collect(),
        false => vec![whole(treated).zip(whole(control)).map(|(t, c)| t - c)],
    }
}

/// The composites of a sample's runs, as each opinion by itself would have them; a run without one has no scores.
fn runs(grid: &Grid, sample: usize, variant: usize) -> Vec<RunScores> {
    let of_cell = |&at: &usize| {
        let cell = &grid.all()[at];
        let Some(composite) = cell.composite.points() else { return vec![None] };
        let layers = Layer::ALL.iter().filter(|layer| cell.layers[place(**layer)].points().is_some()).count();
        let Some(judged) = cell.layers[place(Layer::Judge)].points() else { return vec![Some(composite)] };
        let opinions = grid.opinions.layer_by_opinion(at);
        if opinions.len() < 2 {
            return vec![Some(composite)];
        }
        #[expect(clippy::cast_precision_loss, reason = "at most three")]
        let by_opinion = |layer: f64| Some(composite + (layer - judged) / layers as f64);
        opinions.into_iter().map(by_opinion).collect()
    };
    grid.places(sample, variant).iter().map(of_cell).collect()
}

/// With several judges, takes off each opinion's own mean over all runs that have as many: a constant
/// difference in severity is not random error. The deviations from a run's mean are then stretched by
/// `sqrt(b/(b − 1))` with `b` runs, the degrees of freedom that the means cost.
fn without_severity(samples: &mut [Vec<RunScores>]) {
    let mut sums: BTreeMap<usize, (Vec<f64>, f64)> = BTreeMap::new();
    for run in samples.iter().flatten().filter(|run| is_full(run)) {
        let (sums, runs) = sums.entry(run.len()).or_insert_with(|| (vec![0.0; run.len()], 0.0));
        sums.iter_mut().zip(run).for_each(|(sum, score)| *sum += score.unwrap_or(0.0));
        *runs += 1.0;
    }
    for run in samples.iter_mut().flatten().filter(|run| is_full(run)) {
        let Some((sums, runs)) = sums.get(&run.len()).filter(|(_, runs)| *runs > 1.0) else { continue };
        let Some(centre) = mean(&run.iter().copied().flatten().collect::<Vec<_>>()) else { continue };
        let whole = mean(sums).unwrap_or(0.0) / runs;
        let stretched =
            |score: f64, sum: f64| centre + (score - centre - (sum / runs - whole)) * (runs / (runs - 1.0)).sqrt();
        run.iter_mut().zip(sums).for_each(|(score, sum)| *score = score.map(|score| stretched(score, *sum)));
    }
}

fn is_full(run: &RunScores) -> bool {
    run.len() > 1 && run.iter().all(Option::is_some)
}

fn shares(grid: &Grid, mut samples: Vec<Vec<RunScores>>) -> VarianceShares {
    if grid.opinions.is_panel() {
        without_severity(&mut samples);
    }
    let is_scored = |runs: &&Vec<RunScores>| runs.iter().flatten().any(Option::is_some);
    match variance_components(&samples) {
        Err(why) => undefined(why, samples.iter().filter(is_scored).count()),
        Ok(found) => shares_of(grid, &found),
    }
}

fn undefined(why: Undefined, samples: usize) -> VarianceShares {
    VarianceShares {
        n: count(samples),
        runs_per_sample: None,
        opinions_per_run: None,
        samples: unknown(why_no_shares(why)),
        repeats: unknown(why_no_shares(why)),
        opinions: unknown(why_no_shares(why)),
        with_twice: WithTwice::default(),
    }
}

fn why_no_shares(why: Undefined) -> Message {
    match why {
        Undefined::TooFew => msg!("report-shares-few"),
        other => why_undefined(other),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of scores")]
fn shares_of(grid: &Grid, found: &VarianceComponents) -> VarianceShares {
    let runs = found.run_count as f64 / found.sample_count as f64;
    let opinions = found.score_count as f64 / found.run_count as f64;
    let one_opinion = match grid.opinions.is_empty() {
        true => msg!("report-shares-unjudged"),
        false => msg!("report-shares-one-opinion"),
    };
    VarianceShares {
        n: count(found.sample_count),
        runs_per_sample: Some(snap(runs)),
        opinions_per_run: Some(snap(opinions)),
        samples: share(&found.samples),
        repeats: found.repeats.as_ref().map_or_else(|| unknown(msg!("report-shares-one-run")), share),
        opinions: found.opinions.as_ref().map_or_else(|| unknown(one_opinion), share),
        with_twice: with_twice(found, runs, opinions),
    }
}

fn share(of: &Component) -> VarianceShare {
    VarianceShare {
        variance: Some(snap(of.variance)),
        share: Some(snap(of.share)),
        held_at_zero: of.held_at_zero,
        why: None,
    }
}

/// `sqrt` of the ratio of `Var(mean)` with twice as many and now.
fn with_twice(found: &VarianceComponents, runs: f64, opinions: f64) -> WithTwice {
    let of = |part: Option<&Component>| part.map_or(0.0, |part| part.variance);
    let samples = found.samples.variance;
    let repeats = of(found.repeats.as_ref()) / runs;
    let wavering = of(found.opinions.as_ref()) / (runs * opinions);
    let now = samples + repeats + wavering;
    let left = |then: f64| (now > 0.0).then(|| snap((then / now).sqrt()));
    WithTwice {
        samples: left(now / 2.0),
        repeats: found.repeats.and_then(|_| left(samples + (repeats + wavering) / 2.0)),
        opinions: found.opinions.and_then(|_| left(samples + repeats + wavering / 2.0)),
    }
}
