//! Whether a treatment is not worse than the control by more than a margin: a test of non-inferiority, for a shorter or
//! cheaper artifact. Its tier is what it is; the gate reads this.

use eval_format::{TreatmentInputs, VerdictInputs};

use super::progress::invalid_run;
use super::{cached, clusters, gap_guard, gold, judges, missing, parts, preference, reading, soundness, unseen};
use crate::reason::{Doubt, Evidence, Reason};

/// What speaks against it. Samples, measurement and judges must be as good as for progress: careless measurement hides
/// a loss.
const DOUBTS: &[fn(&VerdictInputs, &TreatmentInputs) -> Vec<Reason>] = &[
    few_pairs,
    within_margin,
    missing::could_hide_loss,
    unseen::could_hide_loss,
    clusters::could_hide_loss,
    parts::fell,
    parts::collapsed,
    control_preferred,
    soundness::alarms,
    cached::could_hide_loss,
    judges::alarms,
    gold::doubts_of_sameness,
    gap_guard::doubts,
    invalid_run,
];

/// What shows that a treatment is not worse, or everything that speaks against it; `None` where that isn't the goal.
pub(crate) fn not_worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Result<Evidence, Vec<Reason>>> {
    let margin = inputs.limits.margin?;
    let mut doubts: Vec<Reason> = DOUBTS.iter().flat_map(|doubts| doubts(inputs, treatment)).collect();
    if doubts.is_empty() {
        doubts.extend(reading::only_by_interval(treatment, |default| !default.reached));
    }
    Some(match doubts.is_empty() {
        true => Ok(Evidence::NotWorse { control: inputs.control.name.clone(), margin, low: treatment.diff.low }),
        false => Err(doubts),
    })
}

fn few_pairs(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let (n, needed) = (treatment.diff.n, inputs.limits.progress_pairs);
    (n < needed).then(|| Doubt::FewPairs { n, needed }.into()).into_iter().collect()
}

/// The interval of the scores reaches the margin. Preferences have no margin.
fn within_margin(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(margin) = inputs.limits.margin else { return Vec::new() };
    let low = treatment.diff.low;
    let excludes = low.is_some_and(|low| low > -margin);
    (!excludes).then(|| Doubt::LossNotExcluded { low, margin }.into()).into_iter().collect()
}

/// Judges who compared the answers prefer the control: no margin allows that.
fn control_preferred(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    preference::control_preferred(inputs, treatment).unwrap_or_default()
}
