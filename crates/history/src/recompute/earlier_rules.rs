//! Reports that earlier rules decided: how to know one, and what is expected of it.
//!
//! Whoever edits a report may also take out what tells its rules. So everything that these rules left as it was is compared;
//! what earlier rules drew at random must be near what follows today; and the verdict must be the one that the first rules
//! make of the stored numbers.

use eval_analysis::RunStatus;
use eval_analysis::recomputing::{EXPANDED_ALONE, inputs_of_parts};
use eval_format::{Analysis, Power, RULES_VERSION, TaskInputs, Verdict};
use eval_spec::Suite;
use eval_verdict::decision_by_first_rules;

use super::given;
use super::shape::Outline;

/// Parts that are not compared: what earlier rules gave as reasons, and what they said that more samples would show. No tier
/// rests on them.
pub(super) const NOT_COMPARED: [&str; 7] = [
    "/verdict/reasons",
    "/verdict/perTreatment/*/reasons",
    "/verdict/inputs/treatments/*/saturation",
    "/comparisons/*/power",
    "/analysis/saturation",
    "/analysis/suggestions",
    "/stopping/treatments/*/decided",
];

/// Whether earlier rules decided a report. One that has what only these rules write was decided by them, whatever it says.
pub(super) fn decided(stored: &Analysis, outline: &[Outline]) -> bool {
    let is_newer = has_newer_parts(stored) || outline.iter().any(Outline::is_by_these_rules);
    stored.verdict.inputs.rules < RULES_VERSION && !is_newer
}

fn has_newer_parts(stored: &Analysis) -> bool {
    let inputs = &stored.verdict.inputs;
    let plans = |of: &Power| of.decisive.is_some() || of.decisive_for_gain.is_some();
    let in_comparisons = stored.comparisons.iter().any(|of| {
        of.missing.is_some()
            || !of.capabilities.is_empty()
            || of.control_mean.is_some()
            || of.treatment_mean.is_some()
            || plans(&of.power)
    });
    let in_inputs = inputs.treatments.iter().any(|of| {
        let preference = of.pairwise.is_some_and(|of| of.unseen.is_some() || of.decisive.is_some());
        of.missing.is_some()
            || of.unseen.is_some()
            || !of.capabilities.is_empty()
            || of.decisive.is_some()
            || preference
    });
    !stored.clusters.is_empty()
        || inputs.tasks != TaskInputs::default()
        || inputs.limits.min_preference.is_some()
        || stored.meta.settings.min_preference.is_some()
        || in_comparisons
        || in_inputs
}

/// The suite with the intervals that earlier rules read.
pub(super) fn suite(mut suite: Suite) -> Suite {
    if suite.settings.ci == "expanded" {
        EXPANDED_ALONE.clone_into(&mut suite.settings.ci);
    }
    suite
}

/// How the run ended: earlier rules ended one that these might have gone on with.
pub(super) fn ended(stored: &Analysis) -> RunStatus {
    let after = stored.stopping.as_ref().and_then(|of| usize::try_from(of.decided_after?).ok());
    match given::ended(stored) {
        RunStatus::Complete => after.map_or(RunStatus::Complete, RunStatus::DecidedAfter),
        ended => ended,
    }
}

/// What a report by earlier rules should have, from what these rules compute of its results: without what they brought, and
/// with what the first rules decide from the stored numbers.
pub(super) fn expected(stored: &Analysis, mut again: Analysis) -> Analysis {
    let without = |of: &mut Power| (of.decisive, of.decisive_for_gain) = (None, None);
    again.clusters.clear();
    for (of, stored) in again.comparisons.iter_mut().zip(&stored.comparisons) {
        (of.missing, of.control_mean, of.treatment_mean) = (None, None, None);
        of.capabilities.clear();
        of.power = stored.power;
    }
    let preferred = again.pairwise.iter_mut().flat_map(|all| &mut all.comparisons);
    preferred.filter_map(|of| of.power.as_mut()).for_each(without);
    let mut inputs = again.verdict.inputs;
    inputs.rules = stored.verdict.inputs.rules;
    inputs.tasks = TaskInputs::default();
    inputs.limits.min_preference = None;
    for (of, stored) in inputs.treatments.iter_mut().zip(&stored.verdict.inputs.treatments) {
        (of.missing, of.unseen, of.decisive) = (None, None, None);
        of.capabilities.clear();
        of.saturation = stored.saturation;
    }
    inputs_of_parts(&mut inputs, &stored.comparisons, stored.pairwise.as_ref(), stored.holdout.as_ref());
    for of in inputs.treatments.iter_mut().filter_map(|of| of.pairwise.as_mut()) {
        (of.unseen, of.decisive) = (None, None);
    }
    again.verdict = verdict(&stored.verdict, Verdict { inputs, ..again.verdict });
    let stopped = again.stopping.iter_mut().flat_map(|of| &mut of.treatments);
    for (of, stored) in stopped.zip(stored.stopping.iter().flat_map(|of| &of.treatments)) {
        of.decided = stored.decided;
    }
    again.analysis.saturation.clone_from(&stored.analysis.saturation);
    again.analysis.suggestions.clone_from(&stored.analysis.suggestions);
    again
}

fn verdict(stored: &Verdict, again: Verdict) -> Verdict {
    let decided = decision_by_first_rules(&stored.inputs).stored(again.inputs);
    let mut per_treatment = decided.per_treatment;
    for (of, stored) in per_treatment.iter_mut().zip(&stored.per_treatment) {
        of.reasons.clone_from(&stored.reasons);
    }
    Verdict { reasons: stored.reasons.clone(), per_treatment, ..decided }
}
