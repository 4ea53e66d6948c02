//! `analysis.saturation`: were there enough samples?

use serde::{Deserialize, Serialize};

use super::Note;

/// How the interval of a treatment's difference narrowed as samples came in, in an order drawn from the seed: of the
/// composite, or of the judges' preference where nothing else is planned (4 points for a preference of 1).
///
/// The widths are those of Student's t interval at the level of the interval that the verdict reads, whatever `--ci`
/// says: they need no resampling, so the rule reads no chance of the bootstrap's, and 100,000 samples cost nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Saturation {
    /// The control's name.
    pub control: String,
    /// The treatment's name.
    pub treatment: String,
    /// Pairs.
    pub n: u64,
    /// The curve, the fewest samples first; each window has a quarter more samples than the one before.
    pub windows: Vec<SaturationWindow>,
    /// Whether each of the last three windows narrowed the interval by less than 5 %: more samples of this kind narrow
    /// it little. `null` with fewer than four windows (13 pairs).
    pub saturated: Option<bool>,
    /// Pairs with which the interval reaches no further than `--min-effect` to each side, for the spread of all of them:
    /// with these either answer, that a difference matters or that it doesn't, becomes possible. `null` when unknown.
    pub pairs_for_min_effect: Option<u64>,
    /// Why there is no curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// The first `n` samples, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SaturationWindow {
    /// How many.
    pub n: u64,
    /// The width of the interval; `null` when all of them are equal.
    pub width: Option<f64>,
    /// The width to be expected with the spread of all samples: the 1/√n law.
    pub expected: f64,
    /// By which share this window narrowed the interval; `null` for the first.
    pub shrink: Option<f64>,
}
