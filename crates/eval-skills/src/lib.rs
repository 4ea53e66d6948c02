//! `eval-skills`: does this skill do what it says?
//!
//! In come the arguments of this process, its environment and working directory, skills and benchmarks. Out go reports on
//! stdout or in files, progress and errors on stderr, an exit code, and what the home directory keeps. It scores nothing
//! itself: it calls the crates that do.

mod app;
mod cli;
mod commands;
mod create;
mod evaluation;
mod files;
mod search;
mod session;
mod staging;

use std::process::ExitCode;

use eval_cli::world::{self, Home};

/// The home directory, with configuration and journals.
const HOME: Home = Home { variable: "EVAL_SKILLS_HOME", name: ".eval-skills" };

/// Runs what the arguments of this process say, and returns how it ends.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let context = world::context(&arguments, &HOME);
    app::run(&context, arguments)
}
