//! The built binary, as its users run it.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod evals;
mod seed_commands;
