//! One invocation: parse, run, say what went wrong, end with the right code.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use eval_cli::terminal::usage;
use eval_cli::{CommandError, Flags, Terminal, exit, page};
use eval_message::{Lang, msg};
use eval_spec::Context;

use crate::cli::{ConfigCommand, SkillsCli, SkillsCommand, SkillsReportCommand};
use crate::commands;
use crate::files::quoted;

/// Runs what the arguments ask for.
pub(crate) fn run(context: &Context, arguments: Vec<OsString>) -> ExitCode {
    if let Some(code) = eval_callable::hidden(&arguments) {
        return code;
    }
    let arguments = asked_for_help(arguments);
    // Help and usage errors are printed before the flags are known, and obey them all the same.
    let given = |flag: &str| arguments.iter().take_while(|argument| *argument != "--").any(|a| a == flag);
    let early = Flags { json: given("--json"), no_color: given("--no-color") };
    let cli = match SkillsCli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let terminal = Terminal::new(context, &early);
            if error.kind() == ErrorKind::DisplayVersion {
                // The parser's own words would name the subcommand as if it were a program.
                terminal.bytes(concat!("eval-skills ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());
                return ExitCode::from(terminal.end(exit::OK));
            }
            return ExitCode::from(terminal.end(usage::print(&terminal, &error, translated)));
        }
    };
    let terminal = Terminal::new(context, &Flags { json: cli.global.json, no_color: cli.global.no_color });
    let code = dispatch(context, &terminal, cli).unwrap_or_else(|failure| {
        terminal.failure(context, &failure);
        code_of(&failure)
    });
    ExitCode::from(terminal.end(code))
}

/// `eval-skills help eval` is `eval-skills eval --help`.
fn asked_for_help(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|first| first == "help") {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// The help itself is English; the parser's own words follow the reader's language.
fn translated(help: &str, lang: Lang) -> String {
    page::rendered(help, lang, &[])
}

fn dispatch(context: &Context, terminal: &Terminal, cli: SkillsCli) -> Result<u8, CommandError> {
    let global = &cli.global;
    // A configuration that is named must be right, whether the command has a use for it or not; `set` may begin one.
    let begins =
        matches!(&cli.command, SkillsCommand::Config(config) if matches!(config.command, ConfigCommand::Set { .. }));
    if let Some(path) = global.config.as_deref().filter(|_| !begins) {
        crate::files::configuration(context, Some(path))?;
    }
    match cli.command {
        SkillsCommand::Find(arguments) => commands::find::run(context, terminal, global, &arguments),
        SkillsCommand::Create(arguments) => commands::create::run(context, terminal, global, &arguments),
        SkillsCommand::Eval(arguments) => commands::eval::run(context, terminal, global, &arguments),
        SkillsCommand::Select(arguments) => commands::select::run(context, terminal, global, &arguments),
        SkillsCommand::Run(arguments) => commands::run::run(context, terminal, global, &arguments),
        SkillsCommand::Report(report) => match report.command {
            SkillsReportCommand::Convert(arguments) => commands::report::convert(context, terminal, &arguments),
            SkillsReportCommand::Diff(arguments) => commands::report::diff(context, terminal, &arguments),
        },
        SkillsCommand::Trend(arguments) => commands::trend::run(context, terminal, global, &arguments),
        SkillsCommand::Lint(arguments) => commands::lint::run(context, terminal, global, &arguments),
        SkillsCommand::Benchmark(arguments) => commands::benchmark::run(context, terminal, global, &arguments),
        SkillsCommand::Evals(arguments) => Err(moved(context, &arguments.rest)),
        SkillsCommand::Init(arguments) => commands::init::run(context, terminal, &arguments),
        SkillsCommand::Config(arguments) => commands::config::run(context, terminal, global, &arguments),
    }
}

/// A skill's evals are a comparison of omk's, with and without the skill.
fn moved(context: &Context, rest: &[OsString]) -> CommandError {
    let skill = rest.iter().map(Path::new).find(|word| context.absolute(word).join("SKILL.md").is_file());
    let evals = skill.unwrap_or(Path::new("DIR")).join("evals").join("evals.json");
    let path = quoted(&evals.display().to_string());
    CommandError::usage(msg!("skills-cli-evals-moved"), msg!("skills-cli-evals-moved-help", path = path))
}

fn code_of(failure: &CommandError) -> u8 {
    match failure {
        CommandError::Run(error) if error.exit_kind() == eval_run::ExitKind::Invalid => exit::INVALID,
        CommandError::Report(_) => exit::INVALID,
        _ => exit::USAGE,
    }
}
