//! Benchmarks: tasks, what is expected, and how it is scored.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::source::Place;

/// A benchmark, read and checked.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its field, such as `coding`.
    pub domain: String,
    /// What it is about; empty when the file doesn't say.
    pub description: String,
    /// How the tasks' scores become one.
    pub scoring_method: ScoringMethod,
    /// The latency that counts as the worst in the composite score.
    pub max_latency: Duration,
    /// The `metadata` of the file.
    pub metadata: Map<String, Value>,
    /// The tasks, ids unique, in the order of the file.
    pub tasks: Vec<Task>,
    /// SHA-256 over everything that decides a score: tasks, inputs, expectations, scorers and the files they name.
    pub hash: String,
    /// Where it comes from.
    pub source: BenchmarkSource,
}

/// Where a benchmark comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchmarkSource {
    /// Compiled in.
    BuiltIn,
    /// A file, absolute.
    File(PathBuf),
}

/// How the tasks' scores become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ScoringMethod {
    /// Their mean.
    #[default]
    Mean,
    /// Their mean, each counting as much as its task's `weight` says.
    WeightedMean,
    /// The share of a task's runs that passed, over all tasks: pass@k for k = 1.
    PassAtK,
}

/// One task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Unique in the benchmark.
    pub id: Arc<str>,
    /// What it tests.
    pub description: String,
    /// What the skill is given.
    pub input: Value,
    /// `expectedOutput` as written, for the report.
    pub expected: Value,
    /// How the answer is scored.
    pub scorer: Scorer,
    /// The time limit of one attempt, if the task has its own; it overrides `--timeout`.
    pub timeout: Option<Duration>,
    /// How much its score counts; `None` where the benchmark weighs none.
    pub weight: Option<f64>,
    /// What it is grouped by.
    pub tags: Vec<String>,
    /// Its place in the file.
    pub place: Option<Place>,
}

/// How an answer is scored, with all parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Scorer {
    /// Deep equality after trimming texts.
    Exact {
        /// What is expected.
        value: Value,
        /// Whether case matters; it does unless the file says otherwise.
        case_sensitive: bool,
    },
    /// Keywords in values.
    Contains {
        /// What must be there.
        keywords: Vec<String>,
        /// Whether case matters; it doesn't unless the file says otherwise.
        case_sensitive: bool,
    },
    /// A JSON Schema over the whole output.
    JsonSchema {
        /// The schema.
        schema: Value,
    },
    /// ECMAScript patterns, all found in the result's text.
    Regex {
        /// The patterns.
        patterns: Vec<String>,
        /// Their flags.
        flags: String,
    },
    /// A script that is run in the embedded engine.
    Custom {
        /// The file, absolute.
        path: PathBuf,
    },
    /// A model's opinion.
    LlmJudge {
        /// The criteria.
        rubric: String,
    },
    /// A check of the skill's files by this program; the skill isn't called.
    SkillQuality {
        /// What is looked at.
        check: QualityCheck,
    },
    /// GAIA's normalised exact match of the result's text.
    Gaia {
        /// The answer.
        answer: String,
    },
    /// Tool calls compared as JSON: names in order, arguments deeply equal.
    ToolCalls {
        /// `[{name, arguments}]`; a call without `arguments` may have any.
        calls: Value,
        /// Whether they may come in any order (`anyOrder`); they may not unless the file says so.
        any_order: bool,
    },
}

/// The names of scorers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ScorerType {
    /// `exact_match`, `exact`.
    ExactMatch,
    /// `contains`.
    Contains,
    /// `json_schema`, `schema`.
    JsonSchema,
    /// `regex`.
    Regex,
    /// `llm_judge`.
    LlmJudge,
    /// `custom`.
    Custom,
    /// `skill_quality`.
    SkillQuality,
    /// `gaia`.
    Gaia,
    /// `tool_calls`.
    ToolCalls,
}

impl ScorerType {
    /// All of them with their names, the first being the one in reports.
    pub const NAMES: [(ScorerType, &'static [&'static str]); 9] = [
        (ScorerType::ExactMatch, &["exact_match", "exact"]),
        (ScorerType::Contains, &["contains"]),
        (ScorerType::JsonSchema, &["json_schema", "schema"]),
        (ScorerType::Regex, &["regex"]),
        (ScorerType::LlmJudge, &["llm_judge"]),
        (ScorerType::Custom, &["custom"]),
        (ScorerType::SkillQuality, &["skill_quality"]),
        (ScorerType::Gaia, &["gaia"]),
        (ScorerType::ToolCalls, &["tool_calls"]),
    ];

    /// The scorer of a name or an alias.
    #[must_use]
    pub fn of(name: &str) -> Option<ScorerType> {
        ScorerType::NAMES.iter().find(|(_, names)| names.contains(&name)).map(|(scorer, _)| *scorer)
    }

    /// Whether the skill is called: all scorers but one score its answer.
    #[must_use]
    pub fn calls_skill(self) -> bool {
        self != ScorerType::SkillQuality
    }

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        ScorerType::NAMES.iter().find(|(scorer, _)| *scorer == self).map_or("", |(_, names)| names[0])
    }
}

impl Scorer {
    /// Which one it is.
    #[must_use]
    pub fn kind(&self) -> ScorerType {
        match self {
            Scorer::Exact { .. } => ScorerType::ExactMatch,
            Scorer::Contains { .. } => ScorerType::Contains,
            Scorer::JsonSchema { .. } => ScorerType::JsonSchema,
            Scorer::Regex { .. } => ScorerType::Regex,
            Scorer::Custom { .. } => ScorerType::Custom,
            Scorer::LlmJudge { .. } => ScorerType::LlmJudge,
            Scorer::SkillQuality { .. } => ScorerType::SkillQuality,
            Scorer::Gaia { .. } => ScorerType::Gaia,
            Scorer::ToolCalls { .. } => ScorerType::ToolCalls,
        }
    }
}

/// What `skill-quality` looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum QualityCheck {
    /// Author, licence, tags: who uses it and may they.
    Metadata,
    /// A description that says what goes in, what comes out and when to use it.
    Description,
    /// Input and output schemas that compile and say something.
    Schemas,
    /// A starter benchmark or tests beside the skill.
    Tests,
    /// The files that the entrypoint names are there, and nothing that doesn't belong.
    Structure,
}
