//! What may differ between the arms of a comparison.

use serde::{Deserialize, Serialize};

/// What a variant can have of its own; the model, tools, samples and limits are those of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ArmPart {
    /// What is injected.
    Artifact,
    /// How it reaches the model.
    Delivery,
    /// The skills besides the artifact.
    AllowedSkills,
    /// The files of the working directory.
    Cwd,
    /// What the agent may do without asking.
    Permissions,
}

impl ArmPart {
    /// What they are called in files and flags, in their order.
    pub const WORDS: &'static [&'static str] = &["artifact", "delivery", "allowedSkills", "cwd", "permissions"];

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ArmPart::Artifact => "artifact",
            ArmPart::Delivery => "delivery",
            ArmPart::AllowedSkills => "allowedSkills",
            ArmPart::Cwd => "cwd",
            ArmPart::Permissions => "permissions",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<ArmPart> {
        match word {
            "artifact" => Some(ArmPart::Artifact),
            "delivery" => Some(ArmPart::Delivery),
            "allowedSkills" => Some(ArmPart::AllowedSkills),
            "cwd" => Some(ArmPart::Cwd),
            "permissions" => Some(ArmPart::Permissions),
            _ => None,
        }
    }

    /// Those of these names, each once, in their order.
    #[must_use]
    pub fn all_named(words: &[String]) -> Vec<ArmPart> {
        let mut parts: Vec<_> = words.iter().filter_map(|word| ArmPart::named(word)).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}
