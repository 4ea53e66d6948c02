//! Scores read again by other settings: who chooses the interval chooses the verdict, and who chooses anything else after
//! looking is named.

use eval_format::{EarlierReadingInputs, ReadingOutcome, Tier, TreatmentInputs, VerdictInputs};

use super::interval;
use crate::reason::{Doubt, Evidence, Reason};

/// Returns the doubt that only the chosen interval makes a tier, or the goal, what it is.
pub(super) fn only_by_interval(
    treatment: &TreatmentInputs,
    is_worse: impl Fn(&ReadingOutcome) -> bool,
) -> Option<Reason> {
    let default = treatment.default_interval.filter(is_worse)?;
    Some(Doubt::OnlyByInterval { tier: default.tier.name() }.into())
}

/// CAUTIOUS: only the chosen interval excludes a difference that matters.
pub(super) fn same_only_by_interval(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let whole = interval::no_difference_that_matters(inputs, treatment)?;
    let doubt = only_by_interval(treatment, |default| default.tier < Tier::Noise)?;
    Some(std::iter::once(doubt).chain(whole).collect())
}

/// Names the earlier report that read the same scores, and came to less.
pub(super) fn worse_before(treatment: &TreatmentInputs) -> Option<Reason> {
    let EarlierReadingInputs { report, changed, outcome } = treatment.earlier_reading.clone()?;
    Some(Evidence::ReadBefore { report, changed, outcome }.into())
}
