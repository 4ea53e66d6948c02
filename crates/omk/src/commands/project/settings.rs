//! The settings of a run: flags over `eval.yaml` over environment over defaults.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_exec::ExecutorKind;
use eval_load as load;
use eval_load::SettingShape;
use eval_message::msg;
use eval_spec::page::InlinedUrl;
use eval_spec::suite::{ArmPart, Settings, VariantRef, Written};
use eval_spec::{Context, Diagnostic, Diagnostics, source};

use super::{Trees, triggers};
use crate::cli::Directories;

pub(crate) struct InputPlaces {
    /// The directory that defaults refer to.
    pub(crate) base: PathBuf,
    /// The `eval.yaml`, if there is one.
    pub(crate) file: Option<PathBuf>,
}

impl InputPlaces {
    /// The project that a positional argument names: an `eval.yaml`, a directory, or (by default) the
    /// working directory.
    pub(crate) fn find(context: &Context, argument: Option<&Path>) -> Result<InputPlaces, CommandError> {
        let path = context.absolute(argument.unwrap_or(Path::new(".")));
        if path.is_file() {
            let base = path.parent().unwrap_or(&context.cwd).to_path_buf();
            return Ok(InputPlaces { base, file: Some(path) });
        }
        if !path.is_dir() {
            let shown = context.display(&path);
            let message = match path.exists() {
                true => msg!("cli-project-no-file", path = shown),
                false => msg!("cli-project-missing", path = shown),
            };
            return Err(CommandError::usage(message, msg!("cli-project-missing-help")));
        }
        let file = ["eval.yaml", "eval.yml"].iter().map(|name| path.join(name)).find(|file| file.is_file());
        Ok(InputPlaces { base: normal(&path), file })
    }

    /// The working directory alone: `bench` reads no `eval.yaml`, as in earlier versions.
    pub(crate) fn bare(context: &Context) -> InputPlaces {
        InputPlaces { base: context.cwd.clone(), file: None }
    }
}

