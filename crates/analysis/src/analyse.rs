//! From records to everything a report holds but the results.

use std::collections::BTreeMap;

use eval_format::report::{NoResults, Note};
use eval_format::{
    Analysis, ArmInputs, ArtifactMeta, Channel, Comparison, DiffInputs, Findings, GitInfo, GoldInputs, GoldReport,
    IncompleteReason, Judging, LayerInputs, Layers, Limits, MIN_PAIRS, MeasureSettings, OpinionCounts, Pairwise,
    Report, ReportError, ReportMeta, SCHEMA_VERSION, Saturation, Status, TestSet, TreatmentInputs, TripwireInputs,
    Undecided, VariantSummary, VerdictInputs,
};
use eval_message::Message;
use eval_spec::gold::Gold;
use eval_spec::hash::sha256_hex;
use eval_spec::suite::Settings;
use eval_spec::variant::ArtifactKind;
use eval_spec::{Identity, Layer, Suite, Variant};
use eval_stats::{IntervalMethod, Resampling};
use jiff::Timestamp;

use crate::cells::Cells;
use crate::compare::{Pairs, compare, composites};
use crate::gold::{Facts, hold};
use crate::grid::Grid;
use crate::holdout::holdout;
use crate::insight::insights;
use crate::judging::judging;
use crate::numbers::{Paid, snap};
use crate::pairwise::{Preferences, pairwise};
use crate::quality::cost_outliers;
use crate::stopping::{self, Looked};
use crate::summary::{count, summarise};
use crate::tripwire::tripwires;
use crate::variance::variance;

/// More resamples than any run has.
pub const MOST_RESAMPLES: u32 = 10_000_000;
/// The coverage of every interval.
pub(crate) const LEVEL: f64 = 0.95;

/// What the report says of a run that neither suite nor records tell.
#[derive(Clone, Debug)]
pub struct Meta {
    /// The report's id: [`report_id`](eval_format::report_id) makes one.
    pub id: String,
    /// When the run began.
    pub timestamp: Timestamp,
    /// The version of this program.
    pub cli_version: String,
    /// The version of Node, if it ran something.
    pub node_version: Option<String>,
    /// The seed of order and resampling.
    pub seed: u64,
    /// The sample file as it should be shown.
    pub test_set_path: String,
    /// S4: file name, `@`, 8 hex digits.
    pub test_set_id: String,
    /// What stands for the project of the sample file.
    pub project: Option<String>,
    /// S4: by sample id.
    pub sample_hashes: BTreeMap<String, String>,
    /// Who answered.
    pub executor: Identity,
    /// Who judged, if anybody did.
    pub judge: Option<JudgeMeta>,
    /// The run whose answers were graded anew.
    pub regrade_of: Option<String>,
    /// Per variant's own name: which channels to other artifacts were cut.
    pub skill_isolation: BTreeMap<String, BTreeMap<String, Channel>>,
    /// The repository.
    pub git: Option<GitInfo>,
    /// What people scored, if anybody did.
    pub gold: Option<Gold>,
}

/// Who judged.
#[derive(Clone, Debug)]
pub struct JudgeMeta {
    /// The models, the main one first.
    pub models: Vec<String>,
    /// The name of the judge's prompt.
    pub template: String,
    /// 12 hex digits of SHA-256 over the judge's prompt.
    pub prompt_hash: String,
    /// What the judges cost in this run; `None` when that is unknown.
    pub cost: Option<f64>,
    /// The part of it that is known.
    pub known_cost: f64,
    /// For each sample of the suite, the requests about one answer to it, unusable replies aside.
    pub requests: Vec<u64>,
    /// Who answered for each of them.
    pub runtimes: Vec<Identity>,
    /// The prompt of comparisons, if there were any.
    pub pairwise: Option<Template>,
}

/// A prompt of the judges.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// 12 hex digits of SHA-256 over it.
    pub hash: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStatus {
    /// As planned, or as soon as it was decided.
    Complete,
    /// As planned, with all the answers that an earlier run has, which ended as soon as it was decided.
    AnswersEnd,
    /// Before its plan did.
    Incomplete {
        /// Why.
        reason: IncompleteReason,
        /// More about why, for people.
        detail: Option<Message>,
    },
}

