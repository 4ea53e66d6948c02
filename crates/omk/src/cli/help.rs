//! Help in the reader's language.
//!
//! English help is the doc comments of the parser; Chinese help stands in the `help` catalogue under
//! keys made from the command's path and the flag's name, such as `help-eval--samples`. A test walks
//! the whole command tree and fails on a key that is missing.

use clap::{Arg, ArgAction, Command};
use eval_spec::{Lang, Message, message};

pub(crate) const INPUTS: &str = "Inputs";
pub(crate) const MODEL: &str = "Model";
pub(crate) const RUN: &str = "Run";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const OUTPUT: &str = "Output";

pub(crate) const ROOT_EXAMPLES: &str = "\
Examples:
  omk init my-eval && cd my-eval     scaffold a project
  omk eval --dry-run                 what would run, and what it would cost
  omk eval                           compare, decide, exit 0 only when shipping is allowed";

pub(crate) const INIT_EXAMPLES: &str = "\
Examples:
  omk init              fill the working directory; files that exist are left alone
  omk init my-eval      fill my-eval/";

pub(crate) const EVAL_EXAMPLES: &str = "\
Examples:
  omk eval                                            what ./eval.yaml says
  omk eval --control v1 --treatment v2                two versions in skills/
  omk eval --control baseline --treatment git:HEAD:v2 nothing against a committed version
  omk eval --executor openai-api --model gpt-4o       another provider
  omk eval --executor './my-agent --fast'             any program: JSON in, text or JSON out
  omk eval --record recordings/                       keep every answer
  omk eval --executor replay --recordings recordings/ answer from the recordings, offline
  omk eval --resume latest                            go on after an interruption

Exit codes:
  0 shipping is allowed   1 the gate refuses   2 wrong input, nothing was executed
  3 not a valid measurement   130 interrupted, resumable";

/// The command tree with its texts in `lang`.
pub(crate) fn localised(command: Command, lang: Lang) -> Command {
    match lang {
        Lang::En => command,
        Lang::Zh => translate(command, "help"),
    }
}

fn translate(command: Command, path: &str) -> Command {
    let children: Vec<String> = command.get_subcommands().map(|child| child.get_name().to_owned()).collect();
    let arguments: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    let mut command = command
        .about(text(&format!("{path}-about")))
        .help_template("{about}\n\n用法：{usage}\n\n{all-args}{after-help}")
        .subcommand_help_heading("命令")
        .disable_help_flag(true)
        .arg(
            Arg::new("help")
                .short('h')
                .long("help")
                .action(ArgAction::Help)
                .help(text("help--help"))
                .help_heading("选项"),
        );
    if command.get_after_help().is_some() {
        command = command.after_help(text(&format!("{path}-examples")));
    }
    if command.get_version().is_some() {
        command = command.disable_version_flag(true).arg(
            Arg::new("version")
                .short('V')
                .long("version")
                .action(ArgAction::Version)
                .help(text("help--version"))
                .help_heading("选项"),
        );
    }
    for id in arguments {
        command = command.mut_arg(&id, |argument| translate_argument(argument, path));
    }
    for child in children {
        command = command.mut_subcommand(&child, |sub| translate(sub, &format!("{path}-{child}")));
    }
    command
}

fn translate_argument(argument: Arg, path: &str) -> Arg {
    let heading = match argument.get_help_heading() {
        Some(INPUTS) => "输入",
        Some(MODEL) => "模型",
        Some(RUN) => "运行",
        Some(DECISION) => "判定",
        Some(OUTPUT) => "输出",
        _ if argument.is_positional() => "参数",
        _ => "选项",
    };
    let key = key(&argument, path);
    argument.help(text(&key)).help_heading(heading)
}

/// The catalogue key of an argument. The flags shared by `eval`, `bench run` and `bench ci` have one
/// key each.
pub(crate) fn key(argument: &Arg, path: &str) -> String {
    let name = argument.get_id().as_str().replace('_', "-");
    let own = format!("{path}--{name}");
    match message::has(Lang::Zh, &own) {
        true => own,
        false => format!("help--{name}"),
    }
}

fn text(id: &str) -> String {
    Message { id: id.to_owned().into(), args: Default::default() }.text(Lang::Zh)
}
