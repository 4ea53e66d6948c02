//! What judges preferred when they compared answers (`judge: pairwise`), in one run or in two.
//!
//! Judges compare the answers of one run, so that a preference is always one for a treatment over a control. The unit is
//! the task: repeats and the samples of a cluster are averaged first. Two runs are compared on the samples that have a
//! preference in both.

use std::collections::{BTreeMap, HashMap};

use eval_analysis::measure::{Clusters, average, snap};
use eval_format::{Difference, Pairwise};
use serde::Serialize;

use super::bounds::BoundKind;
use super::columns::task_average;
use super::same::{CommonSample, SharedSamples, VariantNames};
use super::sides::SlimReport;

/// A preference, and how it moved.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreferenceDiff {
    /// In A; `null` in one report alone.
    pub a: Option<Preferred>,
    /// In B.
    pub b: Preferred,
    /// Whether the control is the same artifact in both, byte for byte, so that only the treatment can have moved it;
    /// `null` in one report alone, and where a report doesn't tell.
    pub same_control: Option<bool>,
    /// B − A, −2 to 2; in one report alone the preference itself, −1 to 1. Interval and p-value hold for all of them at
    /// once.
    pub diff: Difference,
}

/// How much a treatment is preferred to a control.
#[derive(Clone, Debug, Serialize)]
pub struct Preferred {
    /// The control.
    pub control: String,
    /// The treatment.
    pub treatment: String,
    /// The mean preference over the tasks that are compared, −1 to 1; the share of wins, ties split, is
    /// `(1 + preference) / 2`.
    pub preference: Option<f64>,
}

/// A control and a treatment, each by its name in A and in B.
type ArmNames<'p> = [&'p VariantNames; 2];

/// The preferences of two runs: of each variant over its run's control. `pairs` are the variants' names in A and in B.
pub(super) fn between(
    a: &SlimReport,
    b: &SlimReport,
    SharedSamples { common, tasks }: &SharedSamples,
    pairs: &[VariantNames],
    bounds: &BoundKind,
) -> Vec<PreferenceDiff> {
    let (Some(of_a), Some(of_b)) = (&a.pairwise, &b.pairwise) else { return Vec::new() };
    let Some(control) = a.meta.variants.first().cloned().zip(b.meta.variants.first().cloned()) else {
        return Vec::new();
    };
    let treatments = pairs.iter().filter(|(of_a, of_b)| *of_a != control.0 && *of_b != control.1);
    let asked: Vec<ArmNames> = treatments.map(|treatment| [&control, treatment]).collect();
    let columns = asked.iter().map(|[control, treatment]| {
        let [in_a, in_b] =
            [column(of_a, common, [&control.0, &treatment.0]), column(of_b, common, [&control.1, &treatment.1])];
        in_a.into_iter().zip(in_b).map(|(a, b)| a.zip(b)).collect::<Vec<Option<(f64, f64)>>>()
    });
    let columns: Vec<_> = columns.collect();
    let moved: Vec<Vec<Option<f64>>> =
        columns.iter().map(|column| column.iter().map(|both| both.map(|(a, b)| snap(b - a))).collect()).collect();
    let same =
        |control: &VariantNames| Some(a.meta.skill_hashes.get(&control.0)? == b.meta.skill_hashes.get(&control.1)?);
    let found = asked.iter().zip(&columns).zip(bounded(tasks, &moved, bounds)).filter(|(_, diff)| diff.n > 0);
    let each = found.map(|(([control, treatment], both), diff)| {
        let side = |of: fn(&(f64, f64)) -> f64| {
            task_average(tasks, &both.iter().map(|both| both.as_ref().map(of)).collect::<Vec<_>>())
        };
        PreferenceDiff {
            a: Some(preferred([&control.0, &treatment.0], side(|both| both.0))),
            b: preferred([&control.1, &treatment.1], side(|both| both.1)),
            same_control: same(control),
            diff,
        }
    });
    each.collect()
}

/// The preferences of one run: `pairs` are controls and treatments.
pub(super) fn inside(
    of: &SlimReport,
    SharedSamples { common, tasks }: &SharedSamples,
    pairs: &[VariantNames],
    bounds: &BoundKind,
) -> Vec<PreferenceDiff> {
    let Some(all) = &of.pairwise else { return Vec::new() };
    let columns: Vec<Vec<Option<f64>>> = pairs.iter().map(|(a, b)| column(all, common, [a, b])).collect();
    let found = pairs.iter().zip(&columns).zip(bounded(tasks, &columns, bounds)).filter(|(_, diff)| diff.n > 0);
    let each = found.map(|(((control, treatment), column), diff)| PreferenceDiff {
        a: None,
        b: preferred([control, treatment], task_average(tasks, column)),
        same_control: None,
        diff,
    });
    each.collect()
}

fn bounded(tasks: &Clusters, columns: &[Vec<Option<f64>>], bounds: &BoundKind) -> Vec<Difference> {
    let of_tasks: Vec<Vec<Option<f64>>> = columns.iter().map(|column| tasks.tasks(column)).collect();
    bounds.differences(&of_tasks.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

fn preferred([control, treatment]: [&String; 2], preference: Option<f64>) -> Preferred {
    Preferred { control: control.clone(), treatment: treatment.clone(), preference }
}

/// One place per sample: how much the second variant is preferred to the first.
fn column(of: &Pairwise, common: &[CommonSample], [control, treatment]: [&String; 2]) -> Vec<Option<f64>> {
    let places: HashMap<&str, usize> =
        common.iter().enumerate().map(|(at, (_, of))| (of.sample_id.as_str(), at)).collect();
    let mut repeats: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for pair in &of.pairs {
        let sign = match (pair.earlier == *control, pair.later == *treatment) {
            (true, true) => 1.0,
            _ if pair.earlier == *treatment && pair.later == *control => -1.0,
            _ => continue,
        };
        if let (Some(&at), Some(preference)) = (places.get(pair.sample_id.as_str()), pair.preference) {
            repeats.entry(at).or_default().push(sign * preference);
        }
    }
    (0..common.len()).map(|at| repeats.get(&at).and_then(|repeats| average(repeats))).collect()
}
