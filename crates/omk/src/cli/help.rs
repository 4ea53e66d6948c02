//! Help in the reader's language.
//!
//! English help is the doc comments of the parser; Chinese help is in the `help` catalogue, under
//! keys made from the command's path and the flag's name, such as `help-eval--samples`. A test walks
//! the whole command tree and fails on a key that is missing.

use clap::{Arg, ArgAction, Command};
use eval_message::{Lang, chinese_help};

pub(crate) const INPUTS: &str = "Inputs";
pub(crate) const MODEL: &str = "Model";
pub(crate) const JUDGE: &str = "Judge";
pub(crate) const RUN: &str = "Run";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const OUTPUT: &str = "Output";

pub(crate) const ROOT_EXAMPLES: &str = "\
Examples:
  omk init my-eval && cd my-eval   scaffold a project
  omk eval --dry-run               what would run, and what it would cost
  omk eval                         compare and decide: exit code 0 means ship";

pub(crate) const INIT_EXAMPLES: &str = "\
Examples:
  omk init           fill the working directory; files that exist are kept
  omk init my-eval   fill my-eval/";

pub(crate) const EVAL_EXAMPLES: &str = "\
Examples:
  run ./eval.yaml
      omk eval
  two versions in skills/
      omk eval --control v1 --treatment v2
  nothing against a committed version
      omk eval --control baseline --treatment git:HEAD:v2
  a pull request: what changed, against the base branch
      omk eval --control git:origin/main:v1 --treatment v1 --since origin/main
  another provider
      omk eval --executor openai-api --model gpt-4o
  any program: JSON in, text or JSON out
      omk eval --executor './my-agent --fast'
  record every answer, then replay the recordings offline
      omk eval --record recordings/
      omk eval --executor replay --recordings recordings/
  resume after an interruption
      omk eval --resume latest
  ask again what failed, and keep everything else
      omk eval --resume latest --retry-failed
  let a gain with a doubt pass
      omk eval --gate cautious
  a table by capability below the summary
      omk eval --by capability
  the same artifact twice: which samples waver
      omk eval --control v1 --aa

Exit codes:
  0    shipping is allowed
  1    the gate refuses
  2    wrong usage or input, nothing was executed
  3    not a valid measurement
  130  interrupted, can be resumed";

pub(crate) const RESULTS_EXAMPLES: &str = "\
Examples:
  two prompts in one promptfoo output
      omk verdict output.json
  four columns of it: one against another
      omk verdict output.json --by prompt --control old --treatment new
  a file for each arm, the control first
      omk verdict before.json after.json
  a table from a notebook
      omk verdict scores.csv --id-column question --arm-column system --score-column rating --scale 1..5
  a column for each arm
      omk verdict wide.csv --control baseline --treatment candidate
  is the cheaper one good enough?
      omk verdict output.json --goal not-worse --margin 0.2

Exit codes:
  0    shipping is allowed
  1    the gate refuses
  2    wrong usage or input
  3    not a valid measurement";

pub(crate) const DOCTOR_EXAMPLES: &str = "\
Examples:
  the project in this directory
      omk doctor
  another one, with another executor than its own
      omk doctor ./my-project --executor codex
  one skill, against the Agent Skills specification
      omk doctor skills/my-skill
  every finding, for CI
      omk doctor --json

  does the agent show one variant's model the artifact of another one?
      omk doctor --isolation

It executes nothing that a skill, a sample or a check names, and asks no model.

Exit codes:
  0    all is well
  1    there are warnings
  2    there are problems";

pub(crate) const REPORT_EXAMPLES: &str = "\
Examples:
  the project's reports, in the browser
      omk report
  on another port, without opening a browser
      omk report --port 8080 --no-open
  those of a directory
      omk report --reports-dir ci-reports

Only this machine can reach the server. Ctrl-C ends it.";

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  the formats
      omk report export --list
  a comment on a pull request
      omk report export latest --format markdown --output comment.md
  test results for CI
      omk report export latest --format junit --output report.xml
  every execution, for a spreadsheet
      omk report export ID --format csv --output executions.csv
  what the agents did, for OpenTelemetry
      omk report export ID --format otel --output traces.jsonl";

