//! Tests of the built `eval-skills` binary, one folder per topic.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod benchmarks;
mod cli;
mod fixtures;
mod report;
mod run;
mod scoring;
mod skills;
