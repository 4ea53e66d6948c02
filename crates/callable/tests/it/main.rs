//! Callable skills through the crate's door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod everything;
mod mcp;
mod recordings;
mod servers;
mod skills;

pub(crate) use testkit::calls::{all_words, call, run, world};
