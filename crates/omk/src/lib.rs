//! `omk`: is this knowledge artifact worth shipping?
//!
//! In come the arguments of this process, its environment and working directory, and the files that these name. Out go
//! text or JSON on stdout, progress and errors on stderr, an exit code, and files in the home directory and where an
//! option names them. It computes no score, statistic or verdict: it calls the crates that do.

mod app;
mod cli;
mod commands;

use std::process::ExitCode;

use eval_cli::world::Home;

/// The home directory, with reports, journals, the cache and prices.
const HOME: Home = Home { variable: "OMK_HOME", name: ".oh-my-knowledge" };

/// Runs what the arguments of this process say, and returns how it ends.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(code) = eval_process::hidden(&arguments) {
        return code;
    }
    let arguments = eval_cli::world::help_as_flag(arguments);
    let context = eval_cli::world::context(&arguments, &HOME);
    app::run(&context, arguments)
}
