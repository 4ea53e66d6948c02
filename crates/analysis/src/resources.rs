//! What answers take beside their scores, paired by task; and how many samples waver.

use eval_format::{ResourceDifference, Resources, Stability};
use eval_stats::{Resampling, wilson};

use crate::grid::Grid;
use crate::intervals::{LEVEL, interval_beside};
use crate::numbers::{CellNumbers, average, count, snap};

/// The resources of the treatment beside the control's.
pub(crate) fn resources(grid: &Grid, treatment: usize, resampling: &Resampling) -> Resources {
    let of = |value: fn(&CellNumbers) -> Option<f64>| difference(grid, treatment, value, resampling);
    // a mean over the answers whose price is known would be that of other answers
    let is_unknown = |variant| grid.arm(variant).any(|cell| is_answered(cell) && cell.price.is_none());
    Resources {
        cost_usd: of(|cell| cell.price).filter(|_| !is_unknown(0) && !is_unknown(treatment)),
        duration_ms: of(latency),
        tokens: of(tokens),
    }
}

fn is_answered(cell: &CellNumbers) -> bool {
    cell.ending == eval_format::Ending::Answered
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds")]
fn latency(cell: &CellNumbers) -> Option<f64> {
    cell.latency_ms.map(|ms| ms as f64)
}

#[expect(clippy::cast_precision_loss, reason = "tokens of an answer")]
fn tokens(cell: &CellNumbers) -> Option<f64> {
    cell.usage.map(|usage| usage.total_input().saturating_add(usage.output_tokens) as f64)
}

fn difference(
    grid: &Grid,
    treatment: usize,
    value: fn(&CellNumbers) -> Option<f64>,
    resampling: &Resampling,
) -> Option<ResourceDifference> {
    let of = |sample, variant| {
        grid.mean(sample, variant, |cell| Some(cell).filter(|cell| is_answered(cell)).and_then(value)).map(snap)
    };
    let mut columns = [vec![None; grid.suite.samples.len()], vec![None; grid.suite.samples.len()]];
    for sample in grid.samples() {
        if let (Some(control), Some(treated)) = (of(sample, 0), of(sample, treatment)) {
            (columns[0][sample], columns[1][sample]) = (Some(control), Some(treated));
        }
    }
    let [control, treated] =
        columns.map(|column| grid.clusters.tasks(&column).into_iter().flatten().collect::<Vec<f64>>());
    let diffs: Vec<f64> = control.iter().zip(&treated).map(|(control, treated)| treated - control).collect();
    Some(ResourceDifference {
        n: count(diffs.len()),
        control: average(&control)?,
        treatment: average(&treated)?,
        mean: average(&diffs)?,
        ci: interval_beside(&diffs, resampling),
    })
}

/// `None` without a sample that two repeats scored.
pub(crate) fn stability(grid: &Grid, variant: usize) -> Option<Stability> {
    let scores = |sample| grid.of(sample, variant).filter_map(|cell| cell.composite.points()).collect::<Vec<f64>>();
    let repeated: Vec<Vec<f64>> = grid.samples().map(scores).filter(|scores| scores.len() > 1).collect();
    let wavers = |scores: &&Vec<f64>| scores.iter().any(|score| snap(*score) != snap(scores[0]));
    let (n, wavering) = (count(repeated.len()), count(repeated.iter().filter(wavers).count()));
    let interval = wilson(wavering, n, LEVEL)?;
    Some(Stability { n, wavering, low: snap(interval.low), high: snap(interval.high) })
}
