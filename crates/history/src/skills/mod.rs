//! Stored evaluations of callable skills: compared, ranked, over time.

mod diff;
pub mod select;
pub mod trend;

pub use diff::FlippedTask;
pub use diff::{
    ChangedTask, NumberChange, SettingChange as SkillDiffers, SkillDelta, SkillDiff, SkillDiffError, SkillSide,
    SkillStanding, diff_skills,
};
pub use select::{
    Candidate, ExcludedSkill, ExclusionReason, Measured, SelectError, Selected, Selection, candidates_of, has_tag,
    select,
};
pub use trend::{HistoryPoint, SkillTrend, TrendPoint, TrendSeries, trend};
