//! What follows from the numbers: one of six tiers, and the exit code (T9, T10, C4).
//!
//! [`verdict`] is a pure function of [`VerdictInputs`], which the report stores beside the verdict, so anybody can
//! compute it again. The rules are a table, read from the top; each is one function.

use std::collections::BTreeMap;

use crate::holdout;
use eval_format::report::Note;
use eval_format::{
    ArmInputs, CheckCounts, DiffInputs, Difference, GoldInputs, HoldoutInputs, IncompleteReason, LayerInputs, Layers,
    Limits, OutcomeCounts, PairInputs, SaturationInputs, Tier, TreatmentInputs, TreatmentVerdict, Unlike, Verdict,
    VerdictInputs,
};
use eval_message::number::{bound, p_text, percent, points, signed};
use eval_message::{Message, msg};
use eval_spec::Layer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::enough::would_more_help;
use crate::soundness::{
    alarms, checks_unlike, judge_alarms, judges_disagree, judges_missing, nothing_scored, self_preference,
};
use crate::{gold as trust, preference};

/// Decides. Nothing but `inputs` is read.
#[must_use]
pub fn verdict(inputs: &VerdictInputs) -> Verdict {
    let invalid = invalid(inputs);
    let per_treatment: Vec<TreatmentVerdict> = inputs.treatments.iter().map(|t| of_treatment(inputs, t)).collect();
    let tier = per_treatment.iter().map(|verdict| verdict.tier).min().unwrap_or(Tier::Solo);
    let solo = solo_gate(inputs);
    let ships = match tier {
        Tier::Progress => true,
        Tier::Solo => solo.is_ok(),
        _ => false,
    };
    let exit_code = match (invalid.is_empty(), inputs.incomplete_reason) {
        (_, Some(IncompleteReason::Interrupted)) => 130,
        (false, _) => 3,
        (true, _) if ships || inputs.limits.report_only => 0,
        (true, _) => 1,
    };
    let valid = invalid.is_empty();
    let solo_reasons = match (tier, solo) {
        (Tier::Solo, Ok(why) | Err(why)) => why.into_iter().chain(self_preference(inputs)).collect(),
        _ => Vec::new(),
    };
    let reasons = notes(invalid.into_iter().chain(solo_reasons));
    Verdict { tier, valid, reasons, per_treatment, exit_code, inputs: inputs.clone() }
}

pub(crate) fn arms(inputs: &VerdictInputs) -> impl Iterator<Item = &ArmInputs> {
    std::iter::once(&inputs.control).chain(inputs.treatments.iter().map(|treatment| &treatment.arm))
}

fn notes(messages: impl IntoIterator<Item = Message>) -> Vec<Note> {
    messages.into_iter().map(Note::from).collect()
}

