//! Whether what is missing could turn a decision.

use eval_format::{
    ArmInputs, DiffInputs, MissingInputs, MissingRuns, POINTS, PairInputs, TreatmentInputs, VerdictInputs,
};

use super::preference;
use super::side::{Side, side};
use crate::reason::{Doubt, Evidence, Reason};

/// The normal quantile of a two-sided interval at 95 %.
const WIDTH: f64 = 1.96;

/// What is missing of the difference that decides.
fn of_deciding(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<MissingInputs> {
    match &treatment.pairwise {
        Some(pairwise) if preference::decides(inputs, treatment) => of_preferences(pairwise),
        _ => treatment.missing,
    }
}

/// Pairs of answers without a preference might have had any: the bounds, in points, if all had been the control's or the
/// treatment's, with what chance adds in which of them are lost. The answers that one arm was asked for again in excess of the
/// other might have lost at first, and won since; those that replace others, or were compared anew, in either arm.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs")]
fn of_preferences(of: &PairInputs) -> Option<MissingInputs> {
    let (missing, planned) = (of.missing as f64, of.planned as f64);
    let mean = of.diff.mean.filter(|_| of.missing > 0 || of.again != MissingRuns::default())?;
    let PairInputs { again, redrawn, .. } = *of;
    let moved = |to: f64, bound: f64, again: u64| {
        let (by, turned) = ((to - mean) / planned, 2.0 * to / planned);
        let squares = missing * by.powi(2) + again as f64 * turned.powi(2);
        let reach = ((bound - mean).powi(2) + WIDTH.powi(2) * squares).sqrt();
        mean + missing * by + again as f64 * turned + if to < mean { -reach } else { reach }
    };
    let (low, high) = (of.diff.low?, of.diff.high?);
    let control = again.control.saturating_sub(redrawn.control);
    let treatment = again.treatment.saturating_sub(redrawn.treatment);
    let low = moved(-POINTS, low, treatment.saturating_sub(control) + redrawn.samples).min(low);
    let high = moved(POINTS, high, control.saturating_sub(treatment) + redrawn.samples).max(high);
    let lost = MissingRuns { samples: of.missing, ..MissingRuns::default() };
    let (low, high) = (Some(low), Some(high));
    Some(MissingInputs { planned: of.planned, lost, again, redrawn, low, high, ..MissingInputs::default() })
}

/// Why a gain may be none: with the worst score for every run that the artifact left unanswered, or for the lost ones.
pub(super) fn could_turn_gain(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_deciding(inputs, treatment) else { return Vec::new() };
    let is_gain = |floor: &DiffInputs| side(&inputs.limits, floor) == Side::Above;
    if let Some(floor) = missing.floor.as_ref().filter(|floor| !is_gain(floor)) {
        return vec![unanswered(&missing, floor).into()];
    }
    let could = missing.low.is_none_or(|low| low <= 0.0);
    if could { uncertain(inputs, treatment, &missing, Toward::Loss) } else { Vec::new() }
}

/// Why a difference that matters isn't excluded.
pub(super) fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_deciding(inputs, treatment) else { return Vec::new() };
    let margin = preference::limits(inputs, treatment).min_effect;
    let is_same = |floor: &DiffInputs| {
        floor.low.is_some_and(|low| low >= -margin) && floor.high.is_some_and(|high| high <= margin)
    };
    if let Some(floor) = missing.floor.as_ref().filter(|floor| !is_same(floor)) {
        return vec![unanswered(&missing, floor).into()];
    }
    let within = missing.low.is_some_and(|low| low >= -margin) && missing.high.is_some_and(|high| high <= margin);
    if within { Vec::new() } else { uncertain(inputs, treatment, &missing, Toward::Either) }
}

/// Why a loss of more than the margin isn't excluded.
pub(super) fn could_hide_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let (Some(margin), Some(missing)) = (inputs.limits.margin, treatment.missing) else { return Vec::new() };
    let excludes = |low: Option<f64>| low.is_some_and(|low| low > -margin);
    if let Some(floor) = missing.floor.as_ref().filter(|floor| !excludes(floor.low)) {
        return vec![unanswered(&missing, floor).into()];
    }
    if excludes(missing.low) { Vec::new() } else { uncertain(inputs, treatment, &missing, Toward::Loss) }
}

