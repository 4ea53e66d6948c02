//! Each treatment against the control, paired by sample.
//!
//! A pair is a sample for which both have a score that rests on the same checks; its difference is treatment − control, in points, after the repeats
//! and the samples of a cluster were averaged. All treatments are asked at once, and so are all layers: their intervals hold simultaneously and
//! their p-values are Holm's.

use std::collections::HashMap;

use eval_format::{
    ArmInputs, CheckFall, CheckMove, Comparison, DiffInputs, Difference, EffectSize, EffectSizes, EqualLength,
    LayerInputs, Layers, Limits, MIN_PAIRS, MissingInputs, MissingScores, Moved, POINTS, PartDifference, PartInputs,
    Power, SampleDifference, TreatmentInputs,
};
use eval_message::{Message, msg};
use eval_spec::Layer;
use eval_spec::suite::Goal;
use eval_stats::{
    LengthPair, Resampling, SeenDifferences, Undefined, cohen_dz, difference_at_equal_length,
    probability_of_superiority,
};
use rayon::prelude::*;

use crate::capabilities::capabilities;
use crate::clusters::Clusters;
use crate::dimensions::dimensions;
use crate::excluded::{excluded, unlike};
use crate::grid::{Grid, Measure};
use crate::holdout::Split;
use crate::intervals::{ci as ci_of, why_undefined};
use crate::missing::missing;
use crate::numbers::{average, count, snap};
use crate::pairs::{Pairs, differences, differences_by_name};
use crate::questions::check_ref;
use crate::reading::Reading;
use crate::repeats;
use crate::strictness::Strictness;
use crate::unseen::{pilot, seen, unseen};

/// How many samples or assertions are listed as having moved most.
const LISTED: usize = 5;
/// A gain is planned for from so many times the difference that is no progress.
const WORTH_PLANNING: f64 = 1.5;
/// The significance level of power computations where there is no interval.
pub const ALPHA: f64 = 0.05;
/// The power that sample sizes are computed for.
pub const POWER: f64 = 0.8;

/// What decides each treatment: its difference, what is missing of it, and its parts.
pub(crate) struct Deciding {
    pub(crate) diffs: Vec<Difference>,
    missing: Vec<Option<MissingScores>>,
    layers: Vec<Layers<Difference>>,
    capabilities: Vec<Vec<PartDifference>>,
    dimensions: Vec<Vec<PartDifference>>,
}

impl Deciding {
    pub(crate) fn of(
        grid: &Grid,
        composites: &[Pairs],
        strictness: &Strictness,
        resampling: &Resampling,
        of_model_api: bool,
    ) -> Deciding {
        let parts = strictness.of_parts(resampling);
        let of_composites = || {
            let tasks: Vec<_> = composites.iter().map(|pairs| grid.clusters.tasks(&pairs.diffs)).collect();
            let mut diffs = strictness.differences(grid, &tasks, resampling);
            for (diff, pairs) in diffs.iter_mut().zip(composites) {
                diff.over_samples = pairs.over_samples(grid);
            }
            let missing = missing(grid, composites, &diffs, strictness, resampling, of_model_api);
            (diffs, missing)
        };
        let ((diffs, missing), (layers, (capabilities, dimensions))) = rayon::join(of_composites, || {
            let layers = || layer_differences(grid, composites.len() + 1, &parts, resampling.level);
            rayon::join(layers, || (capabilities(grid, composites, &parts), dimensions(grid, composites.len(), &parts)))
        });
        Deciding { diffs, missing, layers, capabilities, dimensions }
    }

