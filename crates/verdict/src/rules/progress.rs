//! Whether a gain may be called progress.

use eval_format::{Tier, TreatmentInputs, VerdictInputs};

use super::{
    cached, clusters, delivery, gap_guard, gold, holdout, interval, judges, layers, missing, parts, preference,
    reading, soundness, triggers, unseen, validity,
};
use crate::reason::{Doubt, Reason};

/// What keeps a gain from counting as progress: each function returns its doubts and alarms.
const DOUBTS: &[fn(&VerdictInputs, &TreatmentInputs) -> Vec<Reason>] = &[
    trivial,
    few_pairs,
    unseen::could_turn_gain,
    missing::could_turn_gain,
    clusters::gain_of_clusters,
    layers::under_gate,
    parts::fell,
    parts::collapsed,
    soundness::alarms,
    cached::could_be_drift,
    judges::alarms,
    preference::doubts,
    gold::doubts,
    holdout::doubts,
    delivery::never_loaded,
    triggers::doubts,
    gap_guard::doubts,
    invalid_run,
];

fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let doubts: Vec<Reason> = DOUBTS.iter().flat_map(|doubts| doubts(inputs, treatment)).collect();
    let by_interval = || reading::only_by_interval(treatment, |default| default.tier < Tier::Progress);
    if doubts.is_empty() { by_interval().into_iter().collect() } else { doubts }
}

/// PROGRESS: a gain without doubts or alarms.
pub(super) fn without_doubt(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let better = interval::better(inputs, treatment)?;
    doubts(inputs, treatment).is_empty().then(|| vec![better.into()])
}

/// CAUTIOUS: a gain, with its doubts and alarms.
pub(super) fn with_doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let better = interval::better(inputs, treatment)?;
    Some(std::iter::once(better.into()).chain(doubts(inputs, treatment)).collect())
}

pub(super) fn trivial(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let limit = inputs.limits.trivial_diff;
    let diff = preference::deciding(inputs, treatment).mean.filter(|mean| *mean < limit);
    diff.map(|diff| Doubt::Trivial { diff, limit }.into()).into_iter().collect()
}

pub(super) fn few_pairs(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let (n, needed) = (preference::deciding(inputs, treatment).n, inputs.limits.progress_pairs);
    (n < needed).then(|| Doubt::FewPairs { n, needed }.into()).into_iter().collect()
}

pub(super) fn invalid_run(inputs: &VerdictInputs, _: &TreatmentInputs) -> Vec<Reason> {
    (!validity::invalid(inputs).is_empty()).then(|| Doubt::InvalidRun.into()).into_iter().collect()
}
