//! Stored evaluations of callable skills: compared, ranked, over time.

mod diff;
pub mod select;
pub mod trend;

pub use diff::{
    ChangedTask, FlippedTask, NumberChange, SkillDelta, SkillDiff, SkillPart, SkillSide, SkillStanding, diff_skills,
};
pub use select::{
    Candidate, ExcludedSkill, ExclusionReason, Measured, SelectError, Selected, Selection, candidates_of, has_tag,
    select,
};
pub use trend::{HistoryPoint, SkillTrend, TrendPoint, TrendSeries, trend};
