//! `omk`: is this knowledge artifact worth shipping?

mod app;
mod cli;
mod commands;
mod exit;
mod terminal;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let context = world::context(&arguments);
    app::run(&context, arguments)
}
