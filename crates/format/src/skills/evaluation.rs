//! The result of an evaluation of callable skills as it is stored: `eval-result-*.json`.
//!
//! Rates and scores are shares in 0–1, times are milliseconds. A value that is not known is `null`, never 0, and has
//! its reason beside it. The format is a public contract: additive changes only, `schemaVersion` raised otherwise.

use std::collections::BTreeMap;

use eval_spec::callable::{AdapterType, McpServerInfo, ScorerType, ScoringMethod};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that this program writes.
pub const SKILL_RESULT_VERSION: u32 = 1;

/// The `kind` of a result file, which tells it from other JSON.
pub const SKILL_RESULT_KIND: &str = "eval-skills-result";

/// One evaluation: skills × tasks × runs on one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillEvaluation {
    /// Always `eval-skills-result`.
    pub kind: String,
    /// The version of the format that the writer used.
    pub schema_version: u32,
    /// The evaluation's id, as in its file's name: `YYYYMMDD-hhmmss`, with a suffix where that was taken.
    pub id: String,
    /// The version of the program.
    pub tool_version: String,
    /// RFC 3339.
    pub started_at: String,
    /// RFC 3339.
    pub finished_at: String,
    /// Whether everything planned was run.
    pub status: EvaluationStatus,
    /// Why not, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete_reason: Option<String>,
    /// With what settings.
    pub settings: EvaluationSettings,
    /// On what.
    pub benchmark: BenchmarkMeta,
    /// Whether so much of a skill could not be counted that the numbers say little: more than 5 % of its results.
    pub unsound: bool,
    /// One for each skill, in the order in which they were named.
    pub skills: Vec<SkillCompletionReport>,
    /// The gate; absent unless one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// Notes on the whole evaluation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Whether everything planned was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EvaluationStatus {
    /// Everything was run.
    Complete,
    /// It was stopped; the report contains what was finished.
    Interrupted,
}

/// With what settings an evaluation was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EvaluationSettings {
    /// Tasks at once.
    pub concurrency: usize,
    /// The time limit of tasks without one of their own.
    pub timeout_ms: u64,
    /// Attempts after the first, for errors and timeouts; never for a wrong answer.
    pub retries: u32,
    /// Attempts after the first where the connection failed or the server was overloaded: as many as `retries` when
    /// they were given.
    pub transport_retries: u32,
    /// How often each task was run.
    pub runs: u32,
    /// The scorer of tasks that name none.
    pub evaluator: ScorerType,
    /// The seed of the resampling.
    pub seed: u64,
    /// Whether skills were confined.
    pub sandbox: bool,
    /// The judge's executor and model, when a task was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
}

/// On what an evaluation was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BenchmarkMeta {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What field it is of.
    pub domain: String,
    /// `built-in`, or the file as it was named.
    pub source: String,
    /// SHA-256 over everything that decides a score.
    pub hash: String,
    /// How many tasks.
    pub tasks: usize,
    /// How their scores become one.
    pub scoring_method: ScoringMethod,
    /// The latency that counts as the worst in the composite score.
    pub max_latency_ms: u64,
}

/// The report on one skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillCompletionReport {
    /// The skill's id.
    pub skill_id: String,
    /// Its name.
    pub skill_name: String,
    /// Its version.
    pub skill_version: String,
    /// Its description.
    pub description: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// How it is spoken to.
    pub adapter_type: AdapterType,
    /// The `skill.json`, as it was named.
    pub path: String,
    /// SHA-256 over its files, and over the files outside of its folder that its command line names.
    pub skill_hash: String,
    /// The MCP servers that answered, as they introduced themselves: several where the server changed within the run.
    /// Empty for other skills, and for a server that says nothing of itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<McpServerInfo>,
    /// The numbers.
    pub summary: SkillSummary,
    /// How the attempts ended.
    pub counts: StatusCounts,
    /// One for each run, in order.
    pub runs: Vec<RunSummary>,
    /// By tag of the tasks, in alphabetical order.
    pub tag_results: BTreeMap<String, TagSummary>,
    /// The sandbox guards that were in force in every call, by name; empty for skills that run no process of ours.
    pub enforced: Vec<String>,
    /// What didn't, though it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_enforced: Vec<String>,
    /// Every task of every run, tasks in the benchmark's order, runs within.
    pub task_results: Vec<TaskResult>,
}

