//! `summary`: each variant by itself.

use super::{Ending, Stability};
use std::collections::BTreeMap;

use eval_message::Message;
use eval_spec::{Failure, Layer};
use serde::{Deserialize, Serialize};

/// One variant by itself.
///
/// Scores are means over samples; the repeats of a sample are averaged first. Counts are over executions (samples ×
/// repeats), so without repeats they are counts of samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantSummary {
    /// Samples planned; tripwires stand apart, here and in all that follows but the cost.
    pub total_samples: u64,
    /// Executions that were answered.
    pub success_count: u64,
    /// Executions that were not: refused, truncated, failed, never run.
    pub error_count: u64,
    /// The mean composite; 0 when no sample plans anything to score, `null` when something is planned but nothing
    /// could be scored.
    pub avg_composite_score: Option<f64>,
    /// All assertions in one pot; `null` when there are none, or none could be evaluated.
    pub avg_assertion_score: Option<f64>,
    /// The judge layer; `null` when there is none.
    pub avg_llm_score: Option<f64>,
    /// The mean latency of answered executions in milliseconds; `null` if unknown.
    pub avg_duration_ms: Option<u64>,
    /// The mean of input and output tokens of answered executions; `null` if unknown.
    pub avg_total_tokens: Option<u64>,
    /// What this variant cost in this run, failed attempts too; answers from the cache cost nothing. `null` if a part
    /// is unknown.
    #[serde(rename = "totalCostUSD")]
    pub total_cost_usd: Option<f64>,
    /// The part of the cost that is known.
    #[serde(rename = "knownCostUSD")]
    pub known_cost_usd: f64,
    /// The mean price of an answer, whether it was paid for in this run or came from the cache; `null` if one is
    /// unknown.
    #[serde(rename = "avgCostUSD")]
    pub avg_cost_usd: Option<f64>,
    /// The interval of the mean composite over samples; `null` below two scored samples.
    pub ci: Option<Ci>,
    /// The same interval as a pair.
    #[serde(rename = "bootstrapCI")]
    pub bootstrap_ci: Option<[f64; 2]>,
    /// Samples with a composite.
    pub scored_samples: u64,
    /// The layers.
    pub layers: Layers<LayerSummary>,
    /// Executions that should have a composite.
    pub planned_scores: u64,
    /// Those of them that have none.
    pub missing_scores: u64,
    /// How the executions ended.
    pub outcomes: OutcomeCounts,
    /// Infrastructure failures by class, of executions that had no further attempt.
    pub failures: BTreeMap<Failure, u64>,
    /// Attempts that failed before another was made.
    pub retried: u64,
    /// Executions answered from the cache.
    pub cached: u64,
    /// Assertions and judged dimensions, over all executions.
    pub checks: CheckCounts,
    /// The checks that could not be evaluated, by type.
    pub unscored: Vec<UnscoredChecks>,
    /// Which models answered, as the vendor names them, and how often.
    pub models: BTreeMap<String, u64>,
    /// Answers that name no model.
    pub unnamed_answers: u64,
    /// Executions whose agent read the artifact of another variant; absent when there are none.
    #[serde(default, skip_serializing_if = "super::meta::is_zero")]
    pub artifact_leaks: u64,
    /// What became of the artifact, where agents were given it as a skill or as files; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<DeliveryCounts>,
    /// How many samples waver; absent without repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<Stability>,
    /// What agents' runs say of the program behind them; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtimes: Option<RuntimeCounts>,
}

/// What the runs of an agent say of the program behind them, counted over those that came back with an output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RuntimeCounts {
    /// The executions that say something.
    pub executions: u64,
    /// By the version that ran.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub versions: BTreeMap<String, u64>,
    /// By the hash of a program that had taken the place of the one that the run began with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced_by: BTreeMap<String, u64>,
    /// By the content of a working directory in which files had changed since the beginning of the run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changed_cwds: BTreeMap<String, u64>,
    /// By each tool on offer to the model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, u64>,
    /// By each MCP server that the agent was given and could not use.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed_servers: BTreeMap<String, u64>,
}

/// What became of an artifact over the executions of a variant that came back with an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryCounts {
    /// The executions.
    pub executions: u64,
    /// Those whose agent had it on offer; `null` where agents don't say.
    pub offered: Option<u64>,
    /// Those whose agent loaded it as a skill; `null` for files, which nothing loads.
    pub loaded: Option<u64>,
    /// Those whose agent opened one of its files.
    pub read: u64,
}

