//! One invocation: parse, run, say what went wrong, end with the right code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use eval_cli::deferred::deferring;
use eval_cli::prune::{self, JournalCommand};
use eval_cli::terminal::usage::CommandPurpose;
use eval_cli::world::check_language;
use eval_cli::{CommandError, Flags, Terminal, terminal, threads};
use eval_message::Lang;
use eval_process::WatchdogCommand;
use eval_spec::Context;

use crate::cli::{
    BenchCommand, CacheCommand, Cli, DebiasCommand, GoldCommand, MocksCommand, OmkCommand, ReportArgs, ReportCommand,
    help,
};
use crate::commands;
use crate::commands::report::Style;

/// Commands and flags of the plan that this version doesn't have.
const PLANNED: [&str; 2] = ["evolve", "--mcp-config"];

pub(crate) fn run(context: &Context, arguments: Vec<OsString>) -> ExitCode {
    let early = Flags::among(&arguments);
    let tree = match context.lang {
        Lang::En => deferring(Cli::command),
        Lang::Zh => help::localised(Cli::command(), Lang::Zh),
    };
    let asks = CommandPurpose::among(&arguments);
    let cli = match tree.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            let terminal = Terminal::new(context, &early);
            return terminal
                .end(context, Ok(terminal::usage::print(&terminal, &error, help::rendered, &PLANNED, asks)));
        }
    };
    let json = cli.global.json || prints_the_report(&cli.command);
    let flags = Flags { json, no_color: cli.global.no_color };
    let terminal = Terminal::new(context, &flags);
    check_language(context, &terminal);
    // Without its own path, programs are still killed with their process groups.
    let _contained = WatchdogCommand::this_program().ok().map(eval_process::contain);
    let ended = threads::prepare(context, &flags).and_then(|()| dispatch(context, &terminal, cli.command));
    terminal.end(context, ended)
}

/// `bench run` prints the report as JSON without being asked to, and so what became of it where there is none.
fn prints_the_report(command: &OmkCommand) -> bool {
    let OmkCommand::Bench(command) = command else { return false };
    matches!(&**command, BenchCommand::Run(arguments) if !arguments.flags.dry_run)
}

fn dispatch(context: &Context, terminal: &Terminal, command: OmkCommand) -> Result<u8, CommandError> {
    match command {
        OmkCommand::Init(arguments) => commands::init::run(context, terminal, &arguments),
        OmkCommand::Doctor(arguments) => commands::doctor::run(context, terminal, &arguments),
        OmkCommand::Eval(arguments) => commands::eval::run(context, terminal, &arguments),
        OmkCommand::Verdict(arguments) => commands::results::run(context, terminal, &arguments),
        OmkCommand::Bench(command) => match command.into_inner() {
            BenchCommand::Init(arguments) => commands::init::run(context, terminal, &arguments),
            BenchCommand::Run(arguments) => commands::bench::run(context, terminal, &arguments, Style::BenchRun),
            BenchCommand::Ci(arguments) => commands::bench::run(context, terminal, &arguments, Style::BenchCi),
            BenchCommand::Report(serve) => commands::serve::run(context, terminal, &serve),
        },
        OmkCommand::Report(arguments) => match arguments.into_inner() {
            ReportArgs { command: None, serve } => commands::serve::run(context, terminal, &serve),
            ReportArgs { command: Some(command), .. } => match command {
                ReportCommand::Export(arguments) => commands::export::run(context, terminal, &arguments),
                ReportCommand::Verdict(stored) => commands::verdict::run(context, terminal, &stored),
                ReportCommand::Reveal(stored) => commands::reveal::run(context, terminal, &stored),
            },
        },
        OmkCommand::Studio(serve) => commands::serve::run(context, terminal, &serve),
        OmkCommand::Show(arguments) => commands::show::run(context, terminal, &arguments),
        OmkCommand::Diff(arguments) => commands::diff::run(context, terminal, &arguments),
        OmkCommand::Observe(arguments) => commands::observe::run(context, terminal, &arguments),
        OmkCommand::Import(arguments) => commands::import::run(context, terminal, &arguments),
        OmkCommand::Sample(arguments) => commands::sample::run(context, terminal, &arguments),
        OmkCommand::Trend(arguments) => commands::trend::run(context, terminal, &arguments),
        OmkCommand::Power(arguments) => commands::power::run(context, terminal, &arguments),
        OmkCommand::Failures(arguments) => commands::failures::run(context, terminal, &arguments),
        OmkCommand::Gaps(command) => commands::gaps::run(context, terminal, &command),
        OmkCommand::Gold(command) => match command.into_inner() {
            GoldCommand::Init(arguments) => commands::gold::init(context, terminal, &arguments),
            GoldCommand::Validate(arguments) => commands::gold::validate(context, terminal, &arguments),
            GoldCommand::Compare(arguments) => commands::gold::compare(context, terminal, &arguments),
            GoldCommand::Import(arguments) => commands::people::import(context, terminal, &arguments),
            GoldCommand::Disputes(arguments) => commands::people::disputes(context, terminal, &arguments),
            GoldCommand::Settle(arguments) => commands::people::settle(context, terminal, &arguments),
        },
        OmkCommand::Mocks(command) => match command.into_inner() {
            MocksCommand::Record(arguments) => commands::mocks::record(context, terminal, &arguments),
        },
        OmkCommand::Debias(command) => match command.into_inner() {
            DebiasCommand::Length(arguments) => commands::debias::length(context, terminal, &arguments),
        },
        OmkCommand::Cache(command) => match command.into_inner() {
            CacheCommand::Explain(arguments) => commands::cache::explain(context, terminal, &arguments),
        },
        OmkCommand::Prices { model } => commands::prices::run(context, terminal, model.as_deref()),
        OmkCommand::Journal(command) => match command.into_inner() {
            JournalCommand::Prune(arguments) => {
                let code = prune::run(context, terminal, &arguments, |header| header.settings.get("kind").is_none())?;
                if !arguments.dry_run {
                    commands::pages::prune(context)?;
                }
                Ok(code)
            }
        },
        OmkCommand::Completions { shell } => commands::manual::completions(context, terminal, shell),
        OmkCommand::Man { output_dir } => commands::manual::man(context, terminal, output_dir.as_deref()),
    }
}