/// Why the run is no valid measurement; empty when it is one.
pub(crate) fn invalid(inputs: &VerdictInputs) -> Vec<Message> {
    let ended = inputs.incomplete_reason.and_then(|reason| match reason {
        IncompleteReason::Interrupted => Some(msg!("report-invalid-interrupted")),
        IncompleteReason::BudgetExhausted => Some(msg!("report-invalid-budget")),
        IncompleteReason::Aborted => Some(msg!("report-invalid-aborted")),
        IncompleteReason::RecordsMissing => Some(msg!("report-invalid-records-missing")),
        // Said below, with its numbers: it follows from the same inputs.
        IncompleteReason::TooManyFailures => None,
    });
    ended
        .into_iter()
        .chain(too_many_failures(inputs))
        .chain(dead_arms(inputs))
        .chain(no_answer(inputs))
        .chain(judges_unusable(inputs))
        .chain(preference::judges_unusable(inputs))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of executions")]
fn too_many_failures(inputs: &VerdictInputs) -> Option<Message> {
    let failed = inputs.tripwires.failed + arms(inputs).map(|arm| arm.outcomes.failed).sum::<u64>();
    let ran = inputs.tripwires.ran + arms(inputs).map(|arm| ran(&arm.outcomes)).sum::<u64>();
    let limit = inputs.limits.max_failure_rate;
    let over = ran > 0 && failed as f64 / ran as f64 > limit;
    over.then(|| msg!("report-invalid-failures", failed = failed, ran = ran, limit = percent(limit)))
}

/// A variant whose every execution failed was not measured, however many others were.
fn dead_arms(inputs: &VerdictInputs) -> impl Iterator<Item = Message> {
    let allowed = inputs.limits.max_failure_rate >= 1.0;
    let dead = move |arm: &&ArmInputs| !allowed && ran(&arm.outcomes) > 0 && arm.outcomes.failed == ran(&arm.outcomes);
    arms(inputs).filter(dead).map(|arm| msg!("report-invalid-dead", variant = &arm.name))
}

/// Executions that came back, none of them with an answer: an endpoint that is alive and says nothing measures nothing.
fn no_answer(inputs: &VerdictInputs) -> Option<Message> {
    let came_back: u64 = arms(inputs).map(|arm| ran(&arm.outcomes) - arm.outcomes.failed).sum();
    let answered: u64 = arms(inputs).map(|arm| arm.outcomes.answered).sum();
    (came_back > 0 && answered == 0).then(|| msg!("report-invalid-no-answer", count = came_back))
}

/// More opinions are missing than executions may fail: the judges measured nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of opinions")]
fn judges_unusable(inputs: &VerdictInputs) -> Option<Message> {
    let missing: u64 = arms(inputs).map(|arm| arm.opinions.missing).sum();
    let planned: u64 = arms(inputs).map(|arm| arm.opinions.planned).sum();
    let limit = inputs.limits.max_failure_rate;
    let over = planned > 0 && missing as f64 / planned as f64 > limit;
    over.then(|| msg!("report-invalid-judges", missing = missing, planned = planned, limit = percent(limit)))
}

fn ran(outcomes: &OutcomeCounts) -> u64 {
    outcomes.total() - outcomes.not_run - outcomes.over_budget
}

/// One variant only: does its mean reach the threshold, and is it a mean over nearly all that was asked?
fn solo_gate(inputs: &VerdictInputs) -> Result<Vec<Message>, Vec<Message>> {
    let (arm, threshold) = (&inputs.control, inputs.limits.threshold);
    let Some(mean) = arm.mean.filter(|_| arm.planned_scores > 0) else {
        return Err(vec![msg!("report-solo-unscored", variant = &arm.name)]);
    };
    let mut against = crate::soundness::alarms_of_arm(&inputs.limits, arm);
    against.extend(crate::soundness::unscored_weight(&inputs.limits, arm));
    against.extend(judges_missing(&inputs.limits, arm));
    against.extend(judges_disagree(inputs));
    against.extend(trust::doubts_of_arm(inputs, arm));
    if mean < threshold {
        let under = msg!("report-solo-under", variant = &arm.name, mean = points(mean), threshold = points(threshold));
        against.insert(0, under);
    }
    match against.is_empty() {
        true => Ok(vec![msg!(
            "report-solo-reached",
            variant = &arm.name,
            mean = points(mean),
            threshold = points(threshold)
        )]),
        false => Err(against),
    }
}

/// A rule: the reasons why its tier is the right one, or `None` if it isn't.
type Rule = fn(&VerdictInputs, &TreatmentInputs) -> Option<Vec<Message>>;

/// The rules of T9, in order; the last one always fires.
const RULES: &[(Tier, Rule)] = &[
    (Tier::Underpowered, too_few_pairs),
    (Tier::Regress, worse),
    (Tier::Regress, layer_worse),
    (Tier::Regress, preference::control_preferred),
    (Tier::Progress, better_without_doubt),
    (Tier::Cautious, better_with_doubts),
    (Tier::Cautious, preference::only_preferred),
    (Tier::Noise, no_difference_that_matters),
    (Tier::Underpowered, undecided),
];

fn of_treatment(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> TreatmentVerdict {
    let fired = RULES.iter().find_map(|(tier, rule)| Some((*tier, rule(inputs, treatment)?)));
    let (tier, mut reasons) = fired.unwrap_or((Tier::Underpowered, Vec::new()));
    if !matches!(tier, Tier::Progress | Tier::Cautious) {
        // no doubt of theirs, but whoever reads them must know on what they don't rest
        reasons.extend(checks_unlike(treatment));
        reasons.extend(judge_alarms(inputs, &treatment.arm));
        reasons.extend(preference::doubts(&inputs.limits, treatment));
        reasons.extend(trust::doubts(inputs, treatment));
    }
    reasons.extend(preference::read_as_points(inputs, treatment));
    reasons.extend(self_preference(inputs));
    TreatmentVerdict { treatment: treatment.arm.name.clone(), tier, reasons: notes(reasons) }
}

fn too_few_pairs(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let (n, needed) = (preference::pairs(treatment), inputs.limits.min_pairs);
    let unscored = || [&inputs.control, &treatment.arm].into_iter().filter_map(nothing_scored);
    let few = || msg!("report-why-few-pairs", n = n, needed = needed);
    (n < needed).then(|| unscored().chain(std::iter::once(few())).collect())
}

fn worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let diff = preference::deciding(inputs, treatment);
    let below = side(&inputs.limits, diff) == Side::Below;
    below.then(|| {
        vec![where_it_lies(
            diff,
            |low, high| msg!("report-why-below", low = low, high = high),
            |n, diff, p| msg!("report-why-below-all", n = n, diff = diff, p = p),
        )]
    })
}

/// The interval of a layer lies below 0 while the treatment's mean in it falls under the gate. Fewer pairs than the
/// minimum say nothing, whatever they show.
fn layer_worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let limits = &inputs.limits;
    let fell = |(layer, of): (Layer, &LayerInputs)| {
        let mean = of.mean.filter(|mean| *mean < limits.threshold)?;
        let below = of.diff.n >= limits.min_pairs && side(limits, &of.diff) == Side::Below;
        below.then(|| {
            msg!(
                "report-why-layer-below",
                layer = layer.name(),
                diff = of.diff.mean.map_or_else(String::new, |mean| points(mean.abs())),
                mean = points(mean),
                threshold = points(limits.threshold)
            )
        })
    };
    let reasons: Vec<Message> = planned_layers(treatment).filter_map(fell).collect();
    (!reasons.is_empty()).then_some(reasons)
}

