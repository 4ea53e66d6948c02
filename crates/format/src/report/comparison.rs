//! `comparisons`: each treatment against the control; and `variance`, which compares runs.

use std::collections::BTreeMap;

use eval_message::Message;
use serde::{Deserialize, Serialize};

use super::{CheckRef, Ci, Layers, Note, Resources, VarianceShares};

/// One treatment against the control, paired by sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The control's name.
    pub control: String,
    /// The treatment's name.
    pub treatment: String,
    /// Pairs: samples with a composite of both variants, from the same checks.
    pub n: u64,
    /// The samples that are left out: a composite is missing, or rests on different checks.
    pub excluded: Vec<Excluded>,
    /// Samples left out because control and treatment could not evaluate the same checks.
    pub unlike: Unlike,
    /// Treatment − control, of the composite.
    pub diff: Difference,
    /// `diff` less what goes with the length of the answers.
    pub equal_length: EqualLength,
    /// Treatment − control, of each layer.
    pub layers: Layers<Difference>,
    /// Pairs in which the treatment scored higher.
    pub wins: u64,
    /// Pairs in which it scored lower.
    pub losses: u64,
    /// Pairs without a difference.
    pub ties: u64,
    /// The largest differences, at most five each way.
    pub moved: Moved,
    /// The difference of every pair, in the order of the sample file; absent without a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<SampleDifference>,
    /// The assertions whose pass rate moved most, at most five.
    pub checks: Vec<CheckMove>,
    /// The checks that the treatment passes less often, those of most samples first, at most 5; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallen_checks: Vec<CheckFall>,
    /// What answers take beside their scores.
    pub resources: Resources,
    /// What more samples would show.
    pub power: Power,
    /// Where the spread of the differences comes from; absent below two pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<VarianceShares>,
    /// The control's mean composite over the pairs; absent without a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_mean: Option<f64>,
    /// The treatment's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment_mean: Option<f64>,
    /// What has no score, and how far that could move the difference; absent where every planned run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingScores>,
    /// The declared capabilities of at least three tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<PartDifference>,
    /// The judged dimensions of at least three tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<PartDifference>,
}

/// Planned runs without a score, and how far they could move a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingScores {
    /// Samples that plan a score.
    pub planned: u64,
    /// Runs without an answer: refused, truncated, empty, stopped at a limit. The artifact caused that.
    pub unanswered: MissingRuns,
    /// Runs without a score for another reason: time limits, errors, judges that failed.
    pub lost: MissingRuns,
    /// Runs with a score that were asked again after a failure which may depend on the answer: a time limit, a program or
    /// agent that ended with an error, an unreadable answer.
    #[serde(default, skip_serializing_if = "MissingRuns::is_none")]
    pub again: MissingRuns,
    /// Runs of `again` whose first answer was there: it was deleted from the cache, the journal or recordings. Absent where there are
    /// none.
    #[serde(default, skip_serializing_if = "MissingRuns::is_none")]
    pub redrawn: MissingRuns,
    /// The difference with a score of 1 for every unanswered run; `null` where there is none.
    pub floor: Option<Difference>,
    /// The lower bound (of `floor`, where there is one) if the treatment's lost runs had scored 1 and the control's 5.
    pub low: Option<f64>,
    /// The upper bound if the treatment's lost runs had scored 5 and the control's 1.
    pub high: Option<f64>,
}

/// Runs of a comparison without a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingRuns {
    /// Samples with such runs in either variant.
    pub samples: u64,
    /// Runs of the control.
    pub control: u64,
    /// Runs of the treatment.
    pub treatment: u64,
}

impl MissingRuns {
    pub(super) fn is_none(&self) -> bool {
        *self == MissingRuns::default()
    }
}

/// Treatment − control over a part of the run: the samples of a capability, where a run without an answer counts as a score
/// of 1, or the scores of a judged dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartDifference {
    /// The capability or dimension.
    pub name: String,
    /// Tasks that have it.
    pub tasks: u64,
    /// Those of them that are pairs.
    pub n: u64,
    /// The mean difference, in points.
    pub mean: Option<f64>,
    /// The largest difference among them, in points: where it is negative, every task fell.
    pub best: Option<f64>,
    /// The difference with an interval that holds for all such parts at once; `null` below six tasks.
    pub diff: Option<Difference>,
}

