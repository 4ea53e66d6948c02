//! One invocation: parse, run, say what went wrong, end with the right code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use eval_cli::{CommandError, Flags, Terminal, exit, terminal};
use eval_spec::Context;

use crate::cli::{BenchCommand, CacheCommand, Cli, DebiasCommand, GoldCommand, OmkCommand, ReportCommand, help};
use crate::commands;

/// Runs what the arguments ask for.
pub(crate) fn run(context: &Context, arguments: Vec<OsString>) -> ExitCode {
    let tree = help::localised(Cli::command(), context.lang);
    // Help and usage errors are printed before the flags are known, and obey `--no-color` and
    // `--json` all the same.
    let no_color = arguments.iter().any(|argument| argument == "--no-color");
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    let parsed = tree.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let terminal = Terminal::new(context, &Flags { json, no_color });
            let code = terminal::usage::print(&terminal, &error, help::rendered);
            return ExitCode::from(terminal.end(code));
        }
    };
    let json = cli.global.json || prints_the_report(&cli.command);
    let terminal = Terminal::new(context, &Flags { json, no_color: cli.global.no_color });
    let code = dispatch(context, &terminal, cli.command).unwrap_or_else(|failure| {
        terminal.failure(context, &failure);
        code_of(&failure)
    });
    ExitCode::from(terminal.end(code))
}

/// `bench run` prints the report as JSON without being asked to, and so what became of it where there is none.
fn prints_the_report(command: &OmkCommand) -> bool {
    let OmkCommand::Bench(bench) = command else { return false };
    matches!(&bench.command, BenchCommand::Run(arguments) if !arguments.flags.dry_run)
}

fn dispatch(context: &Context, terminal: &Terminal, command: OmkCommand) -> Result<u8, CommandError> {
    match command {
        OmkCommand::Init(arguments)
        | OmkCommand::Bench(crate::cli::BenchArgs { command: BenchCommand::Init(arguments) }) => {
            commands::init::run(context, terminal, &arguments)
        }
        OmkCommand::Eval(arguments) => commands::eval::run(context, terminal, &arguments),
        OmkCommand::Bench(bench) => match bench.command {
            BenchCommand::Run(arguments) => commands::bench::run(context, terminal, &arguments),
            BenchCommand::Ci(arguments) => commands::bench::ci(context, terminal, &arguments),
            BenchCommand::Init(arguments) => commands::init::run(context, terminal, &arguments),
        },
        OmkCommand::Report(report) => match report.command {
            ReportCommand::Export(arguments) => commands::export::run(context, terminal, &arguments),
            ReportCommand::Verdict(arguments) => commands::verdict::run(context, terminal, &arguments),
        },
        OmkCommand::Diff(arguments) => commands::diff::run(context, terminal, &arguments),
        OmkCommand::Trend(arguments) => commands::trend::run(context, terminal, &arguments),
        OmkCommand::Power(arguments) => commands::power::run(context, terminal, &arguments),
        OmkCommand::Failures(arguments) => commands::failures::run(context, terminal, &arguments),
        OmkCommand::Gold(gold) => match gold.command {
            GoldCommand::Init(arguments) => commands::gold::init(context, terminal, &arguments),
            GoldCommand::Validate(arguments) => commands::gold::validate(context, terminal, &arguments),
            GoldCommand::Compare(arguments) => commands::gold::compare(context, terminal, &arguments),
        },
        OmkCommand::Debias(debias) => match debias.command {
            DebiasCommand::Length(arguments) => commands::debias::length(context, terminal, &arguments),
        },
        OmkCommand::Cache(cache) => match cache.command {
            CacheCommand::Explain(arguments) => commands::cache::explain(context, terminal, &arguments),
        },
        OmkCommand::Completions { shell } => commands::manual::completions(context, terminal, shell),
        OmkCommand::Man { output_dir } => commands::manual::man(context, terminal, output_dir.as_deref()),
    }
}

fn code_of(failure: &CommandError) -> u8 {
    match failure {
        CommandError::Run(error) if error.exit_kind() == eval_run::ExitKind::Invalid => exit::INVALID,
        CommandError::Report(_) => exit::INVALID,
        _ => exit::USAGE,
    }
}
