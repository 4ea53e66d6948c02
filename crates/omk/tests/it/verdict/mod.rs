//! The decision, and that a stored one follows from the numbers of its report.

mod edited_reports;
mod older_reports;
pub(crate) mod recompute;
mod tiers;
