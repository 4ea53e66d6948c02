//! From flags and files to what runs: settings resolved once, inputs read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eval_cli::Failure;
use eval_cli::judges::{Seat, seats};
use eval_cli::prices::{meant, prices};
use eval_exec::{Build, BuildError, ExecutorKind, Prices};
use eval_grade::{CustomRuntime, Grading, Setup};
use eval_load as load;
use eval_load::{SampleFile, SettingShape};
use eval_message::msg;
use eval_spec::gold::Gold;
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::suite::{Settings, VariantRef, Written};
use eval_spec::{
    BoxFuture, Call, Cell, CellKey, Context, Diagnostic, Diagnostics, ExecError, Executor, Failure as CallFailure,
    Identity, Output, Suite, source,
};
use serde_json::json;

use super::regrade::Answered;
use super::unmet::{unmet, without_judged};
use crate::cli::Directories;

/// Where the inputs lie.
pub(crate) struct Place {
    /// The directory that defaults refer to.
    pub(crate) base: PathBuf,
    /// The `eval.yaml`, if there is one.
    file: Option<PathBuf>,
}

impl Place {
    /// The project that a positional argument names: an `eval.yaml`, a directory, or (by default) the
    /// working directory.
    pub(crate) fn find(context: &Context, argument: Option<&Path>) -> Result<Place, Failure> {
        let path = context.absolute(argument.unwrap_or(Path::new(".")));
        if path.is_file() {
            let base = path.parent().unwrap_or(&context.cwd).to_path_buf();
            return Ok(Place { base, file: Some(path) });
        }
        if !path.is_dir() {
            return Err(Failure::usage(
                msg!("cli-project-missing", path = context.display(&path)),
                msg!("cli-project-missing-help"),
            ));
        }
        let file = ["eval.yaml", "eval.yml"].iter().map(|name| path.join(name)).find(|file| file.is_file());
        Ok(Place { base: normal(&path), file })
    }

    /// The working directory alone: `bench` reads no `eval.yaml`, as in earlier versions.
    pub(crate) fn bare(context: &Context) -> Place {
        Place { base: context.cwd.clone(), file: None }
    }
}

