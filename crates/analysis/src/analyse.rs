//! From records to everything a report holds but the results.

use std::collections::BTreeMap;

use eval_format::report::{NoResults, Note};
use eval_format::{
    ArmInputs, Comparison, DiffInputs, Findings, GapGuardInputs, GoldReport, ImportedInputs, ImportedResults,
    IncompleteReason, Judging, LayerInputs, Layers, LeftOutCases, Limits, MIN_PAIRS, MissingInputs, OpinionCounts,
    Pairwise, PartInputs, Report, ReportError, ReportMeta, SCHEMA_VERSION, Saturation, Status, TaskInputs, TestSet,
    TreatmentInputs, Undecided, VariantCoverage, VariantGaps, VariantSummary, VerdictInputs,
};
use eval_spec::{Layer, Suite, vendor};
use eval_stats::Resampling;
use rayon::prelude::*;

use crate::cached_control;
use crate::cells::Cells;
use crate::clusters::Clusters;
use crate::compare::compare;
use crate::coverage::coverage;
use crate::family_level::file_treatments;
use crate::gap_history::EarlierRates;
use crate::gaps::gaps;
use crate::gold::{GoldFacts, compare_with_gold};
use crate::grid::Grid;
use crate::holdout::holdout;
use crate::insight::{self, insights};
use crate::intervals::resampling;
use crate::judging::judging;
use crate::looks::{self, LookResult, before};
use crate::meta::{Meta, RunStatus, report_meta, test_set};
use crate::numbers::{CellNumbers, count};
use crate::pairs::{Pairs, composites};
use crate::pairwise::{Preferences, pairwise};
use crate::quality::{AlikeSamples, cost_outliers};
use crate::strictness::{Risk, Strictness};
use crate::summary::summarise;
use crate::triggers::triggers;
use crate::tripwire::tripwires;
use crate::unseen::{seen, unseen};
use crate::variance::variance;

/// Computes everything but the results and the verdict: summary, comparisons, findings, and the numbers that decide.
/// Records are reduced to a few numbers as they are read.
///
/// A plan with cells that have no record is incomplete, whatever `ended` says.
///
/// # Errors
/// When a record can't be read, or the suite has no variant, or its interval method is none of ours.
pub fn analyse(suite: &Suite, cells: &Cells, meta: Meta, ended: RunStatus) -> Result<Undecided, ReportError> {
    analyse_with(&AlikeSamples::of(suite), suite, cells, meta, ended)
}

/// The same with what is known of samples that are alike.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_with(
    AlikeSamples(duplicates): &AlikeSamples,
    suite: &Suite,
    cells: &Cells,
    meta: Meta,
    ended: RunStatus,
) -> Result<Undecided, ReportError> {
    if suite.variants.is_empty() {
        return Err(ReportError::NoVariant);
    }
    let mut grid = Grid::read(suite, cells, Clusters::new(suite, duplicates))?.in_family(meta.imported.as_ref());
    let labels = meta.labels.clone();
    let resampling = resampling(&suite.settings, meta.seed)?;
    let looked = restrict(&mut grid, cells, &ended, &meta)?;
    let gold = gold_report(suite, cells, &meta, &grid, &labels, &resampling)?;
    let quality = crate::quality::of_run(&grid, duplicates, &cost_outliers(&grid));
    let is_first = meta.regrade_of.is_none();
    let cached = if is_first { cached_control::facts(&grid, cells, meta.executor.version.as_ref())? } else { None };
    let test_set = test_set(suite, &meta);
    let gaps = gaps(&grid, &labels, &test_set, &meta.gap_history, meta.hedging.as_ref());
    let coverage = coverage(&grid, &labels, &test_set);
    conclude(&grid, looked.as_ref(), cells, labels, Beside { gold, quality, cached, gaps, coverage }, meta, ended)
}

/// Findings that need more than the cells' numbers: people's scores, and the texts of the samples.
pub struct Beside {
    /// The judges compared with people.
    pub gold: Option<GoldReport>,
    /// The sample-quality findings.
    pub quality: eval_format::SampleQuality,
    /// What the records tell of a control from the cache.
    pub cached: Option<eval_format::CachedControl>,
    /// What agents looked for and didn't find, by variant.
    pub gaps: BTreeMap<String, VariantGaps>,
    /// Which files of the knowledge base agents accessed, by variant.
    pub coverage: BTreeMap<String, VariantCoverage>,
}

