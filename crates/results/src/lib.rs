//! Results that other evaluation tools wrote: from their files to the suite, the plan and the records that a run of ours
//! has.
//!
//! In come files, and which arms, score and columns are meant. Out come arms × cases × trials with scores in 0..=1, or
//! the reason why there is none, and what the files tell of how they came about. One file for each format, one table
//! ([`RESULT_FORMATS`]), which detection, help, docs and tests read.
//!
//! This crate never decides anything and computes no statistics. All it reads is untrusted: sizes are bounded, and an
//! error names the file, the place in it, and what to do.

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
