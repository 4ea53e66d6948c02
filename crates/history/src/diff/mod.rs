//! Two reports side by side, sample by sample: what moved from A to B, and whether that is more than chance.
//!
//! In come reports of one test set, or one report whose control is A and whose treatments are B. Out go paired
//! differences with the statistics of `comparisons`, the samples and checks that flipped, and the settings that differ
//! between the runs. Nothing is decided: what a difference means is for people to say.

mod bounds;
mod columns;
pub mod flips;
mod preferences;
mod runs;
mod same;
mod sides;

use eval_analysis::measure::{Clusters, count, resampling_by, snap};
use eval_format::report::Note;
use eval_format::{Ci, DiffInputs, Difference, GapTrendPoint, KnownMessage, Layers, Limits, POINTS};
use eval_spec::Layer;
use eval_stats::mean;
use eval_verdict::{Side, replacement, side};
use serde::Serialize;

use self::bounds::BoundKind;
use self::columns::{Columns, counting, is_held_out, task_average, tasks};
use self::flips::{Crossed, FlippedChecks};
use self::same::{CommonSample, SharedSamples, VariantNames};
use self::sides::Slim;
use crate::compare::{Comparable, DiffError, SampleSets, changes, paired};

pub use self::preferences::{PreferenceDiff, Preferred};
pub use self::runs::OtherRuns;
pub use self::same::RunDifference;
pub(crate) use self::same::settings;
pub use self::sides::{SlimReport, SlimSample, read_slim};

/// The differences between A and B.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// The earlier report.
    pub a: DiffSide,
    /// The later report; the same as A when its treatments are compared with its control.
    pub b: DiffSide,
    /// The samples of both reports.
    pub samples: SampleSets,
    /// Settings that differ: they may explain a difference as well as the artifact.
    pub differs: Vec<RunDifference>,
    /// How to read the intervals, where a run could end early (`--stop-when-decided`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<Note>,
    /// That two runs are no controlled comparison, and what other runs it could have been made of; empty within one report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncontrolled: Vec<Note>,
    /// Whether intervals are known for the common samples.
    #[serde(skip)]
    has_intervals: bool,
    /// Samples left out because they were still running when one of the runs was decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
    /// The samples that either run held out (`--holdout`). They count in every number; their own scores are listed only in
    /// `comparisons[].samples`, marked, since tuning on them would spoil them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<String>,
    /// Each pair of variants.
    pub comparisons: Vec<VariantDiff>,
    /// Preferences of judges that compared answers (`judge: pairwise`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<PreferenceDiff>,
}

/// One of the reports.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffSide {
    /// Its id.
    pub id: String,
    /// When the run began.
    pub timestamp: String,
    /// Its test set.
    pub test_set: String,
    /// The tier of its verdict.
    pub tier: &'static str,
    /// That the file says otherwise, or that its verdict can't be recomputed; absent where it says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Note>,
}

/// One variant of A against one of B.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VariantDiff {
    /// The variant of A.
    pub a: String,
    /// The variant of B.
    pub b: String,
    /// Whether both are the same artifact, byte for byte; `null` if a report has no hash of it.
    pub same_artifact: Option<bool>,
    /// Other runs of the two; absent where there are none, and within one report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_runs: Option<OtherRuns>,
    /// The mean of A over the tasks that are pairs.
    pub mean_a: Option<f64>,
    /// The mean of B over the same tasks.
    pub mean_b: Option<f64>,
    /// B − A of the composite, with interval and p-value for all comparisons at once. Samples that are in one cluster in both
    /// reports are one task, and counted once.
    pub diff: Difference,
    /// The same of each layer.
    pub layers: Layers<Difference>,
    /// Samples that scored higher.
    pub better: u64,
    /// Samples that scored lower.
    pub worse: u64,
    /// Samples that scored the same.
    pub same: u64,
    /// Samples that crossed the threshold.
    pub crossed: Crossed,
    /// Checks that passed on one side only.
    pub checks: FlippedChecks,
    /// The price of an answer in US dollars.
    #[serde(rename = "costUSD")]
    pub cost_usd: MeanChange,
    /// The latency of an answer in milliseconds.
    pub duration_ms: MeanChange,
    /// Gap rate and coverage of A with their test set; absent where no execution has a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_a: Option<GapTrendPoint>,
    /// Gap rate and coverage of B with their test set; absent where no execution has a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_b: Option<GapTrendPoint>,
    /// Samples without a difference.
    pub excluded: Vec<Unpaired>,
    /// Samples with a difference, in the order of B.
    pub samples: Vec<SampleDelta>,
}

