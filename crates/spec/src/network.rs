//! What agents reach.

use serde::{Deserialize, Serialize};

/// What agents, and all that they start, reach beyond their machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NetworkAccess {
    /// Whatever this machine reaches.
    #[default]
    Open,
    /// Nothing but the model.
    None,
}

impl NetworkAccess {
    /// What they are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["open", "none"];

    /// The one of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<NetworkAccess> {
        match word {
            "open" => Some(NetworkAccess::Open),
            "none" => Some(NetworkAccess::None),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NetworkAccess::Open => "open",
            NetworkAccess::None => "none",
        }
    }
}
