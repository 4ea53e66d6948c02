//! Whether a kind of sample that none of the test set's is of could turn a decision: the observed spread can't show a rare
//! large fall.

use eval_format::{TreatmentInputs, UnseenInputs, VerdictInputs};

use super::preference;
use crate::reason::{Doubt, Evidence, Reason};

/// A loss that is none with more than this chance is doubted.
const DOUBTED_LOSS: f64 = 0.10;

/// A loss can show where the control's mean lies so many times as far above the lowest score.
const ROOM: f64 = 2.0;

/// What decides: the preference's, or the composite's.
fn deciding<'i>(inputs: &VerdictInputs, treatment: &'i TreatmentInputs) -> Option<&'i UnseenInputs> {
    match &treatment.pairwise {
        Some(pairwise) if preference::decides(inputs, treatment) => pairwise.unseen.as_ref(),
        _ => treatment.unseen.as_ref(),
    }
}

/// Why a gain may be none.
pub(super) fn could_turn_gain(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let most = inputs.limits.unseen_risk;
    let n = preference::deciding(inputs, treatment).n;
    let unseen = deciding(inputs, treatment).filter(|unseen| unseen.no_gain > most);
    // the next run is another look, by which the samples are advised: one number for both
    let planned = preference::gain_plan(inputs, treatment).map(|plan| plan.needed);
    let needed = |of: &UnseenInputs| of.pairs_for_gain.max(planned);
    let doubt = |of: &UnseenInputs| Doubt::UnseenKind { n, risk: of.no_gain, most, needed: needed(of) }.into();
    unseen.map(doubt).into_iter().collect()
}

/// That a loss may be none; it stays one.
pub(super) fn could_turn_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Reason> {
    let n = preference::deciding(inputs, treatment).n;
    let unseen = deciding(inputs, treatment).filter(|unseen| unseen.no_loss > DOUBTED_LOSS)?;
    Some(Evidence::LossMayBeMadeUp { n, needed: unseen.pairs_for_loss }.into())
}

/// Why a difference that matters isn't excluded.
pub(super) fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let limit = preference::limits(inputs, treatment).min_effect;
    let Some(unseen) = deciding(inputs, treatment) else { return Vec::new() };
    let (control, treated) = (&inputs.control.name, &treatment.arm.name);
    let rooms = [(control, unseen.control_room), (treated, unseen.treatment_room)];
    // one is enough: where both lack room, they do so on the same samples
    let tight = rooms.into_iter().find_map(|(name, room)| no_room(name, room, limit));
    let risk = unseen.worse.max(unseen.better);
    tight.into_iter().chain(difference(inputs, treatment, risk, limit)).collect()
}

/// Why a loss of more than the margin isn't excluded.
pub(super) fn could_hide_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let (Some(margin), Some(unseen)) = (inputs.limits.margin, &treatment.unseen) else { return Vec::new() };
    let tight = no_room(&inputs.control.name, unseen.control_room, margin);
    let risk = unseen.worse_than_margin.unwrap_or(1.0);
    tight.into_iter().chain(difference(inputs, treatment, risk, margin)).collect()
}

/// Where an arm has next to no points, it can't lose any.
fn no_room(variant: &str, room: Option<f64>, limit: f64) -> Option<Reason> {
    let room = room.filter(|room| *room < ROOM * limit)?;
    Some(Doubt::NothingToLose { variant: variant.to_owned(), room, limit }.into())
}

fn difference(inputs: &VerdictInputs, treatment: &TreatmentInputs, risk: f64, limit: f64) -> Option<Reason> {
    let most = inputs.limits.unseen_risk;
    let n = preference::deciding(inputs, treatment).n;
    (risk > most).then(|| Doubt::UnseenDifference { n, risk, most, limit }.into())
}