/// `path` without a trailing `/.`.
pub(super) fn normal(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The settings of a run, with their places in `eval.yaml`.
pub(crate) struct Chosen {
    pub(crate) settings: Settings,
    pub(crate) named: Named,
    /// The fingerprints of the working directories, for a run that is resumed or regraded.
    pub(crate) trees: Option<Trees>,
    /// The seed of the order, for answers that are graded anew.
    pub(crate) order_seed: Option<u64>,
    /// The URLs that a run fetched which is resumed or regraded.
    pub(crate) urls: Option<KnownUrls>,
}

/// The URLs that a run fetched which is resumed or regraded.
pub(crate) struct KnownUrls {
    /// The run's id.
    pub(crate) run: String,
    /// The URLs, in the order of the samples.
    pub(crate) urls: Vec<InlinedUrl>,
    /// Whether a flag names the servers now: a file that is only named by the run may have changed since.
    pub(crate) names_servers: bool,
}

/// The places in `eval.yaml` of settings that name inputs, for errors about a missing input; `None` for settings from
/// elsewhere.
#[derive(Default)]
pub(crate) struct Named {
    pub(super) samples: Option<source::Place>,
    pub(super) skill_dir: Option<source::Place>,
    pub(super) executor: Option<source::Place>,
    pub(super) recordings: Option<source::Place>,
    pub(super) gold_dir: Option<source::Place>,
    pub(super) judge: Option<source::Place>,
    pub(super) mcp_config: Option<source::Place>,
    pub(super) allow_private_urls: Option<source::Place>,
}

impl Named {
    fn new(context: &Context, place: &InputPlaces, flags: &Written) -> Named {
        let at = |key, is_flag: bool| {
            let path = place.file.as_ref().filter(|_| !is_flag)?;
            load::setting_place(context, path, key)
        };
        Named {
            samples: at("samples", flags.samples.is_some() || flags.run_triggers.is_some())
                .or_else(|| at("triggers", flags.samples.is_some())),
            skill_dir: at("skillDir", flags.skill_dir.is_some()),
            executor: at("executor", flags.executor.is_some()),
            recordings: at("recordings", flags.recordings.is_some()),
            gold_dir: at("goldDir", flags.gold_dir.is_some()),
            mcp_config: at("mcpConfig", flags.mcp_config.is_some()),
            allow_private_urls: at("allowPrivateUrls", flags.allow_private_urls.is_some()),
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
    place: &InputPlaces,
) -> Result<Chosen, CommandError> {
    let file = match &place.file {
        Some(path) => load::eval_file(context, path)?.value,
        None => Written::default(),
    };
    let file = Written { eval_file: Some(place.file.clone()), ..file };
    let named = Named::new(context, place, &flags);
    let flags = absolute(context, flags);
    let file = without_foreign_model(&flags, file);
    let written = merge(flags, file);
    let environment = environment(context, &written);
    let mut written = written.or(environment);
    let samples = choose_samples(context, &mut written, &place.base)?;
    let are_triggers = load::is_triggers(context, &samples);
    triggers::check_flags(&written, are_triggers)?;
    choose_skill_of_evals(context, &mut written, &samples);
    let skill_dir = written.skill_dir.get_or_insert_with(|| place.base.join("skills")).clone();
    match are_triggers {
        true => triggers::choose_variants(context, &mut written, &skill_dir, named.skill_dir.as_ref())?,
        false => choose_variants(context, &mut written, &skill_dir, &named)?,
    }
    if let Some(Some(control)) = written.control.take() {
        let treatments = written.treatments.as_deref().unwrap_or_default();
        written.control = Some(Some(load::resolved_control(context, &skill_dir, control, treatments)?));
    }
    set_directories(context, &mut written, directories)?;
    set_delivery(&mut written);
    if written.aa == Some(true) {
        repeat_control(&mut written);
    }
    let is_replay = written.executor.as_deref().is_some_and(|name| eval_exec::kind(name) == ExecutorKind::Recordings);
    if is_replay && written.recordings.is_none() {
        written.recordings = Some(Some(place.base.join("recordings")));
    }
    if written.margin.is_some() && written.goal.is_none() {
        let error = Diagnostic::error(msg!("cli-margin-without-goal"), None).help(msg!("cli-margin-without-goal-help"));
        return Err(CommandError::Input(error.into()));
    }
    let settings = written.resolve();
    check_settings(&settings)?;
    Ok(Chosen { settings, named, trees: None, order_seed: None, urls: None })
}

/// The file of samples, or of triggers where they are asked for or where there is nothing else.
fn choose_samples(context: &Context, written: &mut Written, base: &Path) -> Result<PathBuf, CommandError> {
    let triggers = written.triggers.clone().flatten();
    let samples = match (written.run_triggers == Some(true), written.samples.take()) {
        (true, _) => triggers.ok_or_else(triggers::none)?,
        (false, Some(samples)) => samples,
        (false, None) => match load::find_samples(context, None, base) {
            Ok(samples) => samples,
            Err(missing) => triggers.ok_or(missing)?,
        },
    };
    written.samples = Some(samples.clone());
    Ok(samples)
}

/// Makes the control its own treatment. Nothing is cached: the control may be in the cache from an earlier run, and both arms
/// must be asked at the same time, each time anew.
fn repeat_control(written: &mut Written) {
    let Some(Some(control)) = &written.control else { return };
    let name = format!("{}-again", load::variant_name(control));
    written.treatments = Some(vec![VariantRef { name: Some(name), ..control.clone() }]);
    written.cache = Some(false);
}

/// Every variant that doesn't say how it reaches the model does so as the setting says.
fn set_delivery(written: &mut Written) {
    let Some(delivery) = written.delivery.filter(|delivery| !delivery.is_default()) else { return };
    let control = written.control.iter_mut().flatten();
    for variant in control.chain(written.treatments.iter_mut().flatten()) {
        variant.delivery.get_or_insert(delivery);
    }
}

/// Sets the working directories of flags, also for variants of `eval.yaml`.
fn set_directories(context: &Context, written: &mut Written, directories: Directories) -> Result<(), CommandError> {
    if directories.control.is_some() || !directories.treatments.is_empty() {
        // Whoever names the directories in the command says that they differ.
        let varies = written.varies.get_or_insert_with(|| Settings::default().varies);
        varies.push(ArmPart::Cwd);
        varies.dedup();
    }
    let treatments = written.treatments.get_or_insert_default();
    if directories.treatments.len() > treatments.len() {
        let (given, there) = (directories.treatments.len(), treatments.len());
        return Err(CommandError::usage(
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

/// A model belongs to an executor: if a flag names another executor than `eval.yaml` and no model, the file's model
/// (such as `sonnet`) is dropped.
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
    flags.mcp_config = flags.mcp_config.map(|path| path.map(here));
    flags.output_dir = flags.output_dir.map(|path| path.map(here));
    flags.kb = flags.kb.map(|paths| paths.into_iter().map(here).collect());
    flags
}

/// The settings of the environment. Its model is dropped if another executor than the environment's is used.
fn environment(context: &Context, upper: &Written) -> Written {
    let executor = context.var("OMK_EXECUTOR").map(str::to_owned);
    let is_other = executor.is_some() && upper.executor.is_some() && upper.executor != executor;
    let model = context.var("OMK_MODEL").filter(|_| !is_other).map(str::to_owned);
    Written { executor, model, ..Written::default() }
}

/// Evals of a skill run with and without it, unless variants are set.
fn choose_skill_of_evals(context: &Context, written: &mut Written, samples: &Path) {
    let Some(skill) = load::evals_skill(context, samples).filter(|_| written.treatments.is_none()) else { return };
    let name = skill.file_name().map(|name| name.to_string_lossy().into_owned());
    let artifact = skill.join("SKILL.md").display().to_string();
    written.treatments = Some(vec![VariantRef { name, ..VariantRef::new(artifact) }]);
    if !matches!(written.control, Some(Some(_))) {
        written.control = Some(Some(VariantRef::new("baseline")));
    }
}

/// Without variants, every skill is compared with the baseline; treatments without a control are compared with the
/// baseline as well.
fn choose_variants(
    context: &Context,
    written: &mut Written,
    skill_dir: &Path,
    named: &Named,
) -> Result<(), CommandError> {
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
        return Err(no_variants(context, skill_dir, named.skill_dir.as_ref()));
    }
    written.treatments = Some(found.into_iter().map(VariantRef::new).collect());
    Ok(())
}

/// The error for a directory without skills.
pub(super) fn no_variants(context: &Context, skill_dir: &Path, place: Option<&source::Place>) -> CommandError {
    let message = msg!("cli-no-variants", dir = context.display(skill_dir));
    CommandError::Input(Diagnostic::error(message, place.cloned()).help(msg!("cli-no-variants-help")).into())
}

/// Refuses numbers out of range and settings that exclude each other, all at once. Numbers of `eval.yaml` were checked
/// against the same table when it was read.
pub(crate) fn check_settings(settings: &Settings) -> Result<(), CommandError> {
    let wrong: Vec<Diagnostic> = out_of_range(settings).into_iter().chain(against_goal(settings)).collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Input(Diagnostics(wrong))),
    }
}

/// What would decide in place of the goal, or end the run before the goal is decided.
fn against_goal(settings: &Settings) -> Vec<Diagnostic> {
    if settings.goal.is_default() {
        return Vec::new();
    }
    let excluded = [
        ("--gate", !settings.gate.is_default()),
        ("--aa", settings.aa),
        ("--looks", settings.planned_looks().is_some()),
    ];
    let error = |flag| {
        Diagnostic::error(msg!("cli-goal-excludes", flag = flag), None)
            .help(msg!("cli-goal-excludes-help", flag = flag))
    };
    excluded.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| error(flag)).collect()
}

fn out_of_range(settings: &Settings) -> Vec<Diagnostic> {
    #[expect(clippy::cast_precision_loss, reason = "a time limit is far below 2^52 milliseconds")]
    let timeout = settings.timeout_ms as f64 / 1000.0;
    let numbers = [
        ("--max-failure-rate", "maxFailureRate", Some(settings.max_failure_rate)),
        ("--holdout", "holdout", settings.holdout),
        ("--threshold", "threshold", Some(settings.threshold)),
        ("--min-recall", "minRecall", settings.min_recall),
        ("--min-precision", "minPrecision", settings.min_precision),
        ("--max-gap-rate", "maxGapRate", settings.max_gap_rate),
        ("--gap-rate-regression", "gapRateRegression", settings.gap_rate_regression),
        ("--min-effect", "minEffect", Some(settings.min_effect)),
        ("--min-preference", "minPreference", Some(settings.min_preference)),
        ("--margin", "margin", Some(settings.margin)),
        ("--trivial-diff", "trivialDiff", Some(settings.trivial_diff)),
        ("--temperature", "temperature", settings.generation.temperature),
        ("--timeout", "timeout", Some(timeout)),
        ("--budget-usd", "budgetUsd", settings.budget_usd),
        ("--budget-per-sample-usd", "budgetPerSampleUsd", settings.budget_per_sample_usd),
    ];
    numbers
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
        .collect()
}

fn range(key: &str) -> Option<(f64, f64)> {
    match load::SETTING_KEYS.iter().find(|known| known.name == key)?.shape {
        SettingShape::Number(low, high, _) => Some((low, high)),
        _ => None,
    }
}
