//! `verdict`: the decision, and every number it was computed from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    AdjustedInputs, CachedControlInputs, CheckCounts, DeliveryCounts, Difference, GapGuardInputs, ImportedInputs,
    IncompleteReason, Layers, MissingRuns, MissingScores, Note, OutcomeCounts, POINTS, PartDifference, RuntimeCounts,
    TriggerInputs, Unlike,
};

/// The decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The worst of the treatments.
    pub tier: Tier,
    /// Whether the run is a valid measurement. When it isn't, the tier is what its numbers would say, and nothing may
    /// be shipped or dropped because of it.
    pub valid: bool,
    /// Why the run is no valid measurement; with one variant only, why the gate allows or refuses.
    pub reasons: Vec<Note>,
    /// Each treatment.
    pub per_treatment: Vec<TreatmentVerdict>,
    /// 0 ship, 1 don't, 3 no valid measurement, 130 interrupted.
    pub exit_code: u8,
    /// Everything that was read to decide.
    pub inputs: VerdictInputs,
    /// What the file says instead, where that doesn't follow from `inputs`. Set when a report is read; stored reports don't
    /// have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ReplacedVerdict>,
}

/// A verdict as a file has it, not yet compared with its inputs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct UncheckedVerdict(Verdict);

impl UncheckedVerdict {
    /// The number of the rules that it was decided by.
    pub(crate) fn rules(&self) -> u32 {
        self.0.inputs.rules
    }

    /// The verdict as the file has it.
    #[must_use]
    pub fn as_stored(self) -> Verdict {
        self.0
    }
}

/// The part of a stored verdict that doesn't follow from its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReplacedVerdict {
    /// The treatment that it is about; absent where it is the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment: Option<String>,
    /// The stored tier.
    pub tier: Tier,
    /// Whether the file calls the run a valid measurement.
    pub valid: bool,
    /// The stored exit code.
    pub exit_code: u8,
}

/// The decision on one treatment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TreatmentVerdict {
    /// Its name.
    pub treatment: String,
    /// Its tier.
    pub tier: Tier,
    /// The reasons of the tier, the deciding one first.
    pub reasons: Vec<Note>,
    /// Whether it is not worse than the control by more than the margin; absent unless that is the goal
    /// (`--goal not-worse`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalVerdict>,
}

/// Whether a treatment reaches the goal. The tier doesn't depend on it; the gate does, and on nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoalVerdict {
    /// Whether it does.
    pub reached: bool,
    /// What shows it, or everything that speaks against it.
    pub reasons: Vec<Note>,
}

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

/// Every number that the rules read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VerdictInputs {
    /// Which rules decided. What other rules decided can't be recomputed.
    pub rules: u32,
    /// Samples that count, and the tasks that they are: fewer, where some are versions of one task.
    pub tasks: TaskInputs,
    /// The limits.
    pub limits: Limits,
    /// Why the run ended before its plan did.
    pub incomplete_reason: Option<IncompleteReason>,
    /// The control, or the only variant.
    pub control: ArmInputs,
    /// The treatments.
    pub treatments: Vec<TreatmentInputs>,
    /// What people scored, when gold was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldInputs>,
    /// The judges; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<JudgingInputs>,
    /// The executions of samples that are meant to fail.
    pub tripwires: TripwireInputs,
    /// What asking a cached control again showed; absent where none of it came from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_control: Option<CachedControlInputs>,
    /// Which look at the same two artifacts this is; absent for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<LookInputs>,
    /// The scores are another tool's; absent where this program's checks and judges gave them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedInputs>,
}

impl VerdictInputs {
    /// What these variants' numbers say by these limits, and nothing else.
    #[must_use]
    pub fn of_variants(limits: Limits, control: ArmInputs, treatments: Vec<TreatmentInputs>) -> VerdictInputs {
        VerdictInputs {
            rules: RULES_VERSION,
            tasks: TaskInputs::default(),
            limits,
            incomplete_reason: None,
            control,
            treatments,
            judging: None,
            gold: None,
            tripwires: TripwireInputs::default(),
            cached_control: None,
            looks: None,
            imported: None,
        }
    }
}

/// Looks at the same two artifacts, which nobody planned: each of them may find a difference by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LookInputs {
    /// The number of this look.
    pub number: u64,
    /// How many of these looks had exactly these samples, this one included.
    pub same_samples: u64,
}

