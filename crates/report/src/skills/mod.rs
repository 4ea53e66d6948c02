//! Evaluations of callable skills: records in, completion reports and everything made of them out.

mod contract;

pub use contract::{
    BenchmarkMeta, EvaluationSettings, EvaluationStatus, Gate, RateInterval, RateMethod, RunSummary, SKILL_RESULT_KIND,
    SKILL_RESULT_VERSION, SkillCompletionReport, SkillEvaluation, SkillSummary, StatusCounts, TagSummary, TaskResult,
    TaskStatus,
};
