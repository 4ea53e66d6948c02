//! The command line: flags, configuration, files that are written, documented sessions.

mod commands;
mod config;
mod guide;
mod output_files;
mod usage;
mod workflows;
