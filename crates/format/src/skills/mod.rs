//! The evaluation of callable skills as it is stored, and reading and writing it.

mod evaluation;
mod file;

pub use evaluation::{
    BenchmarkMeta, EvaluationSettings, EvaluationStatus, Gate, GateReason, RateInterval, RateMethod, RunSummary,
    SKILL_RESULT_KIND, SKILL_RESULT_VERSION, SkillCompletionReport, SkillEvaluation, SkillSummary, StatusCounts,
    TagSummary, TaskResult, TaskStatus, UNCOUNTED_LIMIT,
};
pub use file::{
    Contradiction, FileError, RESULT, SELECTION_KIND, StoredDocument, Top, copy_of, is_evaluation, name_of,
    read_as_stored, read_json, refuse_other_version, stamp, top,
};
