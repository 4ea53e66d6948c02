//! The evaluation of callable skills as it is stored, and reading and writing it.

mod evaluation;
pub mod file;
pub mod schema;

pub use evaluation::{
    BenchmarkMeta, EvaluationSettings, EvaluationStatus, Gate, GateReason, RateInterval, RateMethod, RunSummary,
    SKILL_RESULT_KIND, SKILL_RESULT_VERSION, SkillCompletionReport, SkillEvaluation, SkillSummary, StatusCounts,
    TagSummary, TaskResult, TaskStatus, UNCOUNTED_LIMIT,
};
pub use file::{Contradiction, Document, FileError, SELECTION_KIND, evaluation_id, read_json};
pub use schema::schema;
