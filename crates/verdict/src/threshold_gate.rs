//! The gate of `bench ci`: every variant's composite is at least the threshold.

use eval_format::{ArmInputs, IncompleteReason, VerdictInputs};

use crate::exit;
use crate::reason::Reason;
use crate::rules::soundness::{layers_unscored, scores_missing};
use crate::rules::validity::{arms, invalid};

/// What the gate of `bench ci` decides.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdGate {
    /// 0 all pass, 1 one doesn't, 3 no valid measurement, 130 interrupted.
    pub exit_code: u8,
    /// The variants under the threshold, with their means; `None` is a variant of which nothing could be scored.
    pub below: Vec<(String, Option<f64>)>,
    /// Why a variant that has a mean does not pass, whatever it is: the mean leaves out more than it may.
    pub unmeasured: Vec<Reason>,
}

/// The gate of `bench ci`. Nothing but `inputs` is read; `report_only` is not one of its flags.
#[must_use]
pub fn threshold_gate(inputs: &VerdictInputs) -> ThresholdGate {
    let limits = &inputs.limits;
    let reaches = |arm: &ArmInputs| arm.mean.is_some_and(|mean| mean >= limits.threshold);
    let below: Vec<_> = arms(inputs).filter(|arm| !reaches(arm)).map(|arm| (arm.name.clone(), arm.mean)).collect();
    let scored = arms(inputs).filter(|arm| arm.mean.is_some());
    let unmeasured = |arm: &ArmInputs| {
        let missing = scores_missing(limits, arm).map(Reason::from);
        missing.into_iter().chain(layers_unscored(inputs, arm)).collect::<Vec<_>>()
    };
    let unmeasured: Vec<Reason> = scored.flat_map(unmeasured).collect();
    let passes = below.is_empty() && unmeasured.is_empty();
    let exit_code = match (inputs.incomplete_reason, invalid(inputs).is_empty(), passes) {
        (Some(IncompleteReason::Interrupted), _, _) => exit::INTERRUPTED,
        (_, false, _) => exit::INVALID,
        (_, true, true) => exit::OK,
        (_, true, false) => exit::REFUSED,
    };
    ThresholdGate { exit_code, below, unmeasured }
}
