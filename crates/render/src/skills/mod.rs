//! Evaluations of callable skills as people and other programs read them.

pub(crate) mod diff;
pub(crate) mod html;
pub mod selection;
pub mod show;
pub(crate) mod terminal;
mod trend;
pub mod write;

pub use diff::{diff_markdown, diff_text as skill_diff_text};
pub use selection::selection_text;
pub use terminal::evaluation_text;
pub use trend::trend_text as skill_trend_text;
pub use write::{Written, is_written, left_as_they_are, writable, write};
