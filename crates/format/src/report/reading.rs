//! Tiers, and what scores came to that were read before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The tier of a treatment, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Tier {
    /// It is worse, or a layer of it is.
    Regress,
    /// It seems better, but a reason speaks against relying on it.
    Cautious,
    /// The data is insufficient for a decision.
    Underpowered,
    /// There is no difference that matters.
    Noise,
    /// It is better.
    Progress,
    /// There is nothing to compare with.
    Solo,
}

impl Tier {
    /// All of them, the worst first.
    pub const ALL: [Tier; 6] =
        [Tier::Regress, Tier::Cautious, Tier::Underpowered, Tier::Noise, Tier::Progress, Tier::Solo];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tier::Regress => "REGRESS",
            Tier::Cautious => "CAUTIOUS",
            Tier::Underpowered => "UNDERPOWERED",
            Tier::Noise => "NOISE",
            Tier::Progress => "PROGRESS",
            Tier::Solo => "SOLO",
        }
    }
}

/// The outcome of the same scores, read by other settings. The order is from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadingOutcome {
    /// True if the run is a valid measurement.
    pub valid: bool,
    /// True if the treatment reaches the goal: PROGRESS, unless the goal is not to be worse.
    pub reached: bool,
    /// The tier.
    pub tier: Tier,
}

/// An earlier report that read the same scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlierReadingInputs {
    /// Id; empty in a blind report.
    pub report: String,
    /// The flags that differ, each with its value then and now; `null` where it was or is absent.
    pub changed: BTreeMap<String, [Option<String>; 2]>,
    /// The outcome there.
    pub outcome: ReadingOutcome,
}

/// An earlier report with scores of the same two artifacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlierReading {
    /// Id; empty in a blind report, which it would tell the names.
    pub report: String,
    /// The settings by which it read them, by their flags.
    pub settings: BTreeMap<String, String>,
    /// The treatments of this run that were compared there, by their place among the variants.
    pub treatments: BTreeMap<usize, ReadTreatment>,
}

/// A treatment in an earlier report with the same scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadTreatment {
    /// The hashes of the scores of control and treatment.
    pub scores: [String; 2],
    /// The outcome there.
    pub outcome: ReadingOutcome,
}
