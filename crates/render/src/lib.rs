//! Reports as people and other programs read them: terminal, Markdown, HTML, CSV, JUnit.
//!
//! In come reports, plans and comparisons; out go texts in the reader's language. Untrusted text (answers, ids, error
//! messages) is escaped for its destination.
//!
//! This crate never computes a number that the report doesn't hold.

pub mod agent_skills;
mod document;
pub mod formats;
pub mod inspect_logs;
mod markdown;
mod minus;
mod page;
pub mod run_page;
mod show;
pub mod site;
pub mod skills;
mod svg;
pub mod terminal;
mod view;
mod voice;

pub use show::Show;
pub use terminal::by_key_text;
pub use terminal::diff_text;
pub use terminal::failures_text;
pub use terminal::gold_text;
pub use terminal::length_shift::length_shift_text;
pub use terminal::plan_text;
pub use terminal::power_text;
pub use terminal::recomputed_text;
pub use terminal::sample_text;
pub use terminal::trend_text;
pub use terminal::{GapRow, gap_list_text};
pub use terminal::{StoredAt, brief_text, summary_text};
pub use terminal::{gold_disputes_text, people_text};
pub use terminal::{inbox_text, observation_diff_text, observation_text};

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::agent_skills::write::names;
    pub use crate::page::{PageKind, base64, kinds};
    pub use crate::run_page::difference::{TextPiece, differences, whole};
    pub use crate::run_page::labels::{LabelPlace, NamedPoint, TakenSpots, places};
    pub use crate::run_page::timeline::{CallRow, aligned};
    pub use crate::site::plots::{TrendMark, around_zero, trend};
    pub use crate::svg::{bars, interval};
}
