//! The built binary, from outside.
#![expect(clippy::unwrap_used, reason = "tests")]

mod evals;
