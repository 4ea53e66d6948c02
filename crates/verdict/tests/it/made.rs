//! Inputs of a verdict, made up: two variants that were measured alike.

use std::collections::BTreeMap;

use eval_format::{
    ArmInputs, CheckCounts, DiffInputs, LayerInputs, Layers, Limits, OpinionCounts, OutcomeCounts, Tier,
    TreatmentInputs, TripwireInputs, VerdictInputs,
};
use eval_verdict::verdict;

pub(crate) fn arm(name: &str) -> ArmInputs {
    ArmInputs {
        name: name.to_owned(),
        mean: Some(4.2),
        planned_scores: 40,
        missing_scores: 0,
        outcomes: OutcomeCounts { answered: 40, ..OutcomeCounts::default() },
        checks: CheckCounts { passed: 60, failed: 20, unscored: 0 },
        unscored_share: Layers::default(),
        cached: 0,
        models: BTreeMap::from([("m".to_owned(), 40)]),
        unnamed_answers: 0,
        artifact_leaks: 0,
        refused_first: 0,
        delivery: None,
        runtimes: None,
        triggers: None,
        gap_guard: None,
        opinions: OpinionCounts { planned: 40, missing: 0 },
    }
}

pub(crate) fn diff(n: u64, mean: f64, low: f64, high: f64) -> DiffInputs {
    DiffInputs {
        n,
        mean: Some(mean),
        over_samples: None,
        low: Some(low),
        high: Some(high),
        degenerate: false,
        p: Some(0.5),
    }
}

pub(crate) fn treatment(name: &str, diff: DiffInputs) -> TreatmentInputs {
    let layer = LayerInputs { mean: Some(4.2), diff, best: None };
    let layers = Layers { fact: Some(layer), behavior: None, judge: None };
    TreatmentInputs { arm: arm(name), diff, layers, ..TreatmentInputs::default() }
}

pub(crate) fn inputs(treatments: Vec<TreatmentInputs>) -> VerdictInputs {
    let settings = eval_spec::suite::Written::default().resolve();
    VerdictInputs {
        rules: eval_format::RULES_VERSION,
        tasks: eval_format::TaskInputs::default(),
        limits: Limits::new(&settings),
        incomplete_reason: None,
        control: arm("control"),
        treatments,
        judging: None,
        gold: None,
        tripwires: TripwireInputs::default(),
        cached_control: None,
        looks: None,
        imported: None,
    }
}

/// Tier, reasons and exit code of a clear gain, changed.
pub(crate) fn tier_of(change: impl FnOnce(&mut VerdictInputs)) -> (Tier, Vec<String>, u8) {
    let mut inputs = inputs(vec![treatment("t", diff(40, 0.5, 0.2, 0.8))]);
    change(&mut inputs);
    let verdict = verdict(&inputs);
    let reasons = verdict.per_treatment[0].reasons.iter().map(|r| r.message_key.id.to_string()).collect();
    (verdict.tier, reasons, verdict.exit_code)
}
