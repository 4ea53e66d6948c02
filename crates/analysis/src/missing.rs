//! What is missing, and whether it could turn a comparison.
//!
//! A run without an answer is no accident where the artifact caused it: refused, truncated, empty, stopped at a limit. It
//! gets the worst score, 1, in a second analysis of all planned samples, the *floor*. Whatever else has no score was
//! *lost* (time limits, errors, judges that failed), and might have had any: the bounds are moved to where they would be
//! if the lost runs had gone as badly, or as well, for the treatment as the scale allows, and by what chance adds in which of
//! the runs are lost.

use eval_format::{Difference, MissingRuns, MissingScores};
use eval_stats::{Resampling, mcnemar_exact};

use crate::grid::Grid;
use crate::imputed::{Lack, extremes, imputed_differences, lacking_runs};
use crate::numbers::{count, snap};
use crate::pairs::Pairs;
use crate::strictness::Strictness;
use crate::summary::{HIGHEST, LOWEST};

/// What is missing in the comparison of each treatment; `None` where every planned run has a score.
pub(crate) fn missing(
    grid: &Grid,
    composites: &[Pairs],
    diffs: &[Difference],
    strictness: &Strictness,
    resampling: &Resampling,
    of_model_api: bool,
) -> Vec<Option<MissingScores>> {
    let runs: Vec<[MissingRuns; 2]> = (1..=composites.len())
        .map(|t| [Lack::Unanswered, Lack::Lost].map(|lack| missing_runs(grid, t, lack)))
        .collect();
    let is_floored = runs.iter().any(|[unanswered, _]| unanswered.samples > 0);
    let columns = if is_floored { floor_columns(grid, composites.len()) } else { Vec::new() };
    // the second analysis is one family, as the first is
    let tasks: Vec<Vec<Option<f64>>> = columns.iter().map(|column| grid.clusters.tasks(column)).collect();
    let floors = strictness.differences(grid, &tasks, resampling);
    let block = |(i, [unanswered, lost]): (usize, [MissingRuns; 2])| {
        let floor = floors.get(i).filter(|_| unanswered.samples > 0);
        let base = floor.unwrap_or(&diffs[i]);
        let measured = columns.get(i).filter(|_| unanswered.samples > 0).unwrap_or(&composites[i].diffs);
        let extremes = (lost.samples > 0).then(|| extremes(grid, i + 1));
        let counted = extremes.as_ref().map_or(measured, |[worst, _]| worst);
        let which = Redraws { of_model_api, interruptions: are_one_sided(grid, i + 1, counted) };
        let again = asked_again(grid, i + 1, counted, which);
        let of_lost = extremes
            .as_ref()
            .zip(base.mean)
            .map(|(columns, mean)| columns.each_ref().map(|column| MeanShift::between(grid, measured, column, mean)));
        let [worst, best] = of_lost.unwrap_or_default();
        let redrawn = redrawn(grid, i + 1, counted);
        let [up, down] = if_first_were_other(grid, i + 1, counted, [&again, &redrawn], which);
        let [worst, best] = [worst.with(&down), best.with(&up)];
        let lower = |low: f64| base.mean.map_or(low, |mean| worst.lower(mean, low));
        let upper = |high: f64| base.mean.map_or(high, |mean| best.upper(mean, high));
        (unanswered.samples + lost.samples + again.samples > 0).then(|| MissingScores {
            planned: count(grid.samples().filter(|&sample| is_planned(grid, sample, i + 1)).count()),
            unanswered,
            lost,
            again,
            redrawn,
            floor: floor.cloned(),
            low: base.ci.map(|ci| snap(lower(ci.low))),
            high: base.ci.map(|ci| snap(upper(ci.high))),
        })
    };
    runs.into_iter().enumerate().map(block).collect()
}

fn is_planned(grid: &Grid, sample: usize, treatment: usize) -> bool {
    grid.is_compared(sample, treatment) && grid.plans(sample, |cell| &cell.composite)
}

