//! The report of a comparison.

mod cases;
mod executions;
mod rows;

pub(crate) use cases::cases;
pub(crate) use executions::{ExportedExecution, executions};
pub(crate) use rows::{facts, objects, rows, score, word};
