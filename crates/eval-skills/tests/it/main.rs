//! The built binary in directories of its own: what is typed in, what is printed, written and exited with.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod benchmarks;
mod cli;
mod fixtures;
mod report;
mod run;
mod scoring;
mod skills;
