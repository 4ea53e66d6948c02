//! One file a command: flags and files in, text and an exit code out.

pub(crate) mod benchmark;
pub(crate) mod config;
pub(crate) mod create;
pub(crate) mod eval;
pub(crate) mod find;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod select;
pub(crate) mod serve;
pub(crate) mod trend;
