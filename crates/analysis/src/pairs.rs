//! Paired differences: the scores of two variants, sample by sample, and the intervals of their differences.

use eval_format::{Ci, Difference, FileFamily, POINTS};
use eval_stats::{Interval, Resampling, Simultaneous, sd, sign_flip_test, simultaneous_sparse_means_up_to};

use crate::family_level::{adjusted, most_alpha, others};
use crate::grid::{Grid, Measure};
use crate::intervals::ci as ci_of;
use crate::numbers::{average, count, snap};

/// The composites of the control and each treatment.
pub(crate) fn composites(grid: &Grid, variants: usize) -> Vec<Pairs> {
    (1..variants).map(|treatment| Pairs::new(grid, treatment, Measure::Composite)).collect()
}

/// An interval of a number that lies between −`most` and `most`.
pub(crate) fn within(ci: Ci, most: f64) -> Ci {
    Ci { low: ci.low.max(-most), high: ci.high.min(most), ..ci }
}

/// The scores of control and treatment, one entry per sample.
pub(crate) struct Pairs {
    pub(crate) control: Vec<Option<f64>>,
    pub(crate) treatment: Vec<Option<f64>>,
    /// Treatment − control, where both are means over the same checks.
    pub(crate) diffs: Vec<Option<f64>>,
}

impl Pairs {
    pub(crate) fn new(grid: &Grid, treatment: usize, of: Measure) -> Pairs {
        Pairs::between(grid, [0, treatment], of)
    }

    /// The second of two variants less the first.
    pub(crate) fn between(grid: &Grid, [first, second]: [usize; 2], of: Measure) -> Pairs {
        let column = |variant| grid.column(variant, |cell| of.part(cell));
        let (control, treated) = (column(first), column(second));
        let diff = |sample: usize| {
            let diff = snap(treated[sample]? - control[sample]?);
            grid.are_alike(sample, [first, second], of).then_some(diff)
        };
        let diffs = grid.all_samples().map(diff).collect();
        Pairs { control, treatment: treated, diffs }
    }

    /// The mean difference over single samples, where some of them are one task.
    pub(crate) fn over_samples(&self, grid: &Grid) -> Option<f64> {
        over_samples(grid, &self.diffs)
    }

    /// The means of control and treatment over the tasks that are pairs.
    pub(crate) fn arm_means(&self, grid: &Grid) -> [Option<f64>; 2] {
        [&self.control, &self.treatment].map(|scores| {
            let of_pairs = scores.iter().zip(&self.diffs).map(|(score, diff)| score.filter(|_| diff.is_some()));
            let paired: Vec<Option<f64>> = of_pairs.collect();
            average(&grid.clusters.tasks(&paired).into_iter().flatten().collect::<Vec<_>>())
        })
    }

    pub(crate) fn values(&self) -> Vec<f64> {
        self.diffs.iter().copied().flatten().collect()
    }
}

/// The mean over single samples, where some of them are one task.
pub(crate) fn over_samples(grid: &Grid, column: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = column.iter().copied().flatten().collect();
    average(&known).filter(|_| !grid.clusters.is_empty())
}

/// The differences of one family, task by task: intervals and p-values hold for all of them at once. `treatments` has the
/// variant of each.
pub(crate) fn differences(
    grid: &Grid,
    treatments: &[usize],
    family: &[Pairs],
    resampling: &Resampling,
) -> Vec<Difference> {
    let columns: Vec<Vec<Option<f64>>> = family.iter().map(|pairs| grid.clusters.tasks(&pairs.diffs)).collect();
    differences_by_name(grid, treatments, &columns, resampling)
}

/// The same of columns.
pub(crate) fn differences_by_name(
    grid: &Grid,
    treatments: &[usize],
    columns: &[Vec<Option<f64>>],
    resampling: &Resampling,
) -> Vec<Difference> {
    let columns: Vec<_> = columns.iter().map(|column| known_tasks(column)).collect();
    differences_by_name_of_tasks(grid, treatments, &columns, resampling)
}

/// The same of columns that name the tasks of their differences, ascending. Joint draws see the order of the columns, which
/// is that of their treatments' names: that of the command line changes nothing.
pub(crate) fn differences_by_name_of_tasks(
    grid: &Grid,
    treatments: &[usize],
    columns: &[Vec<(usize, f64)>],
    resampling: &Resampling,
) -> Vec<Difference> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&at| &grid.suite.variants[treatments[at]].name);
    let named: Vec<&[(usize, f64)]> = order.iter().map(|&at| columns[at].as_slice()).collect();
    let family = WholeFamily { stored: grid.family.as_ref(), others: others(grid.family.as_ref(), grid.treatments()) };
    let differences = differences_of_tasks(&named, &family, resampling);
    let mut all: Vec<(usize, Difference)> = order.into_iter().zip(differences).collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, difference)| difference).collect()
}

/// The tasks that have a difference.
fn known_tasks(column: &[Option<f64>]) -> Vec<(usize, f64)> {
    column.iter().enumerate().filter_map(|(task, difference)| Some((task, (*difference)?))).collect()
}

/// The differences of columns with one difference per task, in points: scores are 1–5, so that none is wider than [`POINTS`].
pub fn differences_of(columns: &[&[Option<f64>]], resampling: &Resampling) -> Vec<Difference> {
    let columns: Vec<_> = columns.iter().map(|column| known_tasks(column)).collect();
    let columns: Vec<_> = columns.iter().map(Vec::as_slice).collect();
    differences_of_tasks(&columns, &WholeFamily::default(), resampling)
}

/// Family that columns of differences belong to beside each other.
#[derive(Default)]
struct WholeFamily<'f> {
    /// The treatments of another tool's files, where fewer are compared.
    stored: Option<&'f FileFamily>,
    /// Number of them that are not compared.
    others: usize,
}

fn differences_of_tasks(columns: &[&[(usize, f64)]], family: &WholeFamily, resampling: &Resampling) -> Vec<Difference> {
    let values_of = |column: &[(usize, f64)]| column.iter().map(|(_, difference)| *difference).collect::<Vec<f64>>();
    let Simultaneous { intervals, alone, alpha } =
        simultaneous_sparse_means_up_to(columns, most_alpha(family.stored), resampling);
    let size = intervals.iter().flatten().count() + family.others;
    let tests: Vec<_> = columns.iter().map(|column| sign_flip_test(&values_of(column), resampling.seed)).collect();
    let p_values: Vec<f64> = tests.iter().flatten().map(|test| test.p_value).collect();
    let mut adjusted = adjusted(&p_values, family.stored, family.others).into_iter();
    let mut all = Vec::new();
    for ((column, (interval, alone)), test) in columns.iter().zip(intervals.into_iter().zip(alone)).zip(tests) {
        let values = values_of(column);
        let stored = |interval: Interval, family: usize| {
            within(ci_of(&interval, u32::try_from(family).unwrap_or(u32::MAX)), POINTS)
        };
        all.push(Difference {
            n: count(values.len()),
            mean: average(&values),
            over_samples: None,
            sd: sd(&values).map(snap),
            ci: interval.map(|interval| stored(interval, size)),
            ci_unadjusted: alone.filter(|_| size > 1).map(|interval| stored(interval, 1)),
            p_value: test.map(|test| test.p_value),
            p_value_adjusted: test.and_then(|_| adjusted.next()),
            exact: test.map(|test| test.exact),
            alpha: alpha.filter(|_| interval.is_some()).map(snap),
            effect: None,
            p_value_why: None,
            best: None,
            equal_length: None,
        });
    }
    all
}
