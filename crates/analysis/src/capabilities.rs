//! The difference of each declared capability, so that one can't be bought with another.

use std::collections::BTreeMap;

use eval_format::{MIN_PAIRS, PartDifference};
use eval_stats::Resampling;

use crate::grid::Grid;
use crate::imputed::imputed_differences;
use crate::intervals::affordable;
use crate::likeness::folded;
use crate::numbers::{average, count};
use crate::pairs::{Pairs, differences_by_name_of_tasks};
use crate::summary::LOWEST;

/// With fewer tasks, not even falls of all of them are more than an accident.
pub(crate) const LEAST_TASKS: u64 = 3;

/// The samples that declare a capability, which has at least [`LEAST_TASKS`] tasks.
struct DeclaredCapability {
    name: String,
    samples: Vec<usize>,
    tasks: u64,
}

/// The capabilities of each treatment, by name. Those with at least [`MIN_PAIRS`] tasks are one family over all
/// treatments, whose intervals hold at once; of smaller ones only the values are known.
pub(crate) fn capabilities(grid: &Grid, composites: &[Pairs], resampling: &Resampling) -> Vec<Vec<PartDifference>> {
    let declared = declared(grid);
    // whoever doesn't answer has failed the capability: such runs have the worst score
    let columns: Vec<Vec<Option<f64>>> =
        (1..=composites.len()).map(|treatment| imputed_differences(grid, treatment, Some(LOWEST), [None; 2])).collect();
    let tasks = |of: &DeclaredCapability| {
        columns.iter().map(|column| grid.clusters.tasks_of(&of.samples, column)).collect::<Vec<_>>()
    };
    let parts = declared.into_iter().map(|of| PartTasks { by_treatment: tasks(&of), name: of.name, tasks: of.tasks });
    of_parts(grid, &parts.collect::<Vec<_>>(), composites.len(), resampling)
}

/// The tasks of a part of the run, with their differences.
pub(crate) struct PartTasks {
    pub(crate) name: String,
    pub(crate) tasks: u64,
    /// For each treatment, the tasks that are pairs, ascending.
    pub(crate) by_treatment: Vec<Vec<(usize, f64)>>,
}

/// Each treatment's parts.
pub(crate) fn of_parts(
    grid: &Grid,
    parts: &[PartTasks],
    treatments: usize,
    resampling: &Resampling,
) -> Vec<Vec<PartDifference>> {
    let asked: Vec<&PartTasks> = parts.iter().filter(|of| of.tasks >= MIN_PAIRS).collect();
    let family: Vec<Vec<(usize, f64)>> =
        (0..treatments).flat_map(|of| asked.iter().map(move |part| part.by_treatment[of].clone())).collect();
    let places: Vec<usize> = (1..=treatments).flat_map(|t| asked.iter().map(move |_| t)).collect();
    let r = affordable(resampling, family.iter().map(Vec::len).sum());
    let differences = differences_by_name_of_tasks(grid, &places, &family, &r);
    let mut differences = differences.into_iter();
    let of_treatment = |treatment: usize| {
        let difference = |of: &PartTasks| {
            let values: Vec<f64> = of.by_treatment[treatment].iter().map(|(_, value)| *value).collect();
            PartDifference {
                name: of.name.clone(),
                tasks: of.tasks,
                n: count(values.len()),
                mean: average(&values),
                best: values.iter().copied().reduce(f64::max),
                diff: (of.tasks >= MIN_PAIRS).then(|| differences.next()).flatten(),
            }
        };
        parts.iter().map(difference).collect()
    };
    (0..treatments).map(of_treatment).collect()
}

/// A name written in another case is the same capability.
fn declared(grid: &Grid) -> Vec<DeclaredCapability> {
    let mut named: BTreeMap<String, (&str, Vec<usize>)> = BTreeMap::new();
    for sample in grid.samples() {
        for name in &grid.suite.samples[sample].metadata.capability {
            let samples = &mut named.entry(folded(name)).or_insert_with(|| (name, Vec::new())).1;
            if samples.last() != Some(&sample) {
                samples.push(sample);
            }
        }
    }
    let counted = |(name, samples): (&str, Vec<usize>)| DeclaredCapability {
        name: name.to_owned(),
        tasks: count(grid.clusters.count(samples.iter().copied())),
        samples,
    };
    named.into_values().map(counted).filter(|of| of.tasks >= LEAST_TASKS).collect()
}
