//! Stored evaluations of callable skills: compared, ranked, over time.

mod diff;
pub mod select;
pub mod trend;

pub use diff::FlippedTask;
pub use diff::{
    ChangedTask, Delta, Differs as SkillDiffers, SkillDelta, SkillDiff, SkillDiffError, SkillSide, SkillStanding,
    diff_skills,
};
pub use select::{
    Candidate, Excluded, Measured, SelectError, Selected, Selection, Why, candidates_of, has_tag, select,
};
pub use trend::{HistoryPoint, SkillTrend, TrendPoint, TrendSeries, trend};
