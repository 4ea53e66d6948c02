//! The command line. Doc comments are the English help; the Chinese help is in a catalogue under the same names (see
//! [`help`]).

pub(crate) mod help;
mod run;
mod verdict;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand};
use eval_cli::deferred::Deferred;
use eval_cli::prune::JournalCommand;
use eval_cli::serve::ServeArgs;
use eval_spec::suite::Written;

pub(crate) use self::run::{BenchRunArgs, DecisionFlags, Directories, EvalArgs, EvalCommandArgs};
pub(crate) use self::verdict::VerdictArgs;

/// Is this knowledge artifact worth shipping? Same model, same samples, only the artifact changes
#[derive(Debug, Parser)]
#[command(name = "omk", version, disable_help_subcommand = true, max_term_width = 100, after_help = help::ROOT_EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: OmkCommand,
}

/// Flags of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print one JSON document on standard output and nothing else
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,
    /// Language of messages: en or zh [default: OMK_LANG, then the locale]
    #[arg(long, global = true, value_name = "LANG", value_parser = languages(), hide_possible_values = true, display_order = 901)]
    pub(crate) lang: Option<String>,
    /// Disable colour (NO_COLOR does the same)
    #[arg(long, global = true, display_order = 902)]
    pub(crate) no_color: bool,
}

/// The languages, also by the names of locales.
fn languages() -> PossibleValuesParser {
    let english = ["en_US", "en-US", "en_GB", "en-GB", "en_US.UTF-8", "en_GB.UTF-8"];
    let chinese = ["zh_CN", "zh-CN", "zh_CN.UTF-8", "zh-Hans", "zh_Hans"];
    PossibleValuesParser::new([PossibleValue::new("en").aliases(english), PossibleValue::new("zh").aliases(chinese)])
}

