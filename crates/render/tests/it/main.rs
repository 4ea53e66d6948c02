//! The crate's behaviour through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod agent_skills;
mod alike;
mod capabilities;
mod early;
mod failures;
mod faults;
mod files;
mod formats;
mod gaps;
mod judging;
mod messages;
mod pulls;
mod quality;
mod resumed;
mod run_page;
mod screen;
mod shares;
mod simulated;
mod skills;
mod statistics;
mod stopping;
mod summary;
mod surfaces;
mod terminal;
mod traces;
mod world;