/// The rules of this version.
pub const RULES_VERSION: u32 = 3;

/// How many samples count, and how many tasks they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskInputs {
    /// Samples.
    pub samples: u64,
    /// Tasks.
    pub tasks: u64,
}

/// The judges' numbers that the verdict depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JudgingInputs {
    /// How many there are.
    pub judges: u64,
    /// Their agreement, Krippendorff's α; `null` with one judge, or when it is undefined.
    pub agreement: Option<f64>,
    /// Why it is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_why: Option<Note>,
    /// The agreement of judges who compared answers, Krippendorff's α; `null` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairwise_agreement: Option<f64>,
    /// Judges of the same vendor as the model under test.
    pub self_preference: Vec<String>,
}

/// Executions of tripwires. Their scores decide nothing, but failed executions count as failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TripwireInputs {
    /// Executions made.
    pub ran: u64,
    /// Executions that ended with an infrastructure failure.
    pub failed: u64,
}

/// Opinions of judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpinionCounts {
    /// Asked for.
    pub planned: u64,
    /// Those of them without a score.
    pub missing: u64,
}

/// With fewer pairs nothing can be shown: even five wins of five have p = 0.0625.
pub const MIN_PAIRS: u64 = 6;

/// Fewer pairs are no progress.
pub const PROGRESS_PAIRS: u64 = 20;

/// Judges that agree less than this (Krippendorff's α) measure no common thing.
pub const MIN_AGREEMENT: f64 = 0.4;

/// The largest chance with which a kind of sample that a test set doesn't show may undo what is decided.
pub const UNSEEN_RISK: f64 = 0.05;

/// Differences up to this, in points, may come from rounding.
pub const ROUNDING: f64 = 0.005;

/// A loss of more than this is one, however large `--trivial-diff` is.
const MOST_TRIVIAL_LOSS: f64 = 0.1;

/// The limits that numbers are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The smallest difference that matters, in points (`--min-effect`).
    pub min_effect: f64,
    /// The smallest preference that matters, 0 to 1 (`--min-preference`).
    pub min_preference: f64,
    /// A difference below this is not progress, in points (`--trivial-diff`).
    pub trivial_diff: f64,
    /// The gate of every layer, in points (`--threshold`).
    pub threshold: f64,
    /// With triggers only: the lowest recall that passes, 0 to 1 (`--min-recall`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_recall: Option<f64>,
    /// With triggers only: the lowest precision that passes, 0 to 1 (`--min-precision`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_precision: Option<f64>,
    /// The highest gap rate that passes, 0 to 1 (`--max-gap-rate`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_gap_rate: Option<f64>,
    /// By how much the gap rate may rise since the last report of the same test set and variant (`--gap-rate-regression`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_rate_regression: Option<f64>,
    /// The share of executions that may fail (`--max-failure-rate`).
    pub max_failure_rate: f64,
    /// The worst tier that the gate lets through (`--gate`); absent for `progress`.
    #[serde(default, skip_serializing_if = "eval_spec::suite::GateTier::is_default")]
    pub gate: eval_spec::suite::GateTier,
    /// Whether the treatment is the control again (`--aa`): PROGRESS and REGRESS are false alarms, which the gate refuses,
    /// and it lets every other tier through. Absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aa: bool,
    /// The goal is not to be worse than the control by more than this, in points (`--goal not-worse --margin`); absent when
    /// the goal is to be better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Whether the gate is off (`--report-only`).
    pub report_only: bool,
    /// The risk of a false alarm that this run takes, to both sides: the p-value that is used instead of the interval when
    /// all differences are equal.
    pub alpha: f64,
    /// The same of layers, capabilities and dimensions: at an early look, more.
    pub alpha_of_parts: f64,
    /// Fewer pairs say nothing.
    pub min_pairs: u64,
    /// Fewer pairs are no progress.
    pub progress_pairs: u64,
    /// The share of scores that may be missing in a variant, in percent.
    pub missing_percent: u64,
    /// How far control and treatment may differ in a share, in percentage points.
    pub share_points: u64,
    /// The least agreement of several judges, Krippendorff's α.
    pub min_agreement: f64,
    /// The largest chance of [`UnseenInputs`] with which something is decided.
    pub unseen_risk: f64,
}

