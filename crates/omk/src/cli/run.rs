//! The arguments of `eval`, `bench run` and `bench ci`, and the settings that they give.

use std::path::PathBuf;

use clap::Args;
use eval_spec::suite::{USUAL_LOOKS, VariantRef, Written};

use super::help;

#[derive(Debug, Args)]
pub(crate) struct BenchRunArgs {
    /// Variant names: the first is the control [default: v1,v2]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) variants: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: RunFlags,
}

/// The arguments of `eval`.
#[derive(Debug, Args)]
pub(crate) struct EvalCommandArgs {
    #[command(flatten)]
    pub(crate) eval: EvalArgs,
    /// Evaluate only the treatments that changed since this commit, branch or tag; all of them, if samples or settings did
    #[arg(long, value_name = "REF", help_heading = help::INPUTS, conflicts_with_all = ["resume", "regrade"])]
    pub(crate) since: Option<String>,
    /// Consent to starting the MCP servers of the project's .mcp.json that fetch URLs; remembered until the file changes
    #[arg(long, help_heading = help::INPUTS)]
    pub(crate) trust_mcp: bool,
    /// Resume an interrupted run: its id, or latest
    #[arg(long, value_name = "ID", help_heading = help::RUN, conflicts_with_all = ["project", "variants", "control", "treatment", "control_cwd", "treatment_cwd", "aa", "dry_run"])]
    pub(crate) resume: Option<String>,
    /// With --resume: ask again what failed, such as time limits and judges without a usable opinion, also in a run that was decided
    #[arg(long, help_heading = help::RUN)]
    pub(crate) retry_failed: bool,
    /// With --resume: refuse a journal with a line that can't be read or was edited, instead of asking again what it held
    #[arg(long, help_heading = help::RUN)]
    pub(crate) strict_journal: bool,
    /// With --resume: go on although files that agents work beside changed; the report says so, and can't be PROGRESS
    #[arg(long, help_heading = help::RUN)]
    pub(crate) accept_changes: bool,
    /// Grade the answers of an earlier run again: its id, or latest; asks judges, executes nothing
    #[arg(long, value_name = "ID", help_heading = help::RUN, conflicts_with_all = ["resume", "project", "variants", "control", "treatment", "control_cwd", "treatment_cwd", "aa", "dry_run"])]
    pub(crate) regrade: Option<String>,
    /// Show a table by a key of the samples too: capability, difficulty, construct, provenance or cluster
    #[arg(long, value_name = "KEY", value_parser = eval_history::GroupingKey::WORDS.to_vec(), hide_possible_values = true, conflicts_with = "dry_run", help_heading = help::OUTPUT)]
    pub(crate) by: Option<String>,
    /// Print every number and finding, not only what fits one screen
    #[arg(long, conflicts_with = "dry_run", help_heading = help::OUTPUT)]
    pub(crate) details: bool,
    /// Write the report in another format as well, such as junit=report.xml; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", conflicts_with = "dry_run", help_heading = help::OUTPUT)]
    pub(crate) export: Vec<String>,
}

/// What is evaluated: shared by `eval` and `cache explain`.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// An eval.yaml, or a directory with one [default: the working directory]
    pub(crate) project: Option<PathBuf>,
    /// Artifact that the treatments are compared with: a name in the skill directory, baseline, previous, placebo, git:REF:NAME, or a path
    #[arg(long, value_name = "ARTIFACT", help_heading = help::INPUTS)]
    pub(crate) control: Option<String>,
    /// Artifacts that are compared with the control, separated by commas
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
    /// Compare the control with itself: how much the samples waver when nothing differs
    #[arg(long, conflicts_with_all = ["treatment", "treatment_cwd"], help_heading = help::INPUTS)]
    pub(crate) aa: bool,
    /// Run the triggers of eval.yaml in place of its samples: is the skill loaded when it should be?
    #[arg(long, conflicts_with = "samples", help_heading = help::INPUTS)]
    pub(crate) triggers: bool,
    /// Files and folders of the knowledge base whose coverage is measured, separated by commas
    #[arg(long, value_name = "PATHS", value_delimiter = ',', help_heading = help::INPUTS)]
    pub(crate) kb: Vec<PathBuf>,
    /// Skills that are on offer beside the one that the triggers are about, separated by commas
    #[arg(long, value_name = "SKILLS", value_delimiter = ',', help_heading = help::INPUTS)]
    pub(crate) with: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: RunFlags,
    /// Lowest recall of triggers that passes, from 0 to 1
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) min_recall: Option<f64>,
    /// Lowest precision of triggers that passes, from 0 to 1
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) min_precision: Option<f64>,
    /// Highest gap rate that passes, from 0 to 1
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) max_gap_rate: Option<f64>,
    /// By how much the gap rate may rise since the last report of the same test set and variant, from 0 to 1
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) gap_rate_regression: Option<f64>,
    /// Smallest preference that matters where judges compare answers, from 0 to 1 [default: 0.1]
    #[arg(long, value_name = "PREFERENCE", help_heading = help::DECISION)]
    pub(crate) min_preference: Option<f64>,
    /// Hold out this share of the samples, to see whether a gain carries over to them [default: none]
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) holdout: Option<f64>,
    /// Bootstrap intervals are always computed; accepted for compatibility
    #[arg(long, hide = true)]
    pub(crate) bootstrap: bool,
    /// Look so many times while the run goes on, and end once every treatment is decided
    #[arg(long, value_name = "K", help_heading = help::DECISION, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) looks: Option<u32>,
    /// Run at most so many samples (those of a cluster count once), in a drawn order; with 5 looks
    /// unless --looks says otherwise
    #[arg(long, value_name = "N", help_heading = help::DECISION, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_samples: Option<u64>,
    /// The same as --looks 5
    #[arg(long, help_heading = help::DECISION)]
    pub(crate) stop_when_decided: bool,
    #[command(flatten)]
    pub(crate) decision: DecisionFlags,
}

