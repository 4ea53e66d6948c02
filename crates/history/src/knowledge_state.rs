//! What a variant could read in one run, and what changed since another one.

use std::collections::BTreeMap;

use eval_format::{Analysis, KnowledgeChange};
use eval_spec::variant::ArtifactCommit;

/// The knowledge base of a variant in one run, as far as its report tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnowledgeState {
    /// The files, with what stands for their contents.
    files: Option<BTreeMap<String, Option<String>>>,
    /// What stands for the artifact.
    artifact: Option<String>,
    /// The artifact's version.
    commit: Option<ArtifactCommit>,
}

impl KnowledgeState {
    pub(crate) fn of(report: &Analysis, variant: &str) -> KnowledgeState {
        let owned = |(name, hash): (&str, Option<&str>)| (name.to_owned(), hash.map(str::to_owned));
        let files = report.analysis.coverage.get(variant);
        KnowledgeState {
            files: files.map(|of| of.contents().into_iter().map(owned).collect()),
            artifact: report.meta.skill_hashes.get(variant).cloned(),
            commit: report.meta.artifact_commit(variant).cloned(),
        }
    }

    /// What changed since `before`, which the report `id` has; `None` where nothing did.
    pub(crate) fn since(&self, id: &str, before: &KnowledgeState) -> Option<KnowledgeChange> {
        let none = BTreeMap::new();
        let (then, now) = before.files.as_ref().zip(self.files.as_ref()).unwrap_or((&none, &none));
        let mut removed: Vec<(&String, &Option<String>)> =
            then.iter().filter(|(of, _)| !now.contains_key(*of)).collect();
        let mut added = Vec::new();
        for (name, hash) in now.iter().filter(|(name, _)| !then.contains_key(*name)) {
            // a file that only moved
            match removed.iter().position(|(_, of)| hash.is_some() && *of == hash) {
                Some(at) => drop(removed.remove(at)),
                None => added.push(name.clone()),
            }
        }
        let knows = |of: &BTreeMap<String, Option<String>>| of.is_empty() || of.values().any(Option::is_some);
        let differs = |(name, hash): &(&String, &Option<String>)| {
            then.get(*name).is_some_and(|of| of.as_ref().zip(hash.as_ref()).is_some_and(|(a, b)| a != b))
        };
        let changed = (knows(then) && knows(now)).then(|| now.iter().filter(differs).map(|(name, _)| name.clone()));
        let changed: Option<Vec<String>> = changed.map(Iterator::collect);
        let artifact = before.artifact.as_ref().zip(self.artifact.as_ref()).is_some_and(|(a, b)| a != b);
        let removed: Vec<String> = removed.into_iter().map(|(name, _)| name.clone()).collect();
        let is_any =
            artifact || !added.is_empty() || !removed.is_empty() || changed.as_ref().is_some_and(|of| !of.is_empty());
        let commit = self.commit.clone().filter(|_| artifact);
        is_any.then(|| KnowledgeChange { since: id.to_owned(), added, changed, removed, artifact, commit })
    }
}