/// Samples whose scores rest on different checks in control and treatment: no such pair is a fair one, in the
/// composite or in the layers concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unlike {
    /// Samples for which that is so in the composite or in any layer; more than are left out of the composite.
    pub samples: u64,
    /// The types of the checks that could be evaluated in some runs only.
    pub checks: Vec<String>,
}

/// A sample that is left out of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Excluded {
    /// The sample.
    #[serde(rename = "sample_id")]
    pub sample_id: String,
    /// The variants that have no score for it, or one that lacks checks.
    pub variants: Vec<String>,
    /// The reasons as English text, joined by `; `.
    pub why: String,
    /// The reason of each of `variants`, as a message.
    pub why_keys: Vec<Message>,
}

/// A paired difference, treatment − control, in points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Pairs.
    pub n: u64,
    /// The mean difference; `null` without pairs.
    pub mean: Option<f64>,
    /// The mean over single samples, where some of them are one task and count once in `mean`; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_samples: Option<f64>,
    /// The standard deviation of the differences; `null` below two pairs.
    pub sd: Option<f64>,
    /// The interval that the verdict reads: a simultaneous one when several treatments or layers are asked at once;
    /// `null` below two pairs.
    pub ci: Option<Ci>,
    /// The ordinary interval, where `ci` is a simultaneous one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci_unadjusted: Option<Ci>,
    /// The largest difference among the pairs, for a layer: where it is negative, every pair fell. Absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// Two-sided sign-flip permutation p-value. With `--stop-when-decided` there is one only where all differences are
    /// equal: a bound that holds at every number of pairs.
    pub p_value: Option<f64>,
    /// The p-value that the verdict reads: Holm's, when several are asked at once; with `--stop-when-decided`,
    /// Bonferroni's.
    pub p_value_adjusted: Option<f64>,
    /// Why there is none, with `--stop-when-decided`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value_why: Option<Note>,
    /// Whether every sign pattern was looked at.
    pub exact: Option<bool>,
    /// The level at which `ci` was made by itself: 0.05, or less where several intervals hold at once. A test at this level
    /// is as strict as that interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// How large it is.
    pub effect: Option<EffectSizes>,
    /// `mean` less what goes with the length of the answers, for the judge layer and for preferences; that of the
    /// composite stands beside it, in the comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_length: Option<EqualLength>,
}

/// The difference between two answers of one length: the intercept of the regression of the paired differences on the
/// standardised differences in length. It describes; the verdict doesn't read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EqualLength {
    /// The difference at equal length, in points; `null` when it is undefined.
    pub diff: Option<f64>,
    /// Its interval, for this comparison alone.
    pub ci: Option<Ci>,
    /// Points per standard deviation of the difference in length.
    pub slope: Option<f64>,
    /// That standard deviation, in characters.
    pub length_sd: Option<f64>,
    /// How much longer the treatment's answers are on average, in characters; `null` without a pair.
    pub longer_by: Option<f64>,
    /// Pairs.
    pub n: u64,
    /// Why it is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// Effect sizes; they have no unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EffectSizes {
    /// The mean difference in standard deviations of the differences; `null` without spread.
    pub cohen_dz: Option<EffectSize>,
    /// The chance that a sample does better with the treatment, ties split.
    pub superiority: Option<EffectSize>,
}

/// One effect size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffectSize {
    /// The effect in the data.
    pub estimate: f64,
    /// Its interval, if the data allow one.
    pub ci: Option<Ci>,
}

/// The samples that moved most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moved {
    /// Up, the largest first.
    pub better: Vec<SampleDifference>,
    /// Down, the largest first.
    pub worse: Vec<SampleDifference>,
}

/// One sample's difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleDifference {
    /// The sample.
    pub sample_id: String,
    /// The control's score.
    pub control: f64,
    /// The treatment's score.
    pub treatment: f64,
    /// Treatment − control.
    pub diff: f64,
}

