//! `results`: each sample.

use std::collections::BTreeMap;

use eval_message::Message;
use eval_spec::call::{AgentRuntime, CostSource, Delivered, ToolCall};
use eval_spec::sample::{Difficulty, Provenance, Trigger};
use eval_spec::{Failure, Judged, Layer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Spent;

/// One sample's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleResult {
    /// The sample's id.
    pub sample_id: String,
    /// Whether it is a tripwire: meant to fail, and counted in no mean and no comparison.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tripwire: bool,
    /// What judges are asked about its answers: the dimensions' names, or `rubric`; empty when there is neither.
    pub questions: Vec<String>,
    /// Whether judges compare the variants' answers to it, instead of scoring each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairwise: bool,
    /// Whether it is held out (`--holdout`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holdout: bool,
    /// The cluster that it belongs to: its samples are one task and count as one. Absent for samples of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// The capabilities that it covers; absent where it names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capability: Vec<String>,
    /// How hard it is, as its author says; absent where the sample says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// What it measures, as its author says; absent where the sample says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub construct: Option<String>,
    /// Where it comes from; absent where the sample says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// The eval of an Agent Skills `evals.json` that the sample comes from; absent for other samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<EvalMeta>,
    /// Whether the skill should be loaded for it, where that is what the sample asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<Trigger>,
    /// What was asked; absent with `--no-texts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<SampleTexts>,
    /// Each variant, by name.
    pub variants: BTreeMap<String, VariantResult>,
}

/// The texts of a sample, as they were sent; secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleTexts {
    /// The whole prompt: after the note about `environment`, with the context in a code block.
    pub prompt: String,
    /// What a judge scores against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric: Option<String>,
    /// The same of each dimension, in the author's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<DimensionText>,
}

/// A judged dimension as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DimensionText {
    /// Its name.
    pub name: String,
    /// What a judge scores against.
    pub rubric: String,
}

/// An eval of an `evals.json`, its expectations aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvalMeta {
    /// Its id as written: a number or a text.
    pub id: Value,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The prompt.
    pub prompt: String,
    /// The input files that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// The result of one variant on one sample.
///
/// With repeats, numbers are means over the runs that have them, `assertions` tells how often each check passed, and
/// texts and tool calls are those of the first run that was answered; `runs` has each of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantResult {
    /// The repeat, from 0; in `runs` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// Whether it was answered; with repeats, whether every run was.
    pub ok: bool,
    /// How it ended.
    pub outcome: Ending,
    /// The mean of the planned layers; `null` when one of them is missing, 0 when nothing is planned.
    pub composite_score: Option<f64>,
    /// The score of each layer; `null` where nothing is planned or nothing could be scored.
    pub layered_scores: LayeredScores,
    /// The assertions.
    pub assertions: Assertions,
    /// The score of the judge layer, in points.
    pub llm_score: Option<f64>,
    /// The judge's reasoning.
    pub llm_reason: Option<String>,
    /// Every judge's opinion on the rubric or on each dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<Judged>,
    /// From sending the request to its last byte, in milliseconds; `null` if unknown.
    pub duration_ms: Option<u64>,
    /// All input tokens, cached or not.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Input and output tokens.
    pub total_tokens: Option<u64>,
    /// Input tokens read from the vendor's prompt cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Input tokens written to the vendor's prompt cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// The price of the answer in US dollars; `null` if unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
    /// Whether the vendor reported the price or it was computed from a price list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_source: Option<CostSource>,
    /// The cost of failed attempts, not part of the answer's price; absent when none failed, beside `runs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_attempts_cost: Option<Spent>,
    /// Why each attempt before the last failed, oldest first, those of an earlier run that was resumed too; absent when none
    /// did, and beside `runs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures_before: Vec<Failure>,
    /// The beginning of the answer.
    pub output_preview: String,
    /// The answer; `null` when there is none.
    pub full_output: Option<String>,
    /// Turns of the agent; `null` if unknown.
    pub turns: Option<u32>,
    /// The agent's tool calls, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The other variants whose artifacts its agent read from the disk: it measured more than its own variant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts_read: Vec<String>,
    /// What became of the artifact, where an agent was given it as a skill or as files; beside `runs` that of the first
    /// answered one. Absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Delivered>,
    /// Parts that could not be scored, and why.
    pub missing: Vec<Missing>,
    /// The infrastructure failure that ended it; `null` otherwise.
    pub error: Option<ErrorResult>,
    /// Attempts made; 0 when it never ran.
    pub attempts: u32,
    /// Whether the answer came from the cache; with repeats, whether all did.
    pub cached: bool,
    /// When the first attempt started, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The vendor's stop reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// The vendor's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that answered, as the vendor names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the agent's run says of the program behind it; beside `runs` that of the first answered one. Absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Box<AgentRuntime>>,
    /// Each repeat, when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<VariantResult>>,
}