/// Means of a number over the tasks that have it on both sides.
#[derive(Clone, Debug, Serialize)]
pub struct MeanChange {
    /// Tasks.
    pub n: u64,
    /// The mean of A.
    pub a: Option<f64>,
    /// The mean of B.
    pub b: Option<f64>,
    /// The mean difference.
    pub diff: Option<f64>,
    /// Its interval.
    pub ci: Option<Ci>,
}

/// A sample without a difference.
#[derive(Clone, Debug, Serialize)]
pub struct Unpaired {
    /// The sample.
    pub sample_id: String,
    /// The reason, as text and message.
    pub why: Note,
}

/// One sample.
#[derive(Clone, Debug, Serialize)]
pub struct SampleDelta {
    /// The sample.
    pub sample_id: String,
    /// The composite of A.
    pub a: f64,
    /// The composite of B.
    pub b: f64,
    /// B − A.
    pub diff: f64,
    /// B − A of each layer that both have.
    pub layers: Layers<f64>,
    /// Whether it is held out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub held_out: bool,
}

/// B − A, for variants of the same name, or those that `variants` pairs.
///
/// # Errors
/// When the reports are of different test sets and `forced` is false, or it is unknown which variants to compare.
pub fn diff(a: &SlimReport, b: &SlimReport, variants: &[(String, String)], forced: bool) -> Result<Diff, DiffError> {
    if let Some(refusal) = a.refusal(b).filter(|_| !forced) {
        return Err(refusal);
    }
    // beside another report, the answers that both have would tell whose they are
    if a.meta.settings.blind || b.meta.settings.blind {
        return Err(DiffError::Blind);
    }
    if !variants.is_empty() {
        same::check_names(a, b, variants)?;
        return compare(a, b, variants);
    }
    let pairs: Vec<VariantNames> = paired(a, b)?.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect();
    compare(a, b, &pairs)
}

/// The treatments of one report against its control, or the variants that `variants` pairs.
///
/// # Errors
/// When the report has one variant only, or not the named ones.
pub fn diff_inside(report: &SlimReport, variants: &[(String, String)]) -> Result<Diff, DiffError> {
    if !variants.is_empty() {
        same::check_names(report, report, variants)?;
        return compare(report, report, variants);
    }
    match report.meta.variants.split_first() {
        Some((control, treatments)) if !treatments.is_empty() => {
            let pairs: Vec<VariantNames> = treatments.iter().map(|of| (control.clone(), of.clone())).collect();
            compare(report, report, &pairs)
        }
        _ => Err(DiffError::Alone),
    }
}

fn compare(a: &SlimReport, b: &SlimReport, pairs: &[VariantNames]) -> Result<Diff, DiffError> {
    let settings = &b.meta.settings;
    let bounds = BoundKind::of(a, b, resampling_by(&settings.ci, settings.bootstrap_samples, b.meta.seed)?);
    let (samples, common) = same::samples(a, b);
    let (common, beyond) = counting(a, b, common);
    if common.is_empty() {
        return Err(DiffError::NothingInCommon);
    }
    let columns: Vec<Columns> = pairs.iter().map(|(a, b)| Columns::of(&common, a, b)).collect();
    let tasks = tasks(&common);
    let of_tasks: Vec<Columns> = columns.iter().map(|of| of.of_tasks(&tasks)).collect();
    let composites: Vec<&[Option<f64>]> = of_tasks.iter().map(|of| of.composite.as_slice()).collect();
    let diffs = bounds.differences(&composites);
    let layers = layers(&of_tasks, &bounds);
    let each = pairs.iter().zip(&columns).zip(diffs.into_iter().zip(layers));
    let shared = SharedSamples { common: &common, tasks: &tasks };
    let comparisons = each.map(|((names, columns), diffs)| comparison([a, b], &shared, names, columns, diffs, &bounds));
    let mut comparisons: Vec<VariantDiff> = comparisons.collect();
    if a.pairwise.is_some() || b.pairwise.is_some() {
        // samples whose answers are only compared have no score that could be missing
        let is_missing = |of: &Unpaired| KnownMessage::of(&of.why.message_key) != Some(KnownMessage::NotPlanned);
        comparisons.iter_mut().for_each(|of| of.excluded.retain(is_missing));
    }
    let preferences = match std::ptr::eq(a, b) {
        true => preferences::inside(a, &shared, pairs, &bounds),
        false => preferences::between(a, b, &shared, pairs, &bounds),
    };
    Ok(Diff {
        comparisons,
        preferences,
        a: side_of(a),
        b: side_of(b),
        differs: changes(&a.settings(), &b.settings()),
        caution: bounds.caution().map(Note::from),
        uncontrolled: Vec::new(),
        has_intervals: bounds.are_known(),
        held_out: common.iter().filter(|of| is_held_out(of)).map(|(_, of)| of.sample_id.clone()).collect(),
        beyond,
        samples,
    })
}

