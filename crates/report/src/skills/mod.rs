//! Evaluations of callable skills: records in, completion reports and everything made of them out.

mod consistent;
mod contract;
mod csv;
mod diff;
mod evaluate;
mod file;
mod format;
mod html;
mod junit;
mod markdown;
mod rates;
mod schema;
mod select;
mod show;
mod summary;
mod task;
mod terminal;
mod trend;
mod whole;

pub use consistent::Contradiction;
pub use contract::{
    BenchmarkMeta, EvaluationSettings, EvaluationStatus, Gate, GateReason, RateInterval, RateMethod, RunSummary,
    SKILL_RESULT_KIND, SKILL_RESULT_VERSION, SkillCompletionReport, SkillEvaluation, SkillSummary, StatusCounts,
    TagSummary, TaskResult, TaskStatus,
};
pub use diff::{
    ChangedTask, Delta, Differs as SkillDiffers, FlippedTask, SkillDelta, SkillDiff, SkillDiffError, SkillSide,
    SkillStanding, diff_markdown, diff_skills, diff_text as skill_diff_text,
};
pub use evaluate::{EvaluationInputs, SkillResults, evaluate, meta};
pub use file::{
    Document, FileError, Written, evaluation_id, is_written, left_as_they_are, read, read_json, writable, write,
};
pub use format::{Format, render};
pub(crate) use markdown::inline;
pub use rates::UNCOUNTED_LIMIT;
pub use schema::schema;
pub use select::{
    Candidate, Excluded, Measured, SELECTION_KIND, SelectError, Selected, Selection, Why, candidates_of, has_tag,
    select, selection_text,
};
pub use task::task_result;
pub use terminal::evaluation_text;
pub use trend::{HistoryPoint, SkillTrend, TrendPoint, TrendSeries, trend, trend_text as skill_trend_text};
pub use whole::{write_new, write_whole};
