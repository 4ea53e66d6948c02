//! Why a sample is left out of a comparison.

use std::collections::BTreeSet;

use eval_format::{Excluded, Unlike};
use eval_message::{Message, msg};
use eval_spec::Layer;

use crate::grid::{Grid, Measure};
use crate::numbers::count;
use crate::pairs::Pairs;

/// Samples without a score of both arms, and samples whose scores rest on different checks, with the reason of each arm.
/// A tripwire, and a sample that the run was decided without, is none of the grid's samples and never listed.
pub(crate) fn excluded(grid: &Grid, names: &[String], treatment: usize, pairs: &Pairs) -> Vec<Excluded> {
    let mut excluded = Vec::new();
    // samples that are only compared pairwise have no score
    let is_scored = |sample| !grid.is_pairwise(sample) || grid.plans(sample, |cell| &cell.composite);
    let is_out =
        |sample: usize| pairs.diffs[sample].is_none() && grid.is_compared(sample, treatment) && is_scored(sample);
    for sample in grid.samples().filter(|&sample| is_out(sample)) {
        let arms = [(0, &pairs.control), (treatment, &pairs.treatment)];
        let mut without: Vec<usize> =
            arms.iter().filter(|(_, scores)| scores[sample].is_none()).map(|arm| arm.0).collect();
        let mut why_keys: Vec<Message> = without.iter().map(|&variant| why_missing(grid, sample, variant)).collect();
        if without.is_empty() {
            without = lacking(grid, sample, treatment);
            why_keys = vec![why_unlike(grid, sample, treatment); without.len()];
        }
        excluded.push(Excluded {
            sample_id: grid.suite.samples[sample].id.clone(),
            variants: without.iter().map(|&variant| names[variant].clone()).collect(),
            why: why_keys.iter().map(Message::to_string).collect::<Vec<_>>().join("; "),
            why_keys,
        });
    }
    excluded
}

/// How many samples are left out of a comparison because their scores rest on different checks, and which ones those
/// are. A layer's pair counts as well as the composite's.
pub(crate) fn unlike(grid: &Grid, treatment: usize) -> Unlike {
    let alike = |sample: usize, of: Measure| grid.are_alike(sample, [0, treatment], of);
    let all_alike = |sample: usize| {
        alike(sample, Measure::Composite) && Layer::ALL.iter().all(|layer| alike(sample, Measure::Layer(*layer)))
    };
    let samples: Vec<usize> = grid.samples().filter(|&sample| !all_alike(sample)).collect();
    let checks: BTreeSet<&str> = samples.iter().flat_map(|&sample| grid.unlike_checks(sample, treatment)).collect();
    Unlike { samples: count(samples.len()), checks: checks.into_iter().map(str::to_owned).collect() }
}

/// The variants with a run of this sample that could not evaluate everything.
fn lacking(grid: &Grid, sample: usize, treatment: usize) -> Vec<usize> {
    let lacks = |variant: &usize| grid.of(sample, *variant).any(|cell| cell.counts[2] > 0);
    [0, treatment].into_iter().filter(lacks).collect()
}

fn why_unlike(grid: &Grid, sample: usize, treatment: usize) -> Message {
    let checks: Vec<&str> = grid.unlike_checks(sample, treatment).into_iter().collect();
    msg!("report-missing-checks", checks = checks.join(", "))
}

/// The reason that the first of its runs gives.
fn why_missing(grid: &Grid, sample: usize, variant: usize) -> Message {
    let why = grid.of(sample, variant).find_map(|cell| cell.composite.why().cloned());
    why.unwrap_or_else(|| match grid.of(sample, variant).next() {
        Some(_) => msg!("report-missing-not-planned"),
        None => msg!("results-absent"),
    })
}
