//! What answers take beside their scores: `comparisons[].resources`; and how they waver: `summary.*.stability`.

use serde::{Deserialize, Serialize};

use super::Ci;

/// What the answers of control and treatment take, over the tasks that both answered. No verdict reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resources {
    /// The price of an answer, in US dollars; `null` where one is unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<ResourceDifference>,
    /// The time of an answer, in milliseconds; `null` where none is known.
    pub duration_ms: Option<ResourceDifference>,
    /// Its input and output tokens; `null` where none is known.
    pub tokens: Option<ResourceDifference>,
}

/// A mean of the control, of the treatment, and of their differences, paired by task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResourceDifference {
    /// Tasks that have it in both.
    pub n: u64,
    /// The control's mean.
    pub control: f64,
    /// The treatment's mean.
    pub treatment: f64,
    /// The mean of treatment − control.
    pub mean: f64,
    /// Its interval; `null` below two tasks.
    pub ci: Option<Ci>,
}

/// How many samples score differently from one repeat to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stability {
    /// Samples with a score in two repeats or more.
    pub n: u64,
    /// Those of them whose repeats don't all score alike.
    pub wavering: u64,
    /// Wilson's 95 % interval of the share of wavering samples, 0 to 1.
    pub low: f64,
    /// Its upper bound.
    pub high: f64,
}
