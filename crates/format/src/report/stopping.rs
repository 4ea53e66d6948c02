//! `stopping`: a run with planned looks (`--looks`, `--max-samples`, `--stop-when-decided`).

use serde::{Deserialize, Serialize};

use super::Note;

/// How a run went that ends with the first look that decides every treatment, or with the last.
///
/// All but `samplesSaved`, `callsSaved`, `judgeCallsSaved`, `costSavedEstimate` and `beyond` is the same for any number
/// of calls at once; those tell what was under way when it was decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stopping {
    /// The plan, in words.
    pub rule: Note,
    /// The planned looks, in order.
    pub looks: Vec<StoppingLook>,
    /// Samples up to the last look, tripwires aside.
    pub samples_planned: u64,
    /// Samples that count, those that are no pair included: every number of this report rests on them, and on no others.
    pub looked: u64,
    /// The same where a look decided every treatment; `null` when none did.
    pub decided_after: Option<u64>,
    /// Samples of the test set beyond the last look, which were not to be run (`--max-samples`).
    #[serde(default, skip_serializing_if = "super::meta::is_zero")]
    pub samples_left: u64,
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
    /// Samples that were under way when it ended: they are in `results` and were paid for, and no other number rests on them.
    pub beyond: Vec<String>,
    /// All samples in the order in which they were to be run; tripwires too.
    pub order: Vec<String>,
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

/// One planned look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoppingLook {
    /// The tasks that it reads: the first so many. A task is a sample, or several that are versions of one.
    pub samples: u64,
    /// The probability beyond each end of its intervals, 0 to 1: small at early looks, so that all looks together find a
    /// difference of none as rarely as one does.
    pub tail: f64,
    /// The largest chance with which a kind of sample that never came up may undo what it decides.
    pub unseen_risk: f64,
    /// What it showed; empty where it was not taken.
    pub treatments: Vec<TreatmentLook>,
}

/// A treatment at a look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TreatmentLook {
    /// Its name.
    pub treatment: String,
    /// Pairs.
    pub n: u64,
    /// The mean difference, in points.
    pub mean: Option<f64>,
    /// The lower bound.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// The decision; `null` where it is open.
    pub decided: Option<Decided>,
}

impl Stopping {
    /// Whether cells were left out: because it was decided, or because the last look doesn't read them.
    #[must_use]
    pub fn leaves_out(&self) -> bool {
        self.calls_saved > 0 || self.samples_left > 0
    }

    /// The last look that was taken, and its number; none where the run ended before the first.
    #[must_use]
    pub fn last_taken(&self) -> Option<(usize, &StoppingLook)> {
        self.looks.iter().enumerate().rfind(|(_, look)| !look.treatments.is_empty()).map(|(at, look)| (at + 1, look))
    }
}
