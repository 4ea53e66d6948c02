//! Which files of the knowledge base the samples made agents read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eval_format::{CoverageMeasures, FileAccess, TestSet, VariantCoverage};
use eval_gaps::{KnowledgeAccess, KnowledgeFiles, KnowledgeLookup, LookedUp};
use eval_spec::suite::Delivery;
use eval_spec::{Sample, Suite, Variant};

use crate::grid::Grid;
use crate::numbers::count;

/// The files of the knowledge base of one variant: the project's, and what its artifact has beside its own text.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariantKnowledge {
    cwd: PathBuf,
    files: KnowledgeFiles,
}

impl VariantKnowledge {
    /// Those of each variant.
    pub(crate) fn of(suite: &Suite) -> Vec<VariantKnowledge> {
        suite.variants.iter().map(|variant| VariantKnowledge::of_variant(suite, variant)).collect()
    }

    fn of_variant(suite: &Suite, variant: &Variant) -> VariantKnowledge {
        let mut files = KnowledgeFiles::new(&suite.knowledge);
        // Only then does the agent get the files, and not just the text.
        let is_given = suite.settings.delivery_of_variant(variant) != Delivery::default();
        let text = variant.artifact.text().map(|file| file.path.as_str());
        let skill = variant.artifact.skill_name().unwrap_or(&variant.name);
        for file in variant.artifact.files.iter().filter(|file| is_given && Some(file.path.as_str()) != text) {
            let own = variant.artifact.path.as_ref().map(|path| path.join(&file.path));
            files.add_elsewhere(&format!("{skill}/{}", file.path), own);
        }
        VariantKnowledge { cwd: suite.knowledge.cwd.clone(), files }
    }

    /// What an execution of a sample looked up, in a working directory that the transcript may name: agents often work in a copy.
    pub(crate) fn met(
        &self,
        sample: &Sample,
        variant: &Variant,
        cwd: Option<&str>,
        looked: &LookedUp,
    ) -> KnowledgeLookup {
        let source: &Path = sample.cwd.as_ref().or(variant.cwd.as_ref()).unwrap_or(&self.cwd);
        self.files.met(looked, source, cwd)
    }
}

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
    CoverageMeasures {
        samples: count(samples),
        looked_up: count(looked),
        files: met.map(|(name, of)| (name, of.into_iter().map(access).collect())).collect(),
    }
}
