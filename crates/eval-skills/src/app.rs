//! One invocation: parse, run, say what went wrong, end with the right code.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use eval_cli::prune::{self, JournalCommand};
use eval_cli::terminal::usage::{self, CommandPurpose};
use eval_cli::world::{check_language, help_as_flag};
use eval_cli::{CommandError, Flags, Terminal, exit, page, threads};
use eval_message::msg;
use eval_process::WatchdogCommand;
use eval_spec::Context;
use eval_spec::record::Header;

use crate::cli::{ConfigCommand, SkillsCli, SkillsCommand, SkillsReportCommand};
use crate::commands;
use crate::evaluation::KIND;
use crate::files::quoted;
use crate::session::Session;

pub(crate) fn run(context: &Context, arguments: Vec<OsString>) -> ExitCode {
    if let Some(code) = eval_process::hidden(&arguments) {
        return code;
    }
    let arguments = help_as_flag(arguments);
    let asks = CommandPurpose::among(&arguments);
    let early = Flags::among(&arguments);
    let cli = match SkillsCli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let terminal = Terminal::new(context, &early);
            if error.kind() == ErrorKind::DisplayVersion {
                // The parser's own text would name the subcommand as if it were a program.
                terminal.bytes(concat!("eval-skills ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());
                return terminal.end(context, Ok(exit::OK));
            }
            // Help pages are English; only the parser's own words are translated.
            return terminal.end(
                context,
                Ok(usage::print(&terminal, &error, |help, lang| page::rendered(help, lang, &[]), &[], asks)),
            );
        }
    };
    let SkillsCli { global, command } = cli;
    let flags = Flags { json: global.json, no_color: global.no_color };
    let terminal = Terminal::new(context, &flags);
    check_language(context, &terminal);
    let session = Session { context, terminal: &terminal, global: &global };
    // Judges may be programs too; skills have a supervisor of their own.
    let _contained = WatchdogCommand::this_program().ok().map(eval_process::contain);
    let ended = threads::prepare(context, &flags).and_then(|()| dispatch(&session, command));
    terminal.end(context, ended)
}

fn dispatch(session: &Session<'_>, command: SkillsCommand) -> Result<u8, CommandError> {
    // A configuration file that is named must be valid, also for commands that don't use it; `config set` may create it.
    if session.global.config.is_some() && !matches!(command, SkillsCommand::Config(ConfigCommand::Set { .. })) {
        session.config()?;
    }
    match command {
        SkillsCommand::Find(arguments) => commands::find::run(session, &arguments),
        SkillsCommand::Create(arguments) => commands::create::run(session, &arguments),
        SkillsCommand::Eval(arguments) => commands::eval::run(session, &arguments),
        SkillsCommand::Select(arguments) => commands::select::run(session, &arguments),
        SkillsCommand::Run(arguments) => commands::run::run(session, &arguments),
        SkillsCommand::Report(arguments) => match &arguments.command {
            Some(SkillsReportCommand::Convert(arguments)) => commands::report::convert(session, arguments),
            Some(SkillsReportCommand::Diff(arguments)) => commands::report::diff(session, arguments),
            None => commands::serve::run(session, &arguments),
        },
        SkillsCommand::Trend(arguments) => commands::trend::run(session, &arguments),
        SkillsCommand::Journal(JournalCommand::Prune(arguments)) => {
            let ours = |header: &Header| header.settings.get("kind").is_some_and(|kind| kind == KIND);
            prune::run(session.context, session.terminal, &arguments, ours)
        }
        SkillsCommand::Lint(arguments) => commands::lint::run(session, &arguments),
        SkillsCommand::Benchmark(command) => commands::benchmark::run(session, &command),
        SkillsCommand::Evals(arguments) => Err(moved(session.context, &arguments.rest)),
        SkillsCommand::Init(arguments) => commands::init::run(session, &arguments),
        SkillsCommand::Config(command) => commands::config::run(session, &command),
    }
}

/// `omk` runs a skill's evals, with and without the skill.
fn moved(context: &Context, rest: &[OsString]) -> CommandError {
    let skill = rest.iter().map(Path::new).find(|word| context.absolute(word).join("SKILL.md").is_file());
    let evals = skill.unwrap_or(Path::new("DIR")).join("evals").join("evals.json");
    let path = quoted(&evals.display().to_string());
    CommandError::usage(msg!("skills-cli-evals-moved"), msg!("skills-cli-evals-moved-help", path = path))
}