/// Leaves out the samples beyond the look that ended the run; returns the looks if some were planned.
pub fn restrict(
    grid: &mut Grid,
    cells: &Cells,
    ended: &RunStatus,
    meta: &Meta,
) -> Result<Option<LookResult>, ReportError> {
    let resampling = resampling(&grid.suite.settings, meta.seed)?;
    let reading = (&resampling, vendor::is_model_api(&meta.executor.executor));
    let looked = looks::look_after(grid, cells.plan, ended, &meta.earlier_looks, reading);
    let ends = |looked: &&LookResult| looked.decided || looked.is_whole || *ended == RunStatus::AnswersEnd;
    if let Some(looked) = looked.as_ref().filter(ends) {
        grid.restrict(looked.beyond(grid), cells)?;
    }
    Ok(looked)
}

/// Computes the report from the numbers of a run's cells, whether they were read from its records or from its report.
/// Only the plan and the pairs of `cells` are read.
pub fn conclude(
    grid: &Grid,
    looked: Option<&LookResult>,
    cells: &Cells,
    labels: Vec<String>,
    beside: Beside,
    meta: Meta,
    ended: RunStatus,
) -> Result<Undecided, ReportError> {
    let suite = grid.suite;
    let resampling = resampling(&suite.settings, meta.seed)?;
    let composites = composites(grid, labels.len());
    let template = meta.judge.as_ref().and_then(|judge| judge.pairwise.as_ref());
    let scores_hashes = before::scores_hashes(grid);
    let looks_before = match looked {
        // a planned look is taken before all scores are there
        Some(looked) => meta.earlier_looks[..looked.before].to_vec(),
        None => {
            let earlier = before::chosen(&meta.earlier_looks, &scores_hashes);
            let before = before::before(&earlier, &scores_hashes);
            before::by_scores(before, meta.imported.is_some(), grid, &composites)
        }
    };
    let looks = before::inputs(&looks_before);
    let strictness = looked.map_or_else(|| Strictness::once(Risk::of(looks)), LookResult::strictness);
    let of_model_api = vendor::is_model_api(&meta.executor.executor);
    let ((summaries, comparisons), (of_results, (cached, preferences))) = rayon::join(
        || {
            let variants = (0..labels.len()).into_par_iter();
            rayon::join(
                || variants.map(|variant| summarise(grid, variant, &resampling)).collect::<Vec<_>>(),
                || compare(grid, &labels, &composites, &strictness, &resampling, of_model_api),
            )
        },
        || {
            let cached = || cached_control::complete(beside.cached, grid, &labels, &composites, &resampling);
            let preferences =
                || pairwise(grid, cells, &labels, template, &meta.executor.executor, &strictness, &resampling);
            rayon::join(|| insight::of_results(grid, &labels, &composites), || rayon::join(cached, preferences))
        },
    );
    let preferences = preferences?;
    let deciding = deciding(&grid.clusters, composites, preferences.as_ref(), &summaries);
    let pairwise = preferences.map(|preferences| preferences.block);
    let holdout = holdout(grid, &labels, &deciding, &resampling);
    // the saturation curve assumes a fixed number of samples
    let alpha = looked.is_none().then(|| alpha_of(&comparisons, pairwise.as_ref()));
    let saturation = alpha.map_or_else(Vec::new, |alpha| curves(suite, &labels, &deciding, alpha, meta.seed));
    let ended = settle(ended, grid, looked);
    let judging = judging(grid, meta.judge.as_ref(), &meta.executor.executor, &resampling);
    let (reason, detail) = match &ended {
        RunStatus::Complete | RunStatus::AnswersEnd => (None, None),
        RunStatus::Incomplete { reason, detail } => (Some(*reason), detail.clone()),
    };
    let mut limits = Limits::new(&suite.settings);
    strictness.set(&mut limits);
    let mut inputs = inputs(limits, &labels, &summaries, &comparisons, pairwise.as_ref());
    inputs.incomplete_reason = reason;
    inputs.looks = looks;
    for ((place, of), pairs) in (1..).zip(&mut inputs.treatments).zip(&comparisons) {
        of.left = before::left(&looks_before, place, &pairs.pairs);
    }
    inputs.tasks =
        TaskInputs { samples: count(grid.samples().count()), tasks: count(grid.clusters.count(grid.samples())) };
    inputs.gold = beside.gold.as_ref().map(crate::gold::inputs::inputs);
    cached_control::set_inputs(&mut inputs, cached.as_ref());
    inputs.imported = meta.imported.as_ref().map(|of| imported_inputs(of, grid));
    judged_inputs(&mut inputs, grid, judging.as_ref(), pairwise.as_ref());
    for (of, found) in inputs.treatments.iter_mut().zip(holdout.iter().flat_map(|of| &of.comparisons)) {
        of.holdout = Some(crate::holdout::inputs(found));
    }
    for (of, curve) in inputs.treatments.iter_mut().zip(&saturation) {
        of.saturation = Some(crate::saturation::inputs(curve));
    }
    let saving = looks::Saving {
        requests: meta.judge.as_ref().map(|judge| judge.requests.as_slice()).unwrap_or_default(),
        judges: meta.judge.as_ref().and_then(|judge| judge.cost),
        is_regrade: meta.regrade_of.is_some() || ended == RunStatus::AnswersEnd,
    };
    let stopping = looks::block(grid, cells.plan, looked, &labels, reason.is_none(), &saving);
    if of_model_api {
        let arms = std::iter::once(&mut inputs.control).chain(inputs.treatments.iter_mut().map(|of| &mut of.arm));
        for (variant, arm) in arms.enumerate() {
            // any failure was asked again, and none that may depend on the answer
            let is_refused = |cell: &&CellNumbers| cell.asked_again == [false, true];
            arm.refused_first = count(grid.arm(variant).filter(is_refused).count());
        }
    }
    let triggers = triggers(grid, &labels);
    let arms = std::iter::once(&mut inputs.control).chain(inputs.treatments.iter_mut().map(|of| &mut of.arm));
    for (arm, rates) in arms.zip(triggers.iter().flat_map(|of| &of.variants)) {
        arm.triggers = Some(crate::triggers::inputs(rates));
    }
    guard_inputs(&mut inputs, &beside.gaps, &test_set(suite, &meta), &meta.gap_history.earlier);
    Ok(Report {
        id: meta.id.clone(),
        schema_version: SCHEMA_VERSION,
        status: if reason.is_some() { Status::Incomplete } else { Status::Complete },
        incomplete_reason: reason,
        incomplete_detail: detail.map(Note::from),
        meta: ReportMeta {
            earlier_comparisons: looks.map_or(0, |looks| looks.number - 1),
            scores_hashes: labels.iter().cloned().zip(scores_hashes).collect(),
            ..report_meta(suite, grid, cells, meta, &labels)
        },
        results: NoResults,
        analysis: Findings {
            insights: insights(grid, of_results, inputs.judging.as_ref()),
            suggestions: Vec::new(),
            saturation,
            sample_quality: beside.quality,
            gap: beside.gaps,
            coverage: beside.coverage,
        },
        gold: beside.gold,
        variance: variance(grid, &labels, &summaries, &comparisons, &resampling),
        holdout,
        judging,
        tripwires: tripwires(grid, &labels),
        triggers,
        summary: labels.into_iter().zip(summaries).collect(),
        comparisons,
        verdict: inputs,
        pairwise,
        stopping,
        clusters: grid.clusters.block(suite),
        cached_control: cached,
        feedback: Vec::new(),
    })
}

