//! Gap signals through the crate's door.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that can't go on fails; the guide's table is printed"
)]

mod aggregation;
mod corpus;
mod failed_search;
mod looked_up;
mod markers_and_doubt;
mod repeated_failure;
mod shell_lines;