/// The numbers of one skill.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillSummary {
    /// Passed over counted tasks; `null` when nothing counted.
    pub completion_rate: Option<f64>,
    /// Its 95 % interval.
    pub completion_interval: Option<RateInterval>,
    /// The score of the counted tasks, made one by the benchmark's `scoringMethod`: their mean, as a rule; an error or
    /// timeout counts 0.
    pub partial_score: Option<f64>,
    /// Errors and timeouts over counted tasks.
    pub error_rate: Option<f64>,
    /// `1 - stddev(per-run completion rates)`, the population's deviation; `null` with one run.
    pub consistency_score: Option<f64>,
    /// The share of tasks that passed in some run and didn't in another; `null` with one run.
    pub flip_rate: Option<f64>,
    /// The share of tasks that passed in every run, with as many runs as k; `null` with one run.
    pub pass_hat_k: Option<f64>,
    /// Nearest-rank percentiles over all attempted tasks, timeouts at their limit.
    pub p50_latency_ms: Option<f64>,
    /// The same.
    pub p95_latency_ms: Option<f64>,
    /// The same.
    pub p99_latency_ms: Option<f64>,
    /// The mean of `startMs`, which no latency includes; `null` where nothing was started.
    pub mean_start_ms: Option<f64>,
    /// The mean of the tokens that the skill reports; `null` when it doesn't.
    pub token_cost: Option<f64>,
    /// `0.5·CR + 0.2·(1 − min(1, P95 / maxLatencyMs)) + 0.3·(1 − ER)`, the middle term 0 when the skill
    /// never answered: then the whole is 0. `null` when nothing counted, and when it was never called.
    pub composite_score: Option<f64>,
    /// Answers that don't match the skill's `outputSchema`; `null` without one.
    pub output_schema_mismatches: Option<usize>,
}

/// An interval of a rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RateInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// 0.95.
    pub level: f64,
    /// How it was computed.
    pub method: RateMethod,
}

/// How the interval of a rate was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RateMethod {
    /// Wilson's score interval: one run.
    Wilson,
    /// Tasks resampled with all their runs, from the seed (expanded percentile): several runs.
    ClusteredBootstrap,
    /// Wilson's score interval in which a task with all its runs is one trial: several runs, of which fewer than five
    /// tasks ever passed or fewer than five ever didn't. There resampling would show too little spread, and none at
    /// 0 % and 100 %.
    ClusteredWilson,
}

/// How attempts ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusCounts {
    /// Planned: tasks × runs.
    pub total: usize,
    /// Scored as passed.
    pub pass: usize,
    /// Scored as failed.
    pub fail: usize,
    /// The skill's errors.
    pub error: usize,
    /// Time limits passed.
    pub timeout: usize,
    /// Answers that could not be scored.
    pub unscored: usize,
    /// What went wrong on our side.
    pub harness_error: usize,
}

/// One run of all tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// From 1.
    pub run: u32,
    /// Its completion rate.
    pub completion_rate: Option<f64>,
    /// How its attempts ended.
    pub counts: StatusCounts,
}

/// The tasks of one tag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagSummary {
    /// How many tasks.
    pub tasks: usize,
    /// Passed over counted.
    pub completion_rate: Option<f64>,
    /// Its 95 % interval.
    pub completion_interval: Option<RateInterval>,
    /// The mean score.
    pub partial_score: Option<f64>,
    /// Errors and timeouts over counted.
    pub error_rate: Option<f64>,
    /// Nearest rank.
    pub p95_latency_ms: Option<f64>,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Scored as passed.
    Pass,
    /// Scored as failed.
    Fail,
    /// The skill's error.
    Error,
    /// The time limit passed.
    Timeout,
    /// An answer that could not be scored; neither pass nor fail.
    Unscored,
    /// An error of the harness, not of the skill.
    HarnessError,
}

