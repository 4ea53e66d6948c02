//! Whether the judges of scores can be relied on.

use eval_format::{ArmInputs, TreatmentInputs, VerdictInputs};

use super::share::{CountShare, gap};
use crate::reason::{Alarm, Reason};

/// Every alarm about the judges of a treatment and its control. Which of the two arms lacks opinions decides nothing: a
/// judge that fails on the better half of one arm's answers moves its mean as much as one that fails on the worse.
pub(super) fn alarms(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let arms = [&inputs.control, &treatment.arm];
    let differ =
        gap(arms.map(missing_share), inputs.limits.share_points).map(|gap| Alarm::OpinionsMissingDiffer { gap });
    let mut alarms: Vec<Reason> = arms.into_iter().flat_map(|arm| opinions_missing(inputs, arm)).collect();
    alarms.extend(differ.map(Reason::from));
    alarms.extend(disagreement(inputs, &treatment.arm));
    alarms
}

/// More opinions on a variant's answers are missing than may.
pub(super) fn opinions_missing(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Reason> {
    let (share, limit) = (missing_share(arm), inputs.limits.missing_percent);
    let alarm = || {
        Alarm::OpinionsMissing { variant: arm.name.clone(), missing: share.part, planned: share.whole, limit }.into()
    };
    share.exceeds(limit).then(alarm).into_iter().collect()
}

fn missing_share(arm: &ArmInputs) -> CountShare {
    CountShare { part: arm.opinions.missing, whole: arm.opinions.planned }
}

/// Judges that don't agree. Agreement that is undefined raises no alarm: scores without variance show no difference to be
/// wrong about.
pub(super) fn disagreement(inputs: &VerdictInputs, _: &ArmInputs) -> Vec<Reason> {
    let limit = inputs.limits.min_agreement;
    let too_low = |alpha: Option<f64>| alpha.filter(|alpha| *alpha < limit);
    let Some(judging) = &inputs.judging else { return Vec::new() };
    let scoring = too_low(judging.agreement).map(|alpha| Alarm::Agreement { alpha, limit });
    let comparing = too_low(judging.pairwise_agreement).map(|alpha| Alarm::PairAgreement { alpha, limit });
    scoring.into_iter().chain(comparing).map(Reason::from).collect()
}

/// A note that changes no tier.
pub(super) fn self_preference(inputs: &VerdictInputs) -> Option<Reason> {
    let judges = &inputs.judging.as_ref()?.self_preference;
    (!judges.is_empty()).then(|| Reason::SelfPreference { judges: judges.clone() })
}
