//! Looks at the same two artifacts that nobody planned: they are read more strictly, and said.

use eval_format::{LeftInputs, LookInputs, TreatmentInputs, VerdictInputs};

use crate::reason::{Evidence, Reason};

/// Which look this is, and what left the set since the one before.
pub(super) fn note(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Reason> {
    // a run that ended before its plan decides nothing
    let LookInputs { number, same_samples } = inputs.looks.filter(|_| inputs.incomplete_reason.is_none())?;
    let risk = inputs.limits.alpha_of_parts / 2.0;
    Some(match treatment.left {
        Some(LeftInputs { samples, mean_with_them }) => {
            Evidence::LookWithout { number, risk, samples, mean: mean_with_them }.into()
        }
        None => Evidence::LookNumber { number, same_samples, risk }.into(),
    })
}