/// That a loss might be none if the lost runs had gone well, or the control's first attempts had been bad; it stays a loss.
pub(super) fn could_turn_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(missing) = of_deciding(inputs, treatment) else { return Vec::new() };
    if missing.high.is_some_and(|high| high < 0.0) {
        return Vec::new();
    }
    let (samples, planned) = (missing.lost.samples, missing.planned);
    let lost = || match &inputs.imported {
        Some(of) => Evidence::LossCouldTurnElsewhere { tool: of.tool.clone(), samples, planned },
        None => Evidence::LossCouldTurn { samples, planned },
    };
    let lost = (samples > 0).then(|| lost().into());
    lost.into_iter().chain(redrawn(inputs, treatment, &missing, Toward::Gain).map(Reason::from)).collect()
}

/// That a model's API refused one arm far more often than the other, before any answer began. It selects no answers, and changes
/// no tier; but the arms were not asked under the same conditions.
#[expect(clippy::cast_precision_loss, reason = "counts of executions")]
pub(super) fn refused_first(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Reason> {
    const APART: f64 = 0.10;
    let share = |arm: &ArmInputs| arm.refused_first as f64 / arm.outcomes.total().max(1) as f64;
    let [of_control, of_variant] = [&inputs.control, &treatment.arm].map(share);
    let (variant, control) = (treatment.arm.name.clone(), inputs.control.name.clone());
    ((of_variant - of_control).abs() > APART)
        .then(|| Evidence::RefusedFirst { variant, of_variant, control, of_control }.into())
}

/// Where a difference could be instead.
#[derive(Clone, Copy)]
enum Toward {
    /// Lower, to which only answers of the treatment count that were asked again.
    Loss,
    /// Higher, to which only the control's count.
    Gain,
    Either,
}

/// The runs that were lost, and those that were asked again: what the bounds of what is missing allow for.
fn uncertain(
    inputs: &VerdictInputs,
    treatment: &TreatmentInputs,
    missing: &MissingInputs,
    direction: Toward,
) -> Vec<Reason> {
    let lost = (missing.lost.samples > 0).then(|| lost_runs(inputs, missing));
    lost.into_iter().chain(redrawn(inputs, treatment, missing, direction)).map(Reason::from).collect()
}

fn redrawn(
    inputs: &VerdictInputs,
    treatment: &TreatmentInputs,
    missing: &MissingInputs,
    direction: Toward,
) -> Option<Doubt> {
    let (again, redrawn) = (missing.again, missing.redrawn);
    let counts = |of_treatment: bool, of_control: bool| match direction {
        Toward::Loss => of_treatment,
        Toward::Gain => of_control,
        Toward::Either => of_treatment || of_control,
    };
    let (variant, control) = (treatment.arm.name.clone(), inputs.control.name.clone());
    let (low, high) = (missing.low, missing.high);
    // in either arm, they might have been better or worse before
    if redrawn.samples > 0 {
        let (runs, of_control) = (redrawn.treatment, redrawn.control);
        return Some(Doubt::Redrawn { variant, control, runs, of_control, low, high });
    }
    let (runs, of_control) = (again.treatment, again.control);
    let failed = [runs - redrawn.treatment.min(runs), of_control - redrawn.control.min(of_control)];
    counts(failed[0] > failed[1], failed[0] < failed[1]).then_some(Doubt::AskedAgain {
        variant,
        control,
        runs,
        of_control,
        low,
        high,
    })
}

fn unanswered(missing: &MissingInputs, floor: &DiffInputs) -> Doubt {
    let runs = missing.unanswered;
    Doubt::Unanswered {
        control: runs.control,
        treatment: runs.treatment,
        mean: floor.mean,
        low: floor.low,
        high: floor.high,
    }
}

fn lost_runs(inputs: &VerdictInputs, missing: &MissingInputs) -> Doubt {
    let MissingInputs { planned, low, high, .. } = *missing;
    let samples = missing.lost.samples;
    match &inputs.imported {
        Some(of) if of.left_out.is_some() => Doubt::LeftOut { tool: of.tool.clone(), samples, planned, low, high },
        Some(of) => Doubt::LostElsewhere { tool: of.tool.clone(), samples, planned, low, high },
        None => Doubt::LostRuns { samples, planned, low, high },
    }
}
