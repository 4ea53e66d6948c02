//! Where the spread of scores comes from: `shares`.

use serde::{Deserialize, Serialize};

use super::Note;

/// Where the spread comes from: `Var(mean) = σ²_samples/n + σ²_repeats/(n·r) + σ²_opinions/(n·r·o)` with `n` samples,
/// `r` repeats and `o` opinions of judges. By the method of moments for nested designs (Searle, Casella & McCulloch 1992).
///
/// What can't be told apart stands in the level above: with one repeat, the spread between repeats is part of that between
/// samples. Of a treatment's differences to the control, repeats and opinions are paired by their number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VarianceShares {
    /// Samples that entered.
    pub n: u64,
    /// Repeats of each, on average.
    pub runs_per_sample: Option<f64>,
    /// Opinions on each answer, on average; 1 where there is nothing to tell apart.
    pub opinions_per_run: Option<f64>,
    /// Between samples.
    pub samples: VarianceShare,
    /// Between the repeats of a sample.
    pub repeats: VarianceShare,
    /// Between the judges' opinions on rubrics and dimensions about one answer, on the scale of the composite. Each
    /// judge's own severity is taken off before: it is no wavering. Judged assertions, which pass or fail, don't enter.
    pub opinions: VarianceShare,
    /// The width of the mean's interval with twice as many of each, as a share of the present one.
    pub with_twice: WithTwice,
}

/// One part of the spread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VarianceShare {
    /// The variance of one sample's, repeat's or opinion's effect, in squared points; `null` when it can't be estimated.
    pub variance: Option<f64>,
    /// Its share of the sum of the parts, 0 to 1.
    pub share: Option<f64>,
    /// Whether the estimate was negative, which happens by chance, and was replaced by 0.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_at_zero: bool,
    /// Why it can't be estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// The factor by which the interval narrows with twice as many; 0.71 is the best there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithTwice {
    /// Samples.
    pub samples: Option<f64>,
    /// Repeats; `null` when their effect can't be estimated.
    pub repeats: Option<f64>,
    /// Opinions; `null` when their effect can't be estimated.
    pub opinions: Option<f64>,
}
