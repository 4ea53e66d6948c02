//! From the records of a run to every number of its report.
//!
//! In come a suite, its plan and the records of its cells, read one at a time. Out come the summary of each variant, the
//! paired comparisons, judges, gold, sample quality, and the numbers that decide.
//!
//! This crate never runs or grades anything, never decides, and never invents a number: what is not known is `null`.
//! Memory is bounded: of each record a few numbers are kept, and outputs go straight from the journal into the file.

pub mod analyse;
mod cells;
pub mod compare;
pub mod counting;
mod family;
pub mod gold;
pub mod grid;
pub mod holdout;
pub mod insight;
mod judging;
pub mod length_shift;
pub mod likeness;
mod model;
pub mod numbers;
mod pair_judges;
mod pairwise;
pub mod quality;
pub mod reading;
mod report_file;
pub mod results;
mod saturation;
mod shares;
pub mod skills;
pub mod stopping;
pub mod stored;
pub mod summary;
mod tripwire;
mod variance;

pub use analyse::{JudgeMeta, Meta, RunStatus, Template, analyse};
pub use cells::Cells;
pub use gold::compare_gold;
pub use gold::facts::{GoldItem, gold_items, gold_questions};
pub use length_shift::{DifferenceShift, LengthShift, Shift, VariantShift, length_shift};
pub use report_file::{report_json, write};
pub use stopping::{Decider, FIRST_LOOK, Sequences, raise_limits};
