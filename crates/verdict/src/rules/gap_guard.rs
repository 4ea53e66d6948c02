//! The guards of the gap rate: how high it may be, and how far it may rise.

use eval_format::{ArmInputs, GapGuardInputs, TreatmentInputs, VerdictInputs};

use super::validity::arms;
use crate::reason::{Doubt, Evidence, Reason};

/// What the guards have against a treatment.
pub(super) fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    of_variant(inputs, &treatment.arm)
}

/// What they have against any variant. A rate that could not be measured, or that can't be compared with the last one,
/// doesn't pass.
pub(crate) fn of_variant(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Reason> {
    let Some(of) = &arm.gap_guard else { return Vec::new() };
    if !of.is_measured() {
        return vec![Doubt::GapRateUnmeasured { of: of.clone() }.into()];
    }
    let high = inputs.limits.max_gap_rate.filter(|limit| of.exceeds(*limit));
    let high = high.map(|limit| Doubt::GapRateHigh { of: of.clone(), limit });
    let risen = inputs.limits.gap_rate_regression.and_then(|limit| against_earlier(of, limit));
    high.into_iter().chain(risen).map(Reason::from).collect()
}

fn against_earlier(of: &GapGuardInputs, limit: f64) -> Option<Doubt> {
    match of.is_of_another_test_set() {
        true => Some(Doubt::GapRateOfOtherSamples { of: of.clone() }),
        false => of.has_risen(limit).then(|| Doubt::GapRateRisen { of: of.clone(), limit }),
    }
}

/// That there is nothing to compare a rate with. Changes no tier.
pub(super) fn first(inputs: &VerdictInputs, arm: &ArmInputs) -> Option<Reason> {
    inputs.limits.gap_rate_regression?;
    let of = arm.gap_guard.as_ref().filter(|of| of.is_measured() && of.earlier().is_none())?;
    Some(Evidence::FirstGapRate { of: of.clone(), variant: arm.name.clone() }.into())
}

/// Whether the guards let every treatment, or the only variant, pass.
pub(crate) fn all_pass(inputs: &VerdictInputs) -> bool {
    let is_solo = inputs.treatments.is_empty();
    arms(inputs).skip(usize::from(!is_solo)).all(|arm| of_variant(inputs, arm).is_empty())
}