/// The runs of control and treatment that lack a score for this reason.
fn missing_runs(grid: &Grid, treatment: usize, why: Lack) -> MissingRuns {
    let of = |sample: usize, variant: usize| lacking_runs(grid, sample, treatment, variant, why);
    grid.samples().fold(MissingRuns::default(), |sum, sample| {
        let [control, treated] = [of(sample, 0), of(sample, treatment)].map(count);
        MissingRuns {
            samples: sum.samples + u64::from(control + treated > 0),
            control: sum.control + control,
            treatment: sum.treatment + treated,
        }
    })
}

/// How the mean moves if each lost run had gone as badly, or as well, as the scale allows.
#[derive(Clone, Copy, Debug, Default)]
struct MeanShift {
    /// By how much in all.
    sum: f64,
    /// The squares of what each task moves it by.
    squares: f64,
}

/// The normal quantile of a two-sided interval at 95 %.
const WIDTH: f64 = 1.96;

impl MeanShift {
    /// From the tasks' differences as measured to those with imputed scores; a task without a measured difference is at
    /// the `mean` of the others.
    fn between(grid: &Grid, measured: &[Option<f64>], imputed: &[Option<f64>], mean: f64) -> MeanShift {
        let tasks = grid.clusters.tasks(imputed).into_iter().zip(grid.clusters.tasks(measured));
        let moved: Vec<f64> =
            tasks.filter_map(|(imputed, measured)| Some(imputed? - measured.unwrap_or(mean))).collect();
        #[expect(clippy::cast_precision_loss, reason = "a count of tasks")]
        let n = moved.len().max(1) as f64;
        let sum = moved.iter().sum::<f64>() / n;
        MeanShift { sum, squares: moved.iter().map(|by| (by / n).powi(2)).sum() }
    }

    /// With what each run moves the mean by beside it.
    fn with(self, by: &[f64]) -> MeanShift {
        MeanShift {
            sum: self.sum + by.iter().sum::<f64>(),
            squares: self.squares + by.iter().map(|x| x * x).sum::<f64>(),
        }
    }

    /// The lower bound of the interval of `mean`, moved down: by the shift, and with the chance of which runs are lost joined
    /// to that of the samples. What is missing never makes a bound better.
    fn lower(self, mean: f64, low: f64) -> f64 {
        (mean + self.sum.min(0.0) - self.reach(mean - low)).min(low)
    }

    /// The upper bound, moved up.
    fn upper(self, mean: f64, high: f64) -> f64 {
        (mean + self.sum.max(0.0) + self.reach(high - mean)).max(high)
    }

    fn reach(self, of_samples: f64) -> f64 {
        (of_samples.powi(2) + WIDTH.powi(2) * self.squares).sqrt()
    }
}

/// Which failures count as redraws.
#[derive(Clone, Copy)]
struct Redraws {
    of_model_api: bool,
    /// Whether interruptions do.
    interruptions: bool,
}

/// Whether more calls of one arm were interrupted than chance explains: a crash meets whatever is under way, but who ends runs
/// that hang, and goes on, asks again until an answer comes.
fn are_one_sided(grid: &Grid, treatment: usize, counted: &[Option<f64>]) -> bool {
    const LEVEL: f64 = 0.01;
    let of = |variant: usize| {
        let cells = known(counted).flat_map(move |sample| grid.of(sample, variant));
        count(cells.filter(|cell| cell.was_interrupted).count())
    };
    mcnemar_exact(of(0), of(treatment)) < LEVEL
}

/// The runs of `counted` samples with a score that were asked again after a failure which may depend on the answer.
fn asked_again(grid: &Grid, treatment: usize, counted: &[Option<f64>], which: Redraws) -> MissingRuns {
    scored_runs(grid, treatment, counted, |cell| was_asked_again(grid, cell, which))
}

/// Counts those of them whose first answer was there.
fn redrawn(grid: &Grid, treatment: usize, counted: &[Option<f64>]) -> MissingRuns {
    scored_runs(grid, treatment, counted, |cell| was_redrawn(grid, cell))
}

