//! Everything that a run of evals needs, read and checked before anything runs.

use std::sync::Arc;
use std::time::Duration;

use eval_cli::judges::{Seat, seats};
use eval_cli::prices::{meant, prices};
use eval_cli::{Failure, Terminal};
use eval_exec::{Build, BuildError, Prices};
use eval_grade::{Grading, Setup};
use eval_load as load;
use eval_load::{Eval, SampleFile};
use eval_message::{Message, msg};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::plan::Plan;
use eval_spec::suite::VariantRef;
use eval_spec::{Call, Cell, CellKey, Context, Diagnostic, Executor, Suite};
use serde_json::{Value, json};

use super::ask::Ask;

/// Evals that can be run.
pub(crate) struct EvalSuite {
    pub(crate) ask: Ask,
    /// The skill's name.
    pub(crate) skill: String,
    pub(crate) evals: Vec<Eval>,
    pub(crate) sample_file: SampleFile,
    pub(crate) suite: Suite,
    /// `None` when only the plan is shown and the executor is not ready.
    pub(crate) executor: Option<Arc<dyn Executor>>,
    pub(crate) judges: Vec<Seat>,
    pub(crate) grading: Arc<Grading>,
    pub(crate) prices: Arc<Prices>,
    pub(crate) plan: Plan,
    pub(crate) seed: u64,
    prompts: Vec<Arc<str>>,
    systems: Vec<Option<Arc<str>>>,
}

impl EvalSuite {
    /// Reads skill and evals, and builds who answers and who judges. What is missing for them is a warning when only
    /// the plan is shown.
    pub(crate) fn load(context: &Context, terminal: &Terminal, ask: Ask, preview: bool) -> Result<EvalSuite, Failure> {
        let mut settings = ask.settings(context);
        let file = load::evals(context, &ask.evals_file())?;
        let refs: Vec<VariantRef> = settings.control.iter().chain(&settings.treatments).cloned().collect();
        let variants = load::variants(context, &settings.skill_dir, &refs)?;
        let mut warnings = file.warnings;
        warnings.extend(variants.warnings);
        let (file, variants) = (file.value, variants.value);
        if file.evals.iter().all(|eval| eval.expectations.is_empty()) {
            let error = Diagnostic::error(msg!("skills-evals-no-expectations"), None);
            return Err(Failure::Input(error.help(msg!("load-evals-unscored-help")).into()));
        }
        let named = variants.last().and_then(|variant| variant.artifact.front_matter.as_ref()?.get("name")?.as_str());
        let named = named.map(str::to_owned);
        if let (Some(own), Some(other)) = (&named, &file.skill_name)
            && own != other
        {
            warnings.push(Diagnostic::warning(msg!("skills-evals-other-name", own = own, other = other), None));
        }
        let directory = ask.skill.file_name().map(|name| name.to_string_lossy().into_owned());
        let skill = named.or_else(|| file.skill_name.clone()).or(directory).unwrap_or_default();
        let prices = Arc::new(prices(context)?);
        let build = Build { context, settings: &settings, prices: Arc::clone(&prices) };
        let executor = ready(eval_exec::build(&settings.executor, &build), preview, &mut warnings, context)
            .map_err(|error| no_executor(error, &settings.executor, None))?;
        let setup = Setup { judging: true, env: context.env.clone(), ..Setup::default() };
        let grading = Arc::new(Grading::new(&file.samples.samples, setup)?);
        let judges = match seats(&settings, executor.as_ref(), &build) {
            Ok(judges) => judges,
            Err((name, error)) => {
                let seated = ready::<Vec<Seat>>(Err(error), preview, &mut warnings, context);
                seated.map_err(|error| no_executor(error, &name, Some(msg!("cli-judge-other"))))?.unwrap_or_default()
            }
        };
        if settings.model.is_empty() {
            settings.model = eval_exec::default_model(&settings.executor).to_owned();
        }
        terminal.diagnostics(&warnings);
        let samples = file.samples.samples.clone();
        let mut suite = EvalSuite {
            skill,
            evals: file.evals,
            seed: ask.seed.unwrap_or_else(|| seed_of(&file.samples.test_set.id)),
            prompts: samples.iter().map(|sample| sample.prompt_text().into()).collect(),
            systems: variants.iter().map(|variant| variant.artifact.body.as_deref().map(Into::into)).collect(),
            sample_file: file.samples,
            suite: Suite { samples, variants, settings, warnings },
            executor,
            judges,
            grading,
            prices,
            plan: Plan::default(),
            ask,
        };
        suite.refuse_unknown_price(context)?;
        suite.plan = suite.make_plan();
        Ok(suite)
    }

    /// The same, once it has a folder of its own.
    pub(crate) fn into_folder(mut self, ask: Ask) -> EvalSuite {
        self.suite.settings.output_dir = Some(ask.folder.clone());
        EvalSuite { ask, ..self }
    }