/// A check that the treatment passes less often, over all samples where it moved alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckFall {
    /// The check, as it is shown.
    pub label: String,
    /// The share of the control's runs that passed.
    pub control_rate: f64,
    /// The share of the treatment's runs that passed.
    pub treatment_rate: f64,
    /// How many samples there are.
    pub samples: u64,
    /// The first of them.
    pub named: Vec<String>,
}

/// An assertion whose pass rate differs between control and treatment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckMove {
    /// The check.
    pub check: CheckRef,
    /// The share of the control's runs that passed.
    pub control_rate: f64,
    /// The share of the treatment's runs that passed.
    pub treatment_rate: f64,
}

/// What more samples would show, for the spread that was observed, at 80 % power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Power {
    /// The smallest true gain that is PROGRESS on this many pairs; `null` below 20.
    pub minimum_detectable: Option<f64>,
    /// The pairs with which a true gain of `--min-effect` is PROGRESS.
    pub pairs_for_min_effect: Option<u64>,
    /// The pairs with which a gain as large as the one that was seen is PROGRESS, if that is the true one: a large one that was
    /// seen by chance makes them too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs_for_observed: Option<u64>,
    /// Samples that settle whether there is a difference that matters: with as many, a run whose true difference is 0 is
    /// NOISE in about 80 % of cases, and one whose true difference is the smallest that matters is PROGRESS. Planned with
    /// the upper end of the spread seen so far, and for a second look at a test set that grew to as many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<u64>,
    /// Samples with which a true gain as large as the one that was seen is PROGRESS in about 80 % of cases; absent where
    /// none worth planning for was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive_for_gain: Option<u64>,
    /// Repeats that settle it; absent without repeats, and where these take away little of the spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<RepeatPlan>,
    /// The risk of a false alarm that they hold for: 0.05, or less where several treatments are asked at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
}

/// So many repeats of each sample, and the samples that settle with them whether there is a difference that matters. Where
/// these are no more than were run, the same samples do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepeatPlan {
    /// Repeats, in all.
    pub repeat: u32,
    /// Samples.
    pub samples: u64,
}

/// How much a whole run's mean moves from one repeat to the next, and beside it what the verdict reads (`bySample`): runs
/// over the same samples say nothing of other samples, so intervals and tests over runs are too sure of themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Variance {
    /// Repeats.
    pub runs: u32,
    /// Each variant, by name.
    pub per_variant: BTreeMap<String, RunSpread>,
    /// Each pair of variants.
    pub comparisons: Vec<RunComparison>,
}

/// The means of one variant's runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunSpread {
    /// Each repeat's mean composite; `null` where nothing could be scored.
    pub scores: Vec<Option<f64>>,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their standard deviation.
    pub stddev: Option<f64>,
    /// Student's t interval of their mean.
    pub ci: Option<Ci>,
    /// The same variant with the sample as the unit, which is what the verdict reads.
    pub by_sample: SampleMean,
    /// Where the spread of its scores comes from.
    pub shares: VarianceShares,
}

/// A mean over samples, the repeats of each averaged first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleMean {
    /// Samples with a score.
    pub n: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Its interval over samples.
    pub ci: Option<Ci>,
}

/// The paired difference of two variants, the second minus the first, with the sample as the unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairedDifference {
    /// Pairs.
    pub n: u64,
    /// The mean of the second minus the first.
    pub mean: Option<f64>,
    /// Its interval over samples; of two treatments with more than 2,000 pairs, Student's.
    pub ci: Option<Ci>,
    /// Sign-flip permutation p-value; `null` for two treatments with more than 2,000 pairs.
    pub p_value: Option<f64>,
    /// Whether the verdict reads it: so it does where the first is the control. Interval and p-value then hold for all
    /// treatments at once, else for these two variants alone.
    pub decides: bool,
}

/// Welch's t test between the runs of two variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunComparison {
    /// One variant.
    pub a: String,
    /// The other.
    pub b: String,
    /// The test statistic, of the second minus the first like `bySample`; `null` when there is no spread or too few runs.
    pub t_statistic: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// Two-sided p-value.
    pub p_value: Option<f64>,
    /// Whether p < 0.05; `null` when there is no test.
    pub significant: Option<bool>,
    /// The same two variants with the sample as the unit.
    pub by_sample: PairedDifference,
}
