//! Which files of the knowledge base the samples made agents read.

use std::collections::BTreeMap;

use eval_format::{CoverageMeasures, FileAccess, TestSet, VariantCoverage};
use eval_gaps::{KnowledgeAccess, KnowledgeFiles, KnowledgeLookup};

use crate::grid::Grid;
use crate::knowledge::VariantKnowledge;
use crate::numbers::count;

/// The coverage of each variant that has a knowledge base; empty where no execution has a trace.
pub(crate) fn coverage(grid: &Grid, labels: &[String], test_set: &TestSet) -> BTreeMap<String, VariantCoverage> {
    if grid.traces.is_empty() {
        return BTreeMap::new();
    }
    let all = VariantKnowledge::of(grid.suite);
    let known = labels.iter().zip(all).enumerate().filter(|(_, (_, of))| !of.files.is_empty());
    known
        .map(|(variant, (label, of))| {
            (label.clone(), VariantCoverage::new(test_set.clone(), measures(grid, variant, &of.files)))
        })
        .collect()
}

fn measures(grid: &Grid, variant: usize, files: &KnowledgeFiles) -> CoverageMeasures {
    let mut all: Vec<(usize, &KnowledgeLookup)> = Vec::new();
    let mut samples = 0;
    let mut looked = 0;
    for sample in grid.samples() {
        let cells = grid.index.of(sample, variant);
        let runs: Vec<&KnowledgeLookup> =
            cells.iter().filter_map(|cell| grid.traces.get(cell)).map(|trace| &trace.lookup).collect();
        samples += usize::from(!runs.is_empty());
        looked += usize::from(runs.iter().any(|run| run.has_looked));
        all.extend(runs.into_iter().map(|run| (sample, run)));
    }
    let access = |(how, sample, lines): KnowledgeAccess| FileAccess {
        how,
        sample_id: grid.suite.samples[sample].id.clone(),
        lines,
    };
    let met = files.accesses(all).into_iter();
    // As with the hashes of artifacts: who knows the files could tell the variants apart.
    let hashes = files.hashes().filter(|_| !grid.suite.settings.blind);
    CoverageMeasures {
        samples: count(samples),
        looked_up: count(looked),
        files: met.map(|(name, of)| (name, of.into_iter().map(access).collect())).collect(),
        hashes: hashes.map(|(name, hash)| (name.to_owned(), hash.to_owned())).collect(),
    }
}
