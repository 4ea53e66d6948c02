//! A control that the cache answered: its answers are older than the treatment's, so that whatever drifted since then counts
//! as a difference. Some samples are asked again beside the treatment; a gain that holds beside what they show is one.

use eval_format::{ArmInputs, CachedControlInputs, TreatmentInputs, VerdictInputs};

use super::share::{CountShare, gap};
use crate::reason::{Alarm, Reason};

/// What keeps a gain beside a cached control from counting as progress.
pub(super) fn could_be_drift(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    alarm(inputs, treatment, 0.0).into_iter().collect()
}

/// What keeps it from being not worse by more than the margin.
pub(super) fn could_hide_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let margin = inputs.limits.margin.unwrap_or(0.0);
    alarm(inputs, treatment, -margin).into_iter().collect()
}

/// The shares of answers from the cache differ.
pub(super) fn shares_differ(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Alarm> {
    let share = |arm: &ArmInputs| CountShare { part: arm.cached, whole: arm.outcomes.total() };
    let arms = [&inputs.control, &treatment.arm].map(share);
    gap(arms, inputs.limits.share_points).map(|gap| Alarm::CachedDiffer { gap })
}

fn alarm(inputs: &VerdictInputs, treatment: &TreatmentInputs, above: f64) -> Option<Reason> {
    let differ = shares_differ(inputs, treatment)?;
    let asked = inputs.cached_control.as_ref().filter(|of| of.asked_again > 0 && inputs.control.cached > 0);
    let (Some(of), Some(adjusted)) = (asked, treatment.adjusted) else { return Some(differ.into()) };
    let (n, drift, needed) = (of.drift.n, of.drift, inputs.limits.min_pairs);
    if of.models_differ || n < needed {
        return Some(differ.into());
    }
    if has_moved(of) {
        let (mean, low, high) = (drift.mean, drift.low, drift.high);
        return Some(Alarm::ControlDrifted { n, mean, low, high }.into());
    }
    (adjusted.low <= above).then(|| Alarm::ControlMayHaveDrifted { n, mean: adjusted.mean, low: adjusted.low }.into())
}

/// Whether the interval of new − cached excludes 0.
pub(crate) fn has_moved(of: &CachedControlInputs) -> bool {
    let drift = &of.drift;
    let is_off = drift.low.is_some_and(|low| low > 0.0) || drift.high.is_some_and(|high| high < 0.0);
    is_off && (!drift.degenerate || drift.mean != Some(0.0))
}
