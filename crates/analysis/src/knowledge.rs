//! The knowledge base of each variant.

use std::path::{Path, PathBuf};

use eval_gaps::{GapSignal, KnowledgeConcern, KnowledgeFiles, KnowledgeLookup, LookedUp};
use eval_spec::hash::short_hash;
use eval_spec::suite::Delivery;
use eval_spec::{Sample, Suite, Variant};

/// The files of the knowledge base of one variant: the project's, and what its artifact has beside its own text.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariantKnowledge {
    cwd: PathBuf,
    pub(crate) files: KnowledgeFiles,
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
            files.add_elsewhere(&format!("{skill}/{}", file.path), own, short_hash(&file.bytes, 12));
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
        self.files.met(looked, self.source(sample, variant), cwd)
    }

    /// Returns whether a signal comes from a search in the knowledge base itself.
    pub(crate) fn was_searched(
        &self,
        sample: &Sample,
        variant: &Variant,
        cwd: Option<&str>,
        signal: &GapSignal,
    ) -> bool {
        let source = self.source(sample, variant);
        self.files.concern(&signal.searched, signal.class, source, cwd) == KnowledgeConcern::In
    }

    fn source<'a>(&'a self, sample: &'a Sample, variant: &'a Variant) -> &'a Path {
        sample.cwd.as_ref().or(variant.cwd.as_ref()).unwrap_or(&self.cwd)
    }
}
