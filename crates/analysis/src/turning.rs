//! Checks that make a difference: without one of them, a gain is none, or a loss.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use eval_format::{Insight, InsightKind, MIN_PAIRS, Severity};
use eval_message::msg;
use eval_message::number::signed;

use crate::grid::Grid;
use crate::likeness::folded;
use crate::numbers::{CellNumbers, average, count, snap};
use crate::pairs::Pairs;
use crate::questions::{label, question_key};

/// Checks that are left out, those of most samples.
const MOST_CHECKS: usize = 50;
/// Checks of a treatment that are named.
const NAMED: usize = 3;

/// A check, and where it is: a sample, and its place among the sample's checks.
struct SharedCheck {
    label: String,
    places: Vec<(usize, usize)>,
}

/// The checks without which the sign of a treatment's difference turns, those that move it most first. Differences below
/// `--trivial-diff` have no sign worth the name. `composites` has the pairs of each treatment.
pub(crate) fn turning_checks(grid: &Grid, labels: &[String], composites: &[Pairs]) -> Vec<Insight> {
    let settings = &grid.suite.settings;
    if grid.suite.variants.len() < 2 || settings.aa {
        return Vec::new();
    }
    let checks = shared_checks(grid);
    let of_treatment = |(treatment, pairs): (usize, &Pairs)| {
        let Some(mean) = mean_over_tasks(grid, &pairs.diffs).filter(|mean| mean.abs() >= settings.trivial_diff) else {
            return Vec::new();
        };
        let without = |check| Some((check, without(grid, treatment, &pairs.diffs, check)?));
        let turns = |&(_, rest): &(&SharedCheck, f64)| mean * rest <= 0.0;
        let mut turning: Vec<(&SharedCheck, f64)> = checks.iter().filter_map(without).filter(turns).collect();
        turning.sort_by(|(_, a), (_, b)| (mean - b).abs().total_cmp(&(mean - a).abs()));
        turning.truncate(NAMED);
        turning.into_iter().map(|(check, rest)| insight(grid, &labels[treatment], check, [mean, rest])).collect()
    };
    (1..).zip(composites).flat_map(of_treatment).collect()
}

fn insight(grid: &Grid, treatment: &str, check: &SharedCheck, [mean, rest]: [f64; 2]) -> Insight {
    let message = msg!(
        "report-insight-turning-check",
        check = check.label.clone(),
        treatment = treatment,
        rest = signed(rest),
        difference = signed(mean)
    );
    let ids = check.places.iter().map(|(sample, _)| grid.suite.samples[*sample].id.clone()).collect();
    Insight::new(InsightKind::TurningCheck, Severity::Warning, message, ids)
}

/// Assertions that are written alike, and dimensions of one name, that enough samples share. None comes twice in a sample.
fn shared_checks(grid: &Grid) -> Vec<SharedCheck> {
    let mut checks: Vec<SharedCheck> = Vec::new();
    let (mut assertions, mut dimensions) = (HashMap::new(), BTreeMap::new());
    for sample in grid.samples() {
        let of = &grid.suite.samples[sample];
        let mut add = |at: usize, place: usize, label: &dyn Fn() -> String| {
            if at == checks.len() {
                checks.push(SharedCheck { label: label(), places: Vec::new() });
            }
            checks[at].places.push((sample, place));
        };
        for (place, assertion) in of.assertions.iter().enumerate() {
            let next = assertions.len() + dimensions.len();
            let at = *assertions.entry(question_key(assertion)).or_insert(next);
            add(at, place, &|| label(assertion));
        }
        for (place, (name, _)) in of.dimensions.iter().enumerate() {
            let next = assertions.len() + dimensions.len();
            let at = *dimensions.entry(folded(name)).or_insert(next);
            add(at, of.assertions.len() + place, &|| name.clone());
        }
    }
    let is_once = |of: &SharedCheck| of.places.windows(2).all(|pair| pair[0].0 != pair[1].0);
    checks.retain(|of| count(of.places.len()) >= MIN_PAIRS && is_once(of));
    // stable: of equals, the first in the file
    checks.sort_by_key(|of| Reverse(of.places.len()));
    checks.truncate(MOST_CHECKS);
    checks
}

/// The mean difference without a check. Samples that have no other check are left out. `None` where the check was not
/// graded (`--no-judge`), or no sample is left.
fn without(grid: &Grid, treatment: usize, diffs: &[Option<f64>], check: &SharedCheck) -> Option<f64> {
    let mut column = diffs.to_vec();
    for &(sample, place) in check.places.iter().filter(|(sample, _)| diffs[*sample].is_some()) {
        let is_graded = |cell: &CellNumbers| cell.composite.points().is_none() || place < cell.without.len();
        if ![0, treatment].iter().all(|&variant| grid.of(sample, variant).all(is_graded)) {
            return None;
        }
        let score = |variant| grid.mean(sample, variant, |cell| cell.composite_without(place));
        column[sample] = score(treatment).zip(score(0)).map(|(treated, control)| snap(treated - control));
    }
    mean_over_tasks(grid, &column)
}

fn mean_over_tasks(grid: &Grid, column: &[Option<f64>]) -> Option<f64> {
    average(&grid.clusters.tasks(column).into_iter().flatten().collect::<Vec<_>>())
}