/// `path` without a trailing `/.`.
fn normal(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The settings of a run, and where those stand that `eval.yaml` gave.
pub(crate) struct Chosen {
    /// The settings.
    pub(crate) settings: Settings,
    /// Where the input files and the executor are named, for errors about them.
    pub(crate) named: Named,
    /// The trees of the run that goes on.
    pub(crate) trees: Option<Trees>,
    /// The seed that the order of the run was drawn from whose answers are graded anew.
    pub(crate) order_seed: Option<u64>,
}

/// Where `eval.yaml` names what may turn out not to be there; `None` for what was named elsewhere.
#[derive(Default)]
pub(crate) struct Named {
    samples: Option<source::Place>,
    skill_dir: Option<source::Place>,
    executor: Option<source::Place>,
    recordings: Option<source::Place>,
    gold_dir: Option<source::Place>,
    judge: Option<source::Place>,
}

impl Named {
    fn new(context: &Context, place: &Place, flags: &Written) -> Named {
        let at = |key, is_flag: bool| {
            let path = place.file.as_ref().filter(|_| !is_flag)?;
            load::setting_place(context, path, key)
        };
        Named {
            samples: at("samples", flags.samples.is_some()),
            skill_dir: at("skillDir", flags.skill_dir.is_some()),
            executor: at("executor", flags.executor.is_some()),
            recordings: at("recordings", flags.recordings.is_some()),
            gold_dir: at("goldDir", flags.gold_dir.is_some()),
            judge: at("judgeExecutor", flags.judge_executor.is_some())
                .or_else(|| at("judgeModels", flags.judge_models.is_some()))
                .or_else(|| at("judgeModel", flags.judge_models.is_some())),
        }
    }
}

/// Flags over `eval.yaml` over environment over defaults, with every path absolute.
pub(crate) fn settings(
    context: &Context,
    flags: Written,
    directories: Directories,
    place: &Place,
) -> Result<Chosen, Failure> {
    let file = match &place.file {
        Some(path) => load::eval_file(context, path)?.value,
        None => Written::default(),
    };
    let named = Named::new(context, place, &flags);
    let flags = absolute(context, flags);
    let file = without_foreign_model(&flags, file);
    let written = merge(flags, file);
    let environment = environment(context, &written);
    let mut written = written.or(environment);
    if written.samples.is_none() {
        written.samples = Some(load::find_samples(context, None, &place.base)?);
    }
    let skill_dir = written.skill_dir.get_or_insert_with(|| place.base.join("skills")).clone();
    choose_variants(context, &mut written, &skill_dir, &named)?;
    set_directories(context, &mut written, directories)?;
    let is_replay = written.executor.as_deref().is_some_and(|name| eval_exec::kind(name) == ExecutorKind::Recordings);
    if is_replay && written.recordings.is_none() {
        written.recordings = Some(Some(place.base.join("recordings")));
    }
    let settings = written.resolve();
    check_ranges(&settings)?;
    Ok(Chosen { settings, named, trees: None, order_seed: None })
}

/// V2: directories given as flags hold for the variants, wherever these are named.
fn set_directories(context: &Context, written: &mut Written, directories: Directories) -> Result<(), Failure> {
    let treatments = written.treatments.get_or_insert_default();
    if directories.treatments.len() > treatments.len() {
        let (given, there) = (directories.treatments.len(), treatments.len());
        return Err(Failure::usage(
            msg!("cli-too-many-directories", directories = given, treatments = there),
            msg!("cli-too-many-directories-help"),
        ));
    }
    for (treatment, directory) in treatments.iter_mut().zip(directories.treatments) {
        treatment.cwd = Some(context.absolute(&directory));
    }
    if let (Some(Some(control)), Some(directory)) = (&mut written.control, directories.control) {
        control.cwd = Some(context.absolute(&directory));
    }
    Ok(())
}

/// A model belongs to an executor: when a flag names another executor than `eval.yaml` and no model,
/// the file's model (`sonnet`, say) means nothing to it.
fn without_foreign_model(flags: &Written, mut file: Written) -> Written {
    let is_other = flags.executor.is_some() && flags.executor != file.executor;
    if is_other && flags.model.is_none() {
        file.model = None;
    }
    file
}

/// `upper` over `lower`; the sampling parameters one by one, since each has a flag of its own.
pub(crate) fn merge(upper: Written, lower: Written) -> Written {
    let generation = match (&upper.generation, &lower.generation) {
        (Some(flags), Some(file)) => Some(eval_spec::call::Generation {
            temperature: flags.temperature.or(file.temperature),
            max_tokens: flags.max_tokens.or(file.max_tokens),
            max_turns: flags.max_turns.or(file.max_turns),
        }),
        (flags, file) => flags.clone().or_else(|| file.clone()),
    };
    Written { generation, ..upper.or(lower) }
}

/// Paths of flags refer to the working directory.
pub(crate) fn absolute(context: &Context, mut flags: Written) -> Written {
    let here = |path: PathBuf| context.absolute(&path);
    flags.samples = flags.samples.map(here);
    flags.skill_dir = flags.skill_dir.map(here);
    flags.recordings = flags.recordings.map(|path| path.map(here));
    flags.record = flags.record.map(|path| path.map(here));
    flags.gold_dir = flags.gold_dir.map(|path| path.map(here));
    flags.output_dir = flags.output_dir.map(|path| path.map(here));
    flags
}

/// What the environment says. Its model belongs to its executor, if it names one.
fn environment(context: &Context, upper: &Written) -> Written {
    let executor = context.var("OMK_EXECUTOR").map(str::to_owned);
    let is_other = executor.is_some() && upper.executor.is_some() && upper.executor != executor;
    let model = context.var("OMK_MODEL").filter(|_| !is_other).map(str::to_owned);
    Written { executor, model, ..Written::default() }
}

/// V3: without any word about variants, every skill is compared with the baseline; treatments
/// without a control are compared with the baseline as well.
fn choose_variants(context: &Context, written: &mut Written, skill_dir: &Path, named: &Named) -> Result<(), Failure> {
    let has_control = matches!(written.control, Some(Some(_)));
    let has_treatments = written.treatments.as_ref().is_some_and(|treatments| !treatments.is_empty());
    if has_control {
        return Ok(());
    }
    written.control = Some(Some(VariantRef::new("baseline")));
    if has_treatments {
        return Ok(());
    }
    let found = load::discover(context, skill_dir);
    if found.is_empty() {
        let message = msg!("cli-no-variants", dir = context.display(skill_dir));
        let error = Diagnostic::error(message, named.skill_dir.clone()).help(msg!("cli-no-variants-help"));
        return Err(Failure::Input(error.into()));
    }
    written.treatments = Some(found.into_iter().map(VariantRef::new).collect());
    Ok(())
}

/// Numbers out of range, all at once. Those of `eval.yaml` were checked when it was read, against the
/// same table.
pub(crate) fn check_ranges(settings: &Settings) -> Result<(), Failure> {
    #[expect(clippy::cast_precision_loss, reason = "a time limit is far below 2^52 milliseconds")]
    let timeout = settings.timeout_ms as f64 / 1000.0;
    let numbers = [
        ("--max-failure-rate", "maxFailureRate", Some(settings.max_failure_rate)),
        ("--holdout", "holdout", settings.holdout),
        ("--threshold", "threshold", Some(settings.threshold)),
        ("--min-effect", "minEffect", Some(settings.min_effect)),
        ("--trivial-diff", "trivialDiff", Some(settings.trivial_diff)),
        ("--temperature", "temperature", settings.generation.temperature),
        ("--timeout", "timeout", Some(timeout)),
        ("--budget-usd", "budgetUsd", settings.budget_usd),
        ("--budget-per-sample-usd", "budgetPerSampleUsd", settings.budget_per_sample_usd),
    ];
    let wrong: Vec<Diagnostic> = numbers
        .into_iter()
        .filter_map(|(flag, key, value)| {
            let (value, (low, high)) = (value?, range(key)?);
            let message = msg!(
                "cli-out-of-range",
                flag = flag,
                value = value.to_string(),
                low = low.to_string(),
                high = high.to_string()
            );
            (!(low..=high).contains(&value)).then(|| Diagnostic::error(message, None))
        })
        .collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Input(Diagnostics(wrong))),
    }
}