/// What decides: shared by `eval` and `verdict`.
#[derive(Debug, Args)]
pub(crate) struct DecisionFlags {
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
    /// Worst tier that the gate lets through: progress or cautious [default: progress]
    #[arg(long, value_name = "TIER", value_parser = eval_spec::suite::GateTier::WORDS.to_vec(), hide_possible_values = true, help_heading = help::DECISION)]
    pub(crate) gate: Option<String>,
    /// What the gate asks of a treatment: better, or not-worse than the control by more than the margin [default: better]
    #[arg(long, value_name = "GOAL", value_parser = eval_spec::suite::Goal::WORDS.to_vec(), hide_possible_values = true, help_heading = help::DECISION)]
    pub(crate) goal: Option<String>,
    /// Loss that is still not worse, in points; needs --goal not-worse [default: 0.2]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) margin: Option<f64>,
    /// Exit with 0 regardless of the verdict
    #[arg(long, help_heading = help::DECISION)]
    pub(crate) report_only: bool,
}

/// What `eval`, `bench run` and `bench ci` share.
#[derive(Debug, Args)]
pub(crate) struct RunFlags {
    /// Sample file [default: eval-samples.json, .yaml or .yml]
    #[arg(long, value_name = "FILE", help_heading = help::INPUTS)]
    pub(crate) samples: Option<PathBuf>,
    /// Send URLs in prompts and contexts as they are, in place of what stands there
    #[arg(long, help_heading = help::INPUTS)]
    pub(crate) no_url_fetch: bool,
    /// Leave a URL that can't be fetched as text, and go on
    #[arg(long, help_heading = help::INPUTS)]
    pub(crate) allow_missing_urls: bool,
    /// Fetch URLs from addresses of this machine and its network, too
    #[arg(long, help_heading = help::INPUTS)]
    pub(crate) allow_private_urls: bool,
    /// MCP servers that fetch URLs, in the format of .mcp.json [default: .mcp.json of the project, after --trust-mcp]
    #[arg(long, value_name = "FILE", help_heading = help::INPUTS)]
    pub(crate) mcp_config: Option<PathBuf>,
    /// Directory of variants that are given by name [default: skills]
    #[arg(long, value_name = "DIR", help_heading = help::INPUTS)]
    pub(crate) skill_dir: Option<PathBuf>,
    /// How artifacts reach the model: system-prompt, skill (the agent may load it) or project (files in the working directory) [default: system-prompt]
    #[arg(long, value_name = "WAY", value_parser = eval_spec::suite::Delivery::WORDS.to_vec(), hide_possible_values = true, help_heading = help::INPUTS)]
    pub(crate) delivery: Option<String>,
    /// What may differ between the variants: artifact, delivery, allowedSkills, cwd, permissions, separated by commas [default: artifact]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = eval_spec::suite::ArmPart::WORDS.to_vec(), hide_possible_values = true, help_heading = help::INPUTS)]
    pub(crate) varies: Vec<String>,
    /// What answers: claude, codex, gemini, anthropic-api, openai-api, gemini-api, openai, replay, or a command line [default: claude]
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
    /// Maximum length of an answer, in tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::MODEL)]
    pub(crate) max_tokens: Option<u32>,
    /// Maximum number of turns of an agent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::MODEL)]
    pub(crate) max_turns: Option<u32>,
    /// Tools an agent may use; '' for none
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', help_heading = help::MODEL)]
    pub(crate) allowed_tools: Vec<String>,
    /// What agents may do without asking: default, edits (files in their copy) or bypass (every tool) [default: default]
    #[arg(long, value_name = "MODE", value_parser = eval_spec::suite::PermissionMode::WORDS.to_vec(), hide_possible_values = true, help_heading = help::MODEL)]
    pub(crate) permissions: Option<String>,
    /// Run isolated agents without a sandbox
    #[arg(long, help_heading = help::RUN)]
    pub(crate) no_sandbox: bool,
    /// What agents reach: open (all that this machine does) or none (nothing but the model) [default: open]
    #[arg(long, value_name = "ACCESS", value_parser = eval_spec::suite::NetworkAccess::WORDS.to_vec(), hide_possible_values = true, help_heading = help::RUN)]
    pub(crate) network: Option<String>,
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
    /// Several judges, separated by commas; preferably of different vendors
    #[arg(long, value_name = "MODELS", value_delimiter = ',', conflicts_with = "judge_model", help_heading = help::JUDGE)]
    pub(crate) judge_models: Vec<String>,
    /// Executor of judges that name none [default: that of the run]
    #[arg(long, value_name = "NAME|COMMAND", help_heading = help::JUDGE)]
    pub(crate) judge_executor: Option<String>,
    /// How often each judge scores each answer [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = help::JUDGE)]
    pub(crate) judge_repeat: Option<u32>,
    /// Don't instruct judges to ignore the length of answers
    #[arg(long, help_heading = help::JUDGE)]
    pub(crate) no_debias_length: bool,
    /// Directory with people's scores to check judges against
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
    /// Maximum number of concurrent calls [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = help::RUN)]
    pub(crate) concurrency: Option<u32>,
    /// Time limit of a call in seconds; queueing does not count [default: 600]
    #[arg(long, value_name = "SECONDS", help_heading = help::RUN)]
    pub(crate) timeout: Option<f64>,
    /// Retries after an infrastructure failure [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100), help_heading = help::RUN)]
    pub(crate) retry: Option<u32>,
    /// Maximum number of requests per minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = help::RUN)]
    pub(crate) rpm: Option<u32>,
    /// Maximum number of tokens per minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = help::RUN)]
    pub(crate) tpm: Option<u64>,
    /// Neither read nor write the cache of answers
    #[arg(long, help_heading = help::RUN)]
    pub(crate) no_cache: bool,
    /// Maximum cost of the run, in US dollars
    #[arg(long, value_name = "USD", help_heading = help::RUN)]
    pub(crate) budget_usd: Option<f64>,
    /// Maximum cost of one sample over all variants and repeats, in US dollars
    #[arg(long, value_name = "USD", help_heading = help::RUN)]
    pub(crate) budget_per_sample_usd: Option<f64>,
    /// Maximum total time of the executions of one sample, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..), help_heading = help::RUN)]
    pub(crate) budget_per_sample_ms: Option<u64>,
    /// Allow a money budget with a model whose price is unknown
    #[arg(long, help_heading = help::RUN)]
    pub(crate) allow_unknown_cost: bool,
    /// Share of executions that may fail before the run is invalid [default: 0.1]
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) max_failure_rate: Option<f64>,
    /// Seed of order and resampling [default: derived from the test set]
    #[arg(long, value_name = "N", help_heading = help::RUN)]
    pub(crate) seed: Option<u64>,
    /// Keep variants from seeing each other's artifacts, also where eval.yaml lets them [default]
    #[arg(long, help_heading = help::RUN)]
    pub(crate) strict_baseline: bool,
    /// Let variants see each other's artifacts
    #[arg(long, conflicts_with = "strict_baseline", help_heading = help::RUN)]
    pub(crate) no_strict_baseline: bool,
    /// What runs custom assertions: embedded or node [default: embedded]
    #[arg(long, value_name = "RUNTIME", value_parser = ["embedded", "node"], hide_possible_values = true, help_heading = help::RUN)]
    pub(crate) custom_runtime: Option<String>,
    /// Gate of every layer, in points [default: 3.5]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) threshold: Option<f64>,
    /// Where reports are written [default: .omk/reports of the project, else ~/.oh-my-knowledge/reports]
    #[arg(long, visible_alias = "reports-dir", value_name = "DIR", help_heading = help::OUTPUT)]
    pub(crate) output_dir: Option<PathBuf>,
    /// Hide the variants' names in the report
    #[arg(long, help_heading = help::OUTPUT)]
    pub(crate) blind: bool,
    /// Leave the texts of samples and artifacts out of the report
    #[arg(long, help_heading = help::OUTPUT)]
    pub(crate) no_texts: bool,
}

