//! The verdict, and recomputing a stored one from its report.

mod attacks;
mod edited_reports;
mod gate;
mod goals;
mod imported;
pub(crate) mod recompute;
mod series;
mod stored_tier;
mod tiers;
