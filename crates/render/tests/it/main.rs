//! The crate's behaviour through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod agent_skills;
mod alike;
mod capabilities;
mod difference;
mod early;
mod failures;
mod faults;
mod files;
mod folder_names;
mod formats;
mod gaps;
mod judging;
mod labels;
mod layout;
mod messages;
mod page_parts;
mod plots;
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
mod svg;
mod terminal;
mod timeline;
mod traces;
mod world;
