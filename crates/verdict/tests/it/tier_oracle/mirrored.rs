//! Whichever arm is the control, and in whatever order samples, treatments and threads come, the numbers are the same.

use eval_format::{Analysis, DiffInputs, MissingRuns, Tier, TreatmentInputs};
use eval_spec::Layer;
use rayon::prelude::*;
use serde_json::Value;

use super::STORED;
use super::data_set::DataSet;

const RESAMPLES: u32 = 1000;
/// Sums in another order differ in their last digits.
const NEAR: f64 = 1e-9;

/// Every number by its name, so that a difference says what it is about.
type Numbers = Vec<(String, Option<f64>)>;

#[test]
fn exchanging_the_arms_mirrors_every_number() {
    of_each(
        200,
        |set| set.arms.len() == 2,
        |set| {
            let one = set.report(RESAMPLES);
            set.arms.reverse();
            let other = set.report(RESAMPLES);
            let mut found = unlike(&numbers(&one, false), &numbers(&other, true));
            let tiers = [one.verdict.tier, other.verdict.tier];
            if tiers[0] == Tier::Progress && tiers[1] != Tier::Regress {
                found.push(format!("{tiers:?}"));
            }
            found
        },
    );
}

#[test]
fn the_order_of_samples_changes_nothing() {
    of_each(
        75,
        |_| true,
        |set| {
            let one = set.report(RESAMPLES);
            let half = set.samples.len() / 2;
            set.samples.rotate_left(half);
            set.samples[..half].reverse();
            same(&one, &set.report(RESAMPLES))
        },
    );
}

#[test]
fn the_order_of_treatments_changes_nothing() {
    of_each(
        15,
        |set| set.arms.len() > 2,
        |set| {
            let one = set.report(RESAMPLES);
            set.arms[1..].reverse();
            same(&one, &set.report(RESAMPLES))
        },
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let stored: Value = serde_json::from_str(STORED).unwrap();
    let sets = stored["sets"].as_array().unwrap();
    let reports = || sets.par_iter().step_by(6).map(|set| DataSet::new(set).report(RESAMPLES)).collect::<Vec<_>>();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let [one, other] = [reports(), alone.install(reports)];
    let unlike = one.iter().zip(&other).filter(|(one, other)| one != other).count();
    assert!(one.len() == 50 && unlike == 0, "{unlike} of {} reports differ", one.len());
}

/// Nothing is found in so many of the data sets that are `meant`, which are of every kind.
fn of_each(count: usize, is_meant: impl Fn(&DataSet) -> bool, find: impl Fn(&mut DataSet) -> Vec<String> + Sync) {
    let stored: Value = serde_json::from_str(STORED).unwrap();
    let sets: Vec<&Value> = stored["sets"].as_array().unwrap().iter().collect();
    let meant: Vec<&Value> = sets.into_iter().filter(|set| is_meant(&DataSet::new(set))).collect();
    let chosen: Vec<&Value> = (0..count).map(|place| meant[place * meant.len() / count]).collect();
    let found = |set: &&Value| {
        let found = find(&mut DataSet::new(set));
        (!found.is_empty()).then(|| format!("{}: {}", set["kind"], found.join("; ")))
    };
    let all: Vec<String> = chosen.par_iter().filter_map(found).collect();
    assert!(all.is_empty(), "{} of {count} sets:\n{}", all.len(), all.join("\n"));
}

/// The same tiers, reasons and numbers of each treatment, by name.
fn same(one: &Analysis, other: &Analysis) -> Vec<String> {
    let mut found = Vec::new();
    if one.verdict.tier != other.verdict.tier {
        found.push(format!("{:?} {:?}", one.verdict.tier, other.verdict.tier));
    }
    for verdict in &one.verdict.per_treatment {
        let again = other.verdict.per_treatment.iter().find(|of| of.treatment == verdict.treatment).unwrap();
        if verdict != again {
            found.push(format!("{verdict:?} {again:?}"));
        }
    }
    found.extend(unlike(&numbers(one, false), &numbers(other, false)));
    found
}

fn unlike(one: &Numbers, other: &Numbers) -> Vec<String> {
    let is_near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= NEAR,
        (a, b) => a == b,
    };
    let found = |(name, value): &(String, Option<f64>)| {
        let again = other.iter().find(|(of, _)| of == name).and_then(|(_, value)| *value);
        (!is_near(*value, again)).then(|| format!("{name} {value:?} {again:?}"))
    };
    one.iter().filter_map(found).collect()
}

