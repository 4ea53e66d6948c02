//! The difference of each declared capability, so that one can't be bought with another.

use std::collections::BTreeMap;

use eval_format::{CapabilityDifference, MIN_PAIRS};
use eval_stats::Resampling;

use crate::grid::Grid;
use crate::imputed::imputed_differences;
use crate::intervals::affordable;
use crate::likeness::folded;
use crate::numbers::{average, count};
use crate::pairs::{Pairs, differences_by_name_of_tasks};
use crate::stopping::LookResult;
use crate::summary::LOWEST;

/// With fewer tasks, not even falls of all of them are more than an accident.
const LEAST_TASKS: u64 = 3;

/// The samples that declare a capability, which has at least [`LEAST_TASKS`] tasks.
struct DeclaredCapability {
    name: String,
    samples: Vec<usize>,
    tasks: u64,
}

/// The capabilities of each treatment, by name. Those with at least [`MIN_PAIRS`] tasks are one family over all
/// treatments, whose intervals hold at once; of smaller ones only the values are known.
pub(crate) fn capabilities(
    grid: &Grid,
    composites: &[Pairs],
    looked: Option<&LookResult>,
    resampling: &Resampling,
) -> Vec<Vec<CapabilityDifference>> {
    let declared = declared(grid);
    // whoever doesn't answer has failed the capability: such runs have the worst score
    let columns: Vec<Vec<Option<f64>>> =
        (1..=composites.len()).map(|treatment| imputed_differences(grid, treatment, Some(LOWEST), [None; 2])).collect();
    let tasks = |of: &DeclaredCapability, column: &[Option<f64>]| grid.clusters.tasks_of(&of.samples, column);
    let asked: Vec<&DeclaredCapability> = declared.iter().filter(|of| of.tasks >= MIN_PAIRS).collect();
    let family: Vec<Vec<(usize, f64)>> =
        columns.iter().flat_map(|column| asked.iter().map(|of| tasks(of, column))).collect();
    let differences = match looked {
        Some(looked) => looked.differences_of_tasks(grid, &family),
        None => {
            let treatments: Vec<usize> = (1..=composites.len()).flat_map(|t| asked.iter().map(move |_| t)).collect();
            let r = affordable(resampling, family.iter().map(Vec::len).sum());
            differences_by_name_of_tasks(grid, &treatments, &family, &r)
        }
    };
    let mut differences = differences.into_iter();
    let of_treatment = |column: &Vec<Option<f64>>| {
        let difference = |of: &DeclaredCapability| {
            let values: Vec<f64> = tasks(of, column).into_iter().map(|(_, value)| value).collect();
            CapabilityDifference {
                name: of.name.clone(),
                tasks: of.tasks,
                n: count(values.len()),
                mean: average(&values),
                best: values.iter().copied().reduce(f64::max),
                diff: (of.tasks >= MIN_PAIRS).then(|| differences.next()).flatten(),
            }
        };
        declared.iter().map(difference).collect()
    };
    columns.iter().map(of_treatment).collect()
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