    fn make_plan(&self) -> Plan {
        let samples: Vec<Arc<str>> = self.suite.samples.iter().map(|sample| sample.id.as_str().into()).collect();
        let subjects: Vec<Arc<str>> = self.suite.variants.iter().map(|variant| variant.name.as_str().into()).collect();
        let order = eval_run::order(samples.len(), subjects.len(), self.ask.runs, self.seed);
        let fingerprint = |sample: usize, subject: usize, repeat: u32| -> Arc<str> {
            let key = CellKey { sample: Arc::clone(&samples[sample]), subject: Arc::clone(&subjects[subject]), repeat };
            let identity = self.executor.as_ref().map(|executor| executor.identity().clone()).unwrap_or_default();
            self.call_of(key, sample, subject).fingerprint(&identity).into()
        };
        let grading = canonical_json(&json!([self.sample_file.hashes, self.judged_by()]));
        eval_run::plan(&samples, &subjects, order, fingerprint, &sha256_hex(grading.as_bytes()))
    }

    /// What decides the verdicts.
    fn judged_by(&self) -> Value {
        let judge = |seat: &Seat| json!({"model": seat.model, "executor": seat.executor.identity()});
        json!({
            "judges": self.judges.iter().map(judge).collect::<Vec<_>>(),
            "template": eval_grade::EXPECTATION_TEMPLATE,
            "hash": eval_grade::expectation_template_hash(),
        })
    }

    /// The inputs by name, to say what changed when a run can't go on.
    pub(crate) fn inputs(&self) -> Value {
        let variants = self.suite.variants.iter().map(|variant| (variant.name.clone(), json!(variant.artifact.hash())));
        let samples = self.sample_file.hashes.iter().map(|(id, hash)| (id.clone(), json!(hash)));
        json!({
            "samples": samples.collect::<serde_json::Map<_, _>>(),
            "variants": variants.collect::<serde_json::Map<_, _>>(),
            "executor": self.executor.as_ref().map(|executor| executor.identity()),
            "model": self.suite.settings.model,
            "judge": self.judged_by(),
            "seed": self.seed,
            "repeat": self.ask.runs,
        })
    }

    /// The call of a cell.
    pub(crate) fn call(&self, cell: &Cell) -> Call {
        self.call_of(cell.key.clone(), cell.sample, cell.subject)
    }

    fn call_of(&self, key: CellKey, sample: usize, subject: usize) -> Call {
        Call {
            key,
            model: self.suite.settings.model.clone(),
            effort: None,
            system: self.systems.get(subject).cloned().flatten(),
            prompt: self.prompts.get(sample).map_or_else(|| "".into(), Arc::clone),
            cwd: None,
            cwd_fingerprint: None,
            generation: eval_spec::call::Generation::default(),
            allowed_tools: None,
            timeout: Duration::from_millis(self.ask.timeout_ms),
        }
    }

    /// A money budget can't be kept with a model whose price nobody knows.
    fn refuse_unknown_price(&self, context: &Context) -> Result<(), Failure> {
        let settings = &self.suite.settings;
        if settings.budget_usd.is_none() {
            return Ok(());
        }
        let answering = (settings.executor.as_str(), &settings.model);
        let judging = self.judges.iter().map(|seat| (seat.executor.identity().executor.as_str(), &seat.model));
        let is_unknown = |(executor, model): &(&str, &String)| {
            !eval_exec::reports_cost(executor) && self.prices.price(model).is_none()
        };
        let Some((_, model)) = std::iter::once(answering).chain(judging).find(is_unknown) else { return Ok(()) };
        let own = context.display(&context.home.join("prices.json"));
        let message = msg!("cli-budget-unknown-price", model = model);
        Err(Failure::usage(message, msg!("skills-evals-price-help", path = own)))
    }
}

/// What is missing on this machine is no error where only the plan is shown.
fn ready<T>(
    built: Result<T, BuildError>,
    preview: bool,
    warnings: &mut Vec<Diagnostic>,
    context: &Context,
) -> Result<Option<T>, BuildError> {
    match built {
        Err(error @ BuildError::Missing { .. }) if preview => {
            let why = error.message().text(context.lang);
            warnings.push(Diagnostic::warning(msg!("cli-dry-run-not-ready", why = why), None));
            Ok(None)
        }
        built => built.map(Some),
    }
}

fn no_executor(error: BuildError, name: &str, instead: Option<Message>) -> Failure {
    Failure::Executor { meant: meant(&error, name), error, place: None, instead: instead.map(Box::new) }
}

/// The seed follows from the evals, so that the same evals are run in the same order.
fn seed_of(test_set: &str) -> u64 {
    u64::from_str_radix(&sha256_hex(test_set.as_bytes())[..12], 16).unwrap_or_default()
}
