//! Whether two arms were measured alike (T2, T9): what is missing, and whether control and treatment ended the same
//! way. An alarm never makes a score; it forbids to call a difference progress.
//!
//! Shares are compared as whole numbers, so that "5 points" means 5 points and not 5.000000000000001.

use std::collections::BTreeSet;

use eval_format::{ArmInputs, Limits, TreatmentInputs, VerdictInputs};
use eval_message::number::{percent, points};
use eval_message::{Message, msg};
use eval_spec::Layer;

/// Every alarm about a treatment and its control.
pub(crate) fn alarms(limits: &Limits, control: &ArmInputs, treated: &TreatmentInputs) -> Vec<Message> {
    let treatment = &treated.arm;
    let mut alarms = alarms_of_arm(limits, control);
    alarms.extend(alarms_of_arm(limits, treatment));
    alarms.extend(missing_differs(limits, control, treatment));
    alarms.extend(outcomes_differ(limits, control, treatment));
    match checks_unlike(treated) {
        Some(alarm) => alarms.push(alarm),
        None => alarms.extend(unscored_checks_differ(limits, control, treatment)),
    }
    alarms.extend(cached_differs(limits, control, treatment));
    alarms.extend(models_differ(limits, control, treatment));
    alarms
}

/// The alarms that one variant raises by itself.
pub(crate) fn alarms_of_arm(limits: &Limits, arm: &ArmInputs) -> Vec<Message> {
    let mut alarms: Vec<Message> = scores_missing(limits, arm).into_iter().collect();
    if arm.outcomes.over_budget > 0 {
        alarms.push(msg!("report-alarm-budget", variant = &arm.name, count = arm.outcomes.over_budget));
    }
    alarms
}

/// Every alarm about the judges of a treatment and its control. Which of the two arms lacks opinions decides nothing: a
/// judge that fails on the better half of one arm's answers moves its mean as much as one that fails on the worse.
pub(crate) fn judge_alarms(inputs: &VerdictInputs, treatment: &ArmInputs) -> Vec<Message> {
    let (limits, control) = (&inputs.limits, &inputs.control);
    let mut alarms: Vec<Message> =
        [control, treatment].into_iter().filter_map(|arm| judges_missing(limits, arm)).collect();
    let [a, b] = [control, treatment].map(opinions_missing);
    if a.differs(b, limits.share_points) {
        alarms.push(msg!(
            "report-alarm-judges-differ",
            control = a.percent(),
            treatment = b.percent(),
            limit = limits.share_points
        ));
    }
    alarms.extend(judges_disagree(inputs));
    alarms
}

/// More opinions on a variant's answers are missing than may.
pub(crate) fn judges_missing(limits: &Limits, arm: &ArmInputs) -> Option<Message> {
    let missing = opinions_missing(arm);
    missing.exceeds(limits.missing_percent).then(|| {
        msg!(
            "report-alarm-judges-missing",
            variant = &arm.name,
            missing = missing.part,
            planned = missing.whole,
            limit = limits.missing_percent
        )
    })
}

fn opinions_missing(arm: &ArmInputs) -> Share {
    Share { part: arm.opinions.missing, whole: arm.opinions.planned }
}

/// Agreement that is undefined raises no alarm: scores without variance show no difference to be wrong about.
pub(crate) fn judges_disagree(inputs: &VerdictInputs) -> Vec<Message> {
    let limit = inputs.limits.min_agreement;
    let too_low = |alpha: Option<f64>| alpha.filter(|alpha| *alpha < limit).map(points);
    let Some(judging) = &inputs.judging else { return Vec::new() };
    let scoring = too_low(judging.agreement);
    let comparing = too_low(judging.pairwise_agreement);
    let scoring = scoring.map(|alpha| msg!("report-alarm-agreement", alpha = alpha, limit = points(limit)));
    let comparing = comparing.map(|alpha| msg!("report-alarm-pair-agreement", alpha = alpha, limit = points(limit)));
    scoring.into_iter().chain(comparing).collect()
}

/// What changes no tier, but must be known to whoever reads it.
pub(crate) fn self_preference(inputs: &VerdictInputs) -> Option<Message> {
    let kin = &inputs.judging.as_ref()?.self_preference;
    (!kin.is_empty()).then(|| msg!("report-note-self-preference", judges = kin.join(", ")))
}

/// Scores are planned for a variant, but it has none: how most of its executions ended.
pub(crate) fn nothing_scored(arm: &ArmInputs) -> Option<Message> {
    let nothing = arm.planned_scores > 0 && arm.missing_scores >= arm.planned_scores;
    let classes = arm.outcomes.classes().into_iter();
    // the first of equals: `answered`, then the order of the report
    let (outcome, count) = classes.rev().max_by_key(|(_, count)| *count)?;
    nothing.then(|| {
        msg!("report-why-unscored", variant = &arm.name, outcome = outcome, count = count, total = arm.outcomes.total())
    })
}

/// More scores are missing than may.
pub(crate) fn scores_missing(limits: &Limits, arm: &ArmInputs) -> Option<Message> {
    let missing = Share { part: arm.missing_scores, whole: arm.planned_scores };
    missing.exceeds(limits.missing_percent).then(|| {
        msg!(
            "report-alarm-missing",
            variant = &arm.name,
            missing = missing.part,
            planned = missing.whole,
            limit = limits.missing_percent
        )
    })
}

fn missing_differs(limits: &Limits, control: &ArmInputs, treatment: &ArmInputs) -> Option<Message> {
    let [a, b] = [control, treatment].map(|arm| Share { part: arm.missing_scores, whole: arm.planned_scores });
    a.differs(b, limits.share_points).then(|| {
        msg!(
            "report-alarm-missing-differs",
            control = a.percent(),
            treatment = b.percent(),
            limit = limits.share_points
        )
    })
}

