//! Whether what is missing could turn a decision.

use eval_format::{DiffInputs, MissingInputs, TreatmentInputs, VerdictInputs};

use super::preference;
use super::side::{Side, side};
use crate::reason::{Doubt, Evidence, Reason};

/// What is missing of the scores that decide; `None` where preferences do.
fn of_scores<'i>(inputs: &VerdictInputs, treatment: &'i TreatmentInputs) -> Option<&'i MissingInputs> {
    treatment.missing.as_ref().filter(|_| !preference::decides(inputs, treatment))
}

/// Why a gain may be none: with the worst score for every run that the artifact left unanswered, or for the lost ones.
pub(super) fn could_turn_gain(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_scores(inputs, treatment) else { return Vec::new() };
    let is_gain = |floor: &DiffInputs| side(&inputs.limits, floor) == Side::Above;
    if let Some(floor) = missing.floor.as_ref().filter(|floor| !is_gain(floor)) {
        return vec![unanswered(missing, floor).into()];
    }
    let lost = missing.lost.samples > 0 && missing.low.is_none_or(|low| low <= 0.0);
    lost.then(|| lost_runs(missing).into()).into_iter().collect()
}

/// Why a difference that matters isn't excluded.
pub(super) fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_scores(inputs, treatment) else { return Vec::new() };
    let is_same = |floor: &DiffInputs| side(&inputs.limits, floor) == Side::Inside;
    if let Some(floor) = missing.floor.as_ref().filter(|floor| !is_same(floor)) {
        return vec![unanswered(missing, floor).into()];
    }
    let margin = inputs.limits.min_effect;
    let within = missing.low.is_some_and(|low| low >= -margin) && missing.high.is_some_and(|high| high <= margin);
    (missing.lost.samples > 0 && !within).then(|| lost_runs(missing).into()).into_iter().collect()
}

/// That a loss might be none if the lost runs had gone well; it stays a loss.
pub(super) fn could_turn_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_scores(inputs, treatment) else { return Vec::new() };
    let could = missing.lost.samples > 0 && missing.high.is_none_or(|high| high >= 0.0);
    let (samples, planned) = (missing.lost.samples, missing.planned);
    could.then(|| Evidence::LossCouldTurn { samples, planned }.into()).into_iter().collect()
}

fn unanswered(missing: &MissingInputs, floor: &DiffInputs) -> Doubt {
    let runs = missing.unanswered;
    Doubt::Unanswered {
        control: runs.control,
        treatment: runs.treatment,
        mean: floor.mean,
        low: floor.low,
        high: floor.high,
    }
}

fn lost_runs(missing: &MissingInputs) -> Doubt {
    Doubt::LostRuns { samples: missing.lost.samples, planned: missing.planned, low: missing.low, high: missing.high }
}
