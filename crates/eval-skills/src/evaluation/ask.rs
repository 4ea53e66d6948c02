//! What an evaluation was asked for: flags over configuration over defaults, and as the journal keeps it.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_load as load;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::callable::{ScorerType, SkillsConfig, SkillsSettings, Sourced};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::{EvaluationArgs, SkillsGlobal};

/// Everything that an evaluation is asked for. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ask {
    /// Skill files, directories or trees.
    pub(crate) skills: Vec<PathBuf>,
    /// An id or a file; not looked at when there are `tasks`.
    pub(crate) benchmark: String,
    pub(crate) tasks: Option<PathBuf>,
    pub(crate) benchmarks_dir: Option<PathBuf>,
    pub(crate) concurrency: usize,
    pub(crate) timeout_ms: u64,
    /// `None`: nobody said how often; then only what says nothing of the skill is tried again.
    pub(crate) retries: Option<u32>,
    pub(crate) runs: u32,
    pub(crate) evaluator: ScorerType,
    /// Names of report formats.
    pub(crate) formats: Vec<String>,
    pub(crate) output_dir: PathBuf,
    pub(crate) store: PathBuf,
    /// The gate, when there is one.
    pub(crate) gate: Option<f64>,
    pub(crate) sandbox: bool,
    pub(crate) judge_executor: Option<String>,
    pub(crate) judge_model: Option<String>,
    pub(crate) judge_temperature: Option<f64>,
    pub(crate) langchain: Option<Vec<String>>,
    pub(crate) custom: Option<Vec<String>>,
    pub(crate) seed: Option<u64>,
    /// Whether skills that can't be called here, for want of a program or a token, are left out with a warning.
    #[serde(default)]
    pub(crate) leaves_out: bool,
    /// Whether only the plan is shown.
    #[serde(skip)]
    pub(crate) dry_run: bool,
    /// Whether each result is told.
    #[serde(skip)]
    pub(crate) verbose: bool,
}

/// Marks the journals of evaluations among those of other programs.
pub(super) const KIND: &str = "eval-skills";

/// Attempts after a transport failure when nobody said how many: it says nothing of the skill.
pub(crate) const TRANSPORT_RETRIES: u32 = 2;

/// The configuration with `flags` above it, and whether retries were given anywhere.
pub(crate) fn settings(
    context: &Context,
    global: &SkillsGlobal,
    flags: SkillsConfig,
) -> Result<(SkillsSettings, bool), CommandError> {
    let config = crate::files::configuration(context, global.config.as_deref())?.value;
    let merged = flags.over(config);
    Ok((merged.resolve(&context.cwd), merged.retries.is_some()))
}

impl Ask {
    /// What `eval` and `run` ask for; `skills` is where the skills are.
    pub(crate) fn new(
        context: &Context,
        global: &SkillsGlobal,
        arguments: &EvaluationArgs,
        skills: Vec<PathBuf>,
    ) -> Result<Ask, CommandError> {
        let (settings, retries_given) = settings(context, global, given(context, arguments)?)?;
        let ask = Ask {
            skills: skills.iter().map(|path| context.absolute(path)).collect(),
            benchmark: benchmark(context, settings.benchmark),
            tasks: arguments.tasks.as_ref().map(|path| context.absolute(path)),
            benchmarks_dir: settings.benchmarks_dir,
            concurrency: settings.concurrency,
            timeout_ms: u64::try_from(settings.timeout.as_millis()).unwrap_or(u64::MAX),
            retries: retries_given.then_some(settings.retries),
            runs: settings.runs,
            evaluator: settings.evaluator,
            formats: settings.formats,
            output_dir: settings.output_dir,
            store: settings.store,
            gate: arguments.exit_on_fail.then_some(settings.min_completion),
            sandbox: settings.sandbox,
            judge_executor: settings.llm.executor,
            judge_model: settings.llm.model,
            judge_temperature: settings.llm.temperature,
            langchain: settings.langchain,
            custom: settings.custom,
            seed: settings.seed,
            leaves_out: false,
            dry_run: arguments.dry_run,
            verbose: global.verbose,
        };
        // Before a dry run says that all is well.
        ask.stored()?;
        Ok(ask)
    }
}