/// The range of a number, from the table of settings.
fn range(key: &str) -> Option<(f64, f64)> {
    match load::SETTING_KEYS.iter().find(|known| known.name == key)?.shape {
        SettingShape::Number(low, high, _) => Some((low, high)),
        _ => None,
    }
}

/// What the inputs are loaded for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be run: everything must be there.
    Run,
    /// To be shown: the executor may still be missing a key or a program.
    Preview,
    /// To grade what this executor answered in an earlier run; it is not asked again, and may be gone.
    Regrade(Identity),
}

/// Stands for an executor that can't run here, so that its plan can be shown all the same.
struct NotReady(Identity);

impl NotReady {
    fn named(name: &str) -> Arc<dyn Executor> {
        Arc::new(NotReady(Identity { executor: name.to_owned(), ..Identity::default() }))
    }
}

impl Executor for NotReady {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Err(ExecError::new(CallFailure::Spawn, msg!("cli-executor-not-ready"))) })
    }
}

/// Everything a run needs, read and checked.
pub(crate) struct Project {
    /// Samples, variants, settings.
    pub(crate) suite: Suite,
    /// The sample file's hashes and name.
    pub(crate) sample_file: SampleFile,
    /// Who answers.
    pub(crate) executor: Arc<dyn Executor>,
    /// Who judges; nobody when no sample asks for it.
    pub(crate) judges: Vec<Seat>,
    /// What grades.
    pub(crate) grading: Arc<Grading>,
    /// The seed of order and resampling.
    pub(crate) seed: u64,
    /// The seed of the order, where that is another one.
    pub(crate) order_seed: u64,
    /// The price table.
    pub(crate) prices: Arc<Prices>,
    /// What people scored.
    pub(crate) gold: Option<Gold>,
    calls: Calls,
}

