//! `gaps.json`: what people decided on gaps. It lies in the project, and can be committed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name of the file.
pub const GAP_STATUS_FILE: &str = "gaps.json";

/// The version of the file's format.
pub const GAP_STATUS_VERSION: u32 = 1;

/// The decisions by the gaps' ids. A gap without one is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapStatusFile {
    /// The version of the format.
    pub format_version: u32,
    /// The decisions.
    pub gaps: BTreeMap<String, GapDecision>,
}

impl Default for GapStatusFile {
    fn default() -> GapStatusFile {
        GapStatusFile { format_version: GAP_STATUS_VERSION, gaps: BTreeMap::new() }
    }
}

/// What people decided on a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GapDecision {
    /// What was looked for, or the sentence, when it was decided.
    pub subject: String,
    /// The decision.
    pub status: GapStatus,
    /// Why it was dismissed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When, RFC 3339.
    pub at: String,
}

/// The status of a gap that isn't open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapStatus {
    /// What was missing is there now. A signal in a later run means that the gap came back.
    Done,
    /// It is none, or none that is to be closed.
    Dismissed,
}
