//! Whether two arms were measured alike: missing scores, and outcomes of control and treatment. An alarm changes no score;
//! it keeps a difference from counting as progress.

use std::collections::BTreeSet;

use eval_format::{ArmInputs, Limits, TreatmentInputs, VerdictInputs};
use eval_spec::Layer;

use super::runtime;
use super::share::{CountShare, gap};
use crate::reason::{Alarm, Reason, ShareGap};

/// Every alarm about a treatment and its control.
pub(super) fn alarms(inputs: &VerdictInputs, treated: &TreatmentInputs) -> Vec<Reason> {
    let limits = &inputs.limits;
    let arms = [&inputs.control, &treated.arm];
    let mut alarms: Vec<Reason> = arms.into_iter().flat_map(|arm| alarms_of_variant(inputs, arm)).collect();
    let mut add = |found: Option<Alarm>| alarms.extend(found.map(Reason::from));
    add(unlike(treated)
        .or_else(|| gap(arms.map(unscored_share), limits.share_points).map(|gap| Alarm::ChecksUnscoredDiffer { gap })));
    add(models_differ(limits, arms));
    alarms.extend(runtime::alarms(limits, treated, arms));
    alarms
}

/// The alarms that one variant raises by itself.
pub(super) fn alarms_of_variant(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Reason> {
    let count = arm.outcomes.over_budget;
    let over_budget = (count > 0).then(|| Alarm::OverBudget { variant: arm.name.clone(), count });
    scores_missing(&inputs.limits, arm).into_iter().chain(over_budget).map(Reason::from).collect()
}

/// More scores are missing than may.
pub(crate) fn scores_missing(limits: &Limits, arm: &ArmInputs) -> Option<Alarm> {
    let (share, limit) = (missing_share(arm), limits.missing_percent);
    let alarm = || Alarm::ScoresMissing { variant: arm.name.clone(), missing: share.part, planned: share.whole, limit };
    share.exceeds(limit).then(alarm)
}

fn missing_share(arm: &ArmInputs) -> CountShare {
    CountShare { part: arm.missing_scores, whole: arm.planned_scores }
}

/// Samples that are no pair because a check could be evaluated in some runs of them and not in others.
pub(super) fn checks_unlike(_: &VerdictInputs, treated: &TreatmentInputs) -> Vec<Reason> {
    unlike(treated).map(Reason::from).into_iter().collect()
}

fn unlike(treated: &TreatmentInputs) -> Option<Alarm> {
    let unlike = &treated.unlike;
    (unlike.samples > 0).then(|| Alarm::ChecksUnlike { samples: unlike.samples, checks: unlike.checks.clone() })
}

/// A mean that a threshold decides on says nothing of what could not be evaluated. Between two arms that lack the same
/// checks it doesn't matter, so this is no alarm of a comparison.
pub(crate) fn layers_unscored(inputs: &VerdictInputs, arm: &ArmInputs) -> Vec<Reason> {
    let limit = inputs.limits.missing_percent;
    #[expect(clippy::cast_precision_loss, reason = "a percentage")]
    let most = limit as f64 / 100.0;
    let over = |layer: Layer| {
        let share = arm.unscored_share.get(layer).copied().filter(|share| *share > most)?;
        Some(Alarm::LayerUnscored { variant: arm.name.clone(), layer, share, limit }.into())
    };
    Layer::ALL.into_iter().filter_map(over).collect()
}

/// A check that can't be evaluated leaves its layer's denominator. If that happens in one arm more than in the other,
/// their scores are means over different checks.
fn unscored_share(arm: &ArmInputs) -> CountShare {
    let checks = arm.checks;
    CountShare { part: checks.unscored, whole: checks.passed + checks.failed + checks.unscored }
}

/// Both arms must be answered by the same models in the same shares, as the vendor names them. Answers that name none
/// count as a model of their own.
fn models_differ(limits: &Limits, arms: [&ArmInputs; 2]) -> Option<Alarm> {
    let share =
        |arm: &ArmInputs, part: u64| CountShare { part, whole: arm.models.values().sum::<u64>() + arm.unnamed_answers };
    let unnamed = arms.map(|arm| share(arm, arm.unnamed_answers));
    if let Some(ShareGap { control, treatment, .. }) = gap(unnamed, limits.share_points) {
        return Some(Alarm::ModelsUnnamed { control, treatment });
    }
    let names: BTreeSet<&String> = arms.iter().flat_map(|arm| arm.models.keys()).collect();
    names.into_iter().find_map(|model| {
        let shares = arms.map(|arm| share(arm, arm.models.get(model).copied().unwrap_or(0)));
        let ShareGap { control, treatment, .. } = gap(shares, limits.share_points)?;
        Some(Alarm::ModelsDiffer { model: model.clone(), control, treatment })
    })
}