fn side_of(of: &SlimReport) -> DiffSide {
    DiffSide {
        id: of.id.clone(),
        timestamp: of.meta.timestamp.clone(),
        test_set: of.meta.test_set.id.clone(),
        tier: of.verdict.tier.name(),
        replaced: replacement(&of.verdict).map(Note::from),
    }
}

/// The layers of all comparisons are one family; a layer without a pair is not asked.
fn layers(columns: &[Columns], bounds: &BoundKind) -> Vec<Layers<Difference>> {
    let asked =
        columns.iter().enumerate().flat_map(|(i, of)| Layer::ALL.into_iter().zip(&of.layers).map(move |l| (i, l)));
    let family: Vec<_> = asked.filter(|(_, (_, column))| column.iter().any(Option::is_some)).collect();
    let slices: Vec<&[Option<f64>]> = family.iter().map(|(_, (_, column))| column.as_slice()).collect();
    let diffs = bounds.differences(&slices);
    let find = |i, layer| family.iter().position(|(of, (is, _))| (*of, *is) == (i, layer));
    (0..columns.len()).map(|i| Layers::from_fn(|layer| find(i, layer).map(|at| diffs[at].clone()))).collect()
}

fn comparison(
    [of_a, of_b]: [&SlimReport; 2],
    shared: &SharedSamples,
    names: &VariantNames,
    columns: &Columns,
    (diff, layers): (Difference, Layers<Difference>),
    bounds: &BoundKind,
) -> VariantDiff {
    let SharedSamples { common, tasks } = shared;
    let (a, b) = names;
    let samples = deltas(common, names, columns);
    let tally = |is: fn(f64) -> bool| count(samples.iter().filter(|of| is(of.diff)).count());
    let both = || common.iter().map(|(of_a, of_b)| of_a.variants.get(a).zip(of_b.variants.get(b)));
    let numbers = |of: fn(&Slim) -> Option<f64>| {
        let sides = both().map(|both| both.and_then(|(a, b)| of(a).zip(of(b))));
        moved(tasks, sides.collect(), bounds)
    };
    let scores = |side: fn(&(f64, f64)) -> f64| {
        let of = both()
            .zip(&columns.composite)
            .map(|(both, diff)| diff.and(both).and_then(|(a, b)| a.composite().zip(b.composite())).as_ref().map(side));
        task_average(tasks, &of.collect::<Vec<_>>())
    };
    let excluded = common
        .iter()
        .zip(&columns.why)
        .filter_map(|((_, of), why)| Some(Unpaired { sample_id: of.sample_id.clone(), why: why.clone()?.into() }));
    let hashes = of_a.meta.skill_hashes.get(a).zip(of_b.meta.skill_hashes.get(b));
    VariantDiff {
        a: a.clone(),
        b: b.clone(),
        same_artifact: hashes.map(|(a, b)| a == b),
        other_runs: None,
        mean_a: scores(|of| of.0),
        mean_b: scores(|of| of.1),
        diff,
        layers,
        better: tally(|diff| diff > 0.0),
        worse: tally(|diff| diff < 0.0),
        same: tally(|diff| diff == 0.0),
        crossed: flips::crossed(shared, columns, names, of_b.meta.settings.threshold, bounds.is_fixed()),
        checks: flips::checks(common, names),
        cost_usd: numbers(|of| of.cost_usd),
        duration_ms: numbers(Slim::duration),
        gap_a: gap_of(of_a, a),
        gap_b: gap_of(of_b, b),
        excluded: excluded.collect(),
        samples,
    }
}

