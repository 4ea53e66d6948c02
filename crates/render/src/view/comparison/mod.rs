//! The report of a comparison.

mod blocks;
mod cases;
mod details;
mod rows;

pub(crate) use blocks::blocks;
pub(crate) use cases::cases;
pub(crate) use rows::rows;
