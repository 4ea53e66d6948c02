//! The engine through its door, with scripted executors and real files.
#![expect(clippy::unwrap_used, reason = "a test")]

mod budget;
mod cache;
mod journal;
mod kit;
mod limits;
mod messages;
mod order;
mod prefix;
mod results;
mod run;
mod stop;
