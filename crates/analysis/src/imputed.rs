//! The differences of a comparison with scores in place of those that runs lack.

use eval_format::Ending;

use crate::grid::{Grid, Measure};
use crate::numbers::{CellNumbers, ScorePart, snap};
use crate::summary::{HIGHEST, LOWEST};

/// Why a planned run has no score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// By what the artifact did.
    Unanswered,
    /// For another reason.
    Lost,
}

/// Why a run has no score; `None` for one that has, and for one that plans none.
pub(crate) fn lack(cell: &CellNumbers) -> Option<Lack> {
    cell.composite.why()?;
    let is_unanswered = matches!(cell.ending, Ending::Refused | Ending::Truncated | Ending::Empty | Ending::LimitHit);
    Some(if is_unanswered { Lack::Unanswered } else { Lack::Lost })
}

/// Returns the number of runs of a variant that lack a score for this reason, of a sample that is compared with the control
/// or as the control with `treatment`. A sample of which only the other arm has runs is one lost run.
pub(crate) fn lacking_runs(grid: &Grid, sample: usize, treatment: usize, variant: usize, why: Lack) -> usize {
    if !grid.has_runs(sample, variant) {
        return usize::from(why == Lack::Lost && grid.is_compared(sample, treatment));
    }
    grid.of(sample, variant).filter(|cell| lack(cell) == Some(why)).count()
}

/// The differences of a treatment with the worst and the best that its missing runs could have been, one place per sample;
/// unanswered runs have the worst score.
pub(crate) fn extremes(grid: &Grid, treatment: usize) -> [Vec<Option<f64>>; 2] {
    [[HIGHEST, LOWEST], [LOWEST, HIGHEST]]
        .map(|lost| imputed_differences(grid, treatment, Some(LOWEST), lost.map(Some)))
}

/// The differences of a treatment, one place per sample, with these scores for runs that have none, and for samples of
/// which only one arm has runs; `None` leaves them out.
pub(crate) fn imputed_differences(
    grid: &Grid,
    treatment: usize,
    unanswered: Option<f64>,
    lost: [Option<f64>; 2],
) -> Vec<Option<f64>> {
    let score = |sample: usize, variant: usize, lost: Option<f64>| {
        let stand = |cell: &CellNumbers| match (&cell.composite, lack(cell)) {
            (ScorePart::Scored(points), _) => Some(*points),
            (_, Some(Lack::Unanswered)) => unanswered,
            (_, Some(Lack::Lost)) => lost,
            (_, None) => None,
        };
        match grid.has_runs(sample, variant) {
            true => grid.mean(sample, variant, stand).map(snap),
            false => lost,
        }
    };
    let mut column = vec![None; grid.all_samples().len()];
    let is_alike = |&sample: &usize| grid.are_alike(sample, [0, treatment], Measure::Composite);
    for sample in grid.samples().filter(|&sample| grid.is_compared(sample, treatment)).filter(is_alike) {
        let [control, treated] =
            [(0, lost[0]), (treatment, lost[1])].map(|(variant, lost)| score(sample, variant, lost));
        column[sample] = treated.zip(control).map(|(treated, control)| snap(treated - control));
    }
    column
}