fn outcomes_differ(limits: &Limits, control: &ArmInputs, treatment: &ArmInputs) -> Vec<Message> {
    let whole = [control.outcomes.total(), treatment.outcomes.total()];
    let classes = control.outcomes.classes().into_iter().zip(treatment.outcomes.classes());
    let alarm = |((class, in_control), (_, in_treatment))| {
        let a = Share { part: in_control, whole: whole[0] };
        let b = Share { part: in_treatment, whole: whole[1] };
        a.differs(b, limits.share_points).then(|| {
            msg!(
                "report-alarm-outcomes",
                outcome = class,
                control = a.percent(),
                treatment = b.percent(),
                limit = limits.share_points
            )
        })
    };
    let mut alarms: Vec<Message> = classes.filter_map(alarm).collect();
    // `answered` comes first; where a way of not answering is named, it only says the same again
    if alarms.len() > 1 && answered_differs(control, treatment, limits) {
        alarms.remove(0);
    }
    alarms
}

fn answered_differs(control: &ArmInputs, treatment: &ArmInputs, limits: &Limits) -> bool {
    let [a, b] = [control, treatment].map(|arm| Share { part: arm.outcomes.answered, whole: arm.outcomes.total() });
    a.differs(b, limits.share_points)
}

/// Samples that are no pair because a check could be evaluated in some runs of them and not in others.
pub(crate) fn checks_unlike(of: &TreatmentInputs) -> Option<Message> {
    let unlike = &of.unlike;
    (unlike.samples > 0).then(|| msg!("report-alarm-unlike", count = unlike.samples, checks = unlike.checks.join(", ")))
}

/// A mean that is held against a threshold says nothing of what could not be evaluated. Between two arms that lack the
/// same checks it doesn't matter, so this is no alarm of a comparison.
pub(crate) fn unscored_weight(limits: &Limits, arm: &ArmInputs) -> Vec<Message> {
    #[expect(clippy::cast_precision_loss, reason = "a percentage")]
    let limit = limits.missing_percent as f64 / 100.0;
    let over = |layer: Layer| {
        let share = arm.unscored_share.get(layer).copied().filter(|share| *share > limit)?;
        Some(msg!(
            "report-alarm-unscored",
            variant = &arm.name,
            layer = layer.name(),
            share = percent(share),
            limit = limits.missing_percent
        ))
    };
    Layer::ALL.into_iter().filter_map(over).collect()
}

/// A check that can't be evaluated leaves its layer's denominator. If that happens in one arm more than in the other,
/// their scores are means over different checks.
fn unscored_checks_differ(limits: &Limits, control: &ArmInputs, treatment: &ArmInputs) -> Option<Message> {
    let [a, b] = [control, treatment].map(|arm| {
        let checks = arm.checks;
        Share { part: checks.unscored, whole: checks.passed + checks.failed + checks.unscored }
    });
    a.differs(b, limits.share_points).then(|| {
        msg!("report-alarm-checks", control = a.percent(), treatment = b.percent(), limit = limits.share_points)
    })
}

/// Answers from the cache were given at another time: where one arm has more of them, whatever drifted since then
/// counts as a difference.
fn cached_differs(limits: &Limits, control: &ArmInputs, treatment: &ArmInputs) -> Option<Message> {
    let [a, b] = [control, treatment].map(|arm| Share { part: arm.cached, whole: arm.outcomes.total() });
    a.differs(b, limits.share_points).then(|| {
        msg!("report-alarm-cached", control = a.percent(), treatment = b.percent(), limit = limits.share_points)
    })
}

/// Both arms must be answered by the same models in the same shares, as the vendor names them. Answers that name none
/// are a model of their own: nothing tells that it is one of the others.
fn models_differ(limits: &Limits, control: &ArmInputs, treatment: &ArmInputs) -> Option<Message> {
    let of_all =
        |arm: &ArmInputs, part: u64| Share { part, whole: arm.models.values().sum::<u64>() + arm.unnamed_answers };
    let off = |[a, b]: [Share; 2]| a.differs(b, limits.share_points).then(|| [a.percent(), b.percent()]);
    let unnamed = [control, treatment].map(|arm| of_all(arm, arm.unnamed_answers));
    if let Some([a, b]) = off(unnamed) {
        return Some(msg!("report-alarm-models-unnamed", control = a, treatment = b));
    }
    let names: BTreeSet<&String> = control.models.keys().chain(treatment.models.keys()).collect();
    names.into_iter().find_map(|name| {
        let shares = [control, treatment].map(|arm| of_all(arm, arm.models.get(name).copied().unwrap_or(0)));
        let [a, b] = off(shares)?;
        Some(msg!("report-alarm-models", model = name, control = a, treatment = b))
    })
}

/// A part of a whole, in counts.
#[derive(Clone, Copy)]
struct Share {
    part: u64,
    whole: u64,
}

impl Share {
    fn exceeds(self, limit_percent: u64) -> bool {
        u128::from(self.part) * 100 > u128::from(self.whole) * u128::from(limit_percent)
    }

    /// Whether two shares are more than `points` percentage points apart; a share of nothing differs from none.
    fn differs(self, other: Share, points: u64) -> bool {
        let (a, b) = (u128::from(self.part), u128::from(other.part));
        let (na, nb) = (u128::from(self.whole), u128::from(other.whole));
        (a * nb).abs_diff(b * na) * 100 > na * nb * u128::from(points)
    }

    #[expect(clippy::cast_precision_loss, reason = "for people")]
    fn percent(self) -> String {
        percent(if self.whole == 0 { 0.0 } else { self.part as f64 / self.whole as f64 })
    }
}
