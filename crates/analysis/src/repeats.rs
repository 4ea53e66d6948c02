//! Whether more repeats of the same samples would decide, in place of more samples.

use eval_format::RepeatPlan;
use eval_stats::{Pilot, PlannedReading, SeenDifferences, sd};

use crate::grid::Grid;
use crate::numbers::{average, count};
use crate::pairs::Pairs;

/// More repeats than this are advised to nobody.
const MOST: u32 = 10;
/// Repeats are worth naming beside samples where they save so much of them.
const SAVING: f64 = 0.6;
/// Repeats that take away no more than this share of the variance leave the interval nearly as wide.
const LEAST_PART: f64 = 0.25;

/// How many repeats of each sample would settle whether there is a difference of `decides` points, and on how many samples.
///
/// With `ω²` the mean over samples of the variances of the control's and the treatment's repeats, `R` the repeats that were
/// run and `s²` the variance of the differences: `r` repeats leave `max(0, s² − ω²/R) + ω²/r`.
pub(crate) fn plan(
    grid: &Grid,
    treatment: usize,
    pairs: &Pairs,
    seen: SeenDifferences,
    decides: f64,
    [grown, again]: [PlannedReading; 2],
) -> Option<RepeatPlan> {
    let run = f64::from(Some(grid.suite.settings.repeat).filter(|repeat| *repeat > 1)?);
    let of_repeats = variance_of_repeats(grid, treatment, pairs)?;
    let spread = seen.sd * seen.sd;
    if of_repeats / run < LEAST_PART * spread {
        return None;
    }
    let of_samples = (spread - of_repeats / run).max(0.0);
    let samples = |repeats: u32, by: &PlannedReading| {
        let sd = (of_samples + of_repeats / f64::from(repeats)).sqrt();
        Pilot { sd, n: seen.n, widest: seen.widest }.pairs_to_settle(decides, by)
    };
    // the same samples asked anew are read more strictly than a set that grew
    let repeats = (grid.suite.settings.repeat + 1..=MOST)
        .find_map(|repeat| Some((repeat, samples(repeat, &again)?)).filter(|(_, needed)| *needed <= seen.n));
    if let Some((repeat, needed)) = repeats {
        return Some(RepeatPlan { repeat, samples: count(needed) });
    }
    let (many, now) = (samples(MOST, &grown)?, samples(grid.suite.settings.repeat, &grown)?);
    #[expect(clippy::cast_precision_loss, reason = "counts of samples")]
    let is_saving = many as f64 <= SAVING * now as f64;
    is_saving.then_some(RepeatPlan { repeat: MOST, samples: count(many) })
}

/// The variance that repeats add to the difference of a task, over the tasks in which both arms have some.
fn variance_of_repeats(grid: &Grid, treatment: usize, pairs: &Pairs) -> Option<f64> {
    let of_arm = |sample: usize, variant: usize| {
        let points: Vec<f64> = grid.of(sample, variant).filter_map(|cell| cell.composite.points()).collect();
        Some(sd(&points)?.powi(2))
    };
    let of_sample = |sample: usize| {
        pairs.diffs[sample]?;
        Some(of_arm(sample, 0)? + of_arm(sample, treatment)?)
    };
    let known: Vec<Option<f64>> = grid.all_samples().map(of_sample).collect();
    let of_task = |(sample, mean): (usize, Option<f64>)| {
        let members = grid.clusters.of_task(sample).iter().filter(|&&member| known[member].is_some()).count();
        #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
        Some(mean? / members.max(1) as f64)
    };
    let tasks = grid.clusters.tasks(&known);
    average(&tasks.into_iter().enumerate().filter_map(of_task).collect::<Vec<_>>())
}
