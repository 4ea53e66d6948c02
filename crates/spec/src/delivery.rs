//! How artifacts reach models.

use serde::{Deserialize, Serialize};

/// How an artifact reaches the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// Its text is added to the system prompt.
    #[default]
    SystemPrompt,
    /// The agent is offered it as a skill, and may load it.
    Skill,
    /// Its files lie in the working directory.
    Project,
}

impl Delivery {
    /// What they are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["system-prompt", "skill", "project"];

    /// The one of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Delivery> {
        match word {
            "system-prompt" => Some(Delivery::SystemPrompt),
            "skill" => Some(Delivery::Skill),
            "project" => Some(Delivery::Project),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Delivery::SystemPrompt => "system-prompt",
            Delivery::Skill => "skill",
            Delivery::Project => "project",
        }
    }

    /// Whether it is what holds when nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Delivery::default()
    }
}