/// The differences that decide, one for each task, for each treatment: the composite's, or the preference where
/// nothing else is planned.
fn deciding(
    clusters: &Clusters,
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
    composites.into_iter().enumerate().map(of).map(|column| clusters.tasks(&column)).collect()
}

/// The curve of each treatment.
fn curves(suite: &Suite, labels: &[String], deciding: &[Vec<Option<f64>>], alpha: f64, seed: u64) -> Vec<Saturation> {
    let min_effect = suite.settings.min_effect;
    let curve = |(column, treatment): (&Vec<Option<f64>>, &String)| {
        crate::saturation::curve([&labels[0], treatment], column, alpha, min_effect, seed)
    };
    deciding.iter().zip(&labels[1..]).map(curve).collect()
}

/// The significance level of the deciding intervals: they are one family, so they share one level.
fn alpha_of(comparisons: &[Comparison], pairwise: Option<&Pairwise>) -> f64 {
    let scored = comparisons.iter().find_map(|of| of.diff.alpha);
    let preferred = pairwise.and_then(|all| all.comparisons.iter().find_map(|of| of.preference.alpha));
    scored.or(preferred).unwrap_or(crate::compare::ALPHA)
}

/// The judges compared with people, where there is gold.
fn gold_report(
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
    let facts = GoldFacts::of_run(suite, cells, grid, labels, judges, &scored)?;
    Ok(Some(compare_with_gold(&facts, gold, None, resampling)))
}