fn better_without_doubt(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let better = better(inputs, treatment)?;
    doubts(inputs, treatment).is_empty().then(|| vec![better])
}

fn better_with_doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let better = better(inputs, treatment)?;
    Some(std::iter::once(better).chain(doubts(inputs, treatment)).collect())
}

fn better(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Message> {
    let diff = preference::deciding(inputs, treatment);
    let above = side(&inputs.limits, diff) == Side::Above;
    above.then(|| {
        where_it_lies(
            diff,
            |low, high| msg!("report-why-above", low = low, high = high),
            |n, diff, p| msg!("report-why-above-all", n = n, diff = diff, p = p),
        )
    })
}

/// What forbids to call it progress, each named.
fn doubts(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Message> {
    let limits = &inputs.limits;
    let mut doubts = Vec::new();
    let diff = preference::deciding(inputs, treatment);
    if let Some(mean) = diff.mean.filter(|mean| *mean < limits.trivial_diff) {
        doubts.push(msg!("report-doubt-trivial", diff = signed(mean), limit = points(limits.trivial_diff)));
    }
    if diff.n < limits.progress_pairs {
        doubts.push(msg!("report-doubt-pairs", n = diff.n, needed = limits.progress_pairs));
    }
    doubts.extend(planned_layers(treatment).filter_map(|(layer, of)| layer_under_gate(limits, layer, of)));
    doubts.extend(alarms(limits, &inputs.control, treatment));
    doubts.extend(judge_alarms(inputs, &treatment.arm));
    doubts.extend(preference::doubts(limits, treatment));
    doubts.extend(trust::doubts(inputs, treatment));
    doubts.extend(holdout::doubts(treatment));
    if !invalid(inputs).is_empty() {
        doubts.push(msg!("report-doubt-invalid"));
    }
    doubts
}

fn layer_under_gate(limits: &Limits, layer: Layer, of: &LayerInputs) -> Option<Message> {
    match of.mean {
        None => Some(msg!("report-doubt-layer-missing", layer = layer.name())),
        Some(mean) if mean < limits.threshold => Some(msg!(
            "report-doubt-layer",
            layer = layer.name(),
            mean = points(mean),
            threshold = points(limits.threshold)
        )),
        Some(_) => None,
    }
}

fn no_difference_that_matters(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let diff = preference::deciding(inputs, treatment);
    let beside = preference::beside(inputs, treatment).is_none_or(|side| side == Side::Inside);
    // judges who look at the position, or at nothing, exclude no difference
    let blind = preference::decides(inputs, treatment) && !preference::doubts(&inputs.limits, treatment).is_empty();
    let inside = beside && !blind && side(&inputs.limits, diff) == Side::Inside;
    let limit = points(inputs.limits.min_effect);
    inside.then(|| {
        vec![where_it_lies(
            diff,
            |low, high| msg!("report-why-inside", low = low, high = high, limit = &limit),
            |n, diff, _| msg!("report-why-inside-all", n = n, diff = diff, limit = &limit),
        )]
    })
}

fn undecided(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Message>> {
    let limit = points(inputs.limits.min_effect);
    let diff = preference::deciding(inputs, treatment);
    let few = || msg!("report-why-few-pairs", n = diff.n, needed = inputs.limits.min_pairs);
    let lies = || {
        where_it_lies(
            diff,
            |low, high| msg!("report-why-wide", low = low, high = high, limit = &limit),
            |n, diff, p| msg!("report-why-wide-all", n = n, diff = diff, p = p, limit = &limit),
        )
    };
    let scores = match side(&inputs.limits, diff) {
        Side::Inside => None,
        _ if diff.n < inputs.limits.min_pairs => Some(few()),
        _ => Some(lies()),
    };
    let more = treatment.saturation.filter(|_| side(&inputs.limits, diff) == Side::Wide && !diff.degenerate);
    let more = more.filter(|_| diff.n >= inputs.limits.min_pairs);
    let more = more.and_then(|saturation| would_more_help(&inputs.limits, diff, &saturation));
    let beside = preference::beside(inputs, treatment).and_then(|_| preference::lies(treatment));
    Some(scores.into_iter().chain(more).chain(beside).collect())
}

fn planned_layers(treatment: &TreatmentInputs) -> impl Iterator<Item = (Layer, &LayerInputs)> {
    Layer::ALL.into_iter().filter_map(|layer| Some((layer, treatment.layers.get(layer)?)))
}

/// Where an interval lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Below,
    Above,
    /// It holds 0 and stays inside ± the smallest difference that matters.
    Inside,
    /// It holds 0 and reaches further, or there is none.
    Wide,
}

pub fn side(limits: &Limits, diff: &DiffInputs) -> Side {
    match (diff.low, diff.high) {
        // fewer pairs say nothing, whatever they show
        _ if diff.n < limits.min_pairs => Side::Wide,
        (Some(low), Some(_)) if diff.degenerate => side_without_spread(limits, diff, low),
        (Some(low), _) if low > 0.0 => Side::Above,
        (_, Some(high)) if high < 0.0 => Side::Below,
        (Some(low), Some(high)) if -limits.min_effect <= low && high <= limits.min_effect => Side::Inside,
        _ => Side::Wide,
    }
}

/// All differences are `value`: the interval is a point, so the p-value tells whether it is off 0, and the number of
/// pairs whether that point can be trusted to be small.
fn side_without_spread(limits: &Limits, diff: &DiffInputs, value: f64) -> Side {
    let off_zero = diff.p.is_some_and(|p| p < limits.alpha);
    match (off_zero, value > 0.0) {
        (true, true) => Side::Above,
        (true, false) => Side::Below,
        (false, _) if value.abs() <= limits.min_effect && diff.n >= limits.progress_pairs => Side::Inside,
        (false, _) => Side::Wide,
    }
}

/// `spread` with the interval, or `equal` with the value that all differences have.
fn where_it_lies(
    diff: &DiffInputs,
    spread: impl FnOnce(String, String) -> Message,
    equal: impl FnOnce(u64, String, String) -> Message,
) -> Message {
    let text = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), bound);
    match diff.degenerate {
        true => equal(diff.n, text(diff.mean), diff.p.map_or_else(|| "= ?".to_owned(), p_text)),
        false => spread(text(diff.low), text(diff.high)),
    }
}