impl RunFlags {
    /// The flags as settings.
    fn written(&self) -> Written {
        let generation = eval_spec::call::Generation {
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            max_turns: self.max_turns,
        };
        Written {
            samples: self.samples.clone(),
            varies: (!self.varies.is_empty()).then(|| eval_spec::suite::ArmPart::all_named(&self.varies)),
            url_fetch: self.no_url_fetch.then_some(false),
            allow_missing_urls: self.allow_missing_urls.then_some(true),
            allow_private_urls: self.allow_private_urls.then_some(true),
            mcp_config: self.mcp_config.clone().map(Some),
            delivery: self.delivery.as_deref().and_then(eval_spec::suite::Delivery::named),
            skill_dir: self.skill_dir.clone(),
            executor: self.executor.clone(),
            model: self.model.clone(),
            effort: self.effort.clone().map(Some),
            generation: (generation != Default::default()).then_some(generation),
            allowed_tools: tools(&self.allowed_tools),
            permissions: self.permissions.as_deref().and_then(eval_spec::suite::PermissionMode::named),
            sandbox: self.no_sandbox.then_some(false),
            network: self.network.as_deref().and_then(eval_spec::suite::NetworkAccess::named),
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
            texts: self.no_texts.then_some(false),
            strict_baseline: (self.strict_baseline || self.no_strict_baseline).then_some(self.strict_baseline),
            custom_runtime: self.custom_runtime.clone(),
            ..Written::default()
        }
    }
}