/// Computes everything but the results and the verdict: summary, comparisons, findings, and the numbers that decide. Every record is read once; what is
/// kept of each is a few numbers.
///
/// A plan with cells that have no record is incomplete, whatever `ended` says.
///
/// # Errors
/// When a record can't be read, or the suite has no variant, or its interval method is none of ours.
pub fn analyse(suite: &Suite, cells: &Cells, meta: Meta, ended: RunStatus) -> Result<Undecided, ReportError> {
    if suite.variants.is_empty() {
        return Err(ReportError::NoVariant);
    }
    let mut grid = Grid::read(suite, cells)?;
    let labels = labels(suite, meta.seed);
    let looked = restrict(&mut grid, cells, &labels, &ended)?;
    let resampling = resampling(&suite.settings, meta.seed)?;
    let gold = held_to(suite, cells, &meta, &grid, &labels, &resampling)?;
    let quality = Some(crate::quality::of_run(&grid, &cost_outliers(&grid)));
    conclude(&grid, looked.as_ref(), cells, labels, Beside { gold, quality }, meta, ended)
}

/// What rests on more than the cells' numbers: people's scores, and the texts of the samples.
pub struct Beside {
    pub gold: Option<GoldReport>,
    pub quality: Option<eval_format::SampleQuality>,
}

impl Beside {
    /// As a report has it.
    pub fn of(stored: &Analysis) -> Beside {
        Beside { gold: stored.gold.clone(), quality: stored.analysis.sample_quality.clone() }
    }
}

/// Leaves out what the run was decided without; what was looked at, where it might have ended early.
pub fn restrict(
    grid: &mut Grid,
    cells: &Cells,
    labels: &[String],
    ended: &RunStatus,
) -> Result<Option<Looked>, ReportError> {
    let looked = stopping::look(grid, cells.plan, labels, ended);
    if let Some(looked) = looked.as_ref().filter(|looked| looked.decided || *ended == RunStatus::AnswersEnd) {
        grid.restrict(looked.beyond(grid), cells)?;
    }
    Ok(looked)
}

/// What follows from the numbers of a run's cells, whether they were read from its records or from its report. Of
/// `cells`, the plan and the pairs are read.
pub fn conclude(
    grid: &Grid,
    looked: Option<&Looked>,
    cells: &Cells,
    labels: Vec<String>,
    beside: Beside,
    meta: Meta,
    ended: RunStatus,
) -> Result<Undecided, ReportError> {
    let suite = grid.suite;
    let resampling = resampling(&suite.settings, meta.seed)?;
    let summaries: Vec<VariantSummary> =
        (0..labels.len()).map(|variant| summarise(grid, variant, &resampling)).collect();
    let composites = composites(grid, labels.len());
    let comparisons = compare(grid, &labels, &composites, looked, &resampling);
    let template = meta.judge.as_ref().and_then(|judge| judge.pairwise.as_ref());
    let preferences = pairwise(grid, cells, &labels, template, &meta.executor.executor, &resampling)?;
    let deciding = deciding(composites, preferences.as_ref(), &summaries);
    let pairwise = preferences.map(|preferences| preferences.block);
    let holdout = holdout(grid, &labels, &deciding, &resampling);
    // the intervals of a run that may end early narrow by another law
    let alpha = looked.is_none().then(|| alpha_of(&comparisons, pairwise.as_ref()));
    let saturation = alpha.map_or_else(Vec::new, |alpha| curves(suite, &labels, &deciding, alpha, meta.seed));
    let ended = settle(ended, grid, looked);
    let judging = judging(grid, meta.judge.as_ref(), &meta.executor.executor, &resampling);
    let (reason, detail) = match &ended {
        RunStatus::Complete | RunStatus::AnswersEnd => (None, None),
        RunStatus::Incomplete { reason, detail } => (Some(*reason), detail.clone()),
    };
    let mut inputs = inputs(suite, reason, &labels, &summaries, &comparisons, pairwise.as_ref());
    inputs.gold = beside.gold.as_ref().map(crate::gold::inputs::inputs);
    judged_inputs(&mut inputs, grid, judging.as_ref(), pairwise.as_ref());
    for (of, found) in inputs.treatments.iter_mut().zip(holdout.iter().flat_map(|of| &of.comparisons)) {
        of.holdout = Some(crate::holdout::inputs(found));
    }
    for (of, curve) in inputs.treatments.iter_mut().zip(&saturation) {
        of.saturation = Some(crate::saturation::inputs(curve));
    }
    if looked.is_some() {
        stopping::raise_limits(&mut inputs.limits);
    }
    let saving = stopping::Saving {
        requests: meta.judge.as_ref().map(|judge| judge.requests.as_slice()).unwrap_or_default(),
        judges: meta.judge.as_ref().and_then(|judge| judge.cost),
        is_regrade: meta.regrade_of.is_some() || ended == RunStatus::AnswersEnd,
    };
    let stopping = stopping::block(grid, cells.plan, looked, reason.is_none(), &saving);
    let costs = cost_outliers(grid);
    Ok(Report {
        id: meta.id.clone(),
        schema_version: SCHEMA_VERSION,
        status: if reason.is_some() { Status::Incomplete } else { Status::Complete },
        incomplete_reason: reason,
        incomplete_detail: detail.map(Note::from),
        meta: report_meta(suite, grid, cells, meta, &labels),
        results: NoResults,
        analysis: Findings {
            insights: insights(grid, inputs.judging.as_ref(), costs.as_ref().ok()),
            suggestions: Vec::new(),
            saturation,
            sample_quality: beside.quality,
        },
        gold: beside.gold,
        variance: variance(grid, &labels, &summaries, &comparisons, &resampling),
        holdout,
        judging,
        tripwires: tripwires(grid, &labels),
        summary: labels.into_iter().zip(summaries).collect(),
        comparisons,
        verdict: inputs,
        pairwise,
        stopping,
    })
}