impl Limits {
    /// The same for preferences, which are read as points.
    #[must_use]
    pub fn of_preferences(&self) -> Limits {
        Limits { min_effect: self.min_preference * POINTS, ..*self }
    }

    /// The same for layers, capabilities and dimensions.
    #[must_use]
    pub fn of_parts(&self) -> Limits {
        Limits { alpha: self.alpha_of_parts, ..*self }
    }

    /// The smallest loss that counts as one, in points: what is smaller may be a matter of rounding.
    #[must_use]
    pub fn least_loss(&self) -> f64 {
        self.trivial_diff.clamp(ROUNDING, MOST_TRIVIAL_LOSS)
    }

    /// The limits with these settings.
    #[must_use]
    pub fn new(settings: &eval_spec::suite::Settings) -> Limits {
        Limits {
            min_effect: settings.min_effect,
            min_preference: settings.min_preference,
            trivial_diff: settings.trivial_diff,
            threshold: settings.threshold,
            min_recall: settings.min_recall,
            min_precision: settings.min_precision,
            max_gap_rate: settings.max_gap_rate,
            gap_rate_regression: settings.gap_rate_regression,
            max_failure_rate: settings.max_failure_rate,
            gate: settings.gate,
            aa: settings.aa,
            margin: (!settings.goal.is_default()).then_some(settings.margin),
            report_only: settings.report_only,
            alpha: 0.05,
            alpha_of_parts: 0.05,
            min_pairs: MIN_PAIRS,
            progress_pairs: PROGRESS_PAIRS,
            missing_percent: 10,
            share_points: 5,
            min_agreement: MIN_AGREEMENT,
            unseen_risk: UNSEEN_RISK,
        }
    }
}

/// One variant by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArmInputs {
    /// Its name.
    pub name: String,
    /// Its mean composite.
    pub mean: Option<f64>,
    /// Executions that should have a composite.
    pub planned_scores: u64,
    /// Those of them that have none.
    pub missing_scores: u64,
    /// How its executions ended.
    pub outcomes: OutcomeCounts,
    /// How its checks ended.
    pub checks: CheckCounts,
    /// The share of each layer's planned weight that could not be evaluated, 0 to 1.
    pub unscored_share: Layers<f64>,
    /// Executions answered from the cache, at an earlier time.
    pub cached: u64,
    /// Which models answered.
    pub models: BTreeMap<String, u64>,
    /// Answers that name no model.
    pub unnamed_answers: u64,
    /// Executions whose agent read the artifact of another variant; absent when there are none.
    #[serde(default, skip_serializing_if = "super::meta::is_zero")]
    pub artifact_leaks: u64,
    /// Executions that a model's API refused before an answer began (a rate limit, a server in trouble), and that were asked again;
    /// absent when there are none.
    #[serde(default, skip_serializing_if = "super::meta::is_zero")]
    pub refused_first: u64,
    /// What became of the artifact, where agents were given it as a skill or as files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<DeliveryCounts>,
    /// What agents' runs say of the program behind them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtimes: Option<RuntimeCounts>,
    /// Whether its skill was loaded when it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triggers: Option<TriggerInputs>,
    /// Its gap rate with its test set, where a guard reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_guard: Option<GapGuardInputs>,
    /// Opinions of judges on its answers.
    pub opinions: OpinionCounts,
}

impl ArmInputs {
    /// Nothing but its name.
    #[must_use]
    pub fn named(name: &str) -> ArmInputs {
        ArmInputs { name: name.to_owned(), ..ArmInputs::default() }
    }
}

/// One treatment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TreatmentInputs {
    /// The treatment by itself.
    pub arm: ArmInputs,
    /// Its difference to the control.
    pub diff: DiffInputs,
    /// Samples left out because control and treatment could not evaluate the same checks.
    pub unlike: Unlike,
    /// The layers that are planned.
    pub layers: Layers<LayerInputs>,
    /// What judges preferred, where they compared answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairwise: Option<PairInputs>,
    /// Its difference on the samples to tune on and on those held out, where some are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<HoldoutInputs>,
    /// Whether more samples would narrow its interval; absent without a curve. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saturation: Option<SaturationInputs>,
    /// What has no score; absent where every planned run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingInputs>,
    /// What a kind of sample that never came up could do to the difference; absent without pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<UnseenInputs>,
    /// The declared capabilities of at least three tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<PartInputs>,
    /// The judged dimensions of at least three tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<PartInputs>,
    /// Samples that settle it, as [`Power`](super::Power) says. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<u64>,
    /// Samples that are enough if the gain is as seen, as [`Power`](super::Power) says. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive_for_gain: Option<u64>,
    /// Samples of the look before that this run doesn't have, or has changed; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftInputs>,
    /// The difference, allowing for the drift of a cached control; absent where there is none, or nothing was asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<AdjustedInputs>,
}

