//! Callable skills through the crate's door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod causes;
mod denial;
mod everything;
mod mcp;
mod mcp_answer;
mod recordings;
mod rpc;
mod servers;
mod skills;

pub(crate) use testkit::calls::{all_words, call, run, world};