impl TaskStatus {
    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TaskStatus::Pass => "pass",
            TaskStatus::Fail => "fail",
            TaskStatus::Error => "error",
            TaskStatus::Timeout => "timeout",
            TaskStatus::Unscored => "unscored",
            TaskStatus::HarnessError => "harness_error",
        }
    }

    /// Whether it counts in rates and scores.
    #[must_use]
    pub fn counts(self) -> bool {
        !matches!(self, TaskStatus::Unscored | TaskStatus::HarnessError)
    }
}

/// One task in one run: everything needed to score it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskResult {
    /// The task's id.
    pub task_id: String,
    /// The run, from 1.
    pub run: u32,
    /// The task's description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How it ended.
    pub status: TaskStatus,
    /// 0–1; 0 for an error or timeout; `null` when it doesn't count.
    pub score: Option<f64>,
    /// How much the score counts, where the benchmark's `scoringMethod` is `weighted_mean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// What scored it.
    pub scorer: ScorerType,
    /// Why it passed, failed, or could not be scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The skill's input; as JSON text where it is nested more than 100 levels deep, like the next two.
    pub input: Value,
    /// `expectedOutput` as written.
    pub expected: Value,
    /// The skill's output, numbers with more digits than a float has as text; `null` when it returned nothing.
    pub output: Option<Value>,
    /// From request to answer, in milliseconds; the limit for a timeout. No queueing in it, and nothing of `startMs`.
    pub latency_ms: Option<f64>,
    /// How long the system took to start a process for it, until its program ran, or to open a connection to an MCP
    /// server, in milliseconds. For a process that stays it lasts until its first request is read, its interpreter's own
    /// start included (on Linux). Where every call starts a process, what its program does before it reads its request
    /// is in the latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<f64>,
    /// Attempts, the last one included.
    pub attempts: u32,
    /// What went wrong in the attempts before the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<String>,
    /// What went wrong in the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The end of standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// What in the output doesn't match the skill's `outputSchema`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema_mismatches: Vec<String>,
    /// Tokens, as the skill reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// The gate of `--exit-on-fail`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// The lowest completion rate that passes.
    pub min_completion: f64,
    /// Whether every skill reached it.
    pub passed: bool,
    /// The ids of those that didn't.
    pub failing: Vec<String>,
    /// Why each of them didn't, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<GateReason>,
}

/// Why a skill doesn't pass the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateReason {
    /// It completes less.
    Below,
    /// More than 5 % of its results could not be counted, so that its rate is unreliable.
    Uncounted,
    /// Nothing of it counted.
    Unknown,
    /// The evaluation was stopped before everything was run; its results so far reach the threshold.
    Incomplete,
}

impl SkillEvaluation {
    /// Whether so much of a skill could not be counted that the harness failed and not the skill: exit code 3.
    /// Each skill by itself, or many that are sound would hide one of which nothing is known.
    #[must_use]
    pub fn is_unsound(&self) -> bool {
        self.skills.iter().any(|of| of.counts.is_unsound())
    }

    /// The report of a skill.
    #[must_use]
    pub fn skill(&self, id: &str) -> Option<&SkillCompletionReport> {
        self.skills.iter().find(|of| of.skill_id == id)
    }
}

/// The share of a skill's unscored tasks and harness errors above which its numbers measure nothing.
pub const UNCOUNTED_LIMIT: f64 = 0.05;

impl StatusCounts {
    /// Those that count in rates.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.pass + self.fail + self.error + self.timeout
    }

    /// Those that were tried and say nothing of the skill.
    #[must_use]
    pub fn uncounted(&self) -> usize {
        self.unscored + self.harness_error
    }

    /// Whether more than 5 % of the results could not be counted, so that the harness failed rather than the skill.
    #[must_use]
    pub fn is_unsound(&self) -> bool {
        let tried = self.counted() + self.uncounted();
        share(self.uncounted(), tried).is_some_and(|share| share > UNCOUNTED_LIMIT)
    }

    /// Passed over counted; `None` when nothing counted.
    #[must_use]
    pub fn completion_rate(&self) -> Option<f64> {
        share(self.pass, self.counted())
    }

    /// Errors and timeouts over counted.
    #[must_use]
    pub fn error_rate(&self) -> Option<f64> {
        share(self.error + self.timeout, self.counted())
    }

    /// Whether the skill ever answered.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.pass + self.fail + self.unscored > 0
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of task results")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
