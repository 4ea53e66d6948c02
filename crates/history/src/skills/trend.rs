//! A skill's numbers over time, from the store: a series for each benchmark, and a new one whenever the
//! benchmark's contents changed, since then the numbers are of something else.

use eval_format::skills::{EvaluationStatus, RateInterval, SkillEvaluation, SkillSummary, StatusCounts};
use serde::{Deserialize, Serialize};

use crate::compare::series;

/// One finished evaluation of a skill in the store.
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

impl HistoryPoint {
    /// A point for each skill of a stored evaluation.
    pub fn all(of: &SkillEvaluation) -> impl Iterator<Item = (&str, HistoryPoint)> {
        of.skills.iter().map(|skill| {
            let point = HistoryPoint {
                evaluation: of.id.clone(),
                finished_at: of.finished_at.clone(),
                is_complete: of.status == EvaluationStatus::Complete,
                benchmark: of.benchmark.id.clone(),
                benchmark_version: of.benchmark.version.clone(),
                benchmark_hash: of.benchmark.hash.clone(),
                runs: of.settings.runs,
                skill_version: skill.skill_version.clone(),
                skill_hash: skill.skill_hash.clone(),
                counts: skill.counts,
                summary: skill.summary.clone(),
            };
            (skill.skill_id.as_str(), point)
        })
    }
}

/// A skill over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillTrend {
    /// The skill.
    pub skill: String,
    /// One for each benchmark and contents of it, in the order of their first evaluation.
    pub series: Vec<TrendSeries>,
}

/// Evaluations on the same benchmark with the same contents.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    let all = series(history, |of| (of.benchmark.clone(), of.benchmark_hash.clone()));
    SkillTrend { skill: skill.to_owned(), series: all.iter().map(|points| one(points)).collect() }
}

fn at(of: &HistoryPoint) -> (Option<jiff::Timestamp>, &str) {
    (of.finished_at.parse().ok(), &of.evaluation)
}

fn one(points: &[HistoryPoint]) -> TrendSeries {
    let changed = |place: usize| Some(points[place].skill_hash != points[place.checked_sub(1)?].skill_hash);
    TrendSeries {
        benchmark: points[0].benchmark.clone(),
        benchmark_version: points[0].benchmark_version.clone(),
        benchmark_hash: points[0].benchmark_hash.clone(),
        points: points.iter().enumerate().map(|(place, of)| point(of, changed(place))).collect(),
    }
}

fn point(of: &HistoryPoint, skill_changed: Option<bool>) -> TrendPoint {
    TrendPoint {
        evaluation: of.evaluation.clone(),
        finished_at: of.finished_at.clone(),
        is_complete: of.is_complete,
        skill_version: of.skill_version.clone(),
        skill_changed,
        runs: of.runs,
        counted: of.counts.counted(),
        completion_rate: of.summary.completion_rate,
        completion_interval: of.summary.completion_interval.clone(),
        error_rate: of.summary.error_rate,
        p95_latency_ms: of.summary.p95_latency_ms,
        composite_score: of.summary.composite_score,
    }
}
