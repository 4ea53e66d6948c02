//! What pairwise judging adds to the verdict: its inputs, and the rules that read them. Pure functions of stored
//! numbers, like all of the verdict's.
//!
//! A preference (−1 to 1) is read as points: 4 points, the widest difference on the 1–5 scale, stand for a preference
//! of 1, the widest there is. So `--min-effect 0.2` is a preference of 0.05.

use eval_format::{DiffInputs, Limits, PairInputs, PositionInputs, TreatmentInputs, VerdictInputs};
use eval_message::number::{bound, percent, signed};
use eval_message::{Message, msg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gold as trust;
use crate::rules::{Side, side};
use crate::soundness::judge_alarms;

/// The shares between which the answer shown first may win before it is told.
const POSITION: (f64, f64) = (0.35, 0.65);

/// Whether preferences decide: nothing else is planned, or scores on too few samples to say anything.
pub(crate) fn decides(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    let Some(pairwise) = &treatment.pairwise else { return false };
    let least = inputs.limits.min_pairs;
    is_all(inputs, treatment) || (treatment.diff.n < least && pairwise.diff.n >= least)
}

/// Whether nothing but preferences is planned.
fn is_all(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    inputs.control.planned_scores == 0 && treatment.arm.planned_scores == 0
}

/// The difference that decides: the composite's, or the preference.
pub(crate) fn deciding<'i>(inputs: &VerdictInputs, treatment: &'i TreatmentInputs) -> &'i DiffInputs {
    match &treatment.pairwise {
        Some(pairwise) if decides(inputs, treatment) => &pairwise.diff,
        _ => &treatment.diff,
    }
}

/// Samples that say anything: those of the composite or those of the preference, whichever are more.
pub(crate) fn pairs(treatment: &TreatmentInputs) -> u64 {
    treatment.diff.n.max(treatment.pairwise.map_or(0, |pairwise| pairwise.diff.n))
}

/// Where the preference stands beside scores: on which side it lies; `None` where it decides by itself, or there is
/// none.
pub(crate) fn beside(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Side> {
    let pairwise = treatment.pairwise.as_ref().filter(|_| !decides(inputs, treatment))?;
    Some(side(&inputs.limits, &pairwise.diff))
}

/// REGRESS: judges prefer the control, whatever the scores say.
pub(crate) fn control_preferred(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    (beside(inputs, treatment)? == Side::Below).then(|| lies(treatment).into_iter().collect())
}

/// CAUTIOUS: judges prefer the treatment, and the scores don't show it.
pub(crate) fn only_preferred(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    (beside(inputs, treatment)? == Side::Above).then(|| {
        lies(treatment)
            .into_iter()
            .chain([msg!("report-doubt-scores")])
            .chain(doubts(&inputs.limits, treatment))
            .chain(judge_alarms(inputs, &treatment.arm))
            .chain(trust::doubts(inputs, treatment))
            .collect()
    })
}

/// What a preference rests on where it decides by itself.
pub(crate) fn read_as_points(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Message> {
    let deciding = treatment.pairwise.as_ref().filter(|_| decides(inputs, treatment));
    let Some(preference) = deciding.and_then(|pairwise| pairwise.preference) else { return Vec::new() };
    let points = msg!("report-why-preference-points", preference = signed(preference));
    let beside = || msg!("report-why-preference-decides", n = treatment.diff.n, needed = inputs.limits.min_pairs);
    [points].into_iter().chain((!is_all(inputs, treatment)).then(beside)).collect()
}

/// Where the preference lies.
pub(crate) fn lies(treatment: &TreatmentInputs) -> Option<Message> {
    let pairwise = treatment.pairwise.as_ref()?;
    let DiffInputs { low, high, n, .. } = pairwise.diff;
    let shown = |points: Option<f64>| points.map_or_else(|| "?".to_owned(), |points| bound(points / 4.0));
    let preference = pairwise.preference.map_or_else(|| "?".to_owned(), signed);
    Some(msg!("report-why-preference", preference = preference, low = shown(low), high = shown(high), n = n))
}

/// What forbids to rely on preferences, each named.
pub(crate) fn doubts(limits: &Limits, treatment: &TreatmentInputs) -> Vec<Message> {
    let Some(pairwise) = &treatment.pairwise else { return Vec::new() };
    let lost = u128::from(pairwise.missing) * 100 > u128::from(pairwise.planned) * u128::from(limits.missing_percent);
    let lost = lost.then(|| {
        msg!(
            "report-alarm-pairs",
            missing = pairwise.missing,
            planned = pairwise.planned,
            limit = limits.missing_percent
        )
    });
    lost.into_iter().chain(prefers_position(pairwise)).collect()
}

fn prefers_position(pairwise: &PairInputs) -> Option<Message> {
    let PositionInputs { share, low, high } = pairwise.position?;
    let is_far = (share > POSITION.1 && low > 0.5) || (share < POSITION.0 && high < 0.5);
    is_far.then(|| msg!("report-alarm-position", share = percent(share), low = percent(low), high = percent(high)))
}

/// Judges that can't be used measure nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs")]
pub(crate) fn judges_unusable(inputs: &VerdictInputs) -> Option<Message> {
    let all = || inputs.treatments.iter().filter_map(|treatment| treatment.pairwise.as_ref());
    let unjudged: u64 = all().map(|of| of.unjudged).sum();
    let answered: u64 = all().map(|of| of.planned.saturating_sub(of.missing.saturating_sub(of.unjudged))).sum();
    let limit = inputs.limits.max_failure_rate;
    let over = answered > 0 && unjudged as f64 / answered as f64 > limit;
    over.then(|| msg!("report-invalid-pairs", unjudged = unjudged, answered = answered, limit = percent(limit)))
}
