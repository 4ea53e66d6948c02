//! From paired differences to the tier: what `analyse` hands to [`verdict`], without the run around it. The tables of whole runs
//! take the other way, through records and analysis.

use std::collections::BTreeMap;

use eval_format::{
    ArmInputs, CheckCounts, DiffInputs, LayerInputs, Layers, Limits, OpinionCounts, OutcomeCounts, Tier,
    TreatmentInputs, TripwireInputs, Unlike, VerdictInputs,
};
use eval_stats::{Resampling, mean, mean_interval, sign_flip_test};
use eval_verdict::verdict;

/// What one data set led to.
pub(crate) struct Decided {
    pub(crate) tier: Tier,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Decides on the differences of one treatment in one layer.
pub(crate) fn decided(differences: &[f64], resampling: &Resampling) -> Decided {
    let diff = diff_inputs(differences, resampling);
    let (low, high) = (diff.low.unwrap_or(f64::NAN), diff.high.unwrap_or(f64::NAN));
    Decided { tier: verdict(&inputs(diff)).tier, low, high }
}

/// As a comparison computes them. The p-value is computed only where it is read.
pub(crate) fn diff_inputs(differences: &[f64], resampling: &Resampling) -> DiffInputs {
    let interval = mean_interval(differences, resampling);
    let degenerate = interval.is_some_and(|i| i.degenerate);
    let p = || sign_flip_test(differences, resampling.seed).map(|test| test.p_value);
    DiffInputs {
        n: differences.len() as u64,
        mean: mean(differences).map(snap),
        over_samples: None,
        low: interval.map(|i| snap(i.low)),
        high: interval.map(|i| snap(i.high)),
        degenerate,
        p: if degenerate { p() } else { None },
    }
}

/// Reports hold multiples of 1e-12: a bound that is 0 but for rounding is 0.
fn snap(points: f64) -> f64 {
    (points * 1e12).round() / 1e12 + 0.0
}

/// A sound run, and a gate that lets every score pass.
pub(crate) fn inputs(diff: DiffInputs) -> VerdictInputs {
    let settings = eval_spec::suite::Written::default().resolve();
    let layer = LayerInputs { mean: Some(5.0), diff, best: None };
    VerdictInputs {
        rules: eval_format::RULES_VERSION,
        tasks: eval_format::TaskInputs::default(),
        limits: Limits { threshold: 1.0, ..Limits::new(&settings) },
        incomplete_reason: None,
        control: arm("control", diff.n),
        treatments: vec![TreatmentInputs {
            holdout: None,
            left: None,
            saturation: None,
            missing: None,
            unseen: None,
            capabilities: Vec::new(),
            dimensions: Vec::new(),
            decisive: None,
            decisive_for_gain: None,
            adjusted: None,
            arm: arm("treatment", diff.n),
            diff,
            unlike: Unlike::default(),
            layers: Layers { fact: None, behavior: None, judge: Some(layer) },
            pairwise: None,
        }],
        judging: None,
        gold: None,
        tripwires: TripwireInputs::default(),
        cached_control: None,
        looks: None,
        imported: None,
    }
}

fn arm(name: &str, samples: u64) -> ArmInputs {
    ArmInputs {
        name: name.to_owned(),
        mean: Some(5.0),
        planned_scores: samples,
        missing_scores: 0,
        outcomes: OutcomeCounts { answered: samples, ..OutcomeCounts::default() },
        checks: CheckCounts::default(),
        unscored_share: Layers::default(),
        cached: 0,
        models: BTreeMap::from([("m".to_owned(), samples)]),
        unnamed_answers: 0,
        artifact_leaks: 0,
        refused_first: 0,
        delivery: None,
        runtimes: None,
        triggers: None,
        gap_guard: None,
        opinions: OpinionCounts::default(),
    }
}
