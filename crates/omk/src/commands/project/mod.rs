//! A project: settings resolved once, inputs read once.

mod calls;
mod directories;
mod drift;
mod gap_statuses;
mod identity;
pub(crate) mod purpose;
mod ready;
mod settings;
mod triggers;
pub(crate) mod urls;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use eval_analysis::AlikeSamples;
use eval_cli::CommandError;
use eval_cli::driver::journal::seed_of;
use eval_cli::judges::Seat;
use eval_cli::prices::prices;
use eval_exec::{Build, Prices};
use eval_format::{GAP_STATUS_FILE, GapStatusFile};
use eval_grade::{CustomRuntime, GraderSetup, Grading};
use eval_history::PlannedUrl;
use eval_load as load;
use eval_load::SampleFile;
use eval_spec::gold::Gold;
use eval_spec::page::InlinedUrl;
use eval_spec::suite::{ArmPart, Settings, VariantRef};
use eval_spec::{Call, Cell, Context, Diagnostic, Diagnostics, Executor, Sample, Suite, Variant, source};

use self::calls::Calls;
pub(crate) use self::calls::Trees;
pub(crate) use self::gap_statuses::read_statuses;
pub(crate) use self::settings::{Chosen, InputPlaces, KnownUrls, Named, absolute, check_settings, merge, settings};
use super::mock_findings::mock_findings;
use super::unmet::{unmet, without_judged, without_scripts};
use crate::commands::project::purpose::Purpose;

/// Hexadecimal digits that the default seed is made of.
const SEED_DIGITS: usize = 12;

pub(crate) struct Project {
    pub(crate) suite: Suite,
    pub(crate) sample_file: SampleFile,
    pub(crate) executor: Arc<dyn Executor>,
    /// The judges; none if no sample needs one.
    pub(crate) judges: Vec<Seat>,
    /// The model that looks again at sentences of doubt, if one is to.
    pub(crate) classifier: Option<Seat>,
    pub(crate) grading: Arc<Grading>,
    pub(crate) seed: u64,
    /// The seed of the order; that of the earlier run for answers that are graded anew.
    pub(crate) order_seed: u64,
    pub(crate) prices: Arc<Prices>,
    pub(crate) gold: Option<Gold>,
    /// The URLs of the samples, and what stands in their place.
    pub(crate) urls: Vec<InlinedUrl>,
    /// The URLs that a run would fetch, where only its plan is shown.
    pub(crate) planned_urls: Vec<PlannedUrl>,
    /// What people decided on gaps.
    pub(crate) gap_decisions: GapStatusFile,
    calls: Calls,
    /// The files that mocks take their answers from.
    answer_files: Vec<PathBuf>,
    alike: OnceLock<AlikeSamples>,
}