/// The runs of `counted` samples that `counts` by their places in the plan.
fn scored_runs(grid: &Grid, treatment: usize, counted: &[Option<f64>], counts: impl Fn(usize) -> bool) -> MissingRuns {
    let runs =
        |sample: usize, variant: usize| grid.places(sample, variant).iter().filter(|cell| counts(**cell)).count();
    known(counted).fold(MissingRuns::default(), |sum, sample| {
        let [control, treated] = [runs(sample, 0), runs(sample, treatment)].map(count);
        MissingRuns {
            samples: sum.samples + u64::from(control + treated > 0),
            control: sum.control + control,
            treatment: sum.treatment + treated,
        }
    })
}

/// The samples that have a difference.
fn known(column: &[Option<f64>]) -> impl Iterator<Item = usize> {
    column.iter().enumerate().filter(|(_, difference)| difference.is_some()).map(|(sample, _)| sample)
}

fn was_asked_again(grid: &Grid, at: usize, which: Redraws) -> bool {
    let cell = &grid.all()[at];
    let is_again = cell.asked_again[usize::from(!which.of_model_api)]
        || (which.interruptions && cell.was_interrupted)
        || grid.opinions.were_asked_again(at);
    is_again && cell.composite.points().is_some()
}

fn was_redrawn(grid: &Grid, place: usize) -> bool {
    let cell = &grid.all()[place];
    cell.was_redrawn && cell.composite.points().is_some()
}

/// Returns what the mean over the `counted` samples moves by if the first answers had been other ones: as well as they could go for the
/// treatment, and as badly; one number for each run. Runs that failed first count as if they had scored 1, as many as the arm has in
/// excess of the other, with the highest scores, since a bad day hits both arms. Where the first answer was there, somebody chose what
/// to replace: all of these count, in either arm, and might have had any score.
fn if_first_were_other(
    grid: &Grid,
    treatment: usize,
    counted: &[Option<f64>],
    [again, redrawn]: [&MissingRuns; 2],
    which: Redraws,
) -> [Vec<f64>; 2] {
    let n = grid.clusters.tasks(counted).into_iter().flatten().count();
    let failed = [again.control - redrawn.control, again.treatment - redrawn.treatment];
    let [mut up, mut down] = [Vec::new(), Vec::new()];
    let excesses = [failed[0].saturating_sub(failed[1]), failed[1].saturating_sub(failed[0])];
    for ((variant, sign), excess) in [(0, -1.0), (treatment, 1.0)].into_iter().zip(excesses) {
        let mut chosen: Vec<(f64, usize)> = Vec::new();
        let mut failed_first = chosen.clone();
        for sample in known(counted) {
            for &place in grid.places(sample, variant).iter().filter(|place| was_asked_again(grid, **place, which)) {
                let cells = if was_redrawn(grid, place) { &mut chosen } else { &mut failed_first };
                cells.extend(grid.all()[place].composite.points().map(|points| (points, sample)));
            }
        }
        failed_first.sort_by(|a, b| b.0.total_cmp(&a.0));
        failed_first.truncate(usize::try_from(excess).unwrap_or(usize::MAX));
        #[expect(clippy::cast_precision_loss, reason = "counts of repeats, samples and tasks")]
        let to = |first: f64, (points, sample): (f64, usize)| {
            let repeats = grid.of(sample, variant).filter(|cell| cell.composite.points().is_some()).count();
            let of_task = grid.clusters.of_task(sample).iter().filter(|&&of| counted[of].is_some()).count().max(1);
            sign * (first - points) / (repeats * of_task * n) as f64
        };
        let (bad_first, good_first) = if variant == 0 { (&mut up, &mut down) } else { (&mut down, &mut up) };
        bad_first.extend(chosen.iter().chain(&failed_first).map(|run| to(LOWEST, *run)));
        good_first.extend(chosen.iter().map(|run| to(HIGHEST, *run)));
    }
    [up, down]
}

/// The differences of each treatment with the worst score for unanswered runs.
fn floor_columns(grid: &Grid, treatments: usize) -> Vec<Vec<Option<f64>>> {
    (1..=treatments).map(|treatment| imputed_differences(grid, treatment, Some(LOWEST), [None; 2])).collect()
}
