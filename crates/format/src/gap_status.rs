//! `gaps.json`: what people decided on gaps. It lies in the project, and can be committed.

use std::collections::BTreeMap;
use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::files;
use serde::{Deserialize, Serialize};

use crate::version::version_in;

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

impl GapStatusFile {
    /// The decisions in a file; none where there is no file. `shown` is its path as messages have it.
    ///
    /// # Errors
    /// When it can't be read, is damaged, or has another version.
    pub fn read(path: &Path, shown: &str) -> Result<GapStatusFile, Message> {
        let text = match files::read_regular_text(path, files::LARGEST_TEXT) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(GapStatusFile::default()),
            Err(error) => return Err(msg!("gaps-status-unreadable", path = shown, why = error.to_string())),
        };
        let version = version_in(text.as_bytes(), "formatVersion").filter(|version| *version != GAP_STATUS_VERSION);
        if let Some(version) = version {
            return Err(msg!("format-version", path = shown, version = version, reads = GAP_STATUS_VERSION));
        }
        serde_json::from_str(&text)
            .map_err(|why| msg!("cli-gaps-damaged", path = shown, line = why.line(), why = why.to_string()))
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapStatus {
    /// What was missing is there now. A signal in a later run means that the gap came back.
    Done,
    /// It is none, or none that is to be closed.
    Dismissed,
}