/// The differences that decide, for each treatment one place per sample: the composite's, or the preference where
/// nothing else is planned.
fn deciding(
    composites: Vec<Pairs>,
    preferences: Option<&Preferences>,
    summaries: &[VariantSummary],
) -> Vec<Vec<Option<f64>>> {
    let is_scored = |variant: usize| summaries[variant].planned_scores > 0;
    let known = |column: &[Option<f64>]| count(column.iter().flatten().count());
    let of = |(i, pairs): (usize, Pairs)| match preferences.map(|preferences| &preferences.columns[i]) {
        Some(column) if !is_scored(0) && !is_scored(i + 1) => column.clone(),
        // scores of too few samples leave it to the preferences, as in the verdict
        Some(column) if known(&pairs.diffs) < MIN_PAIRS && known(column) >= MIN_PAIRS => column.clone(),
        _ => pairs.diffs,
    };
    composites.into_iter().enumerate().map(of).collect()
}

/// The curve of each treatment.
fn curves(suite: &Suite, labels: &[String], deciding: &[Vec<Option<f64>>], alpha: f64, seed: u64) -> Vec<Saturation> {
    let min_effect = suite.settings.min_effect;
    let curve = |(column, treatment): (&Vec<Option<f64>>, &String)| {
        crate::saturation::curve([&labels[0], treatment], column, alpha, min_effect, seed)
    };
    deciding.iter().zip(&labels[1..]).map(curve).collect()
}

/// The level of the intervals that decide: one family, so one level.
fn alpha_of(comparisons: &[Comparison], pairwise: Option<&Pairwise>) -> f64 {
    let scored = comparisons.iter().find_map(|of| of.diff.alpha);
    let preferred = pairwise.and_then(|all| all.comparisons.iter().find_map(|of| of.preference.alpha));
    scored.or(preferred).unwrap_or(crate::compare::ALPHA)
}

/// The judges held against people, where gold was given.
fn held_to(
    suite: &Suite,
    cells: &Cells,
    meta: &Meta,
    grid: &Grid,
    labels: &[String],
    resampling: &Resampling,
) -> Result<Option<GoldReport>, ReportError> {
    let Some(gold) = &meta.gold else { return Ok(None) };
    let judges = meta.judge.as_ref().map(|judge| judge.models.as_slice()).unwrap_or_default();
    let scored = gold.annotations.iter().map(|annotation| annotation.sample_id.as_str()).collect();
    let facts = Facts::of_run(suite, cells, grid, labels, judges, &scored)?;
    Ok(Some(hold(&facts, gold, None, resampling)))
}

pub(crate) fn resampling(settings: &Settings, seed: u64) -> Result<Resampling, ReportError> {
    resampling_by(&settings.ci, settings.bootstrap_samples, seed)
}

/// The same from what a stored report says of its settings.
pub fn resampling_by(ci: &str, resamples: u32, seed: u64) -> Result<Resampling, ReportError> {
    let method = match ci {
        "expanded" => IntervalMethod::Expanded,
        "percentile" => IntervalMethod::Percentile,
        "bca" => IntervalMethod::Bca,
        "t" => IntervalMethod::T,
        _ => return Err(ReportError::UnknownInterval { method: ci.to_owned() }),
    };
    // a stored number may be anybody's
    Ok(Resampling { seed, resamples: resamples.min(MOST_RESAMPLES), level: LEVEL, method })
}

