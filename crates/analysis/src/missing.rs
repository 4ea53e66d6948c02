//! What is missing, and whether it could turn a comparison.
//!
//! A run without an answer is no accident where the artifact caused it: refused, truncated, empty, stopped at a limit. It
//! gets the worst score, 1, in a second analysis of all planned samples, the *floor*. Whatever else has no score was
//! *lost* (time limits, errors, judges that failed), and might have had any: the bounds are moved to where they would be
//! if the lost runs had gone as badly, or as well, for the treatment as the scale allows.

use eval_format::{Difference, Ending, MissingRuns, MissingScores};
use eval_stats::Resampling;

use crate::grid::{Grid, Measure};
use crate::numbers::{CellNumbers, ScorePart, average, count, snap};
use crate::pairs::{Pairs, differences_of};
use crate::stopping::LookResult;
use crate::summary::{HIGHEST, LOWEST};

/// Why a planned run has no score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// By what the artifact did.
    Unanswered,
    /// For another reason.
    Lost,
}

/// Why a run has no score; `None` for one that has, and for one that plans none.
fn lack(cell: &CellNumbers) -> Option<Lack> {
    cell.composite.why()?;
    let is_unanswered = matches!(cell.ending, Ending::Refused | Ending::Truncated | Ending::Empty | Ending::LimitHit);
    Some(if is_unanswered { Lack::Unanswered } else { Lack::Lost })
}

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
        let stands = floor.map(|_| LOWEST);
        let [worst, best] = match lost.samples > 0 {
            true => [[HIGHEST, LOWEST], [LOWEST, HIGHEST]].map(|lost| imputed(grid, i + 1, stands, lost)),
            false => [None, None],
        };
        // what is missing never makes a bound better
        let fall = base.mean.zip(worst).map_or(0.0, |(mean, worst)| (mean - worst).max(0.0));
        let rise = base.mean.zip(best).map_or(0.0, |(mean, best)| (best - mean).max(0.0));
        (unanswered.samples + lost.samples > 0).then(|| MissingScores {
            planned: count(grid.samples().filter(|&sample| is_planned(grid, sample)).count()),
            unanswered,
            lost,
            floor: floor.cloned(),
            low: base.ci.map(|ci| snap(ci.low - fall)),
            high: base.ci.map(|ci| snap(ci.high + rise)),
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
        (1..=treatments).map(|treatment| column(grid, treatment, Some(LOWEST), [None; 2])).collect();
    if let Some(looked) = looked {
        return columns.iter().map(|column| looked.difference(grid, column, treatments)).collect();
    }
    let tasks: Vec<Vec<Option<f64>>> = columns.iter().map(|column| grid.clusters.tasks(column)).collect();
    differences_of(&tasks.iter().map(Vec::as_slice).collect::<Vec<_>>(), resampling)
}

/// The mean difference over all planned tasks, with these scores for lost runs of control and treatment.
fn imputed(grid: &Grid, treatment: usize, unanswered: Option<f64>, lost: [f64; 2]) -> Option<f64> {
    let column = column(grid, treatment, unanswered, lost.map(Some));
    average(&grid.clusters.tasks(&column).into_iter().flatten().collect::<Vec<_>>())
}

/// The differences of a treatment, one place per sample, with these scores for runs that have none; `None` leaves such
/// runs out.
fn column(grid: &Grid, treatment: usize, unanswered: Option<f64>, lost: [Option<f64>; 2]) -> Vec<Option<f64>> {
    let score = |sample: usize, variant: usize, lost: Option<f64>| {
        let stand = |cell: &CellNumbers| match (&cell.composite, lack(cell)) {
            (ScorePart::Scored(points), _) => Some(*points),
            (_, Some(Lack::Unanswered)) => unanswered,
            (_, Some(Lack::Lost)) => lost,
            (_, None) => None,
        };
        average(&grid.of(sample, variant).filter_map(stand).collect::<Vec<_>>())
    };
    let mut column = vec![None; grid.all_samples().len()];
    for sample in grid.samples().filter(|&sample| grid.are_alike(sample, [0, treatment], Measure::Composite)) {
        let [control, treated] =
            [(0, lost[0]), (treatment, lost[1])].map(|(variant, lost)| score(sample, variant, lost));
        column[sample] = treated.zip(control).map(|(treated, control)| snap(treated - control));
    }
    column
}
