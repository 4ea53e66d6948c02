//! The command line: what can be typed, in one place. Doc comments are the English help; the Chinese
//! help stands in the catalogue under the same names (see [`help`]).

pub(crate) mod help;

pub(crate) use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use eval_spec::suite::{VariantRef, Written};

/// Is this knowledge artifact worth shipping? Same model, same samples, only the artifact changes
#[derive(Debug, Parser)]
#[command(name = "omk", version, disable_help_subcommand = true, max_term_width = 100, after_help = help::ROOT_EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print one JSON document on standard output and nothing else
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,
    /// Language of messages: en or zh [default: OMK_LANG, then the locale]
    #[arg(long, global = true, value_name = "LANG", value_parser = ["en", "zh"], hide_possible_values = true, display_order = 901)]
    pub(crate) lang: Option<String>,
    /// Print without colour (NO_COLOR does the same)
    #[arg(long, global = true, display_order = 902)]
    pub(crate) no_color: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Scaffold a small project: two versions of a skill, samples, eval.yaml
    #[command(after_help = help::INIT_EXAMPLES)]
    Init(InitArgs),
    /// Compare artifacts: run every sample with every variant, grade, decide
    #[command(after_help = help::EVAL_EXAMPLES, allow_negative_numbers = true)]
    Eval(Box<EvalArgs>),
    /// The commands of earlier versions: bench init, bench run, bench ci
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Bench(BenchArgs),
    /// Work with stored reports
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Report(ReportArgs),
    /// Hold a report against another, sample by sample; or its treatments against its control
    #[command(after_help = help::DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Show stored reports over time, those that can be compared in one series
    #[command(after_help = help::TREND_EXAMPLES)]
    Trend(TrendArgs),
    /// How many samples an effect takes: from a pilot report, or from given numbers
    #[command(after_help = help::POWER_EXAMPLES, allow_negative_numbers = true)]
    Power(PowerArgs),
    /// Cluster what failed in a stored report: which checks, how often, for which variant
    #[command(after_help = help::FAILURES_EXAMPLES)]
    Failures(FailuresArgs),
    /// Hold judges against people: templates to score by hand, agreement, bias
    #[command(subcommand_required = true, arg_required_else_help = true, after_help = help::GOLD_EXAMPLES)]
    Gold(GoldArgs),
    /// Measure what a bias of the judges does to a stored run
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Debias(DebiasArgs),
    /// Look into the cache of answers
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Cache(CacheArgs),
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
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) command: BenchCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Scaffold a small project (same as `omk init`)
    Init(InitArgs),
    /// Run the evaluation and print the report as JSON
    #[command(allow_negative_numbers = true)]
    Run(Box<BenchRunArgs>),
    /// Run the evaluation; exit 0 when every variant reaches the threshold, else 1
    #[command(allow_negative_numbers = true)]
    Ci(Box<BenchRunArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    pub(crate) command: ReportCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// Write the report on a skill's evals as the files of Agent Skills: grading.json, benchmark.json
    Export(ExportArgs),
    /// Compute a stored report again from its results; exit as its verdict says, 3 if a number doesn't follow
    #[command(after_help = help::VERDICT_EXAMPLES)]
    Verdict(VerdictArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    /// The format: agent-skills
    #[arg(long, value_name = "FORMAT", value_parser = ["agent-skills"], hide_possible_values = true)]
    pub(crate) format: String,
    /// Directory to make the next iteration-N in [default: SKILL-workspace]
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VerdictArgs {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// Where it began: a report's id, its file, or latest
    pub(crate) a: String,
    /// Where it went; the treatments of A against its control when absent
    pub(crate) b: Option<String>,
    /// Compare these variants, NAME or NAME_IN_A:NAME_IN_B [default: those of one name]
    #[arg(long, value_name = "A:B", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Compare the samples that are the same in both, though the test sets differ
    #[arg(long, requires = "b")]
    pub(crate) force: bool,
    /// Exit 1 when a variant got worse: its interval lies below 0
    #[arg(long)]
    pub(crate) fail_on_regress: bool,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TrendArgs {
    /// Only reports of the same project and sample file as this one: its id, its file, or latest
    pub(crate) report: Option<String>,
    /// Only reports of these test sets: their ids, or their sample files
    #[arg(long, value_name = "TESTSETS", value_delimiter = ',')]
    pub(crate) samples: Vec<String>,
    /// Read this many of the newest files, at most [default: 1000]
    #[arg(long, value_name = "N", default_value_t = 1000, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
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
    /// Samples: the smallest difference that so many show [default: 10 to 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) n: Option<u32>,
    /// The chance to see what is there [default: 0.8]
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, hide_default_value = true)]
    pub(crate) power: f64,
    /// The risk of a false alarm, over all treatments at once [default: 0.05]
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, hide_default_value = true)]
    pub(crate) alpha: f64,
    /// For a run with --stop-when-decided: what it must plan for [default: as the pilot ran]
    #[arg(long)]
    pub(crate) stop_when_decided: bool,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FailuresArgs {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    /// Look at one variant alone
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Have a model name the ten largest clusters; names change nothing
    #[arg(long)]
    pub(crate) label: bool,
    /// Who names them: a model, or executor:model [default: the judge of the report's executor]
    #[arg(long, value_name = "MODEL", requires = "label")]
    pub(crate) judge_model: Option<String>,
    /// Executor of that model, if it names none [default: the report's]
    #[arg(long, value_name = "NAME|COMMAND", requires = "label")]
    pub(crate) judge_executor: Option<String>,
    /// Most money the names may cost, in US dollars
    #[arg(long, value_name = "USD", requires = "label")]
    pub(crate) budget_usd: Option<f64>,
    /// Ask for names even if they are in the cache, and keep none there
    #[arg(long, requires = "label")]
    pub(crate) no_cache: bool,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GoldArgs {
    #[command(subcommand)]
    pub(crate) command: GoldCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GoldCommand {
    /// Write templates with the outputs of a report, to be scored by hand; nothing that is scored is overwritten
    Init(GoldInitArgs),
    /// Check gold files: every problem with file and line; exit 2 when there is one
    Validate(GoldValidateArgs),
    /// Hold the judges of a report against gold: agreement, bias, what people would have said
    Compare(GoldCompareArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GoldInitArgs {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// Who is going to score [default: USER]
    #[arg(long, value_name = "NAME")]
    pub(crate) annotator: Option<String>,
    /// Draw this many samples, with the outputs of all variants [default: all samples]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) samples: Option<u32>,
    /// Hide which variant an output is of
    #[arg(long)]
    pub(crate) blind: bool,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GoldValidateArgs {
    /// A report that the gold should fit: its id, its file, or latest
    pub(crate) report: Option<String>,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GoldCompareArgs {
    /// The report's id, its file, or latest
    pub(crate) report: String,
    /// The directory with the gold files
    #[arg(long, value_name = "DIR")]
    pub(crate) gold_dir: PathBuf,
    /// The variant that was scored where an annotation names neither variant nor output
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Where reports lie [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) reports_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DebiasArgs {
    #[command(subcommand)]
    pub(crate) command: DebiasCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DebiasCommand {
    /// Judge a run's answers again with the opposite length setting, and show what it changes
    Length(DebiasLengthArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DebiasLengthArgs {
    /// The run's id, or latest
    pub(crate) id: String,
    /// Calls at once, at most [default: that of the run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) concurrency: Option<u32>,
    /// Most money the judges may cost, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) budget_usd: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) command: CacheCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Print what the cache key of a sample is made of, and why it hits or misses
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

#[derive(Debug, Args)]
pub(crate) struct BenchRunArgs {
    /// Variant names: the first is the control [default: v1,v2]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) variants: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: RunFlags,
}

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// An eval.yaml, or a directory with one [default: the working directory]
    pub(crate) project: Option<PathBuf>,
    /// What the treatments are compared with: a name in the skill directory, baseline, git:REF:NAME, or a path
    #[arg(long, value_name = "ARTIFACT", help_heading = help::INPUTS)]
    pub(crate) control: Option<String>,
    /// What is compared with the control; several are separated by commas
    #[arg(long, alias = "treatments", value_name = "ARTIFACTS", value_delimiter = ',', help_heading = help::INPUTS)]
    pub(crate) treatment: Vec<String>,
    /// Shorthand: the first is the control, the others are treatments
    #[arg(long, value_name = "ARTIFACTS", value_delimiter = ',', conflicts_with_all = ["control", "treatment"], help_heading = help::INPUTS)]
    pub(crate) variants: Vec<String>,
    /// Working directory of the control's executions
    #[arg(long, value_name = "DIR", help_heading = help::INPUTS)]
    pub(crate) control_cwd: Option<PathBuf>,
    /// Working directories of the treatments' executions, in their order
    #[arg(long, value_name = "DIRS", value_delimiter = ',', help_heading = help::INPUTS)]
    pub(crate) treatment_cwd: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) flags: RunFlags,
    /// Go on with an interrupted run: its id, or latest
    #[arg(long, value_name = "ID", help_heading = help::RUN, conflicts_with_all = ["project", "variants", "control", "treatment", "control_cwd", "treatment_cwd", "dry_run"])]
    pub(crate) resume: Option<String>,
    /// Grade the answers of an earlier run anew, its id or latest; judges are asked, nothing is executed
    #[arg(long, value_name = "ID", help_heading = help::RUN, conflicts_with_all = ["resume", "project", "variants", "control", "treatment", "control_cwd", "treatment_cwd", "dry_run"])]
    pub(crate) regrade: Option<String>,
    /// Smallest difference that matters, in points of the 1-5 scale [default: 0.2]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) min_effect: Option<f64>,
    /// A difference below this is not progress, in points [default: 0.1]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) trivial_diff: Option<f64>,
    /// Interval: expanded, percentile, bca or t [default: expanded]
    #[arg(long, value_name = "METHOD", value_parser = ["expanded", "percentile", "bca", "t"], hide_possible_values = true, help_heading = help::DECISION)]
    pub(crate) ci: Option<String>,
    /// Bootstrap resamples, at least 1000 [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1000..=10_000_000), help_heading = help::DECISION)]
    pub(crate) bootstrap_samples: Option<u32>,
    /// Hold out this share of the samples, to see whether a gain carries over to them [default: none]
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) holdout: Option<f64>,
    /// Bootstrap intervals are always computed; accepted for compatibility
    #[arg(long, hide = true)]
    pub(crate) bootstrap: bool,
    /// End as soon as every treatment is decided; the verdict holds whenever that is
    #[arg(long, help_heading = help::DECISION)]
    pub(crate) stop_when_decided: bool,
    /// Exit 0 whatever the verdict
    #[arg(long, help_heading = help::DECISION)]
    pub(crate) report_only: bool,
}

/// What `eval`, `bench run` and `bench ci` share.
#[derive(Debug, Args)]
pub(crate) struct RunFlags {
    /// Sample file [default: eval-samples.json, .yaml or .yml]
    #[arg(long, value_name = "FILE", help_heading = help::INPUTS)]
    pub(crate) samples: Option<PathBuf>,
    /// Where named variants are looked for [default: skills]
    #[arg(long, value_name = "DIR", help_heading = help::INPUTS)]
    pub(crate) skill_dir: Option<PathBuf>,
    /// Who answers: claude, anthropic-api, openai-api, replay, or a command line [default: claude]
    #[arg(long, value_name = "NAME|COMMAND", help_heading = help::MODEL)]
    pub(crate) executor: Option<String>,
    /// Model under test [default: the executor's]
    #[arg(long, value_name = "MODEL", help_heading = help::MODEL)]
    pub(crate) model: Option<String>,
    /// Reasoning effort, where the model knows one
    #[arg(long, value_name = "LEVEL", help_heading = help::MODEL)]
    pub(crate) effort: Option<String>,
    /// Sampling temperature
    #[arg(long, value_name = "T", help_heading = help::MODEL)]
    pub(crate) temperature: Option<f64>,
    /// Longest answer, in tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::MODEL)]
    pub(crate) max_tokens: Option<u32>,
    /// Most turns of an agent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::MODEL)]
    pub(crate) max_turns: Option<u32>,
    /// Tools an agent may use
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', help_heading = help::MODEL)]
    pub(crate) allowed_tools: Vec<String>,
    /// Directory that the replay executor reads [default: recordings]
    #[arg(long, value_name = "DIR", help_heading = help::MODEL)]
    pub(crate) recordings: Option<PathBuf>,
    /// Record every execution into a directory, for replay
    #[arg(long, value_name = "DIR", help_heading = help::MODEL)]
    pub(crate) record: Option<PathBuf>,
    /// Score each answer (rubric), or compare the variants' (pairwise) [default: rubric]
    #[arg(long, value_name = "MODE", value_parser = eval_spec::JudgeMode::WORDS.to_vec(), hide_possible_values = true, conflicts_with = "no_judge", help_heading = help::JUDGE)]
    pub(crate) judge_mode: Option<String>,
    /// Judge: a model, or executor:model [default: that of the executor, such as haiku]
    #[arg(long, value_name = "MODEL", help_heading = help::JUDGE)]
    pub(crate) judge_model: Option<String>,
    /// Several judges, separated by commas; better of several vendors
    #[arg(long, value_name = "MODELS", value_delimiter = ',', conflicts_with = "judge_model", help_heading = help::JUDGE)]
    pub(crate) judge_models: Vec<String>,
    /// Executor of judges that name none [default: that of the run]
    #[arg(long, value_name = "NAME|COMMAND", help_heading = help::JUDGE)]
    pub(crate) judge_executor: Option<String>,
    /// Opinions of each judge on each answer [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = help::JUDGE)]
    pub(crate) judge_repeat: Option<u32>,
    /// Don't tell judges that length is no quality
    #[arg(long, help_heading = help::JUDGE)]
    pub(crate) no_debias_length: bool,
    /// Directory with people's scores that judges are held against
    #[arg(long, value_name = "DIR", help_heading = help::JUDGE)]
    pub(crate) gold_dir: Option<PathBuf>,
    /// Skip judging: rubrics and judged assertions are left out
    #[arg(long, help_heading = help::JUDGE)]
    pub(crate) no_judge: bool,
    /// Preview the plan: calls and estimated cost; runs and writes nothing
    #[arg(long, help_heading = help::RUN)]
    pub(crate) dry_run: bool,
    /// Executions of each sample and variant [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = help::RUN)]
    pub(crate) repeat: Option<u32>,
    /// Calls at once, at most [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = help::RUN)]
    pub(crate) concurrency: Option<u32>,
    /// Time limit of a call in seconds; queueing does not count [default: 600]
    #[arg(long, value_name = "SECONDS", help_heading = help::RUN)]
    pub(crate) timeout: Option<f64>,
    /// Further attempts after an infrastructure failure [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100), help_heading = help::RUN)]
    pub(crate) retry: Option<u32>,
    /// Requests a minute, at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::RUN)]
    pub(crate) rpm: Option<u32>,
    /// Tokens a minute, at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = help::RUN)]
    pub(crate) tpm: Option<u64>,
    /// Neither read nor write the cache of answers
    #[arg(long, help_heading = help::RUN)]
    pub(crate) no_cache: bool,
    /// Most money the run may cost, in US dollars
    #[arg(long, value_name = "USD", help_heading = help::RUN)]
    pub(crate) budget_usd: Option<f64>,
    /// Most money one sample may cost, over all variants and repeats
    #[arg(long, value_name = "USD", help_heading = help::RUN)]
    pub(crate) budget_per_sample_usd: Option<f64>,
    /// Most time the executions of one sample may take together, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..), help_heading = help::RUN)]
    pub(crate) budget_per_sample_ms: Option<u64>,
    /// Let a money budget run with a model whose price is unknown
    #[arg(long, help_heading = help::RUN)]
    pub(crate) allow_unknown_cost: bool,
    /// Share of executions that may fail before the run is no measurement [default: 0.1]
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) max_failure_rate: Option<f64>,
    /// Seed of order and resampling [default: derived from the test set]
    #[arg(long, value_name = "N", help_heading = help::RUN)]
    pub(crate) seed: Option<u64>,
    /// Let variants see each other's artifacts (strict baseline is on by default)
    #[arg(long, help_heading = help::RUN)]
    pub(crate) no_strict_baseline: bool,
    /// What runs custom assertions: embedded or node [default: embedded]
    #[arg(long, value_name = "RUNTIME", value_parser = ["embedded", "node"], hide_possible_values = true, help_heading = help::RUN)]
    pub(crate) custom_runtime: Option<String>,
    /// Gate of every layer, in points [default: 3.5]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) threshold: Option<f64>,
    /// Where reports are written [default: ~/.oh-my-knowledge/reports]
    #[arg(long, value_name = "DIR", help_heading = help::OUTPUT)]
    pub(crate) output_dir: Option<PathBuf>,
    /// Hide the variants' names in the report
    #[arg(long, help_heading = help::OUTPUT)]
    pub(crate) blind: bool,
}

impl RunFlags {
    /// The flags that were given, as settings.
    fn written(&self) -> Written {
        let generation = eval_spec::call::Generation {
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            max_turns: self.max_turns,
        };
        Written {
            samples: self.samples.clone(),
            skill_dir: self.skill_dir.clone(),
            executor: self.executor.clone(),
            model: self.model.clone(),
            effort: self.effort.clone().map(Some),
            generation: (generation != Default::default()).then_some(generation),
            allowed_tools: (!self.allowed_tools.is_empty()).then(|| Some(self.allowed_tools.clone())),
            recordings: self.recordings.clone().map(Some),
            record: self.record.clone().map(Some),
            judge: self.no_judge.then_some(false).or(self.judge_mode.is_some().then_some(true)),
            judge_mode: self.judge_mode.as_deref().and_then(eval_spec::JudgeMode::named),
            judge_models: match &self.judge_model {
                Some(model) => Some(vec![model.clone()]),
                None => (!self.judge_models.is_empty()).then(|| self.judge_models.clone()),
            },
            judge_executor: self.judge_executor.clone().map(Some),
            judge_repeat: self.judge_repeat,
            debias_length: self.no_debias_length.then_some(false),
            gold_dir: self.gold_dir.clone().map(Some),
            concurrency: self.concurrency.map(|n| n as usize),
            repeat: self.repeat,
            timeout_ms: self.timeout.map(milliseconds),
            retry: self.retry,
            rpm: self.rpm.map(Some),
            tpm: self.tpm.map(Some),
            cache: self.no_cache.then_some(false),
            budget_usd: self.budget_usd.map(Some),
            budget_per_sample_usd: self.budget_per_sample_usd.map(Some),
            budget_per_sample_ms: self.budget_per_sample_ms.map(Some),
            allow_unknown_cost: self.allow_unknown_cost.then_some(true),
            seed: self.seed.map(Some),
            threshold: self.threshold,
            max_failure_rate: self.max_failure_rate,
            output_dir: self.output_dir.clone().map(Some),
            blind: self.blind.then_some(true),
            strict_baseline: self.no_strict_baseline.then_some(false),
            custom_runtime: self.custom_runtime.clone(),
            ..Written::default()
        }
    }
}

impl EvalArgs {
    /// The flags that were given, as settings.
    pub(crate) fn written(&self) -> Written {
        // `--variants a` alone means a control and no treatments, whatever eval.yaml has.
        let (control, treatments) = match self.variants.split_first() {
            Some((control, treatments)) => (Some(control), Some(treatments)),
            None => (self.control.as_ref(), (!self.treatment.is_empty()).then_some(self.treatment.as_slice())),
        };
        Written {
            control: control.map(|name| Some(VariantRef::new(name))),
            treatments: treatments.map(|names| names.iter().map(VariantRef::new).collect()),
            min_effect: self.min_effect,
            trivial_diff: self.trivial_diff,
            ci: self.ci.clone(),
            bootstrap_samples: self.bootstrap_samples,
            stop_when_decided: self.stop_when_decided.then_some(true),
            holdout: self.holdout.map(Some),
            report_only: self.report_only.then_some(true),
            ..self.flags.written()
        }
    }
}

impl EvalArgs {
    /// The working directories that were given for variants, wherever the variants are named.
    pub(crate) fn directories(&self) -> Directories {
        Directories { control: self.control_cwd.clone(), treatments: self.treatment_cwd.clone() }
    }
}

/// Working directories of variants (V2), as typed.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    /// The control's.
    pub(crate) control: Option<PathBuf>,
    /// The treatments', in their order.
    pub(crate) treatments: Vec<PathBuf>,
}

impl BenchRunArgs {
    /// The flags that were given, over the defaults of seed 000.
    pub(crate) fn written(&self) -> Written {
        let names = match self.variants.is_empty() {
            true => vec!["v1".to_owned(), "v2".to_owned()],
            false => self.variants.clone(),
        };
        let mut variants = names.into_iter().map(VariantRef::new);
        Written { control: variants.next().map(Some), treatments: Some(variants.collect()), ..self.flags.written() }
    }
}

/// Seconds as whole milliseconds; a value that is no time at all becomes 0 and is refused later,
/// together with all other values out of range.
fn milliseconds(seconds: f64) -> u64 {
    let milliseconds = seconds * 1000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a positive number; `as` saturates"
    )]
    match milliseconds >= 1.0 {
        true => milliseconds as u64,
        false => 0,
    }
}