/// Gap rate and coverage of a variant.
fn gap_of(report: &SlimReport, variant: &str) -> Option<GapTrendPoint> {
    let coverage = report.analysis.coverage.get(variant);
    report.analysis.gap.get(variant).map(|of| of.trend_point(variant, coverage))
}

fn deltas(common: &[CommonSample], (a, b): &VariantNames, columns: &Columns) -> Vec<SampleDelta> {
    let delta = |(i, (of_a, of_b)): (usize, &CommonSample)| {
        Some(SampleDelta {
            sample_id: of_b.sample_id.clone(),
            diff: columns.composite[i]?,
            a: of_a.variants.get(a)?.composite()?,
            b: of_b.variants.get(b)?.composite()?,
            layers: Layers::from_fn(|layer| columns.layers[eval_analysis::measure::place(layer)][i]),
            held_out: is_held_out(&common[i]),
        })
    };
    common.iter().enumerate().filter_map(delta).collect()
}

/// Of the numbers of A and B of each sample, task by task.
fn moved(tasks: &Clusters, both: Vec<Option<(f64, f64)>>, bounds: &BoundKind) -> MeanChange {
    let of_tasks = |side: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let column: Vec<Option<f64>> = both.iter().map(|both| both.as_ref().map(side)).collect();
        tasks.tasks(&column).into_iter().flatten().collect()
    };
    let (a, b) = (of_tasks(|both| both.0), of_tasks(|both| both.1));
    let diffs: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
    MeanChange {
        n: count(diffs.len()),
        a: mean(&a).map(snap),
        b: mean(&b).map(snap),
        diff: mean(&diffs).map(snap),
        ci: bounds.interval(&diffs),
    }
}

impl Diff {
    /// Whether there are no intervals, so that a regression can't be told from chance.
    #[must_use]
    pub fn has_no_intervals(&self) -> bool {
        !self.has_intervals
    }

    /// The fewest pairs that a regression can be seen in.
    #[must_use]
    pub fn least_pairs(&self, b: &SlimReport) -> u64 {
        b.verdict.inputs.limits.min_pairs
    }

    /// The variants of B with fewer pairs than [`Diff::least_pairs`]. A preference of judges over enough pairs measures both
    /// its variants, if only the treatment can have changed it.
    #[must_use]
    pub fn unmeasured(&self, b: &SlimReport) -> Vec<&str> {
        let least = self.least_pairs(b);
        let is_preferred = |name: &String| {
            let mut telling = self.preferences.iter().filter(|of| of.diff.n >= least && of.is_of_treatment());
            telling.any(|of| [&of.b.control, &of.b.treatment].contains(&name))
        };
        let few = |of: &&VariantDiff| of.diff.n < least && !is_preferred(&of.b);
        self.comparisons.iter().filter(few).map(|of| of.b.as_str()).collect()
    }

    /// The variants of B that are worse, by the rule of the verdict: the simultaneous interval lies below 0, over enough
    /// pairs.
    #[must_use]
    pub fn regressed(&self, b: &SlimReport) -> Vec<&str> {
        let limits = Limits { min_pairs: self.least_pairs(b), ..b.verdict.inputs.limits };
        let is_below = |diff: &Difference, unit: f64| side(&limits, &in_points(diff, unit)) == Side::Below;
        let scored = self.comparisons.iter().filter(|of| is_below(&of.diff, 1.0)).map(|of| of.b.as_str());
        let preferred = self.preferences.iter().filter(|of| of.is_of_treatment() && is_below(&of.diff, POINTS));
        let mut all: Vec<&str> = scored.collect();
        for name in preferred.map(|of| of.b.treatment.as_str()) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }
}

impl PreferenceDiff {
    /// Whether only the treatment can have changed it.
    fn is_of_treatment(&self) -> bool {
        self.a.is_none() || self.same_control == Some(true)
    }
}

/// The verdict's inputs of a difference that is measured in this unit, converted to points.
fn in_points(diff: &Difference, unit: f64) -> DiffInputs {
    let of = DiffInputs::from(diff);
    let scaled = |value: Option<f64>| value.map(|value| snap(value * unit));
    DiffInputs { mean: scaled(of.mean), low: scaled(of.low), high: scaled(of.high), ..of }
}
