//! `gold`: what people scored, and what the judges' scores are worth beside it.

use serde::{Deserialize, Serialize};

use super::{Ci, Note};

/// Comparison of the judges with people's scores. Present when gold was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldReport {
    /// Where the gold lay.
    pub directory: String,
    /// What became of the annotations.
    pub counts: GoldCounts,
    /// The annotators.
    pub annotators: Vec<GoldAnnotator>,
    /// Annotations that were left out, at most a hundred; `counts` has all of them.
    pub left_out: Vec<GoldLeftOut>,
    /// Judge and people over all questions together.
    pub overall: GoldAgreement,
    /// The same without annotators that are judges themselves; present when there is one. The verdict reads it in place
    /// of `overall`, and `means` and `differences` rest on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_judges: Option<GoldAgreement>,
    /// Judge and people, each question by itself.
    pub questions: Vec<GoldAgreement>,
    /// Krippendorff's α among the annotators; present when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub among_annotators: Option<GoldCoefficient>,
    /// Each variant's mean on the judge layer, as people would have scored it.
    pub means: Vec<GoldMean>,
    /// Each treatment's difference to the control on the judge layer, as people would have scored it.
    pub differences: Vec<GoldDifference>,
    /// What to be careful about.
    pub warnings: Vec<Note>,
}

/// What became of the annotations: each is used, or left out for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldCounts {
    /// Files read.
    pub files: u64,
    /// Annotations in them.
    pub annotations: u64,
    /// Those with scores of both people and judges.
    pub used: u64,
    /// Those of them that name no hash, so that nothing shows that the person saw this run's output.
    pub unverified: u64,
    /// Left out: the output that was scored is none of this run's.
    pub stale: u64,
    /// Left out: it is unknown which of several outputs was scored.
    pub unplaced: u64,
    /// Left out: the run has no such sample.
    pub unknown_sample: u64,
    /// Left out: the run has no such variant or repeat.
    pub unknown_variant: u64,
    /// Left out: the judge has no score for this output.
    pub unjudged: u64,
    /// Left out: nothing is scored yet.
    pub open: u64,
    /// Left out: the same person scored the same output already.
    pub twice: u64,
    /// Left out: the sample is a tripwire, which is meant to fail.
    pub tripwire: u64,
    /// Left out: the run was decided without the sample (`--stop-when-decided`), whether it had been under way or not.
    #[serde(default, skip_serializing_if = "is_none")]
    pub not_needed: u64,
    /// Left out: it was settled that the person is wrong, not the judge.
    #[serde(default, skip_serializing_if = "is_none")]
    pub withdrawn: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Why an annotation was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the counts say it")]
pub enum GoldReason {
    Stale,
    Unplaced,
    UnknownSample,
    UnknownVariant,
    Unjudged,
    Open,
    Twice,
    Tripwire,
    NotNeeded,
    Withdrawn,
}

/// An annotation that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldLeftOut {
    /// Its sample.
    pub sample_id: String,
    /// The annotators.
    pub annotator: String,
    /// What is wrong with the file.
    pub reason: GoldReason,
}

/// An annotator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldAnnotator {
    /// The name.
    pub name: String,
    /// Annotations that were used.
    pub used: u64,
    /// The judge that this annotator seems to be; `null` for a person.
    pub judge: Option<String>,
}

/// Judge and people on the same outputs. Each output's score is the mean over its annotators.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldAgreement {
    /// The dimension's name or `rubric`; `null` for all questions together.
    pub question: Option<String>,
    /// Outputs and questions that both scored.
    pub n: u64,
    /// Samples that they belong to.
    pub samples: u64,
    /// Krippendorff's α with ordinal distance; its interval resamples whole samples. Over several questions, scores are
    /// compared within each of them only.
    pub alpha: GoldCoefficient,
    /// Quadratic weighted κ.
    pub kappa: GoldCoefficient,
    /// Mean of judge − human in points, with samples as the unit: above 0, the judge is lenient.
    pub bias: GoldCoefficient,
    /// Mean of |judge − human| in points; `null` of nothing.
    pub mean_absolute_difference: Option<f64>,
}

/// A number, or why there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldCoefficient {
    /// The number; `null` when it is undefined.
    pub value: Option<f64>,
    /// Its interval, where there is one.
    pub ci: Option<Ci>,
    /// Why value or interval is `null`.
    pub why: Option<GoldWhy>,
}

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GoldWhy {
    /// Too few scores.
    TooFew,
    /// All scores are the same: agreement can't show.
    NoVariance,
    /// Too many resamples have no value: the scores hardly vary.
    Unstable,
    /// A number is not finite.
    NotFinite,
}

/// A mean by prediction-powered inference (PPI++): the judge's scores of all samples, corrected by people's scores of
/// some.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GoldEstimate {
    /// The estimate from the judge's scores alone, over all samples that it scored.
    pub judge: Option<f64>,
    /// The estimate of people's scores, in points.
    pub estimate: Option<f64>,
    /// Its interval.
    pub ci: Option<Ci>,
    /// The judge's weight, 0 to 1; at 0 people's scores stand alone.
    pub lambda: Option<f64>,
    /// How λ was chosen.
    pub tuning: Option<GoldTuning>,
    /// Samples with both scores.
    pub labelled: u64,
    /// Samples that only the judge scored.
    pub unlabelled: u64,
    /// Human labels that would give the same precision without the judge; `null` without spread.
    pub effective_n: Option<f64>,
    /// Why there is no estimate.
    pub why: Option<GoldWhy>,
}

/// Where a judge's weight comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GoldTuning {
    /// Estimated.
    Tuned,
    /// 0: judge and people don't rise together.
    Unrelated,
    /// 0: the judge gave one score.
    ConstantJudge,
    /// 0: people gave one score.
    ConstantHuman,
    /// 0: fewer than five labels.
    FewLabels,
    /// 0: fewer than two samples without a label.
    NoUnlabelled,
}

/// A variant's mean on the judge layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldMean {
    /// The variant.
    pub variant: String,
    /// Its mean.
    #[serde(flatten)]
    pub of: GoldEstimate,
}

/// A treatment's difference to the control on the judge layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoldDifference {
    /// The control.
    pub control: String,
    /// The treatment.
    pub treatment: String,
    /// Labelled samples in which people saw a difference at all.
    pub untied: u64,
    /// Treatment − control. Only samples whose outputs of both variants were scored by people are labelled. With
    /// several treatments the intervals hold together (Bonferroni).
    #[serde(flatten)]
    pub of: GoldEstimate,
}
