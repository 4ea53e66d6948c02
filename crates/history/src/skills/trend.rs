//! A skill's numbers over time, from the store: a series for each benchmark, and a new one whenever the
//! benchmark's contents changed, since then the numbers are of something else.

use eval_format::skills::{RateInterval, SkillSummary, StatusCounts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One finished evaluation of a skill, as the store has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// The evaluation.
    pub evaluation: String,
    /// When it ended, RFC 3339.
    pub finished_at: String,
    /// Whether everything planned was run.
    pub is_complete: bool,
    /// The benchmark's id.
    pub benchmark: String,
    /// The benchmark's version.
    pub benchmark_version: String,
    /// The hash of its contents.
    pub benchmark_hash: String,
    /// How often each task was run.
    pub runs: u32,
    /// The skill's version.
    pub skill_version: String,
    /// The hash of its files.
    pub skill_hash: String,
    /// How its tasks ended.
    pub counts: StatusCounts,
    /// Its numbers.
    pub summary: SkillSummary,
}

/// A skill over time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillTrend {
    /// The skill.
    pub skill: String,
    /// One for each benchmark and contents of it, in the order of their first evaluation.
    pub series: Vec<TrendSeries>,
}

/// Evaluations on the same benchmark with the same contents.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrendSeries {
    /// The benchmark.
    pub benchmark: String,
    /// Its version.
    pub benchmark_version: String,
    /// The hash of its contents.
    pub benchmark_hash: String,
    /// The oldest first.
    pub points: Vec<TrendPoint>,
}

/// One evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrendPoint {
    /// Its id.
    pub evaluation: String,
    /// When it ended.
    pub finished_at: String,
    /// Whether everything planned was run; else the numbers are of a part of the benchmark.
    pub is_complete: bool,
    /// The skill's version.
    pub skill_version: String,
    /// Whether the skill's files differ from those of the point before; `null` for the first.
    pub skill_changed: Option<bool>,
    /// How often each task was run.
    pub runs: u32,
    /// Results that counted.
    pub counted: usize,
    /// The completion rate.
    pub completion_rate: Option<f64>,
    /// Its interval.
    pub completion_interval: Option<RateInterval>,
    /// The error rate.
    pub error_rate: Option<f64>,
    /// The P95 latency.
    pub p95_latency_ms: Option<f64>,
    /// The composite score.
    pub composite_score: Option<f64>,
}

/// The series of a skill.
#[must_use]
pub fn trend(skill: &str, mut history: Vec<HistoryPoint>) -> SkillTrend {
    history.sort_by(|a, b| at(a).cmp(&at(b)));
    let mut series: Vec<TrendSeries> = Vec::new();
    let mut hashes: Vec<String> = Vec::new();
    for of in history {
        let known = series
            .iter()
            .position(|series| (&series.benchmark, &series.benchmark_hash) == (&of.benchmark, &of.benchmark_hash));
        let place = known.unwrap_or_else(|| {
            series.push(TrendSeries {
                benchmark: of.benchmark.clone(),
                benchmark_version: of.benchmark_version.clone(),
                benchmark_hash: of.benchmark_hash.clone(),
                points: Vec::new(),
            });
            hashes.push(of.skill_hash.clone());
            series.len() - 1
        });
        let before = std::mem::replace(&mut hashes[place], of.skill_hash.clone());
        let changed = known.is_some().then(|| before != of.skill_hash);
        series[place].points.push(point(of, changed));
    }
    SkillTrend { skill: skill.to_owned(), series }
}

fn at(of: &HistoryPoint) -> (Option<jiff::Timestamp>, &str) {
    (of.finished_at.parse().ok(), &of.evaluation)
}

fn point(of: HistoryPoint, skill_changed: Option<bool>) -> TrendPoint {
    TrendPoint {
        evaluation: of.evaluation,
        finished_at: of.finished_at,
        is_complete: of.is_complete,
        skill_version: of.skill_version,
        skill_changed,
        runs: of.runs,
        counted: of.counts.counted(),
        completion_rate: of.summary.completion_rate,
        completion_interval: of.summary.completion_interval,
        error_rate: of.summary.error_rate,
        p95_latency_ms: of.summary.p95_latency_ms,
        composite_score: of.summary.composite_score,
    }
}
