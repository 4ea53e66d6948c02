//! `analysis.sampleQuality`: what is wrong with the samples themselves.

use eval_message::Message;
use serde::{Deserialize, Serialize};

use super::{Note, Severity};

/// Defects of the samples themselves. They change no score and no verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SampleQuality {
    /// `100 − Σ points` over the findings; `null` when nothing could be checked.
    pub score: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
    /// How it is computed, in words.
    pub formula: Note,
    /// Samples that were looked at: all but those that are meant to fail.
    pub samples: u64,
    /// The findings, the most points first.
    pub findings: Vec<QualityFinding>,
    /// The checks that found nothing.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub passed: Vec<SampleCheck>,
    /// The checks that could not be made; they take no points.
    pub not_checked: Vec<NotChecked>,
}

/// A check of the samples. In the order of the names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleCheck {
    /// Rubrics that leave the score to the judge's taste.
    AmbiguousRubrics,
    /// Samples that cost far more than the others.
    CostOutliers,
    /// Samples whose scores go against the rest.
    ItemDiscrimination,
    /// Samples that take far longer than the others.
    LatencyOutliers,
    /// Prompts that give their answer away.
    LeakyPrompts,
    /// Samples that repeat others.
    NearDuplicates,
    /// Questions whose scores go against the rest.
    QuestionDiscrimination,
    /// Capabilities with too few samples.
    ThinCapabilities,
}

/// One kind of finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QualityFinding {
    /// What kind, such as `near_duplicates`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: SampleCheck,
    /// How much it matters.
    pub severity: Severity,
    /// The English text.
    pub message: String,
    /// Its key and arguments.
    pub message_key: Message,
    /// What to do.
    pub advice: Note,
    /// How many samples (or capabilities, or questions) it is about.
    pub affected: u64,
    /// How many were checked.
    pub checked: u64,
    /// The most points that this kind takes.
    pub weight: f64,
    /// The points it takes: `weight · min(1, 2 · affected / checked)`, to one decimal.
    pub points: f64,
    /// Each case, the gravest first, at most twenty.
    pub items: Vec<QualityItem>,
    /// How many cases there are.
    pub total_items: u64,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QualityItem {
    /// The samples it is about, at most ten.
    pub sample_ids: Vec<String>,
    /// How many samples it is about.
    pub total_samples: u64,
    /// The number that decided: a likeness, a correlation, a multiple of the median, a count.
    pub value: Option<f64>,
    /// The evidence; quoted texts are cleaned and shortened.
    pub detail: Note,
}

/// A check that could not be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotChecked {
    /// The check that was not made.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: SampleCheck,
    /// The reason, as text and message.
    pub why: Note,
}
