//! `eval-trace` through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod endings;
mod formats;
mod recordings;
mod trace;
