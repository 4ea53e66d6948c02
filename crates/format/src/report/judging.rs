//! `judging`: what the judges' scores are worth; and `tripwires`, the samples that are meant to fail.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Ci, Note};

/// Reliability of the judges' scores, over every answer that they were asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Judging {
    /// The name of the judges' prompt; `null` if unknown.
    pub template: Option<String>,
    /// 12 hex digits of SHA-256 over the judges' prompt; `null` if unknown.
    pub prompt_hash: Option<String>,
    /// Opinions asked of each judge on each question.
    pub repeat: u32,
    /// Questions by the language they were asked in: `en`, `zh`. A question is one rubric, dimension or judged
    /// assertion about one answer.
    pub languages: BTreeMap<String, u64>,
    /// Each judge.
    pub judges: Vec<JudgeSummary>,
    /// How far the judges agree; absent with one judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// How far each judge agrees with itself; empty without repeated opinions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeatability: Vec<Repeatability>,
}

/// One judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JudgeSummary {
    /// `executor:model`.
    pub judge: String,
    /// Opinions asked for.
    pub planned: u64,
    /// Those of them with a score.
    pub scored: u64,
    /// Those without.
    pub missing: u64,
    /// The most frequent reason; `null` when none is missing.
    pub why_missing: Option<Note>,
    /// Requests made for them.
    pub requests: u64,
    /// Requests that came to no score: an unusable reply, or a failed call.
    pub unusable: u64,
    /// The mean of its scores, 1–5; `null` without any.
    pub mean: Option<f64>,
    /// Their standard deviation; `null` below two.
    pub sd: Option<f64>,
    /// What its opinions cost when they were asked for, in US dollars; `null` if a part is unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
    /// Whether it comes from the vendor of the model under test, as far as names tell.
    pub self_preference: bool,
}

/// A coefficient that may have no value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coefficient {
    /// Its value; `null` when it is undefined.
    pub value: Option<f64>,
    /// Its interval over samples; `null` when there is none.
    pub ci: Option<Ci>,
    /// Units with two ratings or more.
    pub n: u64,
    /// Why there is no value, or no interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// How far the judges agree. A unit is a question about a variant's answers to a sample; a judge's rating of it is the
/// mean of its opinions over repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// Krippendorff's α, ordinal; its interval resamples samples. Where several things are asked, scores are compared
    /// within each of them only: that one question gets higher scores than another is no agreement.
    pub alpha: Coefficient,
    /// Each question by itself, where there are 2 to 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<QuestionAgreement>,
    /// Each pair of judges.
    pub pairs: Vec<JudgePair>,
}

/// How far judges agree on one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuestionAgreement {
    /// A dimension's name, `rubric`, or the type of an assertion.
    pub question: String,
    /// Krippendorff's α, ordinal; its interval resamples samples.
    pub alpha: Coefficient,
}

/// Two judges, over the units that both rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JudgePair {
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// Units that both rated.
    pub n: u64,
    /// The mean of |a − b|, in points; `null` without a unit.
    pub mean_absolute_difference: Option<f64>,
    /// Pearson's r; `null` when it is undefined.
    pub pearson: Option<f64>,
    /// Why it is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Note>,
}

/// How far a judge's repeated opinions on one question about one answer agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Repeatability {
    /// The judge.
    pub judge: String,
    /// The standard deviation within a question, pooled, in points; `null` when no question has two scores.
    pub within_sd: Option<f64>,
    /// Krippendorff's α between its repeats, ordinal; its interval resamples samples.
    pub alpha: Coefficient,
}

/// The samples that are meant to fail (`tripwire: true`), for one variant. They enter no mean, no comparison and no
/// layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tripwires {
    /// The variant.
    pub variant: String,
    /// How many there are.
    pub samples: u64,
    /// Those whose composite, the mean over repeats, lies below the threshold.
    pub failed_as_designed: u64,
    /// Those that reach the threshold: the sample, or its checks, can be passed by a model that should fail.
    pub passed: u64,
    /// Those without a composite.
    pub missing: u64,
    /// The samples that passed.
    pub passed_samples: Vec<String>,
    /// The samples without a composite.
    pub missing_samples: Vec<Unmeasured>,
}

/// A sample without a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unmeasured {
    /// The sample.
    pub sample_id: String,
    /// The reason, as text and message.
    pub why: Note,
}