impl Project {
    /// Reads what the settings name. All errors of all inputs come at once.
    pub(crate) fn load(context: &Context, chosen: Chosen, purpose: Purpose) -> Result<Project, Failure> {
        let Chosen { mut settings, named, trees, order_seed } = chosen;
        let mut problems = Vec::new();
        let mut warnings = Vec::new();
        let types = eval_grade::type_specs();
        let sample_file = load::samples(context, &settings.samples, &types).map_err(|found| at(found, &named.samples));
        let sample_file = keep(sample_file, &mut problems, &mut warnings);
        let refs: Vec<VariantRef> = settings.control.iter().chain(&settings.treatments).cloned().collect();
        let variants = keep(load::variants(context, &settings.skill_dir, &refs), &mut problems, &mut warnings);
        let (Some(sample_file), Some(variants)) = (sample_file, variants) else {
            return Err(Failure::Input(Diagnostics(problems)));
        };
        let gold = gold(context, &settings, &named, &sample_file.samples)?;
        let gold = gold.map(|loaded| {
            warnings.extend(loaded.warnings);
            loaded.value
        });
        let mut samples = sample_file.samples.clone();
        let (errors, unmet) =
            unmet(&settings, &samples).into_iter().partition(|d| d.severity == source::Severity::Error);
        if !Vec::is_empty(&errors) {
            return Err(Failure::Input(Diagnostics(errors)));
        }
        warnings.extend::<Vec<_>>(unmet);
        if !settings.judge {
            without_judged(&mut samples);
        }
        let prices = Arc::new(prices(context)?);
        let build = Build { context, settings: &settings, prices: Arc::clone(&prices) };
        let is_regrade = matches!(purpose, Purpose::Regrade(_));
        let executor = match &purpose {
            Purpose::Regrade(identity) => Ok(Arc::new(Answered(identity.clone())) as Arc<dyn Executor>),
            Purpose::Run | Purpose::Preview => eval_exec::build(&settings.executor, &build),
        };
        let executor = match executor {
            Err(error @ BuildError::Missing { .. }) if purpose == Purpose::Preview => {
                warnings.push(Diagnostic::warning(
                    msg!("cli-dry-run-not-ready", why = error.message().text(context.lang)),
                    None,
                ));
                NotReady::named(&settings.executor)
            }
            built => built.map_err(|error| Failure::Executor {
                place: place_of(&settings, &named).cloned().map(Box::new),
                meant: meant(&error, &settings.executor),
                error,
                instead: None,
            })?,
        };
        if settings.model.is_empty() {
            settings.model = eval_exec::default_model(&settings.executor).to_owned();
        }
        let grading = Arc::new(Grading::new(&samples, grading_setup(context, &settings))?);
        let judges = match grading.needs_judges() {
            false => Vec::new(),
            true => {
                match seats(
                    &settings,
                    (!is_regrade).then_some(&executor),
                    &Build { context, settings: &settings, prices: Arc::clone(&prices) },
                ) {
                    Ok(judges) => judges,
                    Err((_, error @ BuildError::Missing { .. })) if purpose == Purpose::Preview => {
                        let why = error.message().text(context.lang);
                        warnings.push(Diagnostic::warning(msg!("cli-dry-run-judge-not-ready", why = why), None));
                        Vec::new()
                    }
                    Err((name, error)) => {
                        let (place, meant) = (named.judge.clone().map(Box::new), meant(&error, &name));
                        let instead = Some(Box::new(msg!("cli-judge-instead")));
                        return Err(Failure::Executor { place, meant, error, instead });
                    }
                }
            }
        };
        let seed = settings.seed.unwrap_or_else(|| seed_of(&sample_file.test_set.id));
        let suite = Suite { samples, variants, settings, warnings };
        let calls = Calls::new(context, &suite, trees.as_ref())?;
        let order_seed = order_seed.unwrap_or(seed);
        Ok(Project { suite, sample_file, executor, judges, grading, seed, order_seed, prices, gold, calls })
    }

