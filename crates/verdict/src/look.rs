//! Whether a look decides a treatment, so that the run may end.

use eval_format::{Decided, TreatmentInputs, VerdictInputs};

use crate::rules::{better_for_sure, no_difference_for_sure, worse_for_sure};

/// How a look decides a treatment; `None` where the run goes on. A gain and no difference that matters are decided as the
/// verdict would, what is wrong with the measurement aside; a loss before the last look only where no kind that never came up is
/// likely to make up for it.
#[must_use]
pub fn look_decides(inputs: &VerdictInputs, treatment: &TreatmentInputs, is_last: bool) -> Option<Decided> {
    if worse_for_sure(inputs, treatment, is_last) {
        return Some(Decided::Worse);
    }
    if better_for_sure(inputs, treatment) {
        return Some(Decided::Better);
    }
    no_difference_for_sure(inputs, treatment).then_some(Decided::NoDifferenceThatMatters)
}
