//! The command line: flags, configuration, exit codes, output files, documented sessions.

mod config;
mod documented_commands;
mod dry_run;
mod exit_codes;
mod guide;
mod output_files;
mod reference;
mod usage;
mod workflows;