/// The numbers of each treatment; as they would be with the arms exchanged, if it is `swapped`.
fn numbers(report: &Analysis, swapped: bool) -> Numbers {
    let mut all = Numbers::new();
    for (inputs, comparison) in report.verdict.inputs.treatments.iter().zip(&report.comparisons) {
        let name = if report.comparisons.len() == 1 { "" } else { &*comparison.treatment };
        let mut add = |what: &str, value: Option<f64>| all.push((format!("{name} {what}"), value));
        of_treatment(inputs, swapped, &mut add);
        let (wins, losses) = (comparison.wins as f64, comparison.losses as f64);
        add("wins", Some(if swapped { losses } else { wins }));
        add("losses", Some(if swapped { wins } else { losses }));
        add("ties", Some(comparison.ties as f64));
        add("p", comparison.diff.p_value);
        let effect = comparison.diff.effect.as_ref();
        let size = effect.and_then(|of| of.cohen_dz.as_ref()).map(|of| of.estimate);
        add("effect", size.map(|size| if swapped { -size } else { size }));
        let better = effect.and_then(|of| of.superiority.as_ref()).map(|of| of.estimate);
        add("superiority", better.map(|share| if swapped { 1.0 - share } else { share }));
    }
    all
}

fn of_treatment(of: &TreatmentInputs, swapped: bool, add: &mut impl FnMut(&str, Option<f64>)) {
    difference("whole", &of.diff, swapped, add);
    for layer in Layer::ALL {
        if let Some(of) = of.layers.get(layer) {
            difference(layer.name(), &of.diff, swapped, add);
        }
    }
    for part in of.capabilities.iter().chain(&of.dimensions) {
        add(&format!("{} samples", part.name), Some(part.n as f64));
        difference(&part.name, &part.diff.unwrap_or_default(), swapped, add);
    }
    if let Some(of) = &of.missing {
        difference("floor", &of.floor.unwrap_or_default(), swapped, add);
        bounds("missing", [of.low, of.high], swapped, add);
        for (name, runs) in [("unanswered", of.unanswered), ("lost", of.lost), ("again", of.again)] {
            let MissingRuns { control, treatment, .. } = runs;
            let [control, treatment] = if swapped { [treatment, control] } else { [control, treatment] };
            add(&format!("{name} of control"), Some(control as f64));
            add(&format!("{name} of treatment"), Some(treatment as f64));
        }
    }
    if let Some(of) = &of.unseen {
        let [gain, loss] = if swapped { [of.no_loss, of.no_gain] } else { [of.no_gain, of.no_loss] };
        add("no gain", Some(gain));
        add("no loss", Some(loss));
        let [worse, better] = if swapped { [of.better, of.worse] } else { [of.worse, of.better] };
        add("worse", Some(worse));
        add("better", Some(better));
    }
    add("decisive", of.decisive.map(|n| n as f64));
}

fn difference(name: &str, of: &DiffInputs, swapped: bool, add: &mut impl FnMut(&str, Option<f64>)) {
    let turned = |mean: Option<f64>| mean.map(|mean| if swapped { -mean } else { mean });
    add(&format!("{name} n"), Some(of.n as f64));
    add(&format!("{name} mean"), turned(of.mean));
    add(&format!("{name} over samples"), turned(of.over_samples));
    add(&format!("{name} p"), of.p);
    bounds(name, [of.low, of.high], swapped, add);
}

fn bounds(name: &str, [low, high]: [Option<f64>; 2], swapped: bool, add: &mut impl FnMut(&str, Option<f64>)) {
    let turned = |bound: Option<f64>| bound.map(|bound| if swapped { -bound } else { bound });
    let [low, high] = if swapped { [high, low] } else { [low, high] };
    add(&format!("{name} low"), turned(low));
    add(&format!("{name} high"), turned(high));
}