    /// What the rules read of them that decide a look.
    pub(crate) fn inputs(&self, grid: &Grid, composites: &[Pairs], limits: &Limits) -> Vec<TreatmentInputs> {
        let means = |pairs: &Pairs| match pairs.arm_means(grid) {
            [Some(control), Some(treatment)] => Some([control, treatment]),
            _ => None,
        };
        let layer = |of: &Difference| LayerInputs { mean: None, diff: DiffInputs::from(of), best: of.best };
        let of = |(i, pairs): (usize, &Pairs)| TreatmentInputs {
            unlike: unlike(grid, i + 1),
            layers: Layers::from_fn(|of| self.layers[i].get(of).map(layer)),
            missing: self.missing[i].as_ref().map(MissingInputs::from),
            unseen: seen(&self.diffs[i]).map(|of| unseen(of, limits, means(pairs))),
            capabilities: self.capabilities[i].iter().map(PartInputs::from).collect(),
            dimensions: self.dimensions[i].iter().map(PartInputs::from).collect(),
            arm: ArmInputs::named(&grid.suite.variants[i + 1].name),
            diff: DiffInputs::from(&self.diffs[i]),
            ..TreatmentInputs::default()
        };
        composites.iter().enumerate().map(of).collect()
    }
}

/// One comparison per treatment, in their order; the control is variant 0.
pub(crate) fn compare(
    grid: &Grid,
    names: &[String],
    composites: &[Pairs],
    strictness: &Strictness,
    resampling: &Resampling,
    of_model_api: bool,
) -> Vec<Comparison> {
    let deciding = Deciding::of(grid, composites, strictness, resampling, of_model_api);
    let Deciding { diffs, missing, layers, capabilities, dimensions } = deciding;
    let alone: Vec<Comparison> = (composites.par_iter().zip(diffs).zip(layers).enumerate())
        .map(|(i, ((pairs, diff), layers))| {
            comparison(grid, names, i + 1, (pairs, diff, layers), strictness, resampling)
        })
        .collect();
    let rest = missing.into_iter().zip(capabilities.into_iter().zip(dimensions));
    let whole = |(of, (missing, (capabilities, dimensions)))| Comparison { missing, capabilities, dimensions, ..of };
    alone.into_iter().zip(rest).map(whole).collect()
}

/// The layers of every treatment are one family; a layer without a single pair is not asked.
fn layer_differences(grid: &Grid, variants: usize, resampling: &Resampling, level: f64) -> Vec<Layers<Difference>> {
    let asked = (1..variants).flat_map(|treatment| Layer::ALL.map(|layer| (treatment, layer)));
    let family: Vec<(usize, Layer, Pairs)> = asked
        .map(|(treatment, layer)| (treatment, layer, Pairs::new(grid, treatment, Measure::Layer(layer))))
        .filter(|(_, _, pairs)| pairs.diffs.iter().any(Option::is_some))
        .collect();
    // a layer of too few tasks is in no family: it is asked nothing, and widens no other's interval
    let is_asked =
        |of: &(usize, Layer, Pairs)| count(grid.clusters.tasks(&of.2.diffs).into_iter().flatten().count()) >= MIN_PAIRS;
    let (mut family, small): (Vec<_>, Vec<_>) = family.into_iter().partition(is_asked);
    let treatments: Vec<usize> = family.iter().map(|(treatment, _, _)| *treatment).collect();
    let columns: Vec<Vec<Option<f64>>> = family.iter().map(|of| grid.clusters.tasks(&of.2.diffs)).collect();
    let mut diffs = differences_by_name(grid, &treatments, &columns, resampling);
    for of in small {
        diffs.extend(differences(grid, &[of.0], std::slice::from_ref(&of.2), resampling));
        family.push(of);
    }
    let places: Vec<(usize, Layer)> = family.iter().map(|(treatment, layer, _)| (*treatment, *layer)).collect();
    let pairs: Vec<Pairs> = family.into_iter().map(|(_, _, pairs)| pairs).collect();
    for ((diff, (treatment, layer)), pairs) in diffs.iter_mut().zip(&places).zip(&pairs) {
        diff.best = grid.clusters.tasks(&pairs.diffs).into_iter().flatten().reduce(f64::max);
        // a judge's length bias shows undiluted in its own layer
        diff.equal_length = (*layer == Layer::Judge).then(|| equal_length(grid, *treatment, pairs, level));
    }
    let find = |treatment, layer| places.iter().position(|place| *place == (treatment, layer));
    let of = |treatment| Layers::from_fn(|layer| find(treatment, layer).map(|i| diffs[i].clone()));
    (1..variants).map(of).collect()
}

