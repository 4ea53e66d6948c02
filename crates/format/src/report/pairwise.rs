//! `pairwise`: what judges preferred when they compared the answers of two variants.

use eval_message::Message;
use eval_spec::PairJudged;
use serde::{Deserialize, Serialize};

use super::{Agreement, Ci, Difference, MissingRuns, Note, Power};

/// The samples that were judged pairwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Pairwise {
    /// The name of the judges' prompt.
    pub template: String,
    /// 12 hex digits of SHA-256 over it: verdicts of two hashes are not comparable.
    pub prompt_hash: String,
    /// Samples judged pairwise.
    pub samples: u64,
    /// Each judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<PairJudge>,
    /// How far the judges agree on which answer is better (−1, 0, 1); absent with one judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Each treatment against the control.
    pub comparisons: Vec<PairwiseComparison>,
    /// With three variants or more: how strong each is, over all pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strengths: Option<Strengths>,
    /// Every pair, sample by sample.
    pub pairs: Vec<PairResult>,
}

/// A judge that compares. A comparison is one pair by one rubric or dimension, asked in both orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairJudge {
    /// `executor:model`.
    pub judge: String,
    /// Comparisons asked for.
    pub planned: u64,
    /// Those of them with a verdict: a usable reply in both orders.
    pub decided: u64,
    /// Those without.
    pub missing: u64,
    /// The most frequent reason; `null` when none is missing.
    pub why_missing: Option<Note>,
    /// Verdicts in which the orders disagree.
    pub inconsistent: u64,
    /// Requests made.
    pub requests: u64,
    /// What they cost when they were made, in US dollars; `null` if a part is unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
    /// Whether it comes from the vendor of the model under test, as far as names tell.
    pub self_preference: bool,
}

/// A treatment against the control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairwiseComparison {
    /// The control's name.
    pub control: String,
    /// The treatment's name.
    pub treatment: String,
    /// Pairs of answers planned: samples × repeats.
    pub planned: u64,
    /// Samples with a preference.
    pub n: u64,
    /// Verdicts for the treatment, the same in both orders. A verdict is one judge's on one pair by one rubric or
    /// dimension; those on pairs without a preference are not counted.
    pub wins: u64,
    /// Verdicts for the control.
    pub losses: u64,
    /// Verdicts for neither, those in which the orders disagree included.
    pub ties: u64,
    /// Ties because the orders disagree.
    pub inconsistent: u64,
    /// Whether the judges prefer a position.
    pub position_bias: Option<PositionBias>,
    /// How much the treatment is preferred, −1 to 1: the mean over samples of wins − losses, repeats averaged first.
    pub preference: Difference,
    /// What so many samples can show, in the units of the preference; absent without spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// The pairs without a preference.
    pub missing: Vec<MissingPair>,
    /// Answers with a preference that were asked again after a failure that may depend on the answer (a time limit, an error, an
    /// unreadable answer), `samples` being pairs; absent where there were none.
    #[serde(default, skip_serializing_if = "MissingRuns::is_none")]
    pub again: MissingRuns,
}

/// How often the answer shown first won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionBias {
    /// The share of the replies with a winner; one half is no bias.
    pub share: f64,
    /// The lower bound of Wilson's interval, with samples for trials.
    pub low: f64,
    /// Its upper bound.
    pub high: f64,
    /// Replies with a winner.
    pub n: u64,
    /// Replies without.
    pub ties: u64,
}

/// A pair without a preference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MissingPair {
    /// The sample.
    #[serde(rename = "sample_id")]
    pub sample_id: String,
    /// The repeat.
    pub repeat: u32,
    /// The variant that has no answer; `null` when the judges gave no verdict.
    pub variant: Option<String>,
    /// The reason, as English text.
    pub why: String,
    /// Why, by key.
    pub why_key: Message,
}

/// Bradley–Terry strengths. The verdicts of a sample on two variants share one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strengths {
    /// Samples that were compared; the sample is the unit of resampling.
    pub n: u64,
    /// Verdicts on them, where no verdict of a pair is missing.
    pub verdicts: u64,
    /// Each variant, the strongest first; empty when there are none.
    pub variants: Vec<Strength>,
    /// Why there are none.
    pub why: Option<Note>,
}

/// One variant's strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strength {
    /// Its name.
    pub variant: String,
    /// `ln` of its strength; over all variants they sum to 0.
    pub log_strength: f64,
    /// Its lower bound; `null` where the samples set none.
    pub low: Option<f64>,
    /// Its upper bound; `null` where the samples set none.
    pub high: Option<f64>,
}

/// Two answers, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PairResult {
    /// The sample.
    #[serde(rename = "sample_id")]
    pub sample_id: String,
    /// The repeat.
    pub repeat: u32,
    /// The variant that stands earlier, shown first in `forward`.
    pub earlier: String,
    /// The other one, shown first in `reversed`.
    pub later: String,
    /// How much the later one is preferred, −1 to 1; `null` without every verdict.
    pub preference: Option<f64>,
    /// The judges' opinions; empty when they were not asked.
    pub questions: Vec<PairJudged>,
}

impl PairwiseComparison {
    /// The interval of the preference.
    #[must_use]
    pub fn ci(&self) -> Option<&Ci> {
        self.preference.ci.as_ref()
    }
}

/// Points of the 1–5 scale that correspond to a preference of 1: the largest differences of both scales.
pub const POINTS: f64 = 4.0;
