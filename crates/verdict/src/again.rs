//! Whether a control from the cache, of which some samples were asked again, is to be asked again as a whole.

use eval_format::VerdictInputs;

use crate::decision::decision;
use crate::reason::{Reason, Remedy};
use crate::rules::cached::has_moved;

/// Whether all of a cached control is to be asked again: because of what the samples showed that were, or because nothing
/// but its age speaks against a treatment.
#[must_use]
pub fn asks_all_again(inputs: &VerdictInputs) -> bool {
    let Some(of) = inputs.cached_control.as_ref().filter(|_| inputs.control.cached > 0) else { return false };
    if of.asked_again == 0 {
        return false;
    }
    let decided = decision(inputs);
    let is_of_age = |why: &Reason| matches!(why, Reason::Alarm(_)) && why.remedy() == Some(Remedy::RunAfresh);
    let is_only_age = |reasons: &[Reason]| {
        let against = || reasons.iter().filter(|why| matches!(why, Reason::Doubt(_) | Reason::Alarm(_)));
        against().next().is_some() && against().all(is_of_age)
    };
    let stands_against = decided.per_treatment.iter().any(|of| match &of.not_worse {
        Some(Err(doubts)) => is_only_age(doubts),
        Some(Ok(_)) => false,
        None => is_only_age(&of.reasons),
    });
    has_moved(of) || of.models_differ || of.drift.n < inputs.limits.min_pairs || stands_against
}
