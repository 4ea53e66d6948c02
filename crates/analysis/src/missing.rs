//! What is missing, and whether it could turn a comparison.
//!
//! A run without an answer is no accident where the artifact caused it: refused, truncated, empty, stopped at a limit. It
//! gets the worst score, 1, in a second analysis of all planned samples, the *floor*. Whatever else has no score was
//! *lost* (time limits, errors, judges that failed), and might have had any: the bounds are moved to where they would be
//! if the lost runs had gone as badly, or as well, for the treatment as the scale allows. Where a run may end early, how
//! many happen to be lost is a matter of chance as well, so that the bounds are those of confidence sequences of the
//! differences with these scores.

use eval_format::{Difference, MissingRuns, MissingScores};
use eval_stats::Resampling;

use crate::grid::Grid;
use crate::imputed::{Lack, extremes, imputed_differences, lack};
use crate::numbers::{average, count, snap};
use crate::pairs::{Pairs, differences_by_name};
use crate::stopping::LookResult;
use crate::summary::LOWEST;

/// What is missing in the comparison of each treatment; `None` where every planned run has a score.
pub(crate) fn missing(
    grid: &Grid,
    composites: &[Pairs],
    diffs: &[Difference],
    looked: Option<&LookResult>,
    resampling: &Resampling,
) -> Vec<Option<MissingScores>> {
    let runs: Vec<[MissingRuns; 2]> = (1..=composites.len())
        .map(|t| [Lack::Unanswered, Lack::Lost].map(|lack| missing_runs(grid, t, lack)))
        .collect();
    let is_floored = runs.iter().any(|[unanswered, _]| unanswered.samples > 0);
    let floors = if is_floored { floors(grid, composites.len(), looked, resampling) } else { Vec::new() };
    let block = |(i, [unanswered, lost]): (usize, [MissingRuns; 2])| {
        let floor = floors.get(i).filter(|_| unanswered.samples > 0);
        let base = floor.unwrap_or(&diffs[i]);
        let columns = (lost.samples > 0).then(|| extremes(grid, i + 1));
        let sequences = columns.as_ref().zip(looked).map(|(columns, looked)| {
            columns.each_ref().map(|column| looked.difference(grid, column, composites.len()).ci)
        });
        let [worst, best] = columns.map_or([None; 2], |columns| columns.map(|column| task_average(grid, &column)));
        let [least, most] = sequences.unwrap_or([None; 2]);
        // what is missing never makes a bound better
        let fall = base.mean.zip(worst).map_or(0.0, |(mean, worst)| (mean - worst).max(0.0));
        let rise = base.mean.zip(best).map_or(0.0, |(mean, best)| (best - mean).max(0.0));
        (unanswered.samples + lost.samples > 0).then(|| MissingScores {
            planned: count(grid.samples().filter(|&sample| is_planned(grid, sample)).count()),
            unanswered,
            lost,
            floor: floor.cloned(),
            low: base.ci.map(|ci| snap(ci.low - fall).min(least.map_or(f64::INFINITY, |ci| ci.low))),
            high: base.ci.map(|ci| snap(ci.high + rise).max(most.map_or(f64::NEG_INFINITY, |ci| ci.high))),
        })
    };
    runs.into_iter().enumerate().map(block).collect()
}

fn is_planned(grid: &Grid, sample: usize) -> bool {
    grid.plans(sample, |cell| &cell.composite)
}

/// The runs of control and treatment that lack a score for this reason.
fn missing_runs(grid: &Grid, treatment: usize, why: Lack) -> MissingRuns {
    let of = |sample: usize, variant: usize| grid.of(sample, variant).filter(|cell| lack(cell) == Some(why)).count();
    grid.samples().fold(MissingRuns::default(), |sum, sample| {
        let [control, treated] = [of(sample, 0), of(sample, treatment)].map(count);
        MissingRuns {
            samples: sum.samples + u64::from(control + treated > 0),
            control: sum.control + control,
            treatment: sum.treatment + treated,
        }
    })
}

/// The second analysis of each treatment, one family as the first is.
fn floors(grid: &Grid, treatments: usize, looked: Option<&LookResult>, resampling: &Resampling) -> Vec<Difference> {
    let columns: Vec<Vec<Option<f64>>> =
        (1..=treatments).map(|treatment| imputed_differences(grid, treatment, Some(LOWEST), [None; 2])).collect();
    if let Some(looked) = looked {
        return columns.iter().map(|column| looked.difference(grid, column, treatments)).collect();
    }
    let tasks: Vec<Vec<Option<f64>>> = columns.iter().map(|column| grid.clusters.tasks(column)).collect();
    differences_by_name(grid, &(1..=treatments).collect::<Vec<_>>(), &tasks, resampling)
}

/// The mean over all tasks of a column.
fn task_average(grid: &Grid, column: &[Option<f64>]) -> Option<f64> {
    average(&grid.clusters.tasks(column).into_iter().flatten().collect::<Vec<_>>())
}
