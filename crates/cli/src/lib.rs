//! Shared parts of the two command lines: context, terminal with diagnostics and progress, failures and their exit
//! codes, signals, and the driver of a run.
//!
//! Input: arguments, environment, and results of the libraries. Output: text, JSON documents and exit codes. This crate
//! knows no command, and decides nothing about scores.

pub mod carried;
pub mod deferred;
pub mod driver;
pub mod ending;
pub mod exit;
pub mod judges;
pub mod origin;
pub mod output;
pub mod page;
pub mod prices;
pub mod prune;
pub mod serve;
pub mod signals;
pub mod terminal;
pub mod threads;
pub mod variables;
pub mod world;

pub use carried::carried_lines;
pub use exit::CommandError;
pub use terminal::{Flags, Terminal};
