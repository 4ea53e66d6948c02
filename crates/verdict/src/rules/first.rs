//! The tiers by the first rules (`verdict.inputs.rules` 1), of which only the outcome counts: whether the verdict that an
//! old report claims is the one that its numbers had. They read neither what is missing, nor unseen kinds, nor parts; and two
//! alarms were theirs alone.

use eval_format::{ArmInputs, Tier, TreatmentInputs, VerdictInputs};

use super::cached::shares_differ;
use super::share::{CountShare, gap};
use super::side::{Side, side};
use super::{gold, holdout, interval, judges, layers, preference, progress, soundness};
use crate::reason::Reason;

/// What kept a gain from counting as progress.
const DOUBTS: &[fn(&VerdictInputs, &TreatmentInputs) -> Vec<Reason>] = &[
    progress::trivial,
    progress::few_pairs,
    layers::under_gate,
    soundness::alarms,
    judges::alarms,
    preference::doubts,
    gold::doubts,
    holdout::doubts,
    progress::invalid_run,
];

/// A treatment's tier.
pub(crate) fn tier(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> (Tier, Vec<Reason>) {
    let is = |rule: fn(&VerdictInputs, &TreatmentInputs) -> Option<Vec<Reason>>| rule(inputs, treatment).is_some();
    let is_doubted = || DOUBTS.iter().any(|doubts| !doubts(inputs, treatment).is_empty());
    let is_sound = || !is_doubted() && !arms_differ(inputs, treatment) && shares_differ(inputs, treatment).is_none();
    let tier = if is(interval::too_few_pairs) {
        Tier::Underpowered
    } else if is(interval::worse) || is(layers::worse) || is(preference::control_preferred) {
        Tier::Regress
    } else if interval::better(inputs, treatment).is_some() {
        if is_sound() { Tier::Progress } else { Tier::Cautious }
    } else if preference::beside(inputs, treatment) == Some(Side::Above) {
        Tier::Cautious
    } else if is_noise(inputs, treatment) {
        Tier::Noise
    } else {
        Tier::Underpowered
    };
    (tier, Vec::new())
}

fn is_noise(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    let diff = preference::deciding(inputs, treatment);
    interval::may_be_noise(inputs, treatment) && side(&preference::limits(inputs, treatment), diff) == Side::Inside
}

/// Shares of missing scores, or of outcomes, that are further apart than shares may be.
fn arms_differ(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    let arms = [&inputs.control, &treatment.arm];
    let points = inputs.limits.share_points;
    let missing = |arm: &ArmInputs| CountShare { part: arm.missing_scores, whole: arm.planned_scores };
    let [control, treated] = arms.map(|arm| arm.outcomes.classes());
    let wholes = arms.map(|arm| arm.outcomes.total());
    let mut outcomes = control.into_iter().zip(treated).map(|((_, control), (_, treated))| {
        [CountShare { part: control, whole: wholes[0] }, CountShare { part: treated, whole: wholes[1] }]
    });
    gap(arms.map(missing), points).is_some() || outcomes.any(|shares| gap(shares, points).is_some())
}
