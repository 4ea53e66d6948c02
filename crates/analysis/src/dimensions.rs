//! The difference of each judged dimension, so that one can't be bought with another.

use std::collections::BTreeMap;

use eval_format::PartDifference;
use eval_stats::Resampling;

use crate::capabilities::{LEAST_TASKS, PartTasks, of_parts};
use crate::grid::Grid;
use crate::likeness::folded;
use crate::numbers::{average, count, snap};
use crate::questions::size;

/// A dimension, and where it is asked: a sample, and its place among the sample's dimensions.
struct JudgedDimension<'s> {
    name: &'s str,
    places: Vec<(usize, usize)>,
}

/// The dimensions of each treatment, by name; families as with capabilities.
pub(crate) fn dimensions(grid: &Grid, treatments: usize, resampling: &Resampling) -> Vec<Vec<PartDifference>> {
    // a name written in another case is the same dimension
    let mut named: BTreeMap<String, JudgedDimension> = BTreeMap::new();
    for sample in grid.samples() {
        for (place, (name, _)) in grid.suite.samples[sample].dimensions.iter().enumerate() {
            let of = named.entry(folded(name)).or_insert_with(|| JudgedDimension { name, places: Vec::new() });
            of.places.push((sample, place));
        }
    }
    let part = |JudgedDimension { name, places }: JudgedDimension| {
        let samples: Vec<usize> = places.iter().map(|(sample, _)| *sample).collect();
        let differences = |treatment| {
            let mut column = vec![None; grid.suite.samples.len()];
            for &(sample, place) in &places {
                let [control, treated] = [0, treatment].map(|variant| score(grid, sample, variant, place));
                column[sample] = treated.zip(control).map(|(treated, control)| snap(treated - control));
            }
            grid.clusters.tasks_of(&samples, &column)
        };
        PartTasks {
            name: name.to_owned(),
            tasks: count(grid.clusters.count(samples.iter().copied())),
            by_treatment: (1..=treatments).map(differences).collect(),
        }
    };
    let parts: Vec<PartTasks> = named.into_values().map(part).filter(|of| of.tasks >= LEAST_TASKS).collect();
    of_parts(grid, &parts, treatments, resampling)
}

/// A variant's score in the sample's dimension at `place`: the mean over repeats of the mean over opinions, in points.
fn score(grid: &Grid, sample: usize, variant: usize, place: usize) -> Option<f64> {
    let before: usize = grid.suite.samples[sample].assertions.iter().map(size).sum();
    let of_run = |&at: &usize| {
        let asked = grid.opinions.of(at).iter().find(|asked| asked.check as usize == before + place)?;
        average(&asked.scores())
    };
    average(&grid.places(sample, variant).iter().filter_map(of_run).collect::<Vec<_>>())
}