impl VariantResult {
    /// Every execution: the repeats, or itself where there is one only.
    pub fn executions(&self) -> &[VariantResult] {
        self.runs.as_deref().filter(|runs| !runs.is_empty()).unwrap_or(std::slice::from_ref(self))
    }

    /// The answer that stands for them where people judge one: the first that has a text.
    #[must_use]
    pub fn answer(&self) -> Option<&VariantResult> {
        self.executions().iter().find(|run| run.outcome == Ending::Answered && run.full_output.is_some())
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// With a complete answer.
    Answered,
    /// The model declined.
    Refused,
    /// The answer was cut.
    Truncated,
    /// A limit of turns or money stopped the agent.
    LimitHit,
    /// The answer has no text.
    Empty,
    /// Infrastructure failed.
    Failed,
    /// The budget did not allow it.
    OverBudget,
    /// It was never run, or interrupted.
    NotRun,
    /// It was not run because the run was decided without it.
    NotNeeded,
    /// The repeats ended differently.
    Mixed,
}

/// The layers of a score, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LayeredScores {
    /// Facts: checks of what the answer contains.
    pub fact_score: Option<f64>,
    /// Behavior: checks of how the answer was produced.
    pub behavior_score: Option<f64>,
    /// The judges' scores.
    pub judge_score: Option<f64>,
}

/// The assertions of one sample and variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Assertions {
    /// How many passed; with repeats, in every run that evaluated them.
    pub passed: u64,
    /// How many there are.
    pub total: u64,
    /// Passed weight over evaluated weight, in points; `null` when nothing could be evaluated.
    pub score: Option<f64>,
    /// Each of them, in the order of the sample file.
    pub details: Vec<AssertionDetail>,
}

/// One assertion as written, with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AssertionDetail {
    /// The type's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The author's other fields, beside `type`, `weight`, `not` and `children`.
    #[serde(flatten)]
    pub written: Map<String, Value>,
    /// Its weight in the layer.
    pub weight: f64,
    /// Whether the assertion is inverted; `passed` is the inverted result.
    pub not: bool,
    /// Whether it holds; `null` when it could not be evaluated.
    pub passed: Option<bool>,
    /// `unavailable` when the answer was graded but this could not be evaluated: `passed` is `null`, and its weight is
    /// left out of the score. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<AssertionStatus>,
    /// A score that is neither passed nor failed, 0–1: another tool's (`meta.imported`); with repeats, their mean. Absent
    /// otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// The layer it counts in; `null` when it was never graded.
    pub layer: Option<Layer>,
    /// The measured value.
    pub actual: Option<Value>,
    /// A note for people; with `passed: null`, why it could not be evaluated.
    pub message: Option<String>,
    /// The same by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_key: Option<Message>,
    /// With repeats: in how many runs it passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_runs: Option<u64>,
    /// With repeats: in how many runs it could be evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluated_runs: Option<u64>,
    /// Every judge's opinion, where judges were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
    /// `assert-set`: the assertions inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<AssertionDetail>,
}

/// The status of an assertion that neither passed nor failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AssertionStatus {
    /// A value that it checks is unknown, such as the cost; or it timed out or failed.
    Unavailable,
}

/// Something that could not be scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The part of the score.
    pub what: MissingPart,
    /// The assertion's index, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The repeat, from 0, when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// The reason, as English text.
    pub why: String,
    /// Why, by key.
    pub why_key: Message,
}

/// A part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum MissingPart {
    Composite,
    Fact,
    Behavior,
    Judge,
    Assertion,
}

/// An infrastructure failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorResult {
    /// Its class.
    pub failure: Failure,
    /// The error message.
    pub message: String,
    /// The error message by key.
    pub message_key: Message,
    /// The vendor's error text.
    pub detail: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The text received before the failure; never scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_output: Option<String>,
}
