//! The command line. What is typed becomes a record; a default is not a given flag, so that
//! configuration files can tell the difference.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::files::format_names;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand};
use eval_cli::prune::JournalCommand;
use eval_cli::serve::ServeArgs;
use eval_format::skills::SkillEvaluation;
use eval_render::formats::formats_of;

const ROOT_EXAMPLES: &str = "\
Examples:
  eval-skills init --dir .                                           scaffold a project
  eval-skills create --name my_calc --from-template python_script    scaffold a skill
  eval-skills eval --skills ./skills/my_calc --benchmark coding-easy
  eval-skills run --skills-dir ./skills --top-k 3                    find, evaluate, select, report

Exit codes:
  0    success
  1    the gate refuses
  2    wrong usage, configuration or input; nothing could be evaluated
  3    the harness failed, not the skills
  130  interrupted; finished tasks are in the report";

const EVAL_EXAMPLES: &str = "\
Examples:
  one skill on a built-in benchmark, three times
      eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3
  a gate for CI
      eval-skills eval --skills ./skills/production_skill --exit-on-fail --min-completion 0.8
  what would run
      eval-skills eval --skills ./skills --benchmark ./my-benchmark.json --dry-run
  resume after an interruption
      eval-skills eval --resume latest";

const REPORT_EXAMPLES: &str = "\
Examples:
  the reports of this directory, in the browser
      eval-skills report
  on another port, without opening a browser
      eval-skills report --port 8080 --no-open

Only this machine can reach the server. Ctrl-C ends it.";

/// Unit tests for callable skills: find, create, evaluate, select, report
#[derive(Debug, Parser)]
#[command(name = "eval-skills", version, propagate_version = true, disable_version_flag = true, disable_help_subcommand = true, max_term_width = 100, after_help = ROOT_EXAMPLES)]
pub(crate) struct SkillsCli {
    #[command(flatten)]
    pub(crate) global: SkillsGlobal,
    #[command(subcommand)]
    pub(crate) command: SkillsCommand,
}

/// Flags of every command, before or after it.
#[derive(Args, Clone, Debug)]
pub(crate) struct SkillsGlobal {
    /// Configuration file [default: ./eval-skills.config.yaml, if it is there]
    #[arg(short, long, global = true, value_name = "PATH", display_order = 900)]
    pub(crate) config: Option<PathBuf>,
    /// Print one JSON document and nothing else to standard output
    #[arg(long, global = true, display_order = 901)]
    pub(crate) json: bool,
    /// Disable colour
    #[arg(long, global = true, display_order = 902)]
    pub(crate) no_color: bool,
    /// Print each result on standard error (eval, run)
    #[arg(short, long, global = true, display_order = 903)]
    pub(crate) verbose: bool,
    /// Print the version
    #[arg(long, global = true, action = clap::ArgAction::Version, display_order = 904)]
    version: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Search for skills by words, tags or adapter
    #[command(allow_negative_numbers = true)]
    Find(FindArgs),
    /// Create a skill from a template, or skills from an OpenAPI or Swagger document
    Create(CreateArgs),
    /// Evaluate skills on a benchmark
    #[command(after_help = EVAL_EXAMPLES, allow_negative_numbers = true)]
    Eval(SkillsEvalArgs),
    /// Filter and rank skills by their evaluations
    #[command(allow_negative_numbers = true)]
    Select(SelectArgs),
    /// Find, evaluate, select and report in one go
    #[command(allow_negative_numbers = true)]
    Run(RunArgs),
    /// Serve reports as pages to this machine's browser; convert and compare them
    #[command(after_help = REPORT_EXAMPLES, args_conflicts_with_subcommands = true)]
    Report(SkillsReportArgs),
    /// Show a skill's completion rate over time, from the store
    Trend(SkillsTrendArgs),
    /// Check skills' files against their formats, SKILL.md included
    Lint(LintArgs),
    /// Remove the journals of old runs
    #[command(subcommand)]
    Journal(JournalCommand),
    /// List, show and import benchmarks
    #[command(subcommand)]
    Benchmark(BenchmarkCommand),
    /// Moved: `omk eval --samples DIR/evals/evals.json` runs a skill's evals
    #[command(hide = true, disable_help_flag = true)]
    Evals(MovedArgs),
    /// Scaffold a project
    Init(SkillsInitArgs),
    /// Read and write configuration
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// Words to search for in id, name, description and tags
    #[arg(short, long, value_name = "WORDS")]
    pub(crate) query: Option<String>,
    /// Required tags; case is ignored
    #[arg(short, long, value_name = "TAG", num_args = 1..)]
    pub(crate) tag: Vec<String>,
    /// Adapter type: http, subprocess, mcp, langchain, custom
    #[arg(short, long, value_name = "TYPE", value_parser = ["http", "subprocess", "mcp", "langchain", "custom"], hide_possible_values = true)]
    pub(crate) adapter: Option<String>,
    /// Lowest completion rate, 0-1: the mean of the newest rates of all benchmarks in the store
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) min_completion: Option<f64>,
    /// Directory to search [default: ./skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) skills_dir: Option<PathBuf>,
    /// Maximum number of results [default: 20]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) limit: Option<u32>,
    /// The store with the history [default: ./eval-skills.db]
    #[arg(long, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// The skill's name, from which its id is made
    #[arg(long, value_name = "NAME", required_unless_present = "from_openapi")]
    pub(crate) name: Option<String>,
    /// http_request, python_script or mcp_tool [default: http_request]
    #[arg(long, value_name = "TEMPLATE", value_parser = ["http_request", "python_script", "mcp_tool"], hide_possible_values = true, conflicts_with = "from_openapi")]
    pub(crate) from_template: Option<String>,
    /// One skill for each operation of an OpenAPI 3 or Swagger 2.0 document (JSON or YAML)
    #[arg(long, value_name = "FILE")]
    pub(crate) from_openapi: Option<PathBuf>,
    /// Directory to create it in [default: ./skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Description of the skill
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Overwrite files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