impl DecisionFlags {
    /// The flags as settings.
    pub(crate) fn written(&self) -> Written {
        Written {
            min_effect: self.min_effect,
            trivial_diff: self.trivial_diff,
            ci: self.ci.clone(),
            bootstrap_samples: self.bootstrap_samples,
            gate: self.gate.as_deref().and_then(eval_spec::suite::GateTier::named),
            goal: self.goal.as_deref().and_then(eval_spec::suite::Goal::named),
            margin: self.margin,
            report_only: self.report_only.then_some(true),
            ..Written::default()
        }
    }
}

impl EvalArgs {
    /// The flags as settings.
    pub(crate) fn written(&self) -> Written {
        // `--variants a` alone means a control without treatments, even if eval.yaml has some.
        let (control, treatments) = match self.variants.split_first() {
            Some((control, treatments)) => (Some(control), Some(treatments)),
            None => (self.control.as_ref(), (!self.treatment.is_empty()).then_some(self.treatment.as_slice())),
        };
        Written {
            control: control.map(|name| Some(VariantRef::new(name))),
            treatments: treatments.map(|names| names.iter().map(VariantRef::new).collect()),
            aa: self.aa.then_some(true),
            run_triggers: self.triggers.then_some(true),
            neighbours: (!self.with.is_empty()).then(|| self.with.clone()),
            kb: (!self.kb.is_empty()).then(|| self.kb.clone()),
            min_recall: self.min_recall.map(Some),
            min_precision: self.min_precision.map(Some),
            max_gap_rate: self.max_gap_rate.map(Some),
            gap_rate_regression: self.gap_rate_regression.map(Some),
            min_preference: self.min_preference,
            looks: self.looks.or(self.stop_when_decided.then_some(USUAL_LOOKS)),
            max_samples: self.max_samples.map(Some),
            holdout: self.holdout.map(Some),
            ..self.decision.written().or(self.flags.written())
        }
    }

    /// The working directories of the flags, for variants of flags and of eval.yaml.
    pub(crate) fn directories(&self) -> Directories {
        Directories { control: self.control_cwd.clone(), treatments: self.treatment_cwd.clone() }
    }
}

/// Working directories of variants.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    pub(crate) control: Option<PathBuf>,
    /// In the order of the treatments.
    pub(crate) treatments: Vec<PathBuf>,
}

impl BenchRunArgs {
    /// The flags over the defaults of earlier versions.
    pub(crate) fn written(&self) -> Written {
        let names = match self.variants.is_empty() {
            true => vec!["v1".to_owned(), "v2".to_owned()],
            false => self.variants.clone(),
        };
        let mut variants = names.into_iter().map(VariantRef::new);
        Written { control: variants.next().map(Some), treatments: Some(variants.collect()), ..self.flags.written() }
    }
}

/// Seconds as whole milliseconds. An invalid value becomes 0, and is refused later with all other values out of range.
pub(super) fn milliseconds(seconds: f64) -> u64 {
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

/// The tools of a flag: `None` without the flag, none at all where it is empty.
pub(super) fn tools(named: &[String]) -> Option<Option<Vec<String>>> {
    let tools = named.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
    (!named.is_empty()).then(|| Some(tools.collect()))
}
