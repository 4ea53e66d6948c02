//! `holdout`: the samples that nobody tuned on, beside the others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Ci, Note};

/// The samples in two parts: those somebody may have tuned on, and those held out. Which part a sample is in follows
/// from the seed and its id alone, so that other samples may come and go; tripwires are in neither.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Holdout {
    /// The share asked for (`--holdout`): the chance of each sample to be held out.
    pub share: f64,
    /// The seed of the split: `--seed`, or 0. Never one derived from the test set, which changes when that does.
    pub seed: u64,
    /// Samples to tune on.
    pub train: u64,
    /// Number of held-out samples; `results[].holdout` marks them.
    pub held_out: u64,
    /// Each variant by itself, by name.
    pub per_variant: BTreeMap<String, HoldoutMeans>,
    /// Each treatment against the control.
    pub comparisons: Vec<HoldoutComparison>,
}

/// The means of one variant in both parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldoutMeans {
    /// Over the samples to tune on.
    pub train: PartMean,
    /// Over the held-out samples.
    pub held_out: PartMean,
}

/// A treatment's difference to the control in both parts, in points: of the composite, or of the judges' preference
/// where nothing else is planned (4 points for a preference of 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldoutComparison {
    /// The control's name.
    pub control: String,
    /// The treatment's name.
    pub treatment: String,
    /// Over the samples to tune on.
    pub train: PartMean,
    /// Over the held-out samples.
    pub held_out: PartMean,
    /// Train − held out; `null` where a part has fewer than two pairs.
    pub gap: Option<f64>,
    /// Its interval: Welch's t, for two independent groups of samples. It holds for this treatment alone.
    pub gap_ci: Option<Ci>,
    /// Why there is no gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// A mean over the samples of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartMean {
    /// Samples that have a value.
    pub n: u64,
    /// Their mean; `null` without any.
    pub mean: Option<f64>,
    /// Its interval, of this part and this comparison alone; `null` below two. Of more than 2,000 values it is Student's,
    /// whatever `--ci` says.
    pub ci: Option<Ci>,
}