    /// The plan: every cell in its order, with its fingerprint.
    pub(crate) fn plan(&self) -> eval_spec::plan::Plan {
        let sample_ids: Vec<Arc<str>> = self.suite.samples.iter().map(|sample| sample.id.as_str().into()).collect();
        let subjects: Vec<Arc<str>> = self.suite.variants.iter().map(|variant| variant.name.as_str().into()).collect();
        let identity = self.executor.identity();
        eval_run::plan(
            &sample_ids,
            &subjects,
            self.order(),
            |sample, subject, repeat| {
                let key = CellKey {
                    sample: Arc::clone(&sample_ids[sample]),
                    subject: Arc::clone(&subjects[subject]),
                    repeat,
                };
                self.calls.call(key, sample, subject).fingerprint(identity).into()
            },
            &self.grading_hash(),
        )
    }

    /// X1; a run that may end early runs whole samples, those first that are run in any case.
    fn order(&self) -> Vec<(usize, usize, u32)> {
        let Suite { samples, variants, settings, .. } = &self.suite;
        match settings.stop_when_decided {
            true => {
                eval_run::order_by_sample(samples.len(), variants.len(), settings.repeat, self.order_seed, |sample| {
                    samples[sample].tripwire
                })
            }
            false => eval_run::order(samples.len(), variants.len(), settings.repeat, self.order_seed),
        }
    }

    /// The pairs of answers that judges compare.
    pub(crate) fn pairs<'p>(&self, plan: &'p eval_spec::plan::Plan) -> Vec<[&'p Cell; 2]> {
        eval_run::pairs(plan, |sample| self.grading.compared(sample) > 0)
    }

    /// What the executor is asked for a cell.
    pub(crate) fn call(&self, cell: &Cell) -> Call {
        self.calls.call(cell.key.clone(), cell.sample, cell.subject)
    }

    /// The inputs by name, to tell what changed between two runs.
    pub(crate) fn inputs(&self) -> serde_json::Value {
        let settings = &self.suite.settings;
        let samples: serde_json::Map<_, _> =
            self.sample_file.hashes.iter().map(|(id, hash)| (id.clone(), json!(hash))).collect();
        let variants: serde_json::Map<_, _> =
            self.suite.variants.iter().map(|variant| (variant.name.clone(), json!(variant.artifact.hash()))).collect();
        json!({
            "samples": samples,
            "variants": variants,
            "scripts": self.grading.script_hashes(),
            "executor": self.executor.identity(),
            "model": settings.model,
            "effort": settings.effort,
            "generation": settings.generation,
            "allowedTools": settings.allowed_tools,
            "cwd": self.calls.cwds(),
            "judge": self.judged_by(),
            "customRuntime": settings.custom_runtime,
            // One that follows from the test set changes with it, and is not what somebody changed.
            "seed": settings.seed,
            "repeat": settings.repeat,
            // It decides the order.
            "stopWhenDecided": settings.stop_when_decided,
        })
    }

    /// What decides the judges' scores.
    fn judged_by(&self) -> serde_json::Value {
        let settings = &self.suite.settings;
        if self.judges.is_empty() {
            return json!(settings.judge);
        }
        let judge = |seat: &Seat| json!({"model": seat.model, "executor": seat.executor.identity()});
        let mut judged_by = json!({
            "judges": self.judges.iter().map(judge).collect::<Vec<_>>(),
            "repeat": settings.judge_repeat,
            "template": eval_grade::template_name(settings.debias_length),
            "hash": eval_grade::template_hash(settings.debias_length),
        });
        if self.is_pairwise() {
            judged_by["pairwise"] = json!({
                "mode": settings.judge_mode,
                "template": eval_grade::pairwise_template_name(settings.debias_length),
                "hash": eval_grade::pairwise_template_hash(settings.debias_length),
            });
        }
        judged_by
    }

    /// Whether judges compare answers to any sample.
    pub(crate) fn is_pairwise(&self) -> bool {
        (0..self.suite.samples.len()).any(|sample| self.grading.compared(sample) > 0)
    }

    fn grading_hash(&self) -> String {
        let settings = &self.suite.settings;
        let what = json!({
            "samples": self.sample_file.hashes,
            "scripts": self.grading.script_hashes(),
            "customRuntime": settings.custom_runtime,
            "judge": self.judged_by(),
        });
        sha256_hex(canonical_json(&what).as_bytes())
    }
}