/// Samples that left the set since the look before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LeftInputs {
    /// How many.
    pub samples: u64,
    /// The mean difference over the samples of this run and those, as they were then.
    pub mean_with_them: Option<f64>,
}

/// What is missing of a comparison, as [`MissingScores`] says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MissingInputs {
    /// Samples that plan a score.
    pub planned: u64,
    /// Runs without an answer.
    pub unanswered: MissingRuns,
    /// Runs lost.
    pub lost: MissingRuns,
    /// Runs with a score that were asked again after a failure which may depend on the answer.
    pub again: MissingRuns,
    /// Runs of `again` whose first answer was there.
    #[serde(default, skip_serializing_if = "MissingRuns::is_none")]
    pub redrawn: MissingRuns,
    /// The difference with a score of 1 for every unanswered run.
    pub floor: Option<DiffInputs>,
    /// The lower bound if the lost runs had gone as badly for the treatment as they could.
    pub low: Option<f64>,
    /// The upper bound if they had gone as well.
    pub high: Option<f64>,
}

/// How likely a test set looks at least as good as this one although the truth is worse, because none of its samples is of
/// a kind that loses much: the largest chance over every share and size of such a kind, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnseenInputs {
    /// If the treatment is no better in truth.
    pub no_gain: f64,
    /// Samples with which that would be as unlikely as a gain needs, if they went on like these; `null` where there is no
    /// gain.
    pub pairs_for_gain: Option<u64>,
    /// The same of a loss: if the treatment is no worse in truth.
    pub no_loss: f64,
    /// Samples with which that would be unlikely; `null` where there is no loss.
    pub pairs_for_loss: Option<u64>,
    /// If the treatment is worse by the smallest difference that matters.
    pub worse: f64,
    /// If it is better by as much.
    pub better: f64,
    /// If it is worse by the margin; absent unless the goal is not to be worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worse_than_margin: Option<f64>,
    /// How far the control's mean lies above the lowest score, in points; absent for preferences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_room: Option<f64>,
    /// How far the treatment's mean does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment_room: Option<f64>,
}

/// One capability or judged dimension of a treatment, as [`PartDifference`] says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartInputs {
    /// The capability or dimension.
    pub name: String,
    /// Tasks that have it.
    pub tasks: u64,
    /// Those of them that are pairs.
    pub n: u64,
    /// The mean difference.
    pub mean: Option<f64>,
    /// The largest difference among them.
    pub best: Option<f64>,
    /// The difference with its interval; `null` below six tasks.
    pub diff: Option<DiffInputs>,
}

impl From<&PartDifference> for PartInputs {
    fn from(of: &PartDifference) -> PartInputs {
        PartInputs {
            name: of.name.clone(),
            tasks: of.tasks,
            n: of.n,
            mean: of.mean,
            best: of.best,
            diff: of.diff.as_ref().map(DiffInputs::from),
        }
    }
}

impl From<&MissingScores> for MissingInputs {
    fn from(scores: &MissingScores) -> MissingInputs {
        MissingInputs {
            planned: scores.planned,
            unanswered: scores.unanswered,
            lost: scores.lost,
            again: scores.again,
            redrawn: scores.redrawn,
            floor: scores.floor.as_ref().map(DiffInputs::from),
            low: scores.low,
            high: scores.high,
        }
    }
}

/// One layer of a treatment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LayerInputs {
    /// The treatment's mean in it; `null` when none of it could be scored.
    pub mean: Option<f64>,
    /// The difference to the control in it.
    pub diff: DiffInputs,
    /// The largest difference among the pairs; `null` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
}

