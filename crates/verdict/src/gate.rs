//! The gate of `bench ci` (C1): every variant's composite is at least the threshold.

use eval_format::{ArmInputs, IncompleteReason, VerdictInputs};
use eval_message::Message;

use crate::rules::{arms, invalid};
use crate::soundness::{scores_missing, unscored_weight};

/// What the gate of `bench ci` says.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdGate {
    /// 0 all pass, 1 one doesn't, 3 no valid measurement, 130 interrupted.
    pub exit_code: u8,
    /// The variants under the threshold, with their means; `None` is a variant of which nothing could be scored.
    pub below: Vec<(String, Option<f64>)>,
    /// Why a variant that has a mean does not pass, whatever it is: the mean leaves out more than T2 lets it.
    pub unmeasured: Vec<Message>,
}

/// The gate of `bench ci`. Nothing but `inputs` is read; `report_only` is not one of its flags.
#[must_use]
pub fn threshold_gate(inputs: &VerdictInputs) -> ThresholdGate {
    let limits = &inputs.limits;
    let reaches = |arm: &ArmInputs| arm.mean.is_some_and(|mean| mean >= limits.threshold);
    let below: Vec<_> = arms(inputs).filter(|arm| !reaches(arm)).map(|arm| (arm.name.clone(), arm.mean)).collect();
    let scored = arms(inputs).filter(|arm| arm.mean.is_some());
    let unmeasured: Vec<Message> =
        scored.flat_map(|arm| scores_missing(limits, arm).into_iter().chain(unscored_weight(limits, arm))).collect();
    let passes = below.is_empty() && unmeasured.is_empty();
    let exit_code = match (inputs.incomplete_reason, invalid(inputs).is_empty(), passes) {
        (Some(IncompleteReason::Interrupted), _, _) => 130,
        (_, false, _) => 3,
        (_, true, true) => 0,
        (_, true, false) => 1,
    };
    ThresholdGate { exit_code, below, unmeasured }
}