impl Ask {
    /// As a journal stores it.
    ///
    /// # Errors
    /// A path is not UTF-8.
    pub(super) fn stored(&self) -> Result<Value, CommandError> {
        serde_json::to_value(self)
            .map_err(|_| CommandError::usage(msg!("skills-cli-not-utf8"), msg!("skills-cli-not-utf8-help")))
    }
}

/// What may be asked anew of an evaluation that goes on: nothing that its results depend on.
pub(crate) struct Overrides {
    concurrency: Option<usize>,
    formats: Option<Vec<String>>,
    output_dir: Option<PathBuf>,
    /// The threshold that was given.
    min_completion: Option<f64>,
    /// The threshold of a gate that wasn't there before, if one is asked for.
    new_gate: Option<f64>,
    /// A command line that held a secret has to be given again.
    judge_executor: Option<String>,
    verbose: bool,
}

impl Overrides {
    /// Out of flags, and for the gate's threshold out of the configuration below them.
    pub(crate) fn new(
        context: &Context,
        global: &SkillsGlobal,
        arguments: &EvaluationArgs,
    ) -> Result<Overrides, CommandError> {
        let (settings, _) = settings(context, global, given(context, arguments)?)?;
        Ok(Overrides {
            concurrency: arguments.concurrency.map(|_| settings.concurrency),
            formats: (!arguments.format.is_empty()).then(|| arguments.format.clone()),
            output_dir: arguments.output_dir.as_ref().map(|_| settings.output_dir),
            min_completion: arguments.min_completion,
            new_gate: arguments.exit_on_fail.then_some(settings.min_completion),
            judge_executor: arguments.judge_executor.clone(),
            verbose: global.verbose,
        })
    }

    pub(super) fn over(self, ask: Ask) -> Ask {
        Ask {
            concurrency: self.concurrency.unwrap_or(ask.concurrency),
            formats: self.formats.unwrap_or(ask.formats),
            output_dir: self.output_dir.unwrap_or(ask.output_dir),
            // A default never lowers what was asked for.
            gate: ask.gate.map(|least| self.min_completion.unwrap_or(least)).or(self.new_gate),
            judge_executor: self.judge_executor.or(ask.judge_executor),
            verbose: self.verbose,
            ..ask
        }
    }
}

/// A file is kept with its whole path, so that an evaluation can be resumed from elsewhere.
fn benchmark(context: &Context, written: String) -> String {
    match load::is_benchmark_path(&written) {
        true => context.absolute(Path::new(&written)).display().to_string(),
        false => written,
    }
}

/// The flags that were given.
fn given(context: &Context, of: &EvaluationArgs) -> Result<SkillsConfig, CommandError> {
    let evaluator = of.evaluator.as_deref().map(scorer).transpose()?;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| Sourced::flag(context.absolute(path)));
    Ok(SkillsConfig {
        concurrency: of.concurrency.map(|value| Sourced::flag(value.into())),
        timeout_ms: of.timeout.map(Sourced::flag),
        retries: of.retries.map(|value| Sourced::flag(value.into())),
        runs: of.runs.map(|value| Sourced::flag(value.into())),
        evaluator: evaluator.map(Sourced::flag),
        formats: (!of.format.is_empty()).then(|| Sourced::flag(of.format.clone())),
        output_dir: path(&of.output_dir),
        benchmarks_dir: path(&of.benchmarks_dir),
        benchmark: of.benchmark.clone().map(Sourced::flag),
        store: path(&of.store),
        min_completion: of.min_completion.map(Sourced::flag),
        sandbox: of.no_sandbox.then(|| Sourced::flag(false)),
        seed: of.seed.map(Sourced::flag),
        llm_executor: of.judge_executor.clone().map(Sourced::flag),
        llm_model: of.judge_model.clone().map(Sourced::flag),
        ..SkillsConfig::default()
    })
}

fn scorer(name: &str) -> Result<ScorerType, CommandError> {
    let known: Vec<&str> = ScorerType::NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    ScorerType::of(name).ok_or_else(|| {
        let help = match load::closest(name, &known) {
            Some(meant) => msg!("cli-usage-suggestion", suggestion = meant),
            None => msg!("cli-usage-valid", values = known.join(", ")),
        };
        CommandError::usage(msg!("cli-usage-value", argument = "--evaluator <TYPE>", value = name), help)
    })
}
