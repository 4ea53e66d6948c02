//! Imports the results of other evaluation tools as the suite, plan and records that a run of ours has.
//!
//! In: files, and the chosen arms, score and columns. Out: arms × cases × trials, each with a score in 0..=1 or the reason
//! why it has none, and what the files say about how they were made. One file for each format, and one table
//! ([`RESULT_FORMATS`]) that detection, help, docs and tests read.
//!
//! This crate never decides anything and computes no statistics. All files are untrusted: sizes are bounded, and an error
//! names the file, the place in it, and what to do.

mod archive;
mod arms;
mod arrange;
mod error;
mod format;
mod formats;
mod import;
mod mapping;
mod row;
mod source;
mod whole_file;

pub use arrange::{ArmChoice, ArrangeOptions, ArrangedResults, ControlChoice, arrange};
pub use error::ResultsError;
pub use format::{ReadOptions, ResultFormat, TableColumns};
pub use formats::{RESULT_FORMATS, is_own_report, read_results};
pub use import::{ImportedRun, imported_run};
pub use mapping::ScaleRange;
pub use row::{ForeignRow, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
pub use whole_file::WholeFile;
