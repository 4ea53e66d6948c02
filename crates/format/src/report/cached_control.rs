//! `cachedControl`: answers of the control that are older than the treatment's, and what asking some of them again showed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DiffInputs, Difference};

/// Answers of the control that came from the cache. Some samples were asked again beside the treatment: what they show of
/// drift since the cached answers were given is allowed for in `adjusted`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CachedControl {
    /// The control's name.
    pub control: String,
    /// Executions that the cache answered at first.
    pub answers: u64,
    /// Those of them that were asked again.
    pub asked_again: u64,
    /// When the oldest of them was given, RFC 3339.
    pub oldest: String,
    /// When the newest of them was given.
    pub newest: String,
    /// The models that gave them, as the vendor names them.
    pub models: BTreeMap<String, u64>,
    /// The models that gave the new answers of those that were asked again.
    pub models_again: BTreeMap<String, u64>,
    /// The version of the executor. It is part of the cache's key, so that another version's answers are never served.
    pub executor_version: Option<String>,
    /// New − cached, in points, over the tasks that were asked again.
    pub drift: Difference,
    /// The samples that were asked again and have both scores.
    pub samples: Vec<CachedSample>,
    /// Each treatment − control, allowing for the drift.
    pub adjusted: Vec<DriftAdjusted>,
}

/// A sample whose control was asked again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CachedSample {
    /// The sample.
    #[serde(rename = "sample_id")]
    pub sample_id: String,
    /// The score of the cached answer; of repeats the mean.
    pub cached: f64,
    /// The score of the new answer.
    pub again: f64,
}

/// The difference of a treatment to the cached answers less the drift of the control, with both uncertainties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftAdjusted {
    /// The treatment.
    pub treatment: String,
    /// The mean difference, in points.
    pub mean: f64,
    /// The interval's lower bound, by the method of variance estimates recovery (Zou and Donner 2008).
    pub low: f64,
    /// The interval's upper bound.
    pub high: f64,
}

/// What the verdict reads of a cached control.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CachedControlInputs {
    /// Executions that were asked again.
    pub asked_again: u64,
    /// New − cached.
    pub drift: DiffInputs,
    /// Whether the new answers come from other models than the cached ones.
    pub models_differ: bool,
}

/// What the verdict reads of a difference that allows for drift.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjustedInputs {
    /// The mean difference, in points.
    pub mean: f64,
    /// The interval's lower bound.
    pub low: f64,
}

impl From<&CachedControl> for CachedControlInputs {
    fn from(of: &CachedControl) -> CachedControlInputs {
        let names = |models: &BTreeMap<String, u64>| models.keys().cloned().collect::<Vec<_>>();
        CachedControlInputs {
            asked_again: of.asked_again,
            drift: DiffInputs::from(&of.drift),
            models_differ: of.asked_again > 0 && names(&of.models) != names(&of.models_again),
        }
    }
}