impl Project {
    /// Reads the inputs. Errors of all inputs are reported together.
    pub(crate) fn load(context: &Context, chosen: Chosen, purpose: Purpose) -> Result<Project, CommandError> {
        let Chosen { mut settings, named, trees, order_seed, urls } = chosen;
        let (mut sample_file, variants, mut warnings) = inputs(context, &settings, &named)?;
        let answer_files = answer_files(&sample_file);
        if purpose == Purpose::Record {
            sample_file.samples.iter_mut().for_each(only_ask);
        }
        let gold = gold(context, &settings, &named, &sample_file.samples)?;
        let gold = gold.map(|loaded| {
            warnings.extend(loaded.warnings);
            loaded.value
        });
        let in_inputs = eval_exec::in_inputs(context, texts(&sample_file.samples, &variants));
        let context = &Context { in_inputs, ..context.clone() };
        let samples = planned_samples(&settings, &sample_file.samples, &purpose, &mut warnings)?;
        let prices = Arc::new(prices(context)?);
        let build = Build { context, settings: &settings, prices: Arc::clone(&prices) };
        let executor = ready::executor(&build, &named, &purpose, &mut warnings)?;
        if settings.model.is_empty() {
            settings.model = eval_exec::default_model(&settings.executor).to_owned();
        }
        let fetched = urls::fetch(context, (&settings, &named), &purpose, urls.as_ref(), &samples, &mut warnings)?;
        // The order is the one that a preview shows.
        let seed = settings.seed.unwrap_or_else(|| seed_of(&sample_file.test_set.id, SEED_DIGITS));
        let samples: Vec<Sample> = samples.into_iter().map(|sample| fetched.inline(sample)).collect();
        let sample_file =
            if fetched.urls.is_empty() { sample_file } else { sample_file.inlined(|of| fetched.inline(of)) };
        // the suite has the samples that are run: of 50,000, a second copy takes 100 MB
        let sample_file = SampleFile { samples: Vec::new(), ..sample_file };
        let mut graded = Cow::Borrowed(&samples);
        if purpose == Purpose::Checkup {
            // A script is run when it is loaded.
            without_scripts(graded.to_mut());
        }
        let grading = Arc::new(Grading::new(&graded, grading_setup(context, &settings))?);
        let build = Build { context, settings: &settings, prices: Arc::clone(&prices) };
        let judges = match grading.needs_judges() {
            false => Vec::new(),
            true => ready::judges(&build, &executor, &named, &purpose, &mut warnings)?,
        };
        let classifier = ready::classifier(&build, &executor, &named, &purpose, &judges, &mut warnings)?;
        let base = project_folder(context, &settings);
        let gap_decisions = read_statuses(context, &base.join(GAP_STATUS_FILE))?;
        let knowledge = load::knowledge_base(context, &settings.kb, &base)?;
        let mut suite = Suite { samples, variants, settings, knowledge, warnings };
        let calls = Calls::new(context, &suite, trees.as_ref())?;
        // A run that is resumed was checked when it began.
        if trees.is_none() {
            let found = directories::findings(context, &suite, &calls)
                .into_iter()
                .chain(drift::undeclared(&suite, &calls))
                .chain(drift::same_variants(&suite, &calls))
                .chain(grading.idle_checks(&suite.samples));
            let (errors, found): (Vec<_>, Vec<_>) =
                found.partition(|d| d.severity == source::DiagnosticSeverity::Error);
            if !errors.is_empty() {
                return Err(CommandError::Input(Diagnostics(errors)));
            }
            suite.warnings.extend(found);
        }
        let order_seed = order_seed.unwrap_or(seed);
        Ok(Project {
            suite,
            sample_file,
            executor,
            judges,
            classifier,
            grading,
            seed,
            order_seed,
            prices,
            gold,
            urls: fetched.urls,
            planned_urls: fetched.planned,
            gap_decisions,
            calls,
            answer_files,
            alike: OnceLock::new(),
        })
    }

    /// The samples that are alike. Plan, watch and report read them.
    pub(crate) fn alike(&self) -> &AlikeSamples {
        self.alike.get_or_init(|| AlikeSamples::of(&self.suite))
    }

    /// The files and folders that it was read from: artifacts, scripts, samples, answers of mocks.
    pub(crate) fn files_read<'p>(&'p self, context: &'p Context) -> impl Iterator<Item = PathBuf> + use<'p> {
        let Project { suite, sample_file, grading, answer_files, .. } = self;
        let origins = suite.variants.iter().filter_map(|variant| variant.artifact.origin.as_deref());
        let origins = origins.map(|origin| context.absolute(Path::new(origin)));
        let scripts = grading.script_hashes().keys().map(|script| beside(sample_file).join(script));
        origins.chain(scripts).chain(answer_files.iter().cloned()).chain([sample_file.path.clone()])
    }

    /// In what the treatments differ from the control.
    pub(crate) fn differences(&self) -> Vec<ArmPart> {
        drift::differences(&self.suite, &self.calls)
    }

    /// The files that agents would find changed since a run began that is resumed.
    pub(crate) fn changed_files(&self, began: SystemTime) -> Vec<load::ChangedPath> {
        self.calls.changed_files(began)
    }

    pub(crate) fn call(&self, cell: &Cell) -> Call {
        self.calls.call(cell.key.clone(), cell.sample, cell.subject)
    }
}

/// The folder of the sample file, to which its paths refer.
fn beside(sample_file: &SampleFile) -> &Path {
    sample_file.path.parent().unwrap_or(Path::new("."))
}

fn answer_files(sample_file: &SampleFile) -> Vec<PathBuf> {
    let mocks = sample_file.samples.iter().flat_map(|sample| &sample.mocks);
    let files = mocks.filter_map(|mock| mock.written.get("return_file")?.as_str());
    files.map(|file| beside(sample_file).join(file)).collect()
}

