//! Tests of the built `omk` binary, one folder per topic.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod book;
mod cli;
mod fixtures;
mod gaps;
mod grade;
mod judge;
mod observe;
mod report;
mod repository;
mod run;
mod samples;
mod statistics;
mod variants;
mod verdict;
