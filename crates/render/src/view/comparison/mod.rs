//! The report of a comparison.

mod blocks;
mod cases;
mod details;
mod excluded;
mod executions;
mod rows;

pub(crate) use blocks::blocks;
pub(crate) use cases::cases;
pub(crate) use excluded::excluded_groups;
pub(crate) use executions::{ExportedExecution, executions};
pub(crate) use rows::{facts, objects, rows, score, word};