/// People's scores, if the settings name any; each must answer a question of its sample.
fn gold(
    context: &Context,
    settings: &Settings,
    named: &Named,
    samples: &[eval_spec::Sample],
) -> Result<Option<load::Loaded<Gold>>, Diagnostics> {
    let Some(directory) = &settings.gold_dir else { return Ok(None) };
    let questions = samples.iter().map(|sample| (sample.id.clone(), Some(sample.questions()))).collect();
    load::gold(context, directory, Some(&questions)).map(Some).map_err(|found| at(found, &named.gold_dir))
}

/// The same with a place for what has none: the file itself is missing, or not readable as one.
fn at(Diagnostics(found): Diagnostics, place: &Option<source::Place>) -> Diagnostics {
    let placed = |d: Diagnostic| Diagnostic { place: d.place.clone().or_else(|| place.clone()), ..d };
    Diagnostics(found.into_iter().map(placed).collect())
}

/// Where `eval.yaml` names what an executor is built from.
fn place_of<'a>(settings: &Settings, named: &'a Named) -> Option<&'a source::Place> {
    let recordings = named.recordings.as_ref().filter(|_| is_replay(settings));
    recordings.or(named.executor.as_ref())
}

fn keep<T>(
    loaded: Result<load::Loaded<T>, Diagnostics>,
    problems: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
) -> Option<T> {
    match loaded {
        Ok(loaded) => {
            warnings.extend(loaded.warnings);
            Some(loaded.value)
        }
        Err(diagnostics) => {
            problems.extend(diagnostics.0);
            None
        }
    }
}

fn grading_setup(context: &Context, settings: &Settings) -> Setup {
    let custom_runtime = match settings.custom_runtime.as_str() {
        "node" => CustomRuntime::Node { program: "node".into() },
        _ => CustomRuntime::Embedded,
    };
    Setup {
        custom_runtime,
        judging: settings.judge,
        judge_mode: settings.judge_mode,
        env: context.env.clone(),
        ..Setup::default()
    }
}

/// Whether nothing is called, since the answers are there.
pub(crate) fn is_replay(settings: &Settings) -> bool {
    eval_exec::kind(&settings.executor) == ExecutorKind::Recordings
}

/// Whether calls run as programs on this machine, so that the files around them decide the answer; known
/// to nobody but the cache, which therefore asks.
fn runs_here(settings: &Settings) -> bool {
    settings.cache && eval_exec::kind(&settings.executor).runs_here()
}

