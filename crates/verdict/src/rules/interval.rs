//! Rules on the interval of the deciding difference.

use eval_format::{ArmInputs, TreatmentInputs, VerdictInputs};

use super::enough::would_more_help;
use super::side::{Side, range, side};
use super::{clusters, missing, parts, preference, soundness, unseen};
use crate::reason::{Evidence, Reason};

/// UNDERPOWERED: neither scores nor preferences of enough samples.
pub(super) fn too_few_pairs(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let (n, needed) = (preference::pairs(treatment), inputs.limits.min_pairs);
    let unscored = || [&inputs.control, &treatment.arm].into_iter().filter_map(nothing_scored);
    let few = || Evidence::FewPairs { n, needed };
    (n < needed).then(|| unscored().chain(std::iter::once(few())).map(Reason::from).collect())
}

/// Scores are planned for a variant, but it has none: how most of its executions ended.
fn nothing_scored(arm: &ArmInputs) -> Option<Evidence> {
    let nothing = arm.planned_scores > 0 && arm.missing_scores >= arm.planned_scores;
    let classes = arm.outcomes.classes().into_iter();
    // the first of equals: `answered`, then the order of the report
    let (outcome, count) = classes.rev().max_by_key(|(_, count)| *count)?;
    nothing.then(|| Evidence::Unscored { variant: arm.name.clone(), outcome, count, total: arm.outcomes.total() })
}

/// REGRESS: the interval lies below 0.
pub(super) fn worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let diff = preference::deciding(inputs, treatment);
    (side(&preference::limits(inputs, treatment), diff) == Side::Below).then(|| {
        let doubt = unseen::could_turn_loss(inputs, treatment);
        doubt.into_iter().chain([Evidence::Below { range: range(diff) }.into()]).collect()
    })
}

/// The interval lies above 0.
pub(super) fn better(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Evidence> {
    let diff = preference::deciding(inputs, treatment);
    (side(&preference::limits(inputs, treatment), diff) == Side::Above).then(|| Evidence::Above { range: range(diff) })
}

/// NOISE: a difference that matters is excluded.
pub(super) fn no_difference_that_matters(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let diff = preference::deciding(inputs, treatment);
    let limits = preference::limits(inputs, treatment);
    // nothing bounds what the samples would show that are no pair; the caveats of any tier name them
    let is_whole = preference::decides(inputs, treatment) || soundness::checks_unlike(inputs, treatment).is_empty();
    let inside = side(&limits, diff) == Side::Inside && may_be_noise(inputs, treatment) && is_whole;
    let inside = inside && could_hide_difference(inputs, treatment).is_empty();
    let is_loss = !diff.degenerate && diff.high.is_some_and(|high| high < 0.0);
    let small = is_loss.then_some(Evidence::SmallLoss { mean: diff.mean, limit: limits.min_effect });
    let within = Evidence::Inside { range: range(diff), limit: limits.min_effect };
    inside.then(|| small.into_iter().chain([within]).map(Reason::from).collect())
}

/// Whether preferences leave room for NOISE.
pub(super) fn may_be_noise(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> bool {
    let beside = preference::beside(inputs, treatment).is_none_or(|side| side == Side::Inside);
    // judges who look at the position, or at nothing, exclude no difference
    let blind = preference::decides(inputs, treatment) && !preference::doubts(inputs, treatment).is_empty();
    beside && !blind
}

/// CAUTIOUS: the whole shows no difference that matters, and a part fell.
pub(super) fn part_fell_unnoticed(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let whole = no_difference_that_matters(inputs, treatment)?;
    let mut fell = parts::fell(inputs, treatment);
    fell.extend(parts::collapsed(inputs, treatment));
    (!fell.is_empty()).then(|| fell.into_iter().chain(whole).collect())
}

/// What could hide a difference that matters, where the interval shows none.
fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let rules = [missing::could_hide_difference, unseen::could_hide_difference, clusters::could_hide_difference];
    rules.iter().flat_map(|rule| rule(inputs, treatment)).collect()
}

/// UNDERPOWERED: neither chance nor a difference that matters is excluded.
pub(super) fn undecided(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let limits = &preference::limits(inputs, treatment);
    let diff = preference::deciding(inputs, treatment);
    let lies = side(limits, diff);
    let scores = match lies {
        Side::Inside => None,
        _ if diff.n < limits.min_pairs => Some(Evidence::FewPairs { n: diff.n, needed: limits.min_pairs }),
        _ => Some(Evidence::Wide { range: range(diff), limit: limits.min_effect }),
    };
    let asks_for_more = lies == Side::Wide && !diff.degenerate && diff.n >= limits.min_pairs;
    let more = if asks_for_more { would_more_help(inputs, treatment) } else { None };
    let beside = preference::beside(inputs, treatment).and_then(|_| preference::range(treatment));
    let mut reasons: Vec<Reason> = scores.into_iter().map(Reason::from).collect();
    if lies == Side::Inside {
        reasons.extend(could_hide_difference(inputs, treatment));
    }
    reasons.extend(more.into_iter().chain(beside).map(Reason::from));
    Some(reasons)
}
