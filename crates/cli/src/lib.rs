//! What the two command lines share: the world as read at the start, the terminal with its diagnostics and
//! progress, failures and their exit codes, signals.
//!
//! In come arguments, environment and what the libraries return; out go text, JSON documents and exit codes. This
//! crate knows no command, and decides nothing about scores.

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
