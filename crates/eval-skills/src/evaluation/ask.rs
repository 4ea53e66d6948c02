//! The request of an evaluation: flags over configuration over defaults, as the journal stores it.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_load as load;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::callable::{ScorerType, SkillsConfig, Sourced};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::EvaluationArgs;
use crate::session::Session;

/// The settings of an evaluation. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ask {
    pub(crate) skills: Vec<PathBuf>,
    /// An id or a file; ignored when there are `tasks`.
    pub(crate) benchmark: String,
    pub(crate) tasks: Option<PathBuf>,
    pub(crate) benchmarks_dir: Option<PathBuf>,
    /// Tags that a task must have, all of them.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// The tasks to run; all if there are none.
    #[serde(default)]
    pub(crate) task_ids: Vec<String>,
    pub(crate) concurrency: usize,
    pub(crate) timeout_ms: u64,
    /// `None`: not set; only transport failures are retried.
    pub(crate) retries: Option<u32>,
    pub(crate) runs: u32,
    pub(crate) evaluator: ScorerType,
    pub(crate) formats: Vec<String>,
    pub(crate) output_dir: PathBuf,
    pub(crate) store: PathBuf,
    /// The lowest completion rate, with `--exit-on-fail`.
    pub(crate) gate: Option<f64>,
    pub(crate) sandbox: bool,
    pub(crate) judge_executor: Option<String>,
    pub(crate) judge_model: Option<String>,
    pub(crate) judge_temperature: Option<f64>,
    pub(crate) langchain: Option<Vec<String>>,
    pub(crate) custom: Option<Vec<String>>,
    pub(crate) seed: Option<u64>,
    /// Whether skills that can't be called here (a program or token is missing) are left out with a warning.
    #[serde(default)]
    pub(crate) leaves_out: bool,
    #[serde(skip)]
    pub(crate) dry_run: bool,
    #[serde(skip)]
    pub(crate) verbose: bool,
}

/// Marks the journals of evaluations among those of other programs.
pub(crate) const KIND: &str = "eval-skills";

/// Attempts after a transport failure, unless `--retries` is set: such a failure is not the skill's.
pub(crate) const TRANSPORT_RETRIES: u32 = 2;

impl Ask {
    pub(crate) fn new(
        session: &Session<'_>,
        arguments: &EvaluationArgs,
        skills: Vec<PathBuf>,
    ) -> Result<Ask, CommandError> {
        let &Session { context, global, .. } = session;
        let merged = session.merged(given(context, arguments)?)?;
        let settings = merged.resolve(&context.cwd);
        let ask = Ask {
            skills: skills.iter().map(|path| context.absolute(path)).collect(),
            benchmark: benchmark(context, settings.benchmark),
            tasks: arguments.tasks.as_ref().map(|path| context.absolute(path)),
            benchmarks_dir: settings.benchmarks_dir,
            tags: arguments.tag.clone(),
            task_ids: arguments.task.clone(),
            concurrency: settings.concurrency,
            timeout_ms: u64::try_from(settings.timeout.as_millis()).unwrap_or(u64::MAX),
            retries: merged.retries.is_some().then_some(settings.retries),
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
        // A dry run must fail where the run would.
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

/// What may change when an evaluation is resumed: nothing that its results depend on.
pub(crate) struct Overrides {
    concurrency: Option<usize>,
    formats: Option<Vec<String>>,
    output_dir: Option<PathBuf>,
    /// The threshold of the flag.
    min_completion: Option<f64>,
    /// The threshold of a gate that is new, from the flag or the configuration.
    new_gate: Option<f64>,
    /// A command line with a secret is not stored whole, and must be given again.
    judge_executor: Option<String>,
    /// Whether a line of the journal that can't be used is refused.
    pub(super) is_strict: bool,
    verbose: bool,
}

impl Overrides {
    /// From flags; the threshold of a new gate may come from the configuration.
    pub(crate) fn new(
        session: &Session<'_>,
        arguments: &EvaluationArgs,
        is_strict: bool,
    ) -> Result<Overrides, CommandError> {
        let settings = session.settings(given(session.context, arguments)?)?;
        Ok(Overrides {
            concurrency: arguments.concurrency.map(|_| settings.concurrency),
            formats: (!arguments.format.is_empty()).then(|| arguments.format.clone()),
            output_dir: arguments.output_dir.as_ref().map(|_| settings.output_dir),
            min_completion: arguments.min_completion,
            new_gate: arguments.exit_on_fail.then_some(settings.min_completion),
            judge_executor: arguments.judge_executor.clone(),
            is_strict,
            verbose: session.global.verbose,
        })
    }

    pub(super) fn over(self, ask: Ask) -> Ask {
        Ask {
            concurrency: self.concurrency.unwrap_or(ask.concurrency),
            formats: self.formats.unwrap_or(ask.formats),
            output_dir: self.output_dir.unwrap_or(ask.output_dir),
            // A default never lowers the threshold of the first run.
            gate: ask.gate.map(|least| self.min_completion.unwrap_or(least)).or(self.new_gate),
            judge_executor: self.judge_executor.or(ask.judge_executor),
            verbose: self.verbose,
            ..ask
        }
    }
}

/// A file's path is made absolute, so that an evaluation can be resumed from another directory.
fn benchmark(context: &Context, written: String) -> String {
    match load::is_benchmark_path(&written) {
        true => context.absolute(Path::new(&written)).display().to_string(),
        false => written,
    }
}

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
