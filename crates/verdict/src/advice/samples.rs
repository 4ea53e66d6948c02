//! How many samples to add.

use eval_format::{Comparison, POINTS, PairwiseComparison, VerdictInputs};

use super::{Advice, AdviceInputs, MoreOf, ObservedDifference, SamplePlan};
use crate::rules::enough::AFFORDABLE;
use crate::rules::preference;

/// What to do about a difference that is undecided.
pub(super) fn advice(case: AdviceInputs) -> Vec<Advice> {
    match preferred(case) {
        Some(preferred) => vec![add_pairs(case, preferred)],
        None => std::iter::once(add_samples(case)).chain(more_of_each(case)).collect(),
    }
}

/// Samples until the differences can show anything.
pub(super) fn first(inputs: &VerdictInputs, treatment: String, n: u64) -> Advice {
    Advice::AddSamples { treatment, plan: SamplePlan::First { n, needed: inputs.limits.progress_pairs } }
}

/// How many samples the observed spread asks for, and at least those that progress asks for.
fn add_samples(AdviceInputs { inputs, decided, comparison: of, .. }: AdviceInputs) -> Advice {
    let limits = &inputs.limits;
    let treatment = decided.treatment.clone();
    let effect = limits.min_effect;
    let treated = inputs.treatments.iter().find(|of| of.arm.name == treatment);
    let n = treated.map_or(of.n, preference::pairs);
    // the spread of preferences is not that of scores
    let of_scores = |pairs: Option<u64>| pairs.filter(|_| n == of.n).map(|pairs| pairs.max(limits.progress_pairs));
    let observed = of.diff.mean.zip(of_scores(of.power.pairs_for_observed)).filter(|(_, pairs)| *pairs <= AFFORDABLE);
    let plan = match of_scores(of.power.pairs_for_min_effect) {
        // the spread of too few pairs is not worth planning with
        _ if n < limits.min_pairs => return first(inputs, treatment, n),
        Some(pairs) if pairs > AFFORDABLE => SamplePlan::HopelessForScores { effect },
        Some(needed) if needed > n => SamplePlan::ForScores {
            n,
            needed,
            effect,
            observed: observed.map(|(mean, pairs)| ObservedDifference { mean, pairs }),
            family: of.diff.ci.map_or(1, |ci| ci.family),
            is_early: of.power.method.is_some(),
        },
        _ => SamplePlan::Some { n, effect },
    };
    Advice::AddSamples { treatment, plan }
}

/// What judges preferred, where that is what decides.
fn preferred<'c>(AdviceInputs { inputs, decided, pairwise, .. }: AdviceInputs<'c>) -> Option<&'c PairwiseComparison> {
    let treated = inputs.treatments.iter().find(|of| of.arm.name == decided.treatment)?;
    let of = pairwise?.comparisons.iter().find(|of| of.treatment == decided.treatment)?;
    preference::decides(inputs, treated).then_some(of)
}

/// The same of samples whose answers judges compare: the spread is that of preferences, and so is what shows.
fn add_pairs(AdviceInputs { inputs, decided, .. }: AdviceInputs, of: &PairwiseComparison) -> Advice {
    let limits = &inputs.limits;
    let treatment = decided.treatment.clone();
    let effect = limits.min_effect / POINTS;
    let power = of.power.unwrap_or_default();
    let of_progress = |pairs: u64| pairs.max(limits.progress_pairs);
    let seen = of.preference.mean.zip(power.pairs_for_observed.map(of_progress));
    let seen = seen.filter(|(_, pairs)| *pairs <= AFFORDABLE && *pairs > of.n);
    let plan = match power.pairs_for_min_effect.map(of_progress) {
        _ if of.n < limits.min_pairs => return first(inputs, treatment, of.n),
        Some(pairs) if pairs > of.n && (pairs <= AFFORDABLE || seen.is_some()) => {
            let needed = (pairs <= AFFORDABLE).then_some(pairs);
            SamplePlan::ForPreferences {
                n: of.n,
                needed,
                more: needed.or(seen.map(|(_, pairs)| pairs)).map_or(0, |pairs| pairs - of.n),
                effect,
                observed: seen.map(|(mean, pairs)| ObservedDifference { mean, pairs }),
                family: of.preference.ci.map_or(1, |ci| ci.family),
            }
        }
        Some(pairs) if pairs > AFFORDABLE => SamplePlan::HopelessForPreferences { effect },
        _ => SamplePlan::Some { n: of.n, effect: limits.min_effect },
    };
    Advice::AddSamples { treatment, plan }
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
