//! `stopping`: a run that may end as soon as it is decided (`--stop-when-decided`).

use serde::{Deserialize, Serialize};

use super::Note;

/// How a run ended that may end as soon as every treatment is decided.
///
/// All but `samplesSaved`, `callsSaved`, `judgeCallsSaved`, `costSavedEstimate` and `beyond` is the same for any number
/// of calls at once; those tell what was under way when it was decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stopping {
    /// When it ends.
    pub rule: Note,
    /// Why the rule was not applied: ordinary intervals are read then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unused: Option<Note>,
    /// A treatment is first looked at when it has so many pairs.
    pub first_look: u64,
    /// The chance that the intervals of all treatments hold the truth at every look; the layers' together likewise.
    pub level: f64,
    /// The number of pairs at which the intervals are tightest, fixed before the run.
    pub tightest_at: u64,
    /// Samples of the plan, tripwires aside.
    pub samples_planned: u64,
    /// Samples that were looked at, those that are no pair included: every number of this report rests on them, and on
    /// no others.
    pub looked: u64,
    /// The same where it was decided by then; `null` when it was not.
    pub decided_after: Option<u64>,
    /// Samples of which nothing was run, since it was decided.
    pub samples_saved: u64,
    /// Executions that were not made, since it was decided.
    pub calls_saved: u64,
    /// Requests to judges that were not made, since it was decided; unusable replies aside.
    pub judge_calls_saved: u64,
    /// Their estimated cost; `null` when it can't be estimated.
    pub cost_saved_estimate: Option<SavedCost>,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_saved_why: Option<Note>,
    /// Samples that were under way when it was decided: they are in `results` and were paid for, and no other number
    /// rests on them.
    pub beyond: Vec<String>,
    /// All samples in the order in which they were to be looked at; tripwires too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// How each treatment's interval narrowed.
    pub treatments: Vec<StoppingPath>,
    /// What else in this report does not hold at a number of samples that the data chose.
    pub caution: Note,
}

/// Money that was not spent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedCost {
    /// US dollars.
    pub usd: f64,
    /// How it is estimated.
    pub basis: Note,
}

/// One treatment, as it was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoppingPath {
    /// Its name.
    pub treatment: String,
    /// The decision at the last look; `null` without one.
    pub decided: Option<Decided>,
    /// The looks, thinned out to about forty; the last one is always there.
    pub path: Vec<StoppingLook>,
}

/// What can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decided {
    /// The treatment is worse.
    Worse,
    /// It is better, by as many pairs as progress needs.
    Better,
    /// There is no difference that matters.
    NoDifferenceThatMatters,
}

/// One look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoppingLook {
    /// Samples looked at.
    pub samples: u64,
    /// Pairs among them.
    pub n: u64,
    /// The mean difference, in points.
    pub mean: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Stopping {
    /// Whether cells were left out because it was decided.
    #[must_use]
    pub fn is_early(&self) -> bool {
        self.calls_saved > 0
    }
}
