//! The engine through its door, with scripted executors and real files.
#![expect(clippy::unwrap_used, reason = "a test")]

mod bucket;
mod budget;
mod cache;
mod journal;
mod journal_index;
mod journal_line;
mod journal_writer;
mod judging;
mod kit;
mod limits;
mod messages;
mod order;
mod prefix;
mod prune;
mod results;
mod retry;
mod run;
mod stop;
mod window;