pub(crate) const VERDICT_EXAMPLES: &str = "\
Examples:
  omk report verdict latest                 does every stored number follow from the results?
  omk report verdict ID --json              each difference: path, stored, recomputed

Exit codes:
  3                                         a stored number differs
  2                                         the report can't be read
  others                                    as the run's own";

pub(crate) const SHOW_EXAMPLES: &str = "\
Examples:
  a sample of the last run, with the answers of all variants
      omk show s001
  one of an earlier run
      omk show s001 2026-03-01T10-00-00-v1-v2
  what one variant answered
      omk show s001 --variant v2
  everything that is stored of it
      omk show s001 --json";

pub(crate) const DIFF_EXAMPLES: &str = "\
Examples:
  what moved between two runs
      omk diff 2026-03-01T10-00-00-v1-v2 latest
  the treatments of one run against its control
      omk diff latest
  a variant that was renamed
      omk diff A.json B.json --variant v2:v3
  the test set grew: compare the samples that stayed the same
      omk diff A.json B.json --force
  a guard in CI
      omk diff baseline.json latest --fail-on-regress";

pub(crate) const GAPS_EXAMPLES: &str = "\
Examples:
  omk gaps list                                          the gaps of the newest report
  omk gaps done gap-1a2b3c4d                             the knowledge is there now
  omk gaps dismiss gap-1a2b3c4d --reason 'not ours'      none that is to be closed
  omk gaps reopen gap-1a2b3c4d                           open again";

pub(crate) const TREND_EXAMPLES: &str = "\
Examples:
  omk trend                                 every series of stored reports
  omk trend latest                          those of the newest report's project
  omk trend --samples eval-samples.json     those of a sample file
  omk trend --json                          every point, for a plot";

pub(crate) const OBSERVE_EXAMPLES: &str = "\
Examples:
  omk observe                              the agents' own sessions of this project
  omk observe --last 7d --skills review    one skill, one week
  omk observe logs/ more/session.jsonl     sessions from elsewhere
  omk observe inbox                        which pages to write first, and what shows it
  omk observe compare 20260324-153045      the last observation beside an earlier one";

