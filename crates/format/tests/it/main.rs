//! Stored reports as files.
#![expect(clippy::unwrap_used, reason = "tests")]

mod blind;
mod feedback;
mod files;
mod layout;
mod skills;
mod whole;