/// A paired difference. Interval and p-value hold for everything that was asked at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiffInputs {
    /// Pairs.
    pub n: u64,
    /// The mean difference.
    pub mean: Option<f64>,
    /// The mean over single samples, where some of them are one task; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_samples: Option<f64>,
    /// The interval's lower bound.
    pub low: Option<f64>,
    /// The interval's upper bound.
    pub high: Option<f64>,
    /// Whether all differences are equal, so that the p-value is read in place of the interval.
    pub degenerate: bool,
    /// The adjusted sign-flip p-value.
    pub p: Option<f64>,
}

impl From<&Difference> for DiffInputs {
    fn from(diff: &Difference) -> DiffInputs {
        DiffInputs {
            n: diff.n,
            mean: diff.mean,
            over_samples: diff.over_samples,
            low: diff.ci.map(|ci| ci.low),
            high: diff.ci.map(|ci| ci.high),
            degenerate: diff.ci.is_some_and(|ci| ci.degenerate),
            p: diff.p_value_adjusted,
        }
    }
}

/// The numbers of the held-out samples that the verdict depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldoutInputs {
    /// The difference over the samples to tune on.
    pub train: SplitInputs,
    /// The difference over the held-out samples.
    pub held_out: SplitInputs,
    /// Train − held out; `null` where a part has fewer than two pairs.
    pub gap: Option<GapInputs>,
}

/// The numbers of a saturation curve that the verdict depends on. They change no tier: they show whether more samples
/// would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SaturationInputs {
    /// Whether the interval has stopped narrowing.
    pub saturated: Option<bool>,
    /// Pairs with which it reaches no further than the smallest difference that matters to each side.
    pub pairs_for_min_effect: Option<u64>,
}

/// The pairwise comparison of a treatment with the control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairInputs {
    /// Pairs of answers that should have been compared.
    pub planned: u64,
    /// Those of them without a preference.
    pub missing: u64,
    /// Those of them that have both answers, so that only the judges are missing.
    pub unjudged: u64,
    /// Answers with a preference that were asked again after a failure that may depend on the answer; absent where there were
    /// none.
    #[serde(default, skip_serializing_if = "MissingRuns::is_none")]
    pub again: MissingRuns,
    /// The mean preference, −1 to 1.
    pub preference: Option<f64>,
    /// The same as a difference in points, 4 for a preference of 1.
    pub diff: DiffInputs,
    /// Whether the judges prefer a position.
    pub position: Option<PositionInputs>,
    /// What a kind of sample that never came up could do to the preference, in points; absent without pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<UnseenInputs>,
    /// Samples that settle it, as [`Power`](super::Power) says. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<u64>,
    /// Samples that are enough if the gain is as seen, as [`Power`](super::Power) says. It changes no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive_for_gain: Option<u64>,
}

/// How often the answer shown first won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionInputs {
    /// The share of the replies with a winner.
    pub share: f64,
    /// The lower bound of its interval.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The numbers of gold that the verdict depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldInputs {
    /// The agreement that a judge must reach, with its lower bound.
    pub min_alpha: f64,
    /// Labelled samples in which people saw a difference, at least.
    pub min_untied: u64,
    /// Outputs and questions that both judge and people scored; people only, where an annotator is a judge.
    pub n: u64,
    /// Krippendorff's α; `null` when it is undefined.
    pub alpha: Option<f64>,
    /// Its lower bound; `null` when there is none.
    pub alpha_low: Option<f64>,
    /// By treatment: its difference on the judge layer as people would have scored it.
    pub differences: BTreeMap<String, GoldDiffInputs>,
    /// By variant: its mean on the judge layer as people would have scored it; `null` when it can't be estimated.
    pub means: BTreeMap<String, Option<f64>>,
}

/// A difference as people would have scored it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldDiffInputs {
    /// The interval's lower bound.
    pub low: Option<f64>,
    /// The interval's upper bound.
    pub high: Option<f64>,
    /// Samples of which people scored both outputs.
    pub labelled: u64,
    /// Those of them in which people saw a difference.
    pub untied: u64,
}

/// The difference over one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SplitInputs {
    /// Pairs.
    pub n: u64,
    /// The mean difference.
    pub mean: Option<f64>,
    /// The interval's lower bound.
    pub low: Option<f64>,
}

/// How much smaller the difference is on the held-out samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapInputs {
    /// By how many points.
    pub mean: f64,
    /// The interval's lower bound.
    pub low: f64,
    /// The interval's upper bound.
    pub high: f64,
    /// Whether no difference varies within a part, so that the interval is a point and shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub degenerate: bool,
}