fn comparison(
    grid: &Grid,
    names: &[String],
    treatment: usize,
    (pairs, mut diff, layers): (&Pairs, Difference, Layers<Difference>),
    strictness: &Strictness,
    resampling: &Resampling,
) -> Comparison {
    let values = pairs.values();
    let tasks: Vec<f64> = grid.clusters.tasks(&pairs.diffs).into_iter().flatten().collect();
    let ((effect, resources), ((shares, equal_length), moved_rates)) = rayon::join(
        || rayon::join(|| effect(&tasks, resampling), || crate::resources::resources(grid, treatment, resampling)),
        || {
            let of_scores = || {
                let shares = (values.len() > 1).then(|| crate::shares::of_differences(grid, treatment, &pairs.diffs));
                (shares, equal_length(grid, treatment, pairs, resampling.level))
            };
            rayon::join(of_scores, || moved_rates(grid, treatment))
        },
    );
    diff.effect = effect;
    let [control_mean, treatment_mean] = pairs.arm_means(grid);
    let settings = &grid.suite.settings;
    let decides = if settings.goal == Goal::NotWorse { settings.margin } else { settings.min_effect };
    let power = power(&diff, [settings.min_effect, decides, settings.trivial_diff], seen(&diff), strictness);
    let repeats = seen(&diff)
        .zip(power.decisive)
        .filter(|(seen, needed)| count(seen.n) < *needed)
        .and_then(|(seen, _)| repeats::plan(grid, treatment, pairs, seen, decides, strictness.both_next(diff.alpha)));
    let power = Power { repeats, ..power };
    let named: Vec<SampleDifference> = sample_differences(grid, pairs, named_samples(grid)).collect();
    Comparison {
        control: names[0].clone(),
        treatment: names[treatment].clone(),
        n: count(values.len()),
        excluded: excluded(grid, names, treatment, pairs),
        unlike: unlike(grid, treatment),
        equal_length,
        diff,
        layers,
        wins: count(values.iter().filter(|d| **d > 0.0).count()),
        losses: count(values.iter().filter(|d| **d < 0.0).count()),
        ties: count(values.iter().filter(|d| **d == 0.0).count()),
        moved: moved(&named),
        pairs: sample_differences(grid, pairs, 0..grid.suite.samples.len()).collect(),
        fallen_checks: fallen_checks(grid, &moved_rates),
        checks: moved_checks(grid, moved_rates),
        resources,
        power,
        shares,
        control_mean,
        treatment_mean,
        missing: None,
        capabilities: Vec::new(),
        dimensions: Vec::new(),
    }
}

/// The difference over the same pairs, less what goes with the length of the answers.
fn equal_length(grid: &Grid, treatment: usize, pairs: &Pairs, level: f64) -> EqualLength {
    let longer_by = |sample| Some(grid.length(sample, treatment)? - grid.length(sample, 0)?);
    equal_length_of(&grid.clusters, &pairs.diffs, longer_by, level)
}

/// The same of differences, one per sample (a cluster's are averaged), with how much longer the treatment's answer is.
pub(crate) fn equal_length_of(
    clusters: &Clusters,
    diffs: &[Option<f64>],
    longer_by: impl Fn(usize) -> Option<f64>,
    level: f64,
) -> EqualLength {
    let longer_by: Vec<Option<f64>> =
        (0..diffs.len()).map(|sample| longer_by(sample).filter(|_| diffs[sample].is_some())).collect();
    let of = clusters.tasks(diffs).into_iter().zip(clusters.tasks(&longer_by));
    let pair = |(difference, longer_by): (Option<f64>, Option<f64>)| {
        Some(LengthPair { difference: difference?, longer_by: longer_by? })
    };
    let lengths: Vec<LengthPair> = of.filter_map(pair).collect();
    let longer_by = average(&lengths.iter().map(|pair| pair.longer_by).collect::<Vec<_>>());
    match difference_at_equal_length(&lengths, level) {
        Ok(found) => EqualLength {
            diff: Some(snap(found.difference)),
            ci: Some(ci_of(&found.interval, 1)),
            slope: Some(snap(found.slope)),
            length_sd: Some(snap(found.length_sd)),
            longer_by,
            n: count(found.n),
            why: None,
        },
        Err(why) => EqualLength {
            longer_by,
            n: count(lengths.len()),
            why: Some(why_unadjusted(why).into()),
            ..EqualLength::default()
        },
    }
}