/// One value per layer; `null` where no sample plans the layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Layers<T> {
    /// Facts: checks of what the answer contains.
    pub fact: Option<T>,
    /// Behavior: checks of how the answer was produced.
    pub behavior: Option<T>,
    /// The judges' scores.
    pub judge: Option<T>,
}

impl<T> Layers<T> {
    /// The value of one layer.
    #[must_use]
    pub fn get(&self, layer: Layer) -> Option<&T> {
        match layer {
            Layer::Fact => self.fact.as_ref(),
            Layer::Behavior => self.behavior.as_ref(),
            Layer::Judge => self.judge.as_ref(),
        }
    }

    /// The layers, each from `value`.
    pub fn from_fn(mut value: impl FnMut(Layer) -> Option<T>) -> Layers<T> {
        Layers { fact: value(Layer::Fact), behavior: value(Layer::Behavior), judge: value(Layer::Judge) }
    }
}

/// One layer of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LayerSummary {
    /// The mean over samples; `null` when the layer is planned but none of it could be scored.
    pub mean: Option<f64>,
    /// Samples with a score in this layer.
    pub n: u64,
    /// The share of the planned weight that could not be evaluated, 0 to 1: the mean over the executions that have a
    /// score in this layer.
    pub unscored_share: f64,
}

/// Checks of one type that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnscoredChecks {
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many, over all executions.
    pub count: u64,
    /// The first one's reason.
    pub why: String,
    /// The first one's reason, by key.
    pub why_key: Message,
}

/// How executions ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCounts {
    /// With a complete answer.
    pub answered: u64,
    /// The model declined.
    pub refused: u64,
    /// The answer was cut.
    pub truncated: u64,
    /// A limit of turns or money stopped the agent.
    pub limit_hit: u64,
    /// There was no text.
    pub empty: u64,
    /// Infrastructure failed.
    pub failed: u64,
    /// The budget forbade it.
    pub over_budget: u64,
    /// It was never run, or interrupted.
    pub not_run: u64,
}

impl OutcomeCounts {
    /// Every class by name.
    #[must_use]
    pub fn classes(&self) -> [(&'static str, u64); 8] {
        [
            ("answered", self.answered),
            ("refused", self.refused),
            ("truncated", self.truncated),
            ("limit-hit", self.limit_hit),
            ("empty", self.empty),
            ("failed", self.failed),
            ("over-budget", self.over_budget),
            ("not-run", self.not_run),
        ]
    }

    /// Executions that came back with an output.
    #[must_use]
    pub fn came_back(&self) -> u64 {
        self.total() - self.failed - self.over_budget - self.not_run
    }

    /// All executions.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.classes().iter().map(|(_, count)| count).sum()
    }
}

/// Results of checks, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckCounts {
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// Could not be evaluated.
    pub unscored: u64,
}

/// An interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ci {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// The coverage asked for, such as 0.95.
    pub level: f64,
    /// How it was made.
    pub method: Method,
    /// The values had no spread: the interval is a point and says nothing about uncertainty.
    pub degenerate: bool,
    /// How many intervals hold at once at that level; 1 is an ordinary interval.
    pub family: u32,
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Percentile bootstrap, tails widened for small samples (Hesterberg 2015).
    Expanded,
    /// Percentile bootstrap.
    Percentile,
    /// Bias-corrected and accelerated bootstrap.
    Bca,
    /// Student's t.
    T,
    /// As `expanded`, at a tail that allows for all planned looks: it holds at each of them (Jennison & Turnbull 1989).
    Repeated,
}

impl OutcomeCounts {
    /// Counts one more execution.
    pub fn count(&mut self, ending: Ending) {
        let class = match ending {
            Ending::Answered => &mut self.answered,
            Ending::Refused => &mut self.refused,
            Ending::Truncated => &mut self.truncated,
            Ending::LimitHit => &mut self.limit_hit,
            Ending::Empty => &mut self.empty,
            Ending::Failed => &mut self.failed,
            Ending::OverBudget => &mut self.over_budget,
            // a single execution never ends mixed, and what was not needed is not counted
            Ending::NotRun | Ending::NotNeeded | Ending::Mixed => &mut self.not_run,
        };
        *class += 1;
    }
}
