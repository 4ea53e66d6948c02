//! Loading through its door: files on disk in, values or diagnostics out.

#![expect(clippy::unwrap_used, reason = "tests")]

mod address;
mod broken;
mod cases;
mod git;
mod gold;
mod hostile;
mod import;
mod inputs;
mod json;
mod lookalike;
mod mcp_config;
mod placebo;
mod references;
mod samples;
mod settings;
mod skills;
mod speed;
mod toolbench;
mod urls;
mod variants;
mod world;