fn why_unadjusted(why: Undefined) -> Message {
    match why {
        Undefined::TooFew => msg!("report-unadjusted-few"),
        Undefined::NoVariance => msg!("report-unadjusted-variance"),
        Undefined::OneSampleDecides => msg!("report-unadjusted-one"),
        Undefined::OutsideTheData => msg!("report-unadjusted-outside"),
        other => why_undefined(other),
    }
}

fn effect(values: &[f64], resampling: &Resampling) -> Option<EffectSizes> {
    let size = |effect: eval_stats::Effect| EffectSize {
        estimate: effect.estimate,
        ci: effect.interval.map(|interval| ci_of(&interval, 1)),
    };
    let sizes = EffectSizes {
        cohen_dz: cohen_dz(values, resampling).map(size),
        superiority: probability_of_superiority(values, resampling).map(size),
    };
    (!values.is_empty()).then_some(sizes)
}

/// At the level of the interval that decides, so that several treatments ask for more pairs than one. `decides` is the
/// difference that must be told from none, and `trivial` one that is no progress; all of it in the unit of `seen`.
pub(crate) fn power(
    diff: &Difference,
    [min_effect, decides, trivial]: [f64; 3],
    seen: Option<SeenDifferences>,
    strictness: &Strictness,
) -> Power {
    let alpha = diff.alpha.unwrap_or(ALPHA);
    let n = usize::try_from(diff.n).unwrap_or(usize::MAX);
    let pilot = seen.map(pilot);
    let next = strictness.next(diff.alpha);
    let decisive = pilot.and_then(|pilot| pilot.pairs_to_settle(decides, &next)).map(count);
    let Some(sd) = diff.sd.filter(|sd| *sd > 0.0) else {
        return Power { decisive, ..Power::default() };
    };
    // near the gain that is no progress, the number would be large and say little
    let gain = diff.mean.filter(|mean| *mean >= WORTH_PLANNING * trivial && *mean > 0.0);
    let for_gain = pilot.zip(gain).and_then(|(pilot, gain)| pilot.pairs_for_gain(gain, trivial, &next)).map(count);
    // preferences are read as points
    let scale = POINTS / seen.map_or(POINTS, |of| of.widest);
    let once = Reading { looks: None };
    let needed = |difference: f64| once.needed(sd * scale, difference * scale, alpha, POWER);
    Power {
        minimum_detectable: once.detectable(sd * scale, n, alpha, POWER).map(|points| snap(points / scale)),
        pairs_for_min_effect: needed(min_effect),
        pairs_for_observed: diff.mean.and_then(needed),
        decisive,
        decisive_for_gain: for_gain,
        repeats: None,
        alpha: Some(alpha),
    }
}

/// The samples that reports may name: those that count and are not held out. Naming held-out samples with their results
/// would invite tuning on them.
fn named_samples(grid: &Grid) -> impl Iterator<Item = usize> {
    let split = Split::of(&grid.suite.settings);
    let is_named =
        move |sample: &usize| !split.is_some_and(|split| split.holds_out(grid.clusters.name(grid.suite, *sample)));
    grid.samples().filter(is_named)
}

fn sample_differences(
    grid: &Grid,
    pairs: &Pairs,
    samples: impl Iterator<Item = usize>,
) -> impl Iterator<Item = SampleDifference> {
    samples.filter_map(|sample| {
        Some(SampleDifference {
            sample_id: grid.suite.samples[sample].id.clone(),
            control: pairs.control[sample]?,
            treatment: pairs.treatment[sample]?,
            diff: pairs.diffs[sample]?,
        })
    })
}

