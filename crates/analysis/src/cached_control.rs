//! A control from the cache beside a treatment of today: how far the model has drifted since, by the samples that were asked
//! again, and the differences that allow for it.
//!
//! With `d` the mean difference to the cached answers, `e` the mean drift over the samples asked again (new − cached), and
//! `w` the share of pairs whose control came from the cache, `d − w·e` is the difference to a control of today. Its interval
//! joins those of `d` and `e` by the method of variance estimates recovery (Zou, Donner 2008, Statistics in Medicine 27):
//! `low = d − w·e − √((d − low_d)² + (w·(high_e − e))²)`. Both read the same cached answers, so that it is rather too wide.

use std::collections::BTreeMap;

use eval_format::{
    AdjustedInputs, CachedControl, CachedControlInputs, CachedSample, Ci, Difference, DriftAdjusted, POINTS,
    ReportError, VerdictInputs,
};
use eval_stats::Resampling;
use jiff::Timestamp;

use crate::cells::Cells;
use crate::grid::Grid;
use crate::numbers::{CellNumbers, average, count, snap};
use crate::pairs::{Pairs, differences_by_name, differences_of};

/// The control among the variants.
const CONTROL: usize = 0;

/// What the records tell of a control from the cache; `None` where none of it is from there.
pub(crate) fn facts(
    grid: &Grid,
    cells: &Cells,
    version: Option<&String>,
) -> Result<Option<CachedControl>, ReportError> {
    let mut of = CachedControl { executor_version: version.cloned(), ..CachedControl::default() };
    let mut given: Vec<Timestamp> = Vec::new();
    for sample in grid.samples() {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for &at in grid.places(sample, CONTROL) {
            let now = &grid.all()[at];
            if now.cached {
                if let Some(at) = now.given_at {
                    add_answer(&mut of, now.model.as_deref(), at, &mut given);
                }
                continue;
            }
            let Some(record) = (cells.replaced)(at).map_err(ReportError::Read)? else { continue };
            let Some(at) = record.execution.given_at else { continue };
            let before = CellNumbers::of(&record);
            add_answer(&mut of, before.model.as_deref(), at, &mut given);
            of.asked_again += 1;
            if let Some(model) = &now.model {
                *of.models_again.entry(model.to_string()).or_default() += 1;
            }
            let is_alike = before.evaluated == now.evaluated;
            if let Some((before, now)) = before.composite.points().zip(now.composite.points()).filter(|_| is_alike) {
                old.push(before);
                new.push(now);
            }
        }
        if let Some((cached, again)) = average(&old).zip(average(&new)) {
            of.samples.push(CachedSample { sample_id: grid.suite.samples[sample].id.clone(), cached, again });
        }
    }
    let Some((oldest, newest)) = given.iter().min().zip(given.iter().max()) else { return Ok(None) };
    (of.oldest, of.newest) = (oldest.to_string(), newest.to_string());
    Ok(Some(of))
}

fn add_answer(of: &mut CachedControl, model: Option<&str>, at: Timestamp, given: &mut Vec<Timestamp>) {
    of.answers += 1;
    given.push(at);
    if let Some(model) = model {
        *of.models.entry(model.to_owned()).or_default() += 1;
    }
}

/// Completes what the records tell with the drift, and each treatment's difference that allows for it.
pub(crate) fn complete(
    facts: Option<CachedControl>,
    grid: &Grid,
    labels: &[String],
    composites: &[Pairs],
    resampling: &Resampling,
) -> Option<CachedControl> {
    let facts = facts?;
    let places: BTreeMap<&str, usize> =
        grid.all_samples().map(|sample| (grid.suite.samples[sample].id.as_str(), sample)).collect();
    let mut drifts: Vec<Option<f64>> = vec![None; grid.suite.samples.len()];
    for of in &facts.samples {
        if let Some(&place) = places.get(of.sample_id.as_str()) {
            drifts[place] = Some(snap(of.again - of.cached));
        }
    }
    let drift = differences_of(&[&grid.clusters.tasks(&drifts)], resampling).pop().unwrap_or_default();
    let adjusted = match grid.suite.settings.planned_looks().is_some() {
        // the interval holds at every look, and the drift's doesn't
        true => Vec::new(),
        false => adjusted(grid, labels, composites, &drifts, &drift, resampling),
    };
    Some(CachedControl { control: labels[CONTROL].clone(), drift, adjusted, ..facts })
}

