//! The evaluation of callable skills.

mod blocks;
mod cases;
pub(crate) mod metrics;
mod rows;

pub(crate) use blocks::blocks;
pub(crate) use cases::cases;
pub(crate) use rows::{objects, rows};
