//! What is stored: the reports of both commands, their JSON Schema, reading and writing them.
//!
//! In come values and files; out go files and values. A file appears whole, synced to disk, or not at all. A file of
//! another version is refused, and never overwritten.
//!
//! This crate knows neither who computes the numbers nor who shows them.
#![warn(missing_docs, reason = "the JSON Schemas of reports are made from them")]

mod error;
mod gap_status;
mod id;
mod impossible;
mod layout;
mod observation;
pub mod report;
#[cfg(feature = "schema")]
mod schema;
pub mod skills;
mod version;
mod whole;

pub use error::{ReadError, ReportError};
pub use gap_status::{GAP_STATUS_FILE, GAP_STATUS_VERSION, GapDecision, GapStatus, GapStatusFile};
pub use id::{evaluation_id, report_id};
pub use layout::{masked_line, masked_value, write_document};
pub use observation::*;
pub use report::feedback::lock as lock_directory_of;
pub use report::file::{INTERVALS, ReportText, beginning, read, read_analysis, read_result, report_path, write_report};
pub use report::*;
#[cfg(feature = "schema")]
pub use schema::{report_schema, skill_result_schema};
pub use whole::{WriteError, private_folder, write_bounded, write_new, write_private, write_whole};