fn adjusted(
    grid: &Grid,
    labels: &[String],
    composites: &[Pairs],
    drifts: &[Option<f64>],
    drift: &Difference,
    resampling: &Resampling,
) -> Vec<DriftAdjusted> {
    // Differences to the cached answers, also where there are newer ones.
    let column = |pairs: &Pairs| -> Vec<Option<f64>> {
        let to_cached = |(diff, drift): (&Option<f64>, &Option<f64>)| Some(snap((*diff)? + drift.unwrap_or(0.0)));
        grid.clusters.tasks(&pairs.diffs.iter().zip(drifts).map(to_cached).collect::<Vec<_>>())
    };
    let columns: Vec<Vec<Option<f64>>> = composites.iter().map(column).collect();
    let treatments: Vec<usize> = (1..labels.len()).collect();
    let diffs = differences_by_name(grid, &treatments, &columns, resampling);
    let of = |((diff, pairs), label): ((Difference, &Pairs), &String)| {
        let share = cached_share(grid, pairs, drifts)?;
        let (mean, low, high) = without_drift((diff.mean?, diff.ci?), (drift.mean?, drift.ci?), share);
        Some(DriftAdjusted { treatment: label.clone(), mean, low, high })
    };
    diffs.into_iter().zip(composites).zip(&labels[1..]).filter_map(of).collect()
}

/// The share of pairs whose control is from the cache, or was until it was asked again.
#[expect(clippy::cast_precision_loss, reason = "counts of tasks")]
fn cached_share(grid: &Grid, pairs: &Pairs, drifts: &[Option<f64>]) -> Option<f64> {
    let paired = || grid.samples().filter(|&sample| pairs.diffs[sample].is_some());
    let is_cached = |sample: &usize| drifts[*sample].is_some() || grid.of(*sample, CONTROL).any(|cell| cell.cached);
    let all = grid.clusters.count(paired());
    (all > 0).then(|| grid.clusters.count(paired().filter(is_cached)) as f64 / all as f64)
}

/// `d − w·e` with its bounds.
pub fn without_drift((d, of_d): (f64, Ci), (e, of_e): (f64, Ci), share: f64) -> (f64, f64, f64) {
    let mean = d - share * e;
    let below = (d - of_d.low).hypot(share * (of_e.high - e));
    let above = (of_d.high - d).hypot(share * (e - of_e.low));
    (snap(mean), snap((mean - below).max(-POINTS)), snap((mean + above).min(POINTS)))
}

/// What the verdict reads of it.
pub(crate) fn set_inputs(inputs: &mut VerdictInputs, of: Option<&CachedControl>) {
    inputs.cached_control = of.map(CachedControlInputs::from);
    for treatment in &mut inputs.treatments {
        let found = of.and_then(|of| of.adjusted.iter().find(|one| one.treatment == treatment.arm.name));
        treatment.adjusted = found.map(|one| AdjustedInputs { mean: one.mean, low: one.low });
    }
}

/// The samples of a cached control that are asked again beside the treatment: a fifth of the tasks among `candidates`, and
/// at least six, drawn from the seed. None below as many tasks as progress needs: there is nothing to let through.
#[must_use]
pub fn draw_again(
    suite: &eval_spec::Suite,
    alike: &crate::AlikeSamples,
    candidates: impl Fn(usize) -> bool,
    seed: u64,
) -> Vec<usize> {
    let heads = crate::clusters::task_heads(suite, alike);
    let counts = |sample: &usize| !suite.samples[*sample].tripwire;
    let tasks = |is: &dyn Fn(usize) -> bool| {
        let mut of: Vec<usize> =
            (0..suite.samples.len()).filter(counts).filter(|&sample| is(sample)).map(|sample| heads[sample]).collect();
        of.sort_unstable();
        of.dedup();
        of
    };
    if count(tasks(&|_| true).len()) < eval_format::PROGRESS_PAIRS {
        return Vec::new();
    }
    let cached = tasks(&candidates);
    let mut drawn = cached.clone();
    drawn.sort_by_key(|&task| eval_spec::hash::sha256_hex(format!("{seed} {}", suite.samples[task].id).as_bytes()));
    let least = usize::try_from(eval_format::MIN_PAIRS).unwrap_or(usize::MAX);
    drawn.truncate(cached.len().div_ceil(SHARE).max(least));
    (0..suite.samples.len()).filter(|&sample| candidates(sample) && drawn.contains(&heads[sample])).collect()
}

/// One in so many tasks is asked again.
const SHARE: usize = 5;
