//! The pages of the report server around the reports: the list, trends, the difference of two runs, a run under way, errors.
//!
//! In come rows, trends and differences; out go pages that can be read without a script. Texts of others are escaped by the
//! templates, and cleaned of what would turn or hide text. Nothing is computed here that its data doesn't hold.

mod analyses;
mod blind;
mod diff;
mod error;
mod frame;
mod gap_trend;
mod list;
mod live;
mod people;
pub(crate) mod plots;
mod skills_diff;
mod skills_trend;
mod trends;
mod words;

pub use crate::skills::html::skills_page;
pub use analyses::{AnalysisRow, analyses_page, analysis_diff_page, analysis_page};
pub use blind::{BlindPlace, BlindSet, GivenOpinion, blind_page, blind_start_page, stars_field};
pub use diff::{DiffChoice, diff_page};
pub use error::error_page;
pub(crate) use frame::SiteBase;
pub use frame::{SiteFrame, encoded, sample_of_segment, sample_path, site_policy};
pub use list::{LiveRow, UnreadableRow, list_page};
pub use live::{LiveLooks, LiveView, live_fields, live_page};
pub use people::{DisputePlace, people_page};
pub use skills_diff::skills_diff_page;
pub use trends::{TrendChoice, trends_page};
