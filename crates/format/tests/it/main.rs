//! Stored reports as files.
#![expect(clippy::unwrap_used, reason = "tests")]

mod blind;
mod feedback;
mod layout;
mod skills;
mod whole;
