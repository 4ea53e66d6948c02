//! What agents may do without asking.

use serde::{Deserialize, Serialize};

/// What an agent may do without asking: nobody is there to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PermissionMode {
    /// What its program allows by default.
    #[default]
    Default,
    /// It may edit files in its copy of the working directory.
    Edits,
    /// It may use every tool.
    Bypass,
}

impl PermissionMode {
    /// What they are called in files and flags.
    pub const WORDS: &'static [&'static str] = &["default", "edits", "bypass"];

    /// The one of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<PermissionMode> {
        match word {
            "default" => Some(PermissionMode::Default),
            "edits" => Some(PermissionMode::Edits),
            "bypass" => Some(PermissionMode::Bypass),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PermissionMode::Default => "default",
            PermissionMode::Edits => "edits",
            PermissionMode::Bypass => "bypass",
        }
    }

    /// Whether it is what holds when nothing is said.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == PermissionMode::default()
    }
}
