//! From the paired scores of one treatment to its tier: what `analyse` hands to the rules, without the run around it. The tables
//! of whole runs take the other way, through records and analysis.

use std::collections::BTreeMap;

use eval_analysis::measure::{Strictness, unseen_inputs};
use eval_format::{
    ArmInputs, DiffInputs, LayerInputs, Layers, Limits, OutcomeCounts, POINTS, PairInputs, Tier, TreatmentInputs,
    UnseenInputs, VerdictInputs,
};
use eval_stats::{IntervalMethod, Resampling, SeenDifferences, mean, mean_interval, sd, sign_flip_test};
use eval_verdict::{TreatmentDecision, decision};

/// The margin of the goal not to be worse, and the smallest difference that matters.
pub(crate) const MARGIN: f64 = 0.2;

/// What one data set led to.
pub(crate) struct Decided {
    pub(crate) tier: Tier,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Decides on the differences of one treatment by their interval alone.
pub(crate) fn decided(differences: &[f64], resampling: &Resampling) -> Decided {
    let diff = diff_inputs(differences, resampling);
    let (low, high) = (diff.low.unwrap_or(f64::NAN), diff.high.unwrap_or(f64::NAN));
    Decided { tier: decision(&inputs(diff, limits())).tier, low, high }
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

/// The default ones, and a gate that lets every score pass.
fn limits() -> Limits {
    Limits { threshold: 1.0, margin: Some(MARGIN), ..Limits::new(&eval_spec::suite::Settings::default()) }
}

/// A sound run.
fn inputs(diff: DiffInputs, limits: Limits) -> VerdictInputs {
    let layer = LayerInputs { mean: Some(5.0), diff, best: None };
    let treatment = TreatmentInputs {
        arm: arm("treatment", diff.n),
        layers: Layers { fact: None, behavior: None, judge: Some(layer) },
        diff,
        ..TreatmentInputs::default()
    };
    VerdictInputs::of_variants(limits, arm("control", diff.n), vec![treatment])
}

/// What a data set can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Progress,
    Noise,
    NotWorse,
}

impl Call {
    fn holds(self, inputs: &VerdictInputs) -> bool {
        let decision = decision(inputs);
        match self {
            Call::Progress => decision.tier == Tier::Progress,
            Call::Noise => decision.tier == Tier::Noise,
            Call::NotWorse => decision.per_treatment.iter().all(TreatmentDecision::is_not_worse),
        }
    }
}

/// Whether a data set is called something, as rules are added.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readings {
    /// By the interval alone.
    pub(crate) interval: bool,
    /// With the guard against kinds that never came up.
    pub(crate) guarded: bool,
    /// With all rules, that of room among them.
    pub(crate) all: bool,
}

/// Reads the scores of control and treatment, sample by sample. Student's interval is read first: it needs no resamples, and what
/// it doesn't call so, the default interval, which is never narrower, doesn't either.
pub(crate) fn readings(pairs: &[[f64; 2]], call: Call, strictness: &Strictness, resampling: &Resampling) -> Readings {
    let differences: Vec<f64> = pairs.iter().map(|[control, treatment]| treatment - control).collect();
    let mut limits = limits();
    strictness.set(&mut limits);
    let by = |resampling: &Resampling| inputs(diff_inputs(&differences, &strictness.of_parts(resampling)), limits);
    let mut inputs = by(&Resampling { method: IntervalMethod::T, ..*resampling });
    if !call.holds(&inputs) {
        return Readings::default();
    }
    // a point is one by any method
    if !inputs.treatments[0].diff.degenerate {
        inputs = by(resampling);
    }
    if !call.holds(&inputs) {
        return Readings::default();
    }
    let means = [0, 1].map(|arm| pairs.iter().map(|of| of[arm]).sum::<f64>() / pairs.len() as f64);
    let unseen = unseen_inputs(seen(&differences), &limits, Some(means));
    let mut holds = |unseen| {
        inputs.treatments[0].unseen = Some(unseen);
        call.holds(&inputs)
    };
    let guarded = holds(UnseenInputs { control_room: None, treatment_room: None, ..unseen });
    Readings { interval: true, guarded, all: guarded && holds(unseen) }
}

fn seen(differences: &[f64]) -> SeenDifferences {
    let (mean, sd) = (mean(differences).unwrap_or(f64::NAN), sd(differences).unwrap_or(0.0));
    SeenDifferences { n: differences.len(), mean: snap(mean), sd: snap(sd), widest: POINTS }
}

/// Whether preferences of −1 to 1, sample by sample, are PROGRESS where nothing else was asked.
pub(crate) fn preference_readings(preferences: &[f64], resampling: &Resampling) -> Readings {
    let points: Vec<f64> = preferences.iter().map(|preference| preference * POINTS).collect();
    let limits = limits();
    let diff = diff_inputs(&points, resampling);
    let n = diff.n;
    let mut inputs = inputs(DiffInputs::default(), limits);
    let pair = |unseen| PairInputs {
        planned: n,
        preference: diff.mean.map(|mean| mean / POINTS),
        diff,
        unseen,
        ..PairInputs::default()
    };
    let mut is_progress = |unseen| {
        inputs.treatments[0].pairwise = Some(pair(unseen));
        inputs.treatments[0].layers = Layers::default();
        Call::Progress.holds(&inputs)
    };
    if !is_progress(None) {
        return Readings::default();
    }
    let all = is_progress(Some(unseen_inputs(seen(&points), &limits.of_preferences(), None)));
    Readings { interval: true, guarded: all, all }
}

fn arm(name: &str, samples: u64) -> ArmInputs {
    ArmInputs {
        mean: (samples > 0).then_some(5.0),
        planned_scores: samples,
        outcomes: OutcomeCounts { answered: samples, ..OutcomeCounts::default() },
        models: BTreeMap::from([("m".to_owned(), samples)]),
        ..ArmInputs::named(name)
    }
}
