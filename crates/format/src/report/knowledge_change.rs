//! What changed in a knowledge base between two runs.

use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::variant::ArtifactCommit;
use serde::Serialize;

/// What a variant can read or is given that it could not, or was not, in an earlier run. At least one part of it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeChange {
    /// The id of the report that it is compared with: the one before of the same variant and test set.
    pub since: String,
    /// Files that are new. A file that only moved is neither new nor removed.
    pub added: Vec<String>,
    /// Files with other content; `null` where one of the reports doesn't have the hashes of contents.
    pub changed: Option<Vec<String>>,
    /// Files that are gone.
    pub removed: Vec<String>,
    /// Whether the variant's artifact is another one.
    pub artifact: bool,
    /// The last commit that touched the artifact, where it is another one and lives in a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<ArtifactCommit>,
}

/// Columns of a commit's subject.
const SUBJECT: usize = 60;

/// A commit as Git shortens it, with `+` where the artifact was changed since, and its subject. Both may be of others.
#[must_use]
pub fn version_text(of: &ArtifactCommit) -> String {
    let hash: String = clean(&of.hash).chars().take(7).collect();
    let mark = if of.dirty { "+" } else { "" };
    let subject = of.subject.as_deref().map(|subject| format!(" {}", clip(subject, SUBJECT))).unwrap_or_default();
    format!("{hash}{mark}{subject}")
}

/// Files of a change that are named; the others are counted.
const NAMED: usize = 3;

impl KnowledgeChange {
    /// Returns a phrase for each part of it.
    pub fn phrases(&self) -> Vec<Message> {
        let names = |all: &[String]| all.iter().take(NAMED).map(|name| clip(name, 32)).collect::<Vec<_>>();
        let more = |all: &[String]| all.len().saturating_sub(NAMED);
        let (added, removed) = (&self.added, &self.removed);
        let changed = self.changed.as_deref().unwrap_or_default();
        let phrases = [
            (!added.is_empty())
                .then(|| msg!("gaps-knowledge-added", count = added.len(), names = names(added), more = more(added))),
            (!changed.is_empty()).then(|| {
                msg!("gaps-knowledge-changed", count = changed.len(), names = names(changed), more = more(changed))
            }),
            (!removed.is_empty()).then(|| {
                msg!("gaps-knowledge-removed", count = removed.len(), names = names(removed), more = more(removed))
            }),
            self.artifact.then(|| match &self.commit {
                Some(of) => msg!("gaps-knowledge-artifact-commit", commit = version_text(of)),
                None => msg!("gaps-knowledge-artifact"),
            }),
        ];
        phrases.into_iter().flatten().collect()
    }
}