/// The final status: a run without all its records is incomplete, and a decided run is complete however it ended.
fn settle(ended: RunStatus, grid: &Grid, looked: Option<&LookResult>) -> RunStatus {
    match ended {
        _ if looked.is_some_and(|looked| looked.decided || looked.is_whole) => RunStatus::Complete,
        RunStatus::Complete | RunStatus::AnswersEnd if grid.is_lacking() => {
            RunStatus::Incomplete { reason: IncompleteReason::RecordsMissing, detail: None }
        }
        ended => ended,
    }
}

fn inputs(
    limits: Limits,
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
        pairwise: pairwise.and_then(|all| all.comparisons.get(i)).map(|of| crate::pairwise::inputs(of, &limits)),
        layers: Layers::from_fn(|layer| layer_inputs(&summaries[i + 1], of, layer)),
        holdout: None,
        left: None,
        saturation: None,
        missing: of.missing.as_ref().map(MissingInputs::from),
        unseen: seen(&of.diff).map(|seen| {
            let means = of.control_mean.zip(of.treatment_mean).map(<[f64; 2]>::from);
            unseen(seen, &limits, means)
        }),
        capabilities: of.capabilities.iter().map(PartInputs::from).collect(),
        dimensions: of.dimensions.iter().map(PartInputs::from).collect(),
        decisive: of.power.decisive,
        decisive_for_gain: of.power.decisive_for_gain,
        adjusted: None,
    };
    VerdictInputs::of_variants(limits, arm(0), comparisons.iter().enumerate().map(treatment).collect())
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

/// What the verdict says of another tool's results.
fn imported_inputs(of: &ImportedResults, grid: &Grid) -> ImportedInputs {
    ImportedInputs {
        tool: of.tool.clone().unwrap_or_else(|| of.format.clone()),
        score: of.score.clone(),
        unknown: of.unknown.clone(),
        left_out: (of.paired_only && of.most_lacking > 0)
            .then_some(LeftOutCases { lacking: of.most_lacking, of: of.cases }),
        file_treatments: file_treatments(of, grid.treatments()),
    }
}

/// What the guards of the gap rate read, where there is one.
fn guard_inputs(
    inputs: &mut VerdictInputs,
    gaps: &BTreeMap<String, VariantGaps>,
    test_set: &TestSet,
    earlier: &[EarlierRates],
) {
    if inputs.limits.max_gap_rate.is_none() && inputs.limits.gap_rate_regression.is_none() {
        return;
    }
    let guards_rise = inputs.limits.gap_rate_regression.is_some();
    let arms = std::iter::once(&mut inputs.control).chain(inputs.treatments.iter_mut().map(|of| &mut of.arm));
    for (variant, arm) in arms.enumerate() {
        let earlier = earlier.get(variant).and_then(|of| of.last.clone()).filter(|_| guards_rise);
        arm.gap_guard = Some(match gaps.get(&arm.name) {
            Some(gaps) => gaps.guarded(earlier),
            None => GapGuardInputs::new(test_set.clone(), None, earlier),
        });
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
        artifact_leaks: of.artifact_leaks,
        refused_first: 0,
        delivery: of.delivery,
        runtimes: of.runtimes.clone(),
        triggers: None,
        gap_guard: None,
        opinions: OpinionCounts::default(),
    }
}

fn layer_inputs(treatment: &VariantSummary, comparison: &Comparison, layer: Layer) -> Option<LayerInputs> {
    let mean = treatment.layers.get(layer)?.mean;
    let of = comparison.layers.get(layer);
    Some(LayerInputs { mean, diff: of.map(DiffInputs::from).unwrap_or_default(), best: of.and_then(|of| of.best) })
}
