//! `omk`: is this knowledge artifact worth shipping?

mod app;
mod cli;
mod commands;

use std::process::ExitCode;

use eval_cli::world::Home;

/// The home directory, with reports, journals, the cache and prices.
const HOME: Home = Home { variable: "OMK_HOME", name: ".oh-my-knowledge" };

fn main() -> ExitCode {
    let arguments = eval_cli::world::help_as_flag(std::env::args_os().collect());
    let context = eval_cli::world::context(&arguments, &HOME);
    app::run(&context, arguments)
}
