//! Doubts from gold about a gain that judges report.
//!
//! Gold is given so that the judge is checked against it. So a judge that can't be checked, because no score fits this
//! run or none varies, isn't sound either: more labels must never be a disadvantage to fewer.

use eval_format::{ArmInputs, DiffInputs, GoldDiffInputs, GoldInputs, Limits, TreatmentInputs, VerdictInputs};

use super::side::{Side, side};
use crate::reason::{Doubt, Reason};

/// The doubts from gold about a treatment's gain; none where no judge is planned.
pub(super) fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(gold) = &inputs.gold else { return Vec::new() };
    let Some(judge) = &treatment.layers.judge else {
        // scores of single answers can't show whether comparisons of two are right
        return treatment.pairwise.iter().map(|_| Doubt::GoldPairwise.into()).collect();
    };
    let difference = gold.differences.get(&treatment.arm.name).copied().unwrap_or_default();
    unsound(gold)
        .into_iter()
        .chain(unconfirmed(&inputs.limits, gold, &judge.diff, &difference))
        .chain(under_gate(inputs, gold, &treatment.arm.name))
        .map(Reason::from)
        .collect()
}

/// The doubts from gold about a judge that sees no loss: it must agree with people, and they must see none either.
pub(super) fn doubts_of_sameness(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(gold) = inputs.gold.as_ref().filter(|_| treatment.layers.judge.is_some()) else { return Vec::new() };
    let people = gold.differences.get(&treatment.arm.name).copied().unwrap_or_default();
    let worse = match (people.low, people.high) {
        (Some(low), Some(high)) if high < 0.0 => Some(Doubt::GoldWorse { low, high }),
        _ => None,
    };
    unsound(gold).into_iter().chain(worse).map(Reason::from).collect()
}

/// The doubts from gold about a single variant, if judges scored it.
pub(super) fn doubts_of_variant(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Reason> {
    let is_judged = arm.unscored_share.judge.is_some();
    let Some(gold) = inputs.gold.as_ref().filter(|_| is_judged) else { return Vec::new() };
    unsound(gold).into_iter().chain(under_gate(inputs, gold, &arm.name)).map(Reason::from).collect()
}

/// The judge layer reaches the threshold by the judge's scores, but not by the estimate of people's scores.
fn under_gate(inputs: &VerdictInputs, gold: &GoldInputs, variant: &str) -> Option<Doubt> {
    let threshold = inputs.limits.threshold;
    let mean = gold.means.get(variant).copied().flatten().filter(|mean| *mean < threshold)?;
    Some(Doubt::GoldUnderGate { variant: variant.to_owned(), mean, threshold })
}

/// The judge doesn't agree with people, or nothing shows that it does.
fn unsound(gold: &GoldInputs) -> Option<Doubt> {
    let limit = gold.min_alpha;
    match (gold.alpha, gold.alpha_low) {
        (Some(alpha), Some(low)) if low < limit => Some(Doubt::GoldAlpha { alpha, low, limit }),
        (Some(_), Some(_)) => None,
        _ => Some(Doubt::GoldUndefined { n: gold.n }),
    }
}

/// The judge sees a gain that people's scores don't confirm, or they see a loss.
fn unconfirmed(limits: &Limits, gold: &GoldInputs, judge: &DiffInputs, people: &GoldDiffInputs) -> Option<Doubt> {
    let sees_gain = side(limits, judge) == Side::Above;
    match (people.low, people.high) {
        (Some(low), Some(high)) if high < 0.0 => Some(Doubt::GoldWorse { low, high }),
        _ if !sees_gain => None,
        (Some(low), Some(high)) if low <= 0.0 => Some(Doubt::GoldUnconfirmed { low, high }),
        (Some(_), Some(_)) if people.untied >= gold.min_untied => None,
        _ if people.labelled == 0 => Some(Doubt::GoldNone),
        _ => Some(Doubt::GoldFew { n: people.untied, needed: gold.min_untied }),
    }
}