/// A run that says it is complete but lacks records is not.
///
/// One that was decided is complete, whatever ended it.
fn settle(ended: RunStatus, grid: &Grid, looked: Option<&Looked>) -> RunStatus {
    match ended {
        _ if looked.is_some_and(|looked| looked.decided) => RunStatus::Complete,
        RunStatus::Complete | RunStatus::AnswersEnd if grid.is_lacking() => {
            RunStatus::Incomplete { reason: IncompleteReason::RecordsMissing, detail: None }
        }
        ended => ended,
    }
}

/// The names that the report shows: the variants' own, or `Variant A`, `Variant B`, … in an order drawn from the seed.
pub fn labels(suite: &Suite, seed: u64) -> Vec<String> {
    let names: Vec<String> = suite.variants.iter().map(|variant| variant.name.clone()).collect();
    if !suite.settings.blind {
        return names;
    }
    let mut drawn: Vec<usize> = (0..names.len()).collect();
    drawn.sort_by_key(|&i| sha256_hex(format!("{seed}/blind/{}", names[i]).as_bytes()));
    let mut labels = vec![String::new(); names.len()];
    for (rank, i) in drawn.into_iter().enumerate() {
        labels[i] = format!("Variant {}", letters(rank));
    }
    labels
}

/// A, B, …, Z, AA, AB, …
fn letters(rank: usize) -> String {
    let last = char::from(b'A' + u8::try_from(rank % 26).unwrap_or(0));
    match rank / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

fn inputs(
    suite: &Suite,
    incomplete_reason: Option<IncompleteReason>,
    names: &[String],
    summaries: &[VariantSummary],
    comparisons: &[Comparison],
    pairwise: Option<&Pairwise>,
) -> VerdictInputs {
    let arm = |variant: usize| arm_inputs(&names[variant], &summaries[variant]);
    let treatment = |(i, of): (usize, &Comparison)| TreatmentInputs {
        arm: arm(i + 1),
        diff: DiffInputs::from(&of.diff),
        unlike: of.unlike.clone(),
        pairwise: pairwise.and_then(|all| all.comparisons.get(i)).map(crate::pairwise::inputs),
        layers: Layers::from_fn(|layer| layer_inputs(&summaries[i + 1], of, layer)),
        holdout: None,
        saturation: None,
    };
    VerdictInputs {
        limits: Limits::new(&suite.settings),
        incomplete_reason,
        control: arm(0),
        treatments: comparisons.iter().enumerate().map(treatment).collect(),
        judging: None,
        gold: None,
        tripwires: TripwireInputs::default(),
    }
}

/// What the verdict reads of judges and tripwires.
fn judged_inputs(inputs: &mut VerdictInputs, grid: &Grid, judging: Option<&Judging>, pairwise: Option<&Pairwise>) {
    inputs.judging = crate::judging::inputs(judging, pairwise);
    inputs.tripwires = crate::tripwire::inputs(grid);
    let arms = std::iter::once(&mut inputs.control).chain(inputs.treatments.iter_mut().map(|of| &mut of.arm));
    for (variant, arm) in arms.enumerate() {
        let places = grid.samples().flat_map(|sample| grid.places(sample, variant)).copied();
        arm.opinions = grid.opinions.counts(places);
    }
}

fn arm_inputs(name: &str, of: &VariantSummary) -> ArmInputs {
    ArmInputs {
        name: name.to_owned(),
        mean: of.avg_composite_score,
        planned_scores: of.planned_scores,
        missing_scores: of.missing_scores,
        outcomes: of.outcomes,
        checks: of.checks,
        unscored_share: Layers::from_fn(|layer| Some(of.layers.get(layer)?.unscored_share)),
        cached: of.cached,
        models: of.models.clone(),
        unnamed_answers: of.unnamed_answers,
        opinions: OpinionCounts::default(),
    }
}

fn layer_inputs(treatment: &VariantSummary, comparison: &Comparison, layer: Layer) -> Option<LayerInputs> {
    let mean = treatment.layers.get(layer)?.mean;
    Some(LayerInputs { mean, diff: comparison.layers.get(layer).map(DiffInputs::from).unwrap_or_default() })
}

fn report_meta(suite: &Suite, grid: &Grid, cells: &Cells, meta: Meta, labels: &[String]) -> ReportMeta {
    let judges = meta
        .judge
        .as_ref()
        .map_or(Paid::NOTHING, |judge| Paid { known: judge.known_cost, complete: judge.cost.is_some() });
    let paid = grid.all().iter().fold(judges, |sum, cell| sum.plus(cell.paid));
    let by_label = || labels.iter().zip(&suite.variants);
    let judge_models = meta.judge.as_ref().map(|judge| judge.models.clone()).unwrap_or_default();
    let isolation =
        |(label, variant): (&String, &Variant)| Some((label.clone(), meta.skill_isolation.get(&variant.name)?.clone()));
    let blind = suite.settings.blind;
    ReportMeta {
        variants: labels.to_vec(),
        model: suite.settings.model.clone(),
        judge_model: judge_models.first().cloned(),
        executor: meta.executor.executor.clone(),
        sample_count: count(suite.samples.len()),
        task_count: count(cells.plan.cells.len()),
        total_cost_usd: paid.total(),
        known_cost_usd: snap(paid.known),
        judge_cost: meta.judge.as_ref().map(|_| judges.into()),
        regrade_of: meta.regrade_of,
        timestamp: format!("{:.3}", meta.timestamp),
        cli_version: meta.cli_version,
        node_version: meta.node_version,
        skill_hashes: by_label().map(|(label, variant)| (label.clone(), variant.artifact.hash())).collect(),
        artifacts: (!blind).then(|| by_label().map(|(label, variant)| (label.clone(), artifact(variant))).collect()),
        blind_mapping: blind
            .then(|| by_label().map(|(label, variant)| (label.clone(), variant.name.clone())).collect()),
        sample_hashes: meta.sample_hashes,
        test_set: TestSet {
            path: meta.test_set_path,
            id: meta.test_set_id,
            sample_count: count(suite.samples.len()),
            project: meta.project,
        },
        judge_models,
        judge_prompt_hash: meta.judge.as_ref().map(|judge| judge.prompt_hash.clone()),
        executor_runtime: meta.executor,
        judge_template: meta.judge.as_ref().map(|judge| judge.template.clone()),
        judge_runtime: meta.judge.as_ref().and_then(|judge| judge.runtimes.first().cloned()),
        judge_runtimes: meta.judge.map(|judge| judge.runtimes).filter(|all| all.len() > 1).unwrap_or_default(),
        skill_isolation: by_label().filter_map(isolation).collect(),
        seed: meta.seed,
        git_info: meta.git,
        repeat: suite.settings.repeat,
        settings: measure_settings(&suite.settings),
    }
}

fn artifact(variant: &Variant) -> ArtifactMeta {
    let kind = match variant.artifact.kind {
        ArtifactKind::Baseline => "baseline",
        ArtifactKind::File => "file",
        ArtifactKind::Directory => "directory",
    };
    ArtifactMeta {
        reference: variant.artifact.reference.clone(),
        kind: kind.to_owned(),
        origin: variant.artifact.origin.clone(),
    }
}

fn measure_settings(settings: &Settings) -> MeasureSettings {
    MeasureSettings {
        effort: settings.effort.clone(),
        generation: settings.generation.clone(),
        allowed_tools: settings.allowed_tools.clone(),
        judge: settings.judge,
        judge_repeat: settings.judge_repeat,
        debias_length: settings.debias_length,
        retry: settings.retry,
        timeout_ms: settings.timeout_ms,
        cache: settings.cache,
        budget_usd: settings.budget_usd,
        bootstrap_samples: settings.bootstrap_samples,
        ci: settings.ci.clone(),
        min_effect: settings.min_effect,
        trivial_diff: settings.trivial_diff,
        threshold: settings.threshold,
        max_failure_rate: settings.max_failure_rate,
        stop_when_decided: settings.stop_when_decided,
        holdout: settings.holdout,
        report_only: settings.report_only,
        blind: settings.blind,
        strict_baseline: settings.strict_baseline,
        custom_runtime: settings.custom_runtime.clone(),
    }
}

/// The settings that a stored report was computed with, as far as numbers depend on them: the way back from
/// [`measure_settings`].
pub fn settings_of(meta: &ReportMeta) -> Settings {
    let stored = &meta.settings;
    Settings {
        model: meta.model.clone(),
        repeat: meta.repeat,
        judge: stored.judge,
        judge_repeat: stored.judge_repeat,
        bootstrap_samples: stored.bootstrap_samples,
        ci: stored.ci.clone(),
        min_effect: stored.min_effect,
        trivial_diff: stored.trivial_diff,
        threshold: stored.threshold,
        max_failure_rate: stored.max_failure_rate,
        stop_when_decided: stored.stop_when_decided,
        holdout: stored.holdout,
        report_only: stored.report_only,
        blind: stored.blind,
        ..Settings::default()
    }
}