#[derive(Debug, Subcommand)]
pub(crate) enum OmkCommand {
    /// Scaffold a small project: two versions of a skill, samples, eval.yaml
    #[command(after_help = help::INIT_EXAMPLES)]
    Init(Deferred<InitArgs>),
    /// Check whether a run can begin: programs, keys, endpoints, samples, skills, disk, cost
    #[command(after_help = help::DOCTOR_EXAMPLES)]
    Doctor(Deferred<DoctorArgs>),
    /// Compare artifacts: run every sample with every variant, grade, decide
    #[command(after_help = help::EVAL_EXAMPLES, allow_negative_numbers = true)]
    Eval(Deferred<EvalCommandArgs>),
    /// Decide on results that another tool wrote: promptfoo, Inspect, JUnit, CSV and others; nothing is executed
    #[command(after_help = help::RESULTS_EXAMPLES)]
    Verdict(Deferred<VerdictArgs>),
    /// Commands of earlier versions: bench init, bench run, bench ci, bench report
    #[command(subcommand)]
    Bench(Deferred<BenchCommand>),
    /// Serve stored reports as pages to this machine's browser; work with them
    #[command(after_help = help::REPORT_EXAMPLES, args_conflicts_with_subcommands = true)]
    Report(Deferred<ReportArgs>),
    /// Serve stored reports as pages (same as `omk report`)
    Studio(Deferred<ServeReportsArgs>),
    /// Show one sample of a stored report: both answers, checks, judges' reasons, calls of tools
    #[command(after_help = help::SHOW_EXAMPLES)]
    Show(Deferred<ShowArgs>),
    /// Compare two reports sample by sample, or a report's treatments with its control
    #[command(after_help = help::DIFF_EXAMPLES)]
    Diff(Deferred<DiffArgs>),
    /// See how skills do in real sessions: missing knowledge, failing tools, cost, per skill
    #[command(after_help = help::OBSERVE_EXAMPLES, args_conflicts_with_subcommands = true)]
    Observe(Deferred<ObserveArgs>),
    /// Carry over the cases of another tool: promptfoo, Agent Skills, Inspect, OpenAI's evals, rows of a data set
    #[command(after_help = help::IMPORT_EXAMPLES)]
    Import(Deferred<ImportArgs>),
    /// Draft samples, from real sessions or from a knowledge base, into a file for review
    #[command(after_help = help::SAMPLE_EXAMPLES)]
    Sample(Deferred<SampleArgs>),
    /// Show stored reports over time; comparable ones form a series
    #[command(after_help = help::TREND_EXAMPLES)]
    Trend(Deferred<TrendArgs>),
    /// Compute how many samples an effect needs, from a pilot report or from given numbers
    #[command(after_help = help::POWER_EXAMPLES, allow_negative_numbers = true)]
    Power(Deferred<PowerArgs>),
    /// Cluster what failed in a stored report: which checks, how often, for which variant
    #[command(after_help = help::FAILURES_EXAMPLES)]
    Failures(Deferred<FailuresArgs>),
    /// Gaps of the knowledge base: list those of a report, and keep what was decided on them in gaps.json
    #[command(subcommand, after_help = help::GAPS_EXAMPLES)]
    Gaps(Deferred<GapsCommand>),
    /// Compare judges with people: templates to score by hand, agreement, bias
    #[command(subcommand, after_help = help::GOLD_EXAMPLES)]
    Gold(Deferred<GoldCommand>),
    /// Record the tool calls of an agent, to answer them from mocks later
    #[command(subcommand)]
    Mocks(Deferred<MocksCommand>),
    /// Measure how a bias of the judges affects a stored run
    #[command(subcommand)]
    Debias(Deferred<DebiasCommand>),
    /// Inspect the cache of answers
    #[command(subcommand)]
    Cache(Deferred<CacheCommand>),
    /// List the prices that costs and budgets are computed with, and where your own go
    Prices {
        /// Only this model; an error if it has no price
        model: Option<String>,
    },
    /// Remove the journals of old runs
    #[command(subcommand)]
    Journal(Deferred<JournalCommand>),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one per command into a directory
    Man {
        /// Write the pages of all commands into this directory
        #[arg(long, value_name = "DIR")]
        output_dir: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The directory to fill [default: the working directory]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// An eval.yaml, a directory with one, or a skill [default: the working directory]
    pub(crate) target: Option<PathBuf>,
    /// Check for this executor, as with omk eval
    #[arg(long, value_name = "NAME")]
    pub(crate) executor: Option<String>,
    /// Check for this model, as with omk eval
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Also call the agent once for each variant, against a server of omk's own on this machine: does anything of another variant reach the model?
    #[arg(long)]
    pub(crate) isolation: bool,
}

impl DoctorArgs {
    /// The settings that the flags give.
    pub(crate) fn written(&self) -> Written {
        Written { executor: self.executor.clone(), model: self.model.clone(), ..Written::default() }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Scaffold a small project (same as `omk init`)
    Init(InitArgs),
    /// Run the evaluation and print the report as JSON
    #[command(allow_negative_numbers = true)]
    Run(BenchRunArgs),
    /// Run the evaluation; exit 0 when every variant reaches the threshold, else 1
    #[command(allow_negative_numbers = true)]
    Ci(BenchRunArgs),
    /// Serve stored reports as pages (same as `omk report`)
    Report(ServeReportsArgs),
}

/// The arguments of `report`: of the server, unless a command follows.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ReportCommand>,
    #[command(flatten)]
    pub(crate) serve: ServeReportsArgs,
}

/// The arguments of the report server.
#[derive(Debug, Args)]
pub(crate) struct ServeReportsArgs {
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
    /// Read comparisons blind: names, scores and costs are hidden until they are revealed
    #[arg(long)]
    pub(crate) blind: bool,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// Write a stored report in another format: for CI, a pull request, a spreadsheet, traces, Agent Skills
    #[command(after_help = help::EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Recompute a stored report from its results; exit with its verdict's code, or 3 if a number differs
    #[command(after_help = help::VERDICT_EXAMPLES)]
    Verdict(StoredReport),
    /// Reveal the names of a report that is read blind; the time is recorded
    Reveal(StoredReport),
}

/// A stored report.
#[derive(Debug, Args)]
pub(crate) struct StoredReport {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

/// The directory of stored reports.
#[derive(Debug, Args)]
pub(crate) struct ReportsDir {
    /// Directory of stored reports [default: .omk/reports of the project, else ~/.oh-my-knowledge/reports]
    #[arg(long, visible_alias = "output-dir", value_name = "DIR", display_order = 899)]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The report's id, its file, or latest
    #[arg(required_unless_present = "list")]
    pub(crate) report: Option<String>,
    /// The format; --list shows them
    #[arg(long, value_name = "FORMAT", required_unless_present = "list")]
    pub(crate) format: Option<String>,
    /// Write to this file [default: standard output]; of agent-skills and inspect, a directory [default: SKILL-workspace, inspect-logs]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// List the formats, and write nothing
    #[arg(long, conflicts_with_all = ["report", "format", "output"])]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The sample's id
    pub(crate) sample: String,
    /// The report's id, its file, or latest [default: latest]
    #[arg(default_value = "latest", hide_default_value = true)]
    pub(crate) report: String,
    /// Show only the answers of this variant
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The earlier report: its id, its file, or latest
    pub(crate) a: String,
    /// The later report; without it, A's treatments are compared with its control
    pub(crate) b: Option<String>,
    /// Compare these variants, NAME or NAME_IN_A:NAME_IN_B [default: those with the same name]
    #[arg(long, value_name = "A:B", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Compare the samples that both reports share, even if the test sets differ
    #[arg(long, requires = "b")]
    pub(crate) force: bool,
    /// Exit with 1 if a variant got worse: its interval is below 0
    #[arg(long)]
    pub(crate) fail_on_regress: bool,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct TrendArgs {
    /// Only reports of the same project and sample file as this one: its id, its file, or latest
    pub(crate) report: Option<String>,
    /// Only reports of these test sets: their ids, or their sample files
    #[arg(long, value_name = "TESTSETS", value_delimiter = ',')]
    pub(crate) samples: Vec<String>,
    /// Maximum number of files to read, newest first [default: 1000]
    #[arg(long, value_name = "N", default_value_t = 1000, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct ObserveArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ObserveCommand>,
    /// Session files, or folders of them [default: the agents' own sessions of this project]
    pub(crate) paths: Vec<PathBuf>,
    /// Only what began in this time before now: 90m, 24h, 7d, 2w
    #[arg(long, value_name = "TIME", conflicts_with_all = ["from", "to"])]
    pub(crate) last: Option<String>,
    /// Only what began on this day or later; a day in UTC, or a time as in RFC 3339
    #[arg(long, value_name = "DAY")]
    pub(crate) from: Option<String>,
    /// Only what began on this day or earlier, or before this time
    #[arg(long, value_name = "DAY")]
    pub(crate) to: Option<String>,
    /// Only the work with these skills
    #[arg(long, value_name = "SKILLS", value_delimiter = ',')]
    pub(crate) skills: Vec<String>,
    /// Show which files of this knowledge base were read [default: .claude/knowledge of this project]; if given, limit the inbox to searches in or for it
    #[arg(long, value_name = "PATH")]
    pub(crate) kb: Vec<PathBuf>,
    /// Look for marks and sentences of doubt in what models think, too
    #[arg(long)]
    pub(crate) thinking: bool,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ObserveCommand {
    /// List what is missing again and again, the most wanted first, with the places that show it
    Inbox(InboxArgs),
    /// Mark a gap of the inbox as done: it comes back when a later session wants the same
    Done(ObservedGapArgs),
    /// Dismiss a gap of the inbox, with the reason
    Dismiss(ObservedGapDismissArgs),
    /// Open a gap of the inbox again
    Reopen(ObservedGapArgs),
    /// Show a stored observation
    Show(StoredObservation),
    /// Compare two stored observations, skill by skill
    Compare(CompareObservations),
}

/// A stored observation.
#[derive(Debug, Args)]
pub(crate) struct StoredObservation {
    /// The observation: its id, its file, or latest [default: latest]
    #[arg(default_value = "latest", hide_default_value = true)]
    pub(crate) observation: String,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

#[derive(Debug, Args)]
pub(crate) struct ObservedGapArgs {
    /// The gap's id, as the inbox shows it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The observation that has the gap: its id, its file, or latest [default: latest]
    #[arg(long, value_name = "OBSERVATION", default_value = "latest", hide_default_value = true)]
    pub(crate) observation: String,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

#[derive(Debug, Args)]
pub(crate) struct ObservedGapDismissArgs {
    #[command(flatten)]
    pub(crate) gap: ObservedGapArgs,
    /// Why it is none, or is not to be closed
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct InboxArgs {
    #[command(flatten)]
    pub(crate) stored: StoredObservation,
    /// Limit the list to searches in or for this knowledge base, and name its pages that have the words
    #[arg(long, value_name = "PATH")]
    pub(crate) kb: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) merging: MergingArgs,
}

/// The model that says which missing things are the same, if one may be asked.
#[derive(Debug, Args)]
pub(crate) struct MergingArgs {
    /// Have this model, or executor:model, say which of the missing things are one in other words
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge_model: Option<String>,
    /// Executor of that model, if it names none
    #[arg(long, value_name = "NAME|COMMAND", requires = "judge_model")]
    pub(crate) judge_executor: Option<String>,
    /// Maximum cost of the question, in US dollars
    #[arg(long, value_name = "USD", requires = "judge_model")]
    pub(crate) budget_usd: Option<f64>,
    /// Neither read nor write the reply in the cache
    #[arg(long, requires = "judge_model")]
    pub(crate) no_cache: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompareObservations {
    /// The earlier observation: its id or its file
    pub(crate) a: String,
    /// The later observation [default: latest]
    #[arg(default_value = "latest", hide_default_value = true)]
    pub(crate) b: String,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A promptfoo configuration, an evals.json, a folder of plugin evals, or a data set as JSON lines, a JSON list or CSV
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The file's format: promptfoo, agent-skills, plugin-eval or rows [default: by its content]
    #[arg(long, value_name = "NAME", value_parser = case_formats(), hide_possible_values = true)]
    pub(crate) format: Option<String>,
    /// Directory to write into; no file that is there is touched [default: .]
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Column of the prompt in a data set [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) prompt_column: Option<String>,
    /// Column of the expected answer [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) expected_column: Option<String>,
    /// Column of the id [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) id_column: Option<String>,
    /// Column of the context [default: by its name]
    #[arg(long, value_name = "NAME")]
    pub(crate) context_column: Option<String>,
    /// Assertion that an expected answer becomes: contains, equals, starts_with or semantic_similarity [default: contains]
    #[arg(long, value_name = "TYPE", value_parser = ["contains", "equals", "starts_with", "semantic_similarity"], hide_possible_values = true)]
    pub(crate) check: Option<String>,
}

/// The names of the formats of cases.
fn case_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(eval_load::CASE_FORMATS.iter().map(|format| PossibleValue::new(format.name)))
}

#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    /// Draft from what was missing in the sessions of this observation: its id, its file, or latest
    #[arg(long, value_name = "OBSERVATION", num_args = 0..=1, default_missing_value = "latest", required_unless_present = "probe", conflicts_with = "probe")]
    pub(crate) from_traces: Option<String>,
    /// Have a model read the structure of the knowledge base and propose questions at its edges
    #[arg(long)]
    pub(crate) probe: bool,
    /// Files and folders of the knowledge base [default: .claude/knowledge]
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "probe")]
    pub(crate) kb: Vec<PathBuf>,
    /// Model that proposes, or executor:model [default: the judge of OMK_EXECUTOR, else of claude]
    #[arg(long, value_name = "MODEL", requires = "probe")]
    pub(crate) judge_model: Option<String>,
    /// Executor of that model, if it names none
    #[arg(long, value_name = "NAME|COMMAND", requires = "probe")]
    pub(crate) judge_executor: Option<String>,
    /// Maximum cost of the questions, in US dollars
    #[arg(long, value_name = "USD", requires = "probe")]
    pub(crate) budget_usd: Option<f64>,
    /// Neither read nor write the questions in the cache
    #[arg(long, requires = "probe")]
    pub(crate) no_cache: bool,
    /// The file to write; one that exists is kept [default: eval-samples.draft.yaml or eval-samples.probe.yaml]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Maximum number of samples [default: 20]
    #[arg(long, value_name = "N", default_value_t = 20, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) analyses: AnalysesDir,
}

/// Where observations are stored.
#[derive(Debug, Args)]
pub(crate) struct AnalysesDir {
    /// Directory of stored observations [default: .omk/analyses of the project, else ~/.oh-my-knowledge/analyses]
    #[arg(long, value_name = "DIR", display_order = 899)]
    pub(crate) analyses_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PowerArgs {
    /// The pilot: a report's id, its file, or latest
    #[arg(required_unless_present = "sd", conflicts_with_all = ["sd", "correlation"])]
    pub(crate) report: Option<String>,
    /// Standard deviation of the scores of either variant over samples, in points
    #[arg(long, value_name = "POINTS", requires = "correlation")]
    pub(crate) sd: Option<f64>,
    /// Correlation of the two variants' scores over samples; SD of differences = sqrt(2 (1 - correlation)) * SD
    #[arg(long, value_name = "R", requires = "sd")]
    pub(crate) correlation: Option<f64>,
    /// True differences to plan for, in points; of preferences, -1 to 1 [default: 0.1 to 1; preferences 0.05 to 0.5]
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    pub(crate) effect: Vec<f64>,
    /// Numbers of samples whose smallest detectable difference is shown [default: 10 to 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) n: Option<u32>,
    /// Probability of detecting a true difference [default: 0.8]
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, hide_default_value = true)]
    pub(crate) power: f64,
    /// Probability of a false alarm, over all treatments together [default: 0.05]
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, hide_default_value = true)]
    pub(crate) alpha: f64,
    /// Plan for a run with so many looks [default: as the pilot]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) looks: Option<u32>,
    /// The same as --looks 5
    #[arg(long)]
    pub(crate) stop_when_decided: bool,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct FailuresArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// Show only failures of this variant
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Have a model name the ten largest clusters; names don't affect results
    #[arg(long)]
    pub(crate) label: bool,
    /// Model that names them, or executor:model [default: the judge of the report's executor]
    #[arg(long, value_name = "MODEL", requires = "label")]
    pub(crate) judge_model: Option<String>,
    /// Executor of that model, if it names none [default: the report's]
    #[arg(long, value_name = "NAME|COMMAND", requires = "label")]
    pub(crate) judge_executor: Option<String>,
    /// Maximum cost of the names, in US dollars
    #[arg(long, value_name = "USD", requires = "label")]
    pub(crate) budget_usd: Option<f64>,
    /// Neither read nor write names in the cache
    #[arg(long, requires = "label")]
    pub(crate) no_cache: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GapsCommand {
    /// List the gaps of a report with their statuses, those that most samples want first
    List(GapListArgs),
    /// Mark a gap as done: a later run that wants the same says that it came back
    Done(GapArgs),
    /// Dismiss a gap, with the reason
    Dismiss(GapDismissArgs),
    /// Open a gap again
    Reopen(GapArgs),
}

/// Where gaps and their statuses are.
#[derive(Debug, Args)]
pub(crate) struct GapsOf {
    /// The project with gaps.json: eval.yaml or its directory [default: the working directory]
    #[arg(long, value_name = "PATH")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct GapListArgs {
    /// The report's id, its file, or latest
    #[arg(default_value = "latest", hide_default_value = true)]
    pub(crate) report: String,
    #[command(flatten)]
    pub(crate) merging: MergingArgs,
    #[command(flatten)]
    pub(crate) of: GapsOf,
}

#[derive(Debug, Args)]
pub(crate) struct GapArgs {
    /// The gap's id, as the list shows it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The report that has the gap: its id, its file, or latest [default: latest]
    #[arg(long, value_name = "REPORT", default_value = "latest", hide_default_value = true)]
    pub(crate) report: String,
    #[command(flatten)]
    pub(crate) of: GapsOf,
}

#[derive(Debug, Args)]
pub(crate) struct GapDismissArgs {
    #[command(flatten)]
    pub(crate) gap: GapArgs,
    /// Why it is none, or is not to be closed
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GoldCommand {
    /// Write templates with the outputs of a report, to be scored by hand; existing scores are kept
    Init(GoldInitArgs),
    /// Check gold files: prints each problem with file and line; exit with 2 if there is one
    Validate(GoldValidateArgs),
    /// Compare the judges of a report with people's scores: agreement, bias, the result by people's scores
    Compare(GoldCompareArgs),
    /// Write the ratings that people gave on a report's pages into gold files
    Import(GoldImportArgs),
    /// Show where people and the judge disagree: on a report's pages, or in gold files
    Disputes(GoldDisputesArgs),
    /// Settle a disagreement between people and the judge: one of them is wrong
    Settle(GoldSettleArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GoldImportArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// Only ratings that were given before the names were revealed
    #[arg(long)]
    pub(crate) blind: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GoldDisputesArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// The directory with the gold files [default: the ratings of the report's pages]
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GoldSettleArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// The sample's id
    pub(crate) sample: String,
    /// The variant whose answer was rated
    pub(crate) variant: String,
    /// Who is wrong: gold (the person), whose rating counts no longer, or the judge
    #[arg(long, value_name = "WHO", value_parser = ["gold", "judge"])]
    pub(crate) wrong: String,
    /// Settle scores in these gold files [default: the ratings of the report's pages]
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: Option<PathBuf>,
    /// Only the rating of this person [default: everybody's of this answer]
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GoldInitArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// Name of the person who scores [default: USER]
    #[arg(long, value_name = "NAME")]
    pub(crate) annotator: Option<String>,
    /// Draw this many samples, with the outputs of all variants [default: all samples]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) samples: Option<u32>,
    /// Hide which variant produced an output
    #[arg(long)]
    pub(crate) blind: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GoldValidateArgs {
    /// A report that the gold should fit: its id, its file, or latest
    pub(crate) report: Option<String>,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    #[command(flatten)]
    pub(crate) reports: ReportsDir,
}

#[derive(Debug, Args)]
pub(crate) struct GoldCompareArgs {
    #[command(flatten)]
    pub(crate) stored: StoredReport,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// The variant that was scored where an annotation names neither variant nor output
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MocksCommand {
    /// Run the samples once for real, and write the tool calls with their results as mocks for review
    #[command(after_help = help::MOCKS_RECORD_EXAMPLES)]
    Record(MocksRecordArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MocksRecordArgs {
    /// An eval.yaml, or a directory with one [default: the working directory]
    pub(crate) project: Option<PathBuf>,
    /// The variant whose calls are recorded [default: the first treatment, else the control]
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Only these samples, separated by commas [default: all]
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) sample: Vec<String>,
    /// Sample file [default: eval-samples.json, .yaml or .yml]
    #[arg(long, value_name = "FILE")]
    pub(crate) samples: Option<PathBuf>,
    /// The agent, as with omk eval [default: claude]
    #[arg(long, value_name = "NAME")]
    pub(crate) executor: Option<String>,
    /// Its model, as with omk eval
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Tools it may use, as with omk eval
    #[arg(long, value_name = "TOOLS", value_delimiter = ',')]
    pub(crate) allowed_tools: Vec<String>,
    /// Time limit of a sample in seconds [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// What it may do without asking: default, edits or bypass, as with omk eval [default: default]
    #[arg(long, value_name = "MODE", value_parser = eval_spec::suite::PermissionMode::WORDS.to_vec(), hide_possible_values = true)]
    pub(crate) permissions: Option<String>,
    /// What it reaches: open or none, as with omk eval [default: open]
    #[arg(long, value_name = "ACCESS", value_parser = eval_spec::suite::NetworkAccess::WORDS.to_vec(), hide_possible_values = true)]
    pub(crate) network: Option<String>,
    /// Run it without a sandbox
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// Let the agent have its own settings and servers, in the working directory itself
    #[arg(long)]
    pub(crate) no_strict_baseline: bool,
    /// Write to this file [default: mocks.yaml beside the sample file]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite a recording that is there
    #[arg(long)]
    pub(crate) force: bool,
}

impl MocksRecordArgs {
    /// The settings that the flags give.
    pub(crate) fn written(&self) -> Written {
        Written {
            samples: self.samples.clone(),
            executor: self.executor.clone(),
            model: self.model.clone(),
            allowed_tools: run::tools(&self.allowed_tools),
            timeout_ms: self.timeout.map(run::milliseconds),
            permissions: self.permissions.as_deref().and_then(eval_spec::suite::PermissionMode::named),
            network: self.network.as_deref().and_then(eval_spec::suite::NetworkAccess::named),
            sandbox: self.no_sandbox.then_some(false),
            strict_baseline: self.no_strict_baseline.then_some(false),
            ..Written::default()
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum DebiasCommand {
    /// Judge a run's answers again with the opposite length setting, and show the difference
    Length(DebiasLengthArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DebiasLengthArgs {
    /// The run's id, or latest
    pub(crate) id: String,
    /// Maximum number of concurrent calls [default: that of the run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) concurrency: Option<u32>,
    /// Maximum cost of the judges, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) budget_usd: Option<f64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Print the parts of a sample's cache key, and why it hits or misses
    #[command(allow_negative_numbers = true)]
    Explain(Box<ExplainArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The sample's id
    pub(crate) sample: String,
    #[command(flatten)]
    pub(crate) eval: EvalArgs,
}
