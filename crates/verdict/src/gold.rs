//! What gold says against progress on a judge's word (T9, T12): a pure function of the verdict's inputs.
//!
//! Whoever gives gold asks that the judge be held to it. So a judge that can't be held to it, because no score fits this
//! run or none varies, isn't sound either: more labels must never be a disadvantage to fewer.

use std::collections::BTreeMap;

use eval_format::{
    ArmInputs, Ci, DiffInputs, GoldDiffInputs, GoldInputs, GoldReport, Limits, TreatmentInputs, VerdictInputs,
};
use eval_message::number::{bound, points};
use eval_message::{Message, msg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::{Side, side};

/// What gold has against a treatment's progress, each named; nothing where no judge is planned.
pub(crate) fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Message> {
    let Some(gold) = &inputs.gold else { return Vec::new() };
    let Some(judge) = &treatment.layers.judge else {
        // scores of single answers can't show whether comparisons of two are right
        return treatment.pairwise.iter().map(|_| msg!("report-doubt-gold-pairwise")).collect();
    };
    let difference = gold.differences.get(&treatment.arm.name).copied().unwrap_or_default();
    unsound(gold)
        .into_iter()
        .chain(unconfirmed(&inputs.limits, gold, &judge.diff, &difference))
        .chain(under_gate(inputs, gold, &treatment.arm.name))
        .collect()
}

/// The judge layer reaches the threshold by the judge's word, and not as people would have scored it.
fn under_gate(inputs: &VerdictInputs, gold: &GoldInputs, variant: &str) -> Option<Message> {
    let threshold = inputs.limits.threshold;
    let mean = gold.means.get(variant).copied().flatten().filter(|mean| *mean < threshold)?;
    Some(msg!("report-doubt-gold-gate", variant = variant, mean = points(mean), threshold = points(threshold)))
}

/// The judge doesn't agree with people, or nothing shows that it does.
pub(crate) fn unsound(gold: &GoldInputs) -> Option<Message> {
    let limit = points(gold.min_alpha);
    match (gold.alpha, gold.alpha_low) {
        (Some(alpha), Some(low)) if low < gold.min_alpha => {
            Some(msg!("report-doubt-gold-alpha", alpha = points(alpha), low = points(low), limit = limit))
        }
        (Some(_), Some(_)) => None,
        _ => Some(msg!("report-doubt-gold-undefined", n = gold.n)),
    }
}

/// What gold has against a variant by itself, if judges scored it.
pub(crate) fn doubts_of_arm(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Message> {
    let is_judged = arm.unscored_share.judge.is_some();
    let Some(gold) = inputs.gold.as_ref().filter(|_| is_judged) else { return Vec::new() };
    unsound(gold).into_iter().chain(under_gate(inputs, gold, &arm.name)).collect()
}

/// The judge sees a gain that people's scores don't confirm, or they see a loss.
fn unconfirmed(limits: &Limits, gold: &GoldInputs, judge: &DiffInputs, people: &GoldDiffInputs) -> Option<Message> {
    let sees_gain = side(limits, judge) == Side::Above;
    match (people.low, people.high) {
        (Some(low), Some(high)) if high < 0.0 => {
            Some(msg!("report-doubt-gold-worse", low = bound(low), high = bound(high)))
        }
        _ if !sees_gain => None,
        (Some(low), Some(high)) if low <= 0.0 => {
            Some(msg!("report-doubt-gold-interval", low = bound(low), high = bound(high)))
        }
        (Some(_), Some(_)) if people.untied >= gold.min_untied => None,
        _ if people.labelled == 0 => Some(msg!("report-doubt-gold-none")),
        _ => Some(msg!("report-doubt-gold-few", n = people.untied, needed = gold.min_untied)),
    }
}