/// The folder of eval.yaml, else that of the samples.
fn project_folder(context: &Context, settings: &Settings) -> PathBuf {
    let file = settings.eval_file.as_deref().unwrap_or(&settings.samples);
    context.absolute(file.parent().unwrap_or(&context.cwd))
}

/// People's scores, if the settings name a directory; each must answer a question of its sample.
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

/// The diagnostics, with a place for those without one: the file itself is missing or unreadable.
fn at(Diagnostics(found): Diagnostics, place: &Option<source::Place>) -> Diagnostics {
    let placed = |d: Diagnostic| Diagnostic { place: d.place.clone().or_else(|| place.clone()), ..d };
    Diagnostics(found.into_iter().map(placed).collect())
}

/// The sample file and the variants, with their warnings. Errors of both are reported together.
fn inputs(
    context: &Context,
    settings: &Settings,
    named: &Named,
) -> Result<(SampleFile, Vec<Variant>, Vec<Diagnostic>), CommandError> {
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    let types = eval_grade::type_specs();
    let sample_file = load::samples(context, &settings.samples, &types).map_err(|found| at(found, &named.samples));
    let sample_file = keep(sample_file, &mut problems, &mut warnings);
    let refs: Vec<VariantRef> = settings.control.iter().chain(&settings.treatments).cloned().collect();
    let variants = keep(load::variants(context, &settings.skill_dir, &refs), &mut problems, &mut warnings);
    match (sample_file, variants) {
        (Some(sample_file), Some(variants)) => Ok((sample_file, variants, warnings)),
        _ => Err(CommandError::Input(Diagnostics(problems))),
    }
}

/// What stands in the inputs: what is asked, what is checked, and the artifacts.
fn texts<'t>(samples: &'t [Sample], variants: &'t [Variant]) -> impl Iterator<Item = Cow<'t, str>> {
    let of_sample = |sample: &'t Sample| {
        let asked = [Some(&sample.prompt), sample.context.as_ref(), sample.rubric.as_ref()];
        let asked = asked.into_iter().flatten().chain(sample.dimensions.iter().map(|(_, text)| text));
        let checked = sample.assertions.iter().flat_map(|assertion| assertion.written.values());
        asked.map(|text| Cow::Borrowed(text.as_str())).chain(checked.map(|value| Cow::Owned(value.to_string())))
    };
    let files = variants.iter().flat_map(|variant| &variant.artifact.files);
    samples.iter().flat_map(of_sample).chain(files.map(|file| String::from_utf8_lossy(&file.bytes)))
}

/// Leaves nothing of a sample but what an agent is asked.
fn only_ask(sample: &mut Sample) {
    // What a mock answers, an agent fetches: it is to be recorded anew.
    sample.keeps_urls |=
        sample.mocks.iter().any(|mock| mock.conditions.url.is_some() || mock.conditions.url_glob.is_some());
    sample.mocks.clear();
    sample.assertions.clear();
    sample.dimensions.clear();
    (sample.mocks_strict, sample.rubric, sample.judge) = (false, None, None);
}

/// The samples to run; with `--no-judge`, without judged assertions.
fn planned_samples(
    settings: &Settings,
    samples: &[Sample],
    purpose: &Purpose,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Sample>, CommandError> {
    // Answers that are there are not asked for with mocks.
    let is_given = matches!(purpose, Purpose::Regrade(_));
    let of_mocks = if is_given { Vec::new() } else { mock_findings(settings, samples) };
    let (errors, unmet): (Vec<_>, Vec<_>) = unmet(settings, samples)
        .into_iter()
        .chain(of_mocks)
        .partition(|d| d.severity == source::DiagnosticSeverity::Error);
    if !errors.is_empty() {
        return Err(CommandError::Input(Diagnostics(errors)));
    }
    warnings.extend(unmet);
    let mut samples = samples.to_vec();
    if !settings.judge {
        without_judged(&mut samples);
    }
    Ok(samples)
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

fn grading_setup(context: &Context, settings: &Settings) -> GraderSetup {
    let custom_runtime = match settings.custom_runtime.as_str() {
        "node" => CustomRuntime::Node { program: "node".into() },
        _ => CustomRuntime::Embedded,
    };
    GraderSetup {
        custom_runtime,
        judging: settings.judge,
        judge_mode: settings.judge_mode,
        mocks: eval_exec::can_mock(&settings.executor),
        env: context.env.clone(),
        ..GraderSetup::default()
    }
}
