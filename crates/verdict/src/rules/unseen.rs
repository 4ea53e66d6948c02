//! Whether a kind of sample that never came up could turn a decision: the observed spread can't show a rare large fall.

use eval_format::{TreatmentInputs, UnseenInputs, VerdictInputs};

use super::preference;
use crate::reason::{Doubt, Reason};

/// What decides: the preference's, or the composite's.
fn deciding<'i>(inputs: &VerdictInputs, treatment: &'i TreatmentInputs) -> Option<&'i UnseenInputs> {
    match &treatment.pairwise {
        Some(pairwise) if preference::decides(inputs, treatment) => pairwise.unseen.as_ref(),
        _ => treatment.unseen.as_ref(),
    }
}

/// Why a gain may be none.
pub(super) fn could_turn_gain(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let n = preference::deciding(inputs, treatment).n;
    let unseen = deciding(inputs, treatment).filter(|unseen| unseen.gain <= 0.0);
    let doubt =
        |unseen: &UnseenInputs| Doubt::UnseenKind { n, share: unseen.gain_share, needed: unseen.pairs_for_gain };
    unseen.map(|unseen| doubt(unseen).into()).into_iter().collect()
}

/// Why a difference that matters isn't excluded.
pub(super) fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let n = preference::deciding(inputs, treatment).n;
    let margin = preference::limits(inputs, treatment).min_effect;
    let is_same = |unseen: &&UnseenInputs| unseen.same_low >= -margin && unseen.same_high <= margin;
    let unseen = deciding(inputs, treatment).filter(|unseen| !is_same(unseen));
    let doubt = |unseen: &UnseenInputs| Doubt::UnseenDifference { n, share: unseen.same_share, limit: margin };
    unseen.map(|unseen| doubt(unseen).into()).into_iter().collect()
}

/// Why a loss of more than the margin isn't excluded.
pub(super) fn could_hide_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(margin) = inputs.limits.margin else { return Vec::new() };
    let unseen = treatment.unseen.as_ref().filter(|unseen| unseen.same_low <= -margin);
    let (n, limit) = (treatment.diff.n, margin);
    let doubt = |unseen: &UnseenInputs| Doubt::UnseenDifference { n, share: unseen.same_share, limit };
    unseen.map(|unseen| doubt(unseen).into()).into_iter().collect()
}
