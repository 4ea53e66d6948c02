//! How many samples to add.

use eval_format::{Comparison, PairwiseComparison, Power, VerdictInputs};

use super::{Advice, AdviceInputs, MoreOf, SamplePlan};
use crate::rules::enough::AFFORDABLE;
use crate::rules::preference;

/// What to do about a difference that is undecided.
pub(super) fn advice(case: AdviceInputs) -> Vec<Advice> {
    match preferred(case) {
        Some(preferred) => vec![add(case, preferred.n, preferred.power.unwrap_or_default())],
        None => {
            let AdviceInputs { inputs, decided, comparison, .. } = case;
            let treated = inputs.treatments.iter().find(|of| of.arm.name == decided.treatment);
            let n = treated.map_or(comparison.diff.n, preference::pairs);
            // the spread of preferences is not that of scores
            let power = if n == comparison.diff.n { comparison.power } else { Power::default() };
            let samples = add(case, n, power);
            let repeats = repeats(case, n, power, &samples);
            // both say what repeats would bring
            let is_said = matches!(repeats, Some(Advice::Repeat { .. }));
            let more = more_of_each(case).filter(|_| !is_said);
            std::iter::once(samples).chain(repeats).chain(more).collect()
        }
    }
}

/// Repeats in place of the samples that are advised.
fn repeats(
    AdviceInputs { inputs, decided, .. }: AdviceInputs,
    n: u64,
    power: Power,
    samples: &Advice,
) -> Option<Advice> {
    let Advice::AddSamples { plan: SamplePlan::Settle { needed, .. }, .. } = samples else { return None };
    let runs = inputs.control.planned_scores / inputs.tasks.samples.max(1);
    let treatment = decided.treatment.clone();
    match power.repeats {
        Some(plan) => Some(Advice::Repeat { treatment, n, needed: *needed, runs, plan }),
        None => (runs == 1).then_some(Advice::TryRepeats),
    }
}

/// Samples for a gain that shows already, but not on enough of them.
pub(super) fn for_gain(case: AdviceInputs) -> Advice {
    let AdviceInputs { inputs, decided, comparison, .. } = case;
    if decided.not_worse.is_some() {
        return add(case, comparison.diff.n, comparison.power);
    }
    let preferred = preferred(case);
    let n = preferred.map_or(comparison.diff.n, |of| of.n);
    let power = preferred.map_or(Some(comparison.power), |of| of.power).unwrap_or_default();
    match add(case, n, power) {
        // a gain shows: whether a smaller difference matters is no question here
        Advice::AddSamples { treatment, plan: SamplePlan::Settle { plan: Some(plan), .. } } => {
            Advice::AddSamples { treatment, plan: SamplePlan::ForGain { n, plan } }
        }
        planned @ Advice::AddSamples { plan: SamplePlan::Settle { .. } | SamplePlan::ForGain { .. }, .. } => planned,
        _ => first(inputs, decided.treatment.clone(), n),
    }
}

/// Samples until the differences can show anything.
fn first(inputs: &VerdictInputs, treatment: String, n: u64) -> Advice {
    Advice::AddSamples { treatment, plan: SamplePlan::First { n, needed: inputs.limits.progress_pairs } }
}

/// As many samples as settle it, and as are enough if the gain is as seen, with the spread seen so far.
fn add(AdviceInputs { inputs, decided, .. }: AdviceInputs, n: u64, power: Power) -> Advice {
    let treatment = decided.treatment.clone();
    let treated = inputs.treatments.iter().find(|of| of.arm.name == decided.treatment);
    let plan = treated.and_then(|of| preference::gain_plan(inputs, of)).filter(|_| power.decisive_for_gain.is_some());
    let limit = inputs.limits.margin.or_else(|| Some(preference::limits(inputs, treated?).min_effect));
    let plan = match power.decisive {
        // the spread of too few pairs is not worth planning with
        _ if n < inputs.limits.min_pairs => return first(inputs, treatment, n),
        Some(needed) if n < needed && needed <= AFFORDABLE => {
            SamplePlan::Settle { n, needed, limit: limit.unwrap_or(inputs.limits.min_effect), plan }
        }
        decisive => match plan {
            Some(plan) => SamplePlan::ForGain { n, plan },
            None if decisive.is_some_and(|needed| needed > AFFORDABLE) => SamplePlan::Hopeless,
            None => SamplePlan::Some { n },
        },
    };
    Advice::AddSamples { treatment, plan }
}

/// What judges preferred, where that is what decides.
fn preferred<'c>(AdviceInputs { inputs, decided, pairwise, .. }: AdviceInputs<'c>) -> Option<&'c PairwiseComparison> {
    let treated = inputs.treatments.iter().find(|of| of.arm.name == decided.treatment)?;
    let of = pairwise?.comparisons.iter().find(|of| of.treatment == decided.treatment)?;
    preference::decides(inputs, treated).then_some(of)
}

/// How much more samples, repeats or opinions would each narrow the interval, where the variance components are known.
/// Samples narrow it most; repeats or opinions that come near need no new samples.
fn more_of_each(AdviceInputs { inputs, comparison, .. }: AdviceInputs) -> Option<Advice> {
    const NEAR: f64 = 0.05;
    let Comparison { treatment, shares, n, .. } = comparison;
    let twice = shares.as_ref().filter(|_| *n >= inputs.limits.min_pairs)?.with_twice;
    let samples = twice.samples.filter(|_| twice.repeats.is_some() || twice.opinions.is_some())?;
    let is_near = |factor: Option<f64>| factor.is_some_and(|factor| factor <= samples + NEAR);
    let best = match () {
        () if is_near(twice.opinions) => MoreOf::Opinions,
        () if is_near(twice.repeats) => MoreOf::Repeats,
        () => MoreOf::Samples,
    };
    let (repeats, opinions) = (twice.repeats, twice.opinions);
    Some(Advice::NarrowInterval { treatment: treatment.clone(), samples, repeats, opinions, best })
}