fn moved(named: &[SampleDifference]) -> Moved {
    let mut all: Vec<&SampleDifference> = named.iter().filter(|pair| pair.diff != 0.0).collect();
    // stable: equal differences stay in file order
    all.sort_by(|a, b| b.diff.abs().total_cmp(&a.diff.abs()));
    let side = |up: bool| all.iter().filter(|pair| (pair.diff > 0.0) == up).take(LISTED).copied().cloned().collect();
    Moved { better: side(true), worse: side(false) }
}

/// A check of a sample whose pass rate moved: sample, place among its assertions, the control's rate, the treatment's.
type RateMove = (usize, usize, f64, f64);

fn moved_rates(grid: &Grid, treatment: usize) -> Vec<RateMove> {
    let mut all = Vec::new();
    for sample in named_samples(grid) {
        for index in 0..grid.suite.samples[sample].assertions.len() {
            let rates = (pass_rate(grid, sample, 0, index), pass_rate(grid, sample, treatment, index));
            if let (Some(control), Some(treated)) = rates
                && control != treated
            {
                all.push((sample, index, control, treated));
            }
        }
    }
    all
}

/// The falls among `moves`, those of the same check by the same shares as one.
fn fallen_checks(grid: &Grid, moves: &[RateMove]) -> Vec<CheckFall> {
    const NAMED: usize = 3;
    let mut all: Vec<CheckFall> = Vec::new();
    let mut places: HashMap<(String, u64, u64), usize> = HashMap::new();
    for &(sample, index, control_rate, treatment_rate) in moves.iter().filter(|moved| moved.3 < moved.2) {
        let label = check_ref(grid.suite, sample, index).label;
        let place =
            *places.entry((label.clone(), control_rate.to_bits(), treatment_rate.to_bits())).or_insert_with(|| {
                all.push(CheckFall { label, control_rate, treatment_rate, samples: 0, named: Vec::new() });
                all.len() - 1
            });
        let fall = &mut all[place];
        fall.samples += 1;
        if fall.named.len() < NAMED {
            fall.named.push(grid.suite.samples[sample].id.clone());
        }
    }
    let size = |fall: &CheckFall| fall.control_rate - fall.treatment_rate;
    // stable: equal ones stay in file order
    all.sort_by(|a, b| b.samples.cmp(&a.samples).then(size(b).total_cmp(&size(a))));
    all.truncate(LISTED);
    all
}

fn moved_checks(grid: &Grid, mut all: Vec<RateMove>) -> Vec<CheckMove> {
    all.sort_by(|a, b| (b.3 - b.2).abs().total_cmp(&(a.3 - a.2).abs()));
    // equal moves alternate between losses and gains: without repeats every move is from 0 to 1 or back
    let (mut losses, mut gains) = (0, 0);
    let mut ranked: Vec<_> = all
        .into_iter()
        .map(|moved| {
            let rank = if moved.3 < moved.2 { &mut losses } else { &mut gains };
            *rank += 1;
            (*rank, moved)
        })
        .collect();
    ranked.sort_by(|(rank, a), (other, b)| {
        (b.3 - b.2).abs().total_cmp(&(a.3 - a.2).abs()).then(rank.cmp(other)).then(a.3.total_cmp(&b.3))
    });
    let all = ranked.into_iter().map(|(_, moved)| moved);
    let listed = all.take(LISTED);
    let named = |(sample, index, control_rate, treatment_rate)| CheckMove {
        check: check_ref(grid.suite, sample, index),
        control_rate,
        treatment_rate,
    };
    listed.map(named).collect()
}

/// The share of a sample's runs that passed one assertion, of those that evaluated it.
#[expect(clippy::cast_precision_loss, reason = "counts of repeats")]
fn pass_rate(grid: &Grid, sample: usize, variant: usize, index: usize) -> Option<f64> {
    let results = grid.of(sample, variant).filter_map(|cell| cell.checks.get(index).copied().flatten());
    let (passed, runs) = results.fold((0, 0), |(passed, runs), ok| (passed + usize::from(ok), runs + 1));
    (runs > 0).then(|| passed as f64 / runs as f64)
}