fn tree(context: &Context, settings: &Settings, path: &Path) -> Result<Arc<str>, Failure> {
    let failed = Failure::io(msg!("cli-cwd", path = context.display(path)));
    let written = [Some(&context.home), settings.output_dir.as_ref(), settings.record.as_ref()];
    // What is sent of them is in the key already: an edited assertion changes no answer.
    let inputs =
        [Some(&settings.samples), Some(&settings.skill_dir), settings.recordings.as_ref(), settings.gold_dir.as_ref()];
    let ours: Vec<PathBuf> = written.into_iter().chain(inputs).flatten().map(|path| normal(path)).collect();
    Ok(load::cwd_fingerprint(path, &ours).map_err(failed)?.into())
}

/// T3: the default seed follows from the test set.
fn seed_of(test_set: &str) -> u64 {
    u64::from_str_radix(&sha256_hex(test_set.as_bytes())[..12], 16).unwrap_or_default()
}

/// The working directories and what stood in them when the run began, by path.
pub(crate) type Trees = BTreeMap<PathBuf, Arc<str>>;

/// The texts of all calls, shared by the cells that use them.
struct Calls {
    prompts: Vec<Arc<str>>,
    systems: Vec<Option<Arc<str>>>,
    cwds: Vec<Option<PathBuf>>,
    sample_cwds: Vec<Option<PathBuf>>,
    trees: Trees,
    /// Where calls without a directory of their own run, if that can decide the answer.
    default_cwd: Option<PathBuf>,
    settings: Settings,
}

impl Calls {
    /// `known` are the trees of a run that goes on: what its agents wrote since does not make it another run.
    fn new(context: &Context, suite: &Suite, known: Option<&Trees>) -> Result<Calls, Failure> {
        let settings = &suite.settings;
        let cwds: Vec<_> = suite.variants.iter().map(|variant| variant.cwd.clone()).collect();
        let sample_cwds: Vec<_> = suite.samples.iter().map(|sample| sample.cwd.clone()).collect();
        let is_counted = known.map_or_else(|| runs_here(settings), |known| known.contains_key(&context.cwd));
        let default_cwd = is_counted.then(|| context.cwd.clone());
        let mut trees = Trees::new();
        for path in cwds.iter().chain(&sample_cwds).chain([&default_cwd]).flatten() {
            if !trees.contains_key(path) {
                let stored = known.and_then(|known| known.get(path)).cloned();
                let fingerprint = stored.map_or_else(|| tree(context, settings, path), Ok)?;
                trees.insert(path.clone(), fingerprint);
            }
        }
        Ok(Calls {
            prompts: suite.samples.iter().map(|sample| sample.prompt_text().into()).collect(),
            systems: suite.variants.iter().map(|variant| variant.artifact.body.as_deref().map(Into::into)).collect(),
            cwds,
            sample_cwds,
            trees,
            default_cwd,
            settings: settings.clone(),
        })
    }

    /// The working directories and what stands in them, as hashes.
    fn cwds(&self) -> serde_json::Value {
        let hashes = self.trees.iter().map(|(path, hash)| (path.display().to_string(), json!(&**hash)));
        hashes.collect::<serde_json::Map<_, _>>().into()
    }

    fn call(&self, key: CellKey, sample: usize, subject: usize) -> Call {
        let cwd = self.sample_cwds[sample].clone().or_else(|| self.cwds[subject].clone());
        let cwd_fingerprint = cwd.as_ref().or(self.default_cwd.as_ref()).and_then(|cwd| self.trees.get(cwd)).cloned();
        Call {
            key,
            model: self.settings.model.clone(),
            effort: self.settings.effort.clone(),
            system: self.systems[subject].clone(),
            prompt: Arc::clone(&self.prompts[sample]),
            cwd,
            cwd_fingerprint,
            generation: self.settings.generation.clone(),
            allowed_tools: self.settings.allowed_tools.clone(),
            timeout: Duration::from_millis(self.settings.timeout_ms),
        }
    }
}