pub(crate) const IMPORT_EXAMPLES: &str = "\
Examples:
  omk import promptfooconfig.yaml --output omk    prompts, tests and checks; what has no equal is listed
  omk import questions.jsonl --check equals       rows such as {\"input\": ..., \"ideal\": ...}
  omk import table.csv --prompt-column frage      a column by its name";

pub(crate) const SAMPLE_EXAMPLES: &str = "\
Examples:
  omk observe && omk sample --from-traces         what users asked and agents didn't find
  omk eval --samples eval-samples.draft.yaml      once each draft was read";

pub(crate) const POWER_EXAMPLES: &str = "\
Examples:
  from a pilot: samples for each difference, with the range that its spread leaves open
      omk power latest
      omk power latest --effect 0.2,0.3 --power 0.9
  from numbers: what do 50 samples show?
      omk power --sd 0.9 --correlation 0.6 --n 50";

pub(crate) const MOCKS_RECORD_EXAMPLES: &str = "\
Examples:
  what the agent does with the first treatment, as mocks.yaml
      omk mocks record
  one sample, with another variant and agent
      omk mocks record --sample deploy --variant v2 --executor codex
  with the servers of your own settings
      omk mocks record --no-strict-baseline --output recorded.yaml

The tools run for real. Read what was recorded, then put the mocks of each sample into the sample file.";

pub(crate) const FAILURES_EXAMPLES: &str = "\
Examples:
  what goes wrong in the last run, and which variant has it
      omk failures latest
  what the treatment does wrong
      omk failures latest --variant v2
  with a name for each cluster, by a model
      omk failures latest --label --judge-model haiku";

pub(crate) const GOLD_EXAMPLES: &str = "\
Examples:
  20 samples to score by hand, without knowing which variant answered
      omk gold init latest --gold-dir gold --annotator ann --samples 20 --blind
  are the files in order, and do they fit the report?
      omk gold validate --gold-dir gold latest
  how far the judge can be trusted
      omk gold compare latest --gold-dir gold
  check the judges of the next run
      omk eval --gold-dir gold";

/// The command tree with its texts in `lang`.
pub(crate) fn localised(command: Command, lang: Lang) -> Command {
    match lang {
        Lang::En => command,
        Lang::Zh => translate(command, "help"),
    }
}

/// A rendered help page with the parser's own words in `lang` as well.
pub(crate) fn rendered(page: &str, lang: Lang) -> String {
    eval_cli::page::rendered(page, lang, HEADINGS)
}

/// Sections of a manual page: as they are generated, in English, in Chinese.
const SECTIONS: &[(&str, &str, &str)] = &[
    ("NAME", "NAME", "名称"),
    ("SYNOPSIS", "SYNOPSIS", "概要"),
    ("DESCRIPTION", "DESCRIPTION", "描述"),
    ("OPTIONS", "OPTIONS", "选项"),
    ("SUBCOMMANDS", "COMMANDS", "命令"),
    ("EXTRA", "EXAMPLES", "示例"),
    ("VERSION", "VERSION", "版本"),
];

/// A manual page with its sections' names in `lang`.
pub(crate) fn headings(page: &str, lang: Lang) -> String {
    let named = |line: &str| {
        let section = line.strip_prefix(".SH ")?;
        let (_, english, chinese) = SECTIONS.iter().find(|(generated, ..)| *generated == section)?;
        Some(format!(".SH {}", if lang == Lang::Zh { chinese } else { english }))
    };
    let page =
        page.replace("<\\fIsubcommands\\fR>", if lang == Lang::Zh { "<\\fI命令\\fR>" } else { "<\\fIcommand\\fR>" });
    page.lines().map(|line| named(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// The headings of groups of options.
const HEADINGS: &[(&str, &str)] =
    &[(INPUTS, "输入"), (MODEL, "模型"), (JUDGE, "评委"), (RUN, "运行"), (DECISION, "判定"), (OUTPUT, "输出")];

fn translate(command: Command, path: &str) -> Command {
    let children: Vec<String> = command.get_subcommands().map(|child| child.get_name().to_owned()).collect();
    let arguments: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    let flag = |name: &'static str, short, action| {
        Arg::new(name).short(short).long(name).action(action).help(text(&format!("help--{name}"))).display_order(999)
    };
    let mut command = command.about(text(&format!("{path}-about")));
    if command.get_after_help().is_some() {
        command = command.after_help(text(&format!("{path}-examples")));
    }
    for id in arguments {
        command = command.mut_arg(&id, |argument| translate_argument(argument, path));
    }
    command = command.disable_help_flag(true).arg(flag("help", 'h', ArgAction::Help));
    if command.get_version().is_some() {
        command = command.disable_version_flag(true).arg(flag("version", 'V', ArgAction::Version));
    }
    for child in children {
        command = command.mut_subcommand(&child, |sub| translate(sub, &format!("{path}-{child}")));
    }
    command
}

fn translate_argument(argument: Arg, path: &str) -> Arg {
    let english = argument.get_help_heading();
    let heading = HEADINGS.iter().find(|(name, _)| Some(*name) == english).map(|(_, chinese)| *chinese);
    let key = key(&argument, path);
    let argument = argument.help(text(&key));
    match heading {
        Some(heading) => argument.help_heading(heading),
        None => argument,
    }
}

/// The catalogue key of an argument: that of its command, else one that several commands share.
pub(crate) fn key(argument: &Arg, path: &str) -> String {
    let name = argument.get_id().as_str().replace('_', "-");
    let own = format!("{path}--{name}");
    match chinese_help(&own) {
        Some(_) => own,
        None => format!("help--{name}"),
    }
}

fn text(id: &str) -> String {
    chinese_help(id).unwrap_or_else(|| id.to_owned())
}
