//! Evaluations of callable skills, through the crate's door.

mod convert;
mod diff;
mod files;
mod made;
mod metrics;
mod null;
mod page;
mod select;
mod texts;
mod trend;

pub(crate) use made::one;
