//! Loading through its door: files on disk in, values or diagnostics out.

#![expect(clippy::unwrap_used, reason = "tests")]

mod broken;
mod cases;
mod git;
mod gold;
mod hostile;
mod import;
mod inputs;
mod json;
mod samples;
mod settings;
mod skills;
mod speed;
mod variants;
mod world;
