//! One variant only: does its mean reach the threshold, and is it a mean over nearly all that was asked?

use eval_format::{ArmInputs, VerdictInputs};

use super::{gap_guard, gold, judges, soundness, triggers};
use crate::reason::{Evidence, Reason};

/// The rules that keep a single variant from passing.
const GATE: &[fn(&VerdictInputs, &ArmInputs) -> Vec<Reason>] = &[
    soundness::alarms_of_variant,
    soundness::layers_unscored,
    judges::opinions_missing,
    judges::disagreement,
    gold::doubts_of_variant,
    triggers::of_variant,
    gap_guard::of_variant,
];

/// Why the gate lets the variant pass, or why not. Notes that change nothing come last.
pub(crate) fn gate(inputs: &VerdictInputs) -> Result<Vec<Reason>, Vec<Reason>> {
    let notes = judges::self_preference(inputs).into_iter().chain(gap_guard::first(inputs, &inputs.control));
    match passed(inputs) {
        Ok(reached) => Ok(std::iter::once(reached).chain(notes).collect()),
        Err(against) => Err(against.into_iter().chain(notes).collect()),
    }
}

fn passed(inputs: &VerdictInputs) -> Result<Reason, Vec<Reason>> {
    let (arm, threshold) = (&inputs.control, inputs.limits.threshold);
    let variant = arm.name.clone();
    let Some(mean) = arm.mean.filter(|_| arm.planned_scores > 0) else {
        return Err(vec![Evidence::SoloUnscored { variant }.into()]);
    };
    let against: Vec<Reason> = GATE.iter().flat_map(|rule| rule(inputs, arm)).collect();
    match (mean < threshold, against.is_empty()) {
        (false, true) => Ok(Evidence::SoloReached { variant, mean, threshold }.into()),
        (false, false) => Err(against),
        (true, _) => {
            let under = Evidence::SoloUnder { variant, mean, threshold };
            Err(std::iter::once(under.into()).chain(against).collect())
        }
    }
}
