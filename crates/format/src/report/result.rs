//! `results`: each sample.

use std::collections::BTreeMap;

use eval_message::Message;
use eval_spec::call::{CostSource, ToolCall};
use eval_spec::{Failure, Judged, Layer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Spent;

/// One sample's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SampleResult {
    /// The sample.
    pub sample_id: String,
    /// Whether it is meant to fail, so that no mean and no comparison counts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tripwire: bool,
    /// What judges are asked about its answers: the dimensions' names, or `rubric`; empty when there is neither. Absent
    /// in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<String>>,
    /// Whether judges compare the variants' answers to it, instead of scoring each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairwise: bool,
    /// Whether it is held out (`--holdout`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holdout: bool,
    /// The eval of an Agent Skills `evals.json` that it was made of; absent of other samples, and in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<EvalMeta>,
    /// Each variant, by name.
    pub variants: BTreeMap<String, VariantResult>,
}

/// An eval of an `evals.json`, with what its expectations don't say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalMeta {
    /// Its id as written: a number or a text.
    pub id: Value,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What was asked.
    pub prompt: String,
    /// The files it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// What one variant did with one sample.
///
/// With repeats, numbers are means over the runs that have them, `assertions` tells how often each check passed, and
/// texts and tool calls are those of the first run that was answered; `runs` has each of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The layers; `null` where nothing is planned or nothing could be scored.
    pub layered_scores: LayeredScores,
    /// The assertions.
    pub assertions: Assertions,
    /// The judge layer.
    pub llm_score: Option<f64>,
    /// What the judge said.
    pub llm_reason: Option<String>,
    /// Every judge's opinion on the rubric or on each dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<Judged>,
    /// From the request's leaving to its last byte; `null` if unknown.
    pub duration_ms: Option<u64>,
    /// All input tokens, cached or not.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Both.
    pub total_tokens: Option<u64>,
    /// Input tokens read from the vendor's prompt cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Input tokens written to the vendor's prompt cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// The price of the answer; `null` if unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
    /// Who says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_source: Option<CostSource>,
    /// What attempts cost that failed, beside the price of the answer; absent when none failed, beside `runs`, and in older
    /// reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_attempts_cost: Option<Spent>,
    /// How the answer begins.
    pub output_preview: String,
    /// The answer; `null` when there is none.
    pub full_output: Option<String>,
    /// Turns of the agent; `null` if unknown.
    pub turns: Option<u32>,
    /// What the agent called, in order.
    pub tool_calls: Vec<ToolCall>,
    /// What could not be scored, and why.
    pub missing: Vec<Missing>,
    /// The infrastructure failure, if that is how it ended.
    pub error: Option<ErrorResult>,
    /// Attempts made; 0 when it never ran.
    pub attempts: u32,
    /// Whether the answer came from the cache; with repeats, whether all did.
    pub cached: bool,
    /// When the first attempt left the queue, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The vendor's word for why the model stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// The vendor's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that answered, as the vendor names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Each repeat, when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<VariantResult>>,
}

impl VariantResult {
    /// Every execution: the repeats, or itself where there is one only.
    pub fn executions(&self) -> &[VariantResult] {
        self.runs.as_deref().filter(|runs| !runs.is_empty()).unwrap_or(std::slice::from_ref(self))
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// There was no text.
    Empty,
    /// Infrastructure failed.
    Failed,
    /// The budget forbade it.
    OverBudget,
    /// It was never run, or interrupted.
    NotRun,
    /// It was not run because the run was decided without it.
    NotNeeded,
    /// The repeats ended differently.
    Mixed,
}

/// The layers of a score, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LayeredScores {
    /// What the answer says.
    pub fact_score: Option<f64>,
    /// How it came about.
    pub behavior_score: Option<f64>,
    /// What a judge thinks of it.
    pub judge_score: Option<f64>,
}

/// The assertions of one sample and variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// One assertion: what the author wrote, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssertionDetail {
    /// The type's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the author wrote beside `type`, `weight`, `not` and `children`.
    #[serde(flatten)]
    pub written: Map<String, Value>,
    /// Its share in the layer.
    pub weight: f64,
    /// Whether pass and fail were exchanged; `passed` is after that.
    pub not: bool,
    /// Whether it holds; `null` when it could not be evaluated.
    pub passed: Option<bool>,
    /// `unavailable` when the answer was graded but this could not be evaluated: `passed` is `null`, and its weight is
    /// left out of the score. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<AssertionStatus>,
    /// The layer it counts in; `null` when it was never graded.
    pub layer: Option<Layer>,
    /// What was measured.
    pub actual: Option<Value>,
    /// What a person should know about it: with `passed: null`, why it could not be evaluated.
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
    /// `assert-set`: what is inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<AssertionDetail>,
}

/// What stands in the place of pass and fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AssertionStatus {
    /// What it asks about is not known, such as the cost; or it took too long, or broke.
    Unavailable,
}

/// Something that could not be scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// What.
    pub what: MissingPart,
    /// Which of the assertions, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// In which repeat, from 0, when there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// Why.
    pub why: String,
    /// Why, by key.
    pub why_key: Message,
}

/// What can be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorResult {
    /// Its class.
    pub failure: Failure,
    /// What happened.
    pub message: String,
    /// What happened, by key.
    pub message_key: Message,
    /// The vendor's own words.
    pub detail: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The text that was there when it failed; never scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_output: Option<String>,
}