/// What `eval` and `run` share.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EvaluationArgs {
    /// A benchmark's id (`benchmark list` shows them), or its file [default: coding-easy]
    #[arg(long, value_name = "ID|PATH")]
    pub(crate) benchmark: Option<String>,
    /// A file with tasks (a list, or an object with `tasks`), instead of a benchmark
    #[arg(long, value_name = "FILE", conflicts_with = "benchmark")]
    pub(crate) tasks: Option<PathBuf>,
    /// Only tasks with all these tags; case is ignored
    #[arg(long, value_name = "TAG", num_args = 1..)]
    pub(crate) tag: Vec<String>,
    /// Only the tasks with these ids
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) task: Vec<String>,
    /// Maximum number of concurrent tasks [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    pub(crate) concurrency: Option<u32>,
    /// Time limit of one attempt at a task that sets none, in milliseconds [default: 30000]
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=86_400_000))]
    pub(crate) timeout: Option<u64>,
    /// Retries of a task that ends in an error or a timeout, never of a wrong answer [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=100))]
    pub(crate) retries: Option<u32>,
    /// How often each task is run [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000))]
    pub(crate) runs: Option<u32>,
    /// Scorer of tasks that name none [default: exact]
    #[arg(long, value_name = "TYPE")]
    pub(crate) evaluator: Option<String>,
    /// Report formats: json, markdown, html, csv, junit [default: json markdown]
    #[arg(long, value_name = "FORMAT", num_args = 1.., value_parser = PossibleValuesParser::from(format_names()), hide_possible_values = true)]
    pub(crate) format: Vec<String>,
    /// Directory for reports [default: ./reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Exit with 1 if a skill is below --min-completion
    #[arg(long)]
    pub(crate) exit_on_fail: bool,
    /// Lowest completion rate, 0-1 [default: 0.7]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) min_completion: Option<f64>,
    /// Check everything, print the plan, run and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Directory with further benchmarks, which override built-in ones [default: ./benchmarks]
    #[arg(long, value_name = "DIR")]
    pub(crate) benchmarks_dir: Option<PathBuf>,
    /// SQLite database of all results [default: ./eval-skills.db]
    #[arg(long, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
    /// Run skills without a sandbox
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// Executor of llm_judge tasks, as in omk [default: llm.executor of the configuration]
    #[arg(long, value_name = "NAME|COMMAND")]
    pub(crate) judge_executor: Option<String>,
    /// Model of llm_judge tasks [default: llm.model of the configuration]
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge_model: Option<String>,
    /// Seed of all random draws [default: made from skills and benchmark]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: Option<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct SkillsEvalArgs {
    /// Skill files, directories, or trees of skills
    #[arg(long, value_name = "PATH", num_args = 1.., required_unless_present = "resume")]
    pub(crate) skills: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
    /// Resume an interrupted evaluation: its id, or latest. Only --exit-on-fail, --min-completion, --format, --output-dir,
    /// --concurrency, --judge-executor and --strict-journal can be combined with it
    #[arg(long, value_name = "ID", conflicts_with_all = ["skills", "benchmark", "tasks", "tag", "task", "timeout", "retries", "runs", "evaluator", "dry_run", "benchmarks_dir", "store", "no_sandbox", "judge_model", "seed"])]
    pub(crate) resume: Option<String>,
    /// With --resume: refuse a journal with a line that can't be read or was edited, instead of asking again what it held
    #[arg(long)]
    pub(crate) strict_journal: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SelectArgs {
    /// Directory of candidate skills, or a JSON file with skills
    #[arg(long, value_name = "PATH")]
    pub(crate) from: PathBuf,
    /// Evaluation reports; of several reports of a skill the newest complete one counts [default: the store's]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) reports: Vec<PathBuf>,
    /// Strategy (YAML or JSON) [default: by composite score]
    #[arg(long, value_name = "FILE")]
    pub(crate) strategy: Option<PathBuf>,
    /// Id of the benchmark whose reports are used [default: the newest complete report's]
    #[arg(long, value_name = "ID")]
    pub(crate) benchmark: Option<String>,
    /// Lowest completion rate, 0-1 [default: the strategy's, then minCompletion of the configuration]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) min_completion: Option<f64>,
    /// Maximum number of selected skills [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) top_k: Option<u32>,
    /// File for the selected skills; - is standard output [default: -]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The store with the history [default: ./eval-skills.db]
    #[arg(long, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Words to search for [default: all skills of the directory]
    #[arg(short, long, value_name = "WORDS")]
    pub(crate) query: Option<String>,
    /// Directory to search [default: ./skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) skills_dir: Option<PathBuf>,
    /// Strategy (YAML or JSON) [default: by composite score]
    #[arg(long, value_name = "FILE")]
    pub(crate) strategy: Option<PathBuf>,
    /// Maximum number of selected skills [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) top_k: Option<u32>,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

/// The arguments of `report`: of the server, unless a command follows.
#[derive(Args, Debug)]
pub(crate) struct SkillsReportArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SkillsReportCommand>,
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
    /// Directory of reports [default: ./reports]
    #[arg(long, visible_alias = "reports-dir", value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsReportCommand {
    /// Write a JSON report in another format
    Convert(ConvertArgs),
    /// Compare two reports of the same benchmark: regressions, flips, an exact test
    Diff(SkillsDiffArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The JSON report
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// terminal, markdown, junit, csv, jsonl or html
    #[arg(long, value_name = "FORMAT", value_parser = conversions(), hide_possible_values = true)]
    pub(crate) format: String,
    /// File to write; - is standard output [default: beside the input]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct SkillsDiffArgs {
    /// The earlier report
    pub(crate) a: PathBuf,
    /// The later report
    pub(crate) b: PathBuf,
    /// Name of the earlier report [default: its file's name]
    #[arg(long, value_name = "TEXT")]
    pub(crate) label_a: Option<String>,
    /// Name of the later report [default: its file's name]
    #[arg(long, value_name = "TEXT")]
    pub(crate) label_b: Option<String>,
    /// File for the comparison, as Markdown; - is standard output [default: -]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Compare even if the benchmarks differ
    #[arg(long)]
    pub(crate) force: bool,
    /// Exit with 1 if a skill got worse
    #[arg(long)]
    pub(crate) fail_on_regression: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SkillsTrendArgs {
    /// The skill's id
    #[arg(long, value_name = "ID")]
    pub(crate) skill: String,
    /// The benchmark's id [default: all, separately]
    #[arg(long, value_name = "ID")]
    pub(crate) benchmark: Option<String>,
    /// The store [default: ./eval-skills.db]
    #[arg(long, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// Skill files, directories, or trees of skills [default: ./skills]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Treat warnings about files as errors
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchmarkCommand {
    /// List the benchmarks
    List {
        /// Directory with further benchmarks [default: ./benchmarks]
        #[arg(long, value_name = "DIR")]
        benchmarks_dir: Option<PathBuf>,
    },
    /// Print a benchmark as JSON, as a starting point for your own
    Show {
        /// A benchmark's id, or its file
        #[arg(value_name = "ID|PATH")]
        benchmark: String,
        /// Directory with further benchmarks [default: ./benchmarks]
        #[arg(long, value_name = "DIR")]
        benchmarks_dir: Option<PathBuf>,
    },
    /// Make a benchmark from a data set's files or the cases of another tool
    #[command(allow_negative_numbers = true)]
    Import(BenchmarkImportArgs),
}

#[derive(Args, Debug)]
pub(crate) struct BenchmarkImportArgs {
    /// gaia, toolbench, promptfoo, or rows: questions and answers as JSON lines, a JSON list or CSV
    #[arg(value_name = "FORMAT", value_parser = benchmark_formats(), hide_possible_values = true)]
    pub(crate) format: String,
    /// The data: GAIA's metadata.jsonl, ToolBench's queries as JSON, a promptfoo configuration, or rows
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// GAIA's level [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=3))]
    pub(crate) level: Option<u32>,
    /// Columns of rows that the skill is given, as COLUMN or COLUMN=NAME of its input [default: that of the question]
    #[arg(long, value_name = "COLUMN", num_args = 1..)]
    pub(crate) input: Vec<String>,
    /// Column of the expected answer [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) expected_column: Option<String>,
    /// Column of the id [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) id_column: Option<String>,
    /// Scorer of the expected answers of rows: exact_match, contains or llm_judge [default: exact_match]
    #[arg(long, value_name = "TYPE", value_parser = ["exact_match", "contains", "llm_judge"], hide_possible_values = true)]
    pub(crate) scorer: Option<String>,
    /// Where to write the benchmark; - is standard output [default: ID.json in the directory of benchmarks]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite a file that exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// The names of the formats that benchmarks are made of.
fn benchmark_formats() -> PossibleValuesParser {
    // Those of agents are not offered, and yet understood: the import says where they belong.
    let of_cases = eval_load::CASE_FORMATS.iter().map(|of| PossibleValue::new(of.name).hide(!of.is_for_skills));
    PossibleValuesParser::new(["gaia", "toolbench"].map(PossibleValue::new).into_iter().chain(of_cases))
}

/// Whatever is typed after a command that moved to another program.
#[derive(Args, Debug)]
pub(crate) struct MovedArgs {
    /// Anything
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(crate) struct SkillsInitArgs {
    /// Directory to fill [default: .]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List all values with their sources
    List,
    /// Print a value as JSON
    Get {
        /// The key, such as llm.model
        key: String,
    },
    /// Store a value in ~/.eval-skills/config.yaml
    #[command(allow_negative_numbers = true)]
    Set {
        /// The key, such as llm.model
        key: String,
        /// The value
        value: String,
    },
}

/// A whole number in `range`. The parser's own has no words for one that doesn't fit its type.
fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("not a whole number".to_owned());
        }
        let value = text.parse().ok().filter(|value| range.contains(value)).and_then(|value| T::try_from(value).ok());
        value.ok_or_else(|| format!("{text} is not in {}..={}", range.start(), range.end()))
    }
}

/// A share in 0..=1.
fn rate(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(format!("{value} is not in 0..=1")),
    }
}

/// The formats that a JSON report converts to.
fn conversions() -> PossibleValuesParser {
    formats_of::<SkillEvaluation>().map(|format| format.name).filter(|name| *name != "json").collect::<Vec<_>>().into()
}
