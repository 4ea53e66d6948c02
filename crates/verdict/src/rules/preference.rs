//! Rules on pairwise judging.
//!
//! A preference (−1 to 1) is read as points: 4 points, the widest difference on the 1–5 scale, stand for a preference
//! of 1, the widest there is. `--min-preference 0.1` is 0.4 points.

use eval_format::{DiffInputs, Limits, POINTS, PairInputs, PositionInputs, TreatmentInputs, VerdictInputs};

use super::enough::AFFORDABLE;
use super::share::CountShare;
use super::side::{Side, side};
use super::{gold, judges, parts};
use crate::reason::{Alarm, Doubt, Evidence, GainPlan, Invalid, Reason};

/// The shares between which the answer shown first may win before an alarm is raised.
const POSITION: (f64, f64) = (0.35, 0.65);

/// Whether preferences decide: nothing else is planned, or scores on too few samples to say anything.
pub fn decides(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
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

/// The limits of the difference that decides.
pub(crate) fn limits(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Limits {
    match decides(inputs, treatment) {
        true => inputs.limits.of_preferences(),
        false => inputs.limits,
    }
}

/// The samples that settle it, as the spread seen so far says.
pub(crate) fn decisive(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<u64> {
    match &treatment.pairwise {
        Some(pairwise) if decides(inputs, treatment) => pairwise.decisive,
        _ => treatment.decisive,
    }
}

/// The samples that are enough if the gain is as seen; `None` where there are as many.
pub(crate) fn gain_plan(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<GainPlan> {
    let needed = match &treatment.pairwise {
        Some(pairwise) if decides(inputs, treatment) => pairwise.decisive_for_gain,
        _ => treatment.decisive_for_gain,
    };
    let diff = deciding(inputs, treatment);
    // a gain near what matters takes no fewer than to settle it
    let settle = decisive(inputs, treatment);
    let needed = needed.filter(|needed| settle.is_none_or(|settle| *needed < settle));
    Some(GainPlan { gain: diff.mean?, needed: needed.filter(|needed| *needed > diff.n && *needed <= AFFORDABLE)? })
}

/// Samples that say anything: those of the composite or those of the preference, whichever are more.
pub(crate) fn pairs(treatment: &TreatmentInputs) -> u64 {
    treatment.diff.n.max(treatment.pairwise.map_or(0, |pairwise| pairwise.diff.n))
}

/// On which side the preference lies beside scores; `None` where it decides by itself, or there is none.
pub(super) fn beside(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Side> {
    let pairwise = treatment.pairwise.as_ref().filter(|_| !decides(inputs, treatment))?;
    Some(side(&inputs.limits.of_preferences(), &pairwise.diff))
}

/// REGRESS: judges prefer the control, whatever the scores say.
pub(super) fn control_preferred(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    (beside(inputs, treatment)? == Side::Below).then(|| range(treatment).map(Reason::from).into_iter().collect())
}

/// CAUTIOUS: judges prefer the treatment, and the scores don't show it.
pub(super) fn only_preferred(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    (beside(inputs, treatment)? == Side::Above).then(|| {
        range(treatment)
            .map(Reason::from)
            .into_iter()
            .chain([Doubt::ScoresSilent.into()])
            .chain(parts::fell(inputs, treatment))
            .chain(parts::collapsed(inputs, treatment))
            .chain(doubts(inputs, treatment))
            .chain(judges::alarms(inputs, treatment))
            .chain(gold::doubts(inputs, treatment))
            .collect()
    })
}

/// The evidence behind a preference that decides by itself.
pub(super) fn read_as_points(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let deciding = treatment.pairwise.as_ref().filter(|_| decides(inputs, treatment));
    let Some(preference) = deciding.and_then(|pairwise| pairwise.preference) else { return Vec::new() };
    let scores = Evidence::PreferenceDecides { n: treatment.diff.n, needed: inputs.limits.min_pairs };
    let scores = (!is_all(inputs, treatment)).then_some(scores);
    [Evidence::PreferenceAsPoints { preference }].into_iter().chain(scores).map(Reason::from).collect()
}

/// Where the preference lies.
pub(super) fn range(treatment: &TreatmentInputs) -> Option<Evidence> {
    let pairwise = treatment.pairwise.as_ref()?;
    let DiffInputs { low, high, n, .. } = pairwise.diff;
    let [low, high] = [low, high].map(|points| points.map(|points| points / POINTS));
    Some(Evidence::Preference { preference: pairwise.preference, low, high, n })
}

/// The alarms about preferences.
pub(super) fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(pairwise) = &treatment.pairwise else { return Vec::new() };
    let (missing, planned, limit) = (pairwise.missing, pairwise.planned, inputs.limits.missing_percent);
    let lost = CountShare { part: missing, whole: planned }.exceeds(limit);
    let lost = lost.then_some(Alarm::PairsMissing { missing, planned, limit });
    lost.into_iter().chain(prefers_position(pairwise)).map(Reason::from).collect()
}

fn prefers_position(pairwise: &PairInputs) -> Option<Alarm> {
    let PositionInputs { share, low, high } = pairwise.position?;
    let is_far = (share > POSITION.1 && low > 0.5) || (share < POSITION.0 && high < 0.5);
    is_far.then_some(Alarm::Position { share, low, high })
}

/// Judges that can't be used measure nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs")]
pub(super) fn judges_unusable(inputs: &VerdictInputs) -> Vec<Invalid> {
    let all = || inputs.treatments.iter().filter_map(|treatment| treatment.pairwise.as_ref());
    let unjudged: u64 = all().map(|of| of.unjudged).sum();
    let answered: u64 = all().map(|of| of.planned.saturating_sub(of.missing.saturating_sub(of.unjudged))).sum();
    let limit = inputs.limits.max_failure_rate;
    let over = answered > 0 && unjudged as f64 / answered as f64 > limit;
    over.then_some(Invalid::Pairs { unjudged, answered, limit }).into_iter().collect()
}
