//! Whether a run is a valid measurement at all.

use eval_format::{ArmInputs, IncompleteReason, OutcomeCounts, VerdictInputs};

use super::preference;
use crate::reason::Invalid;

/// What makes a run no valid measurement.
const VALIDITY: &[fn(&VerdictInputs) -> Vec<Invalid>] = &[
    ended,
    too_many_failures,
    dead_variants,
    no_answer,
    unscored_variants,
    artifact_leaks,
    super::delivery::never_offered,
    opinions_missing,
    preference::judges_unusable,
];

/// Why the run is no valid measurement; empty when it is one.
pub(crate) fn invalid(inputs: &VerdictInputs) -> Vec<Invalid> {
    VALIDITY.iter().flat_map(|rule| rule(inputs)).collect()
}

/// Every variant by itself, the control first.
pub(crate) fn arms(inputs: &VerdictInputs) -> impl Iterator<Item = &ArmInputs> {
    std::iter::once(&inputs.control).chain(inputs.treatments.iter().map(|treatment| &treatment.arm))
}

/// The run ended before its plan did. Too many failures follow from the same inputs, with their numbers.
fn ended(inputs: &VerdictInputs) -> Vec<Invalid> {
    match inputs.incomplete_reason {
        Some(IncompleteReason::Interrupted) => vec![Invalid::Interrupted],
        Some(IncompleteReason::BudgetExhausted) => vec![Invalid::BudgetExhausted],
        Some(IncompleteReason::Aborted) => vec![Invalid::Aborted],
        Some(IncompleteReason::JudgeFailed) => vec![Invalid::JudgeFailed],
        Some(IncompleteReason::RecordsMissing) => vec![Invalid::RecordsMissing],
        Some(IncompleteReason::TooManyFailures) | None => Vec::new(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of executions")]
fn too_many_failures(inputs: &VerdictInputs) -> Vec<Invalid> {
    let failed = inputs.tripwires.failed + arms(inputs).map(|arm| arm.outcomes.failed).sum::<u64>();
    let ran = inputs.tripwires.ran + arms(inputs).map(|arm| ran(&arm.outcomes)).sum::<u64>();
    let limit = inputs.limits.max_failure_rate;
    let over = ran > 0 && failed as f64 / ran as f64 > limit;
    over.then_some(Invalid::Failures { failed, ran, limit }).into_iter().collect()
}

/// A variant whose every execution failed was not measured, however many others were.
fn dead_variants(inputs: &VerdictInputs) -> Vec<Invalid> {
    let allowed = inputs.limits.max_failure_rate >= 1.0;
    let dead = |arm: &&ArmInputs| !allowed && ran(&arm.outcomes) > 0 && arm.outcomes.failed == ran(&arm.outcomes);
    arms(inputs).filter(dead).map(|arm| Invalid::DeadVariant { variant: arm.name.clone() }).collect()
}

/// Executions that came back, none of them with an answer: an endpoint that is alive and says nothing measures nothing.
fn no_answer(inputs: &VerdictInputs) -> Vec<Invalid> {
    let executions: u64 = arms(inputs).map(|arm| ran(&arm.outcomes) - arm.outcomes.failed).sum();
    let answered: u64 = arms(inputs).map(|arm| arm.outcomes.answered).sum();
    (executions > 0 && answered == 0).then_some(Invalid::NoAnswer { executions }).into_iter().collect()
}

/// A variant whose every answer is without a score, as its checks could not be evaluated, was not measured.
fn unscored_variants(inputs: &VerdictInputs) -> Vec<Invalid> {
    let is_unscored = |arm: &&ArmInputs| {
        arm.outcomes.answered > 0
            && arm.planned_scores > 0
            && arm.missing_scores == arm.planned_scores
            && arm.checks.unscored > 0
    };
    arms(inputs).filter(is_unscored).map(|arm| Invalid::UnscoredVariant { variant: arm.name.clone() }).collect()
}

/// One run that found the other artifact by itself says that any of them may: the variants are not separate.
fn artifact_leaks(inputs: &VerdictInputs) -> Vec<Invalid> {
    let leaking = arms(inputs).filter(|arm| arm.artifact_leaks > 0);
    leaking.map(|arm| Invalid::ArtifactLeak { variant: arm.name.clone(), runs: arm.artifact_leaks }).collect()
}

/// More opinions are missing than executions may fail: the judges measured nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of opinions")]
fn opinions_missing(inputs: &VerdictInputs) -> Vec<Invalid> {
    let missing: u64 = arms(inputs).map(|arm| arm.opinions.missing).sum();
    let planned: u64 = arms(inputs).map(|arm| arm.opinions.planned).sum();
    let limit = inputs.limits.max_failure_rate;
    let over = planned > 0 && missing as f64 / planned as f64 > limit;
    over.then_some(Invalid::Opinions { missing, planned, limit }).into_iter().collect()
}

fn ran(outcomes: &OutcomeCounts) -> u64 {
    outcomes.total() - outcomes.not_run - outcomes.over_budget
}
