//! What to do next: the report's suggestions. They follow from the reasons of the decision, and from the numbers of
//! samples that would help.

mod kinds;
mod samples;

use eval_format::{
    ArmInputs, Comparison, Excluded, IncompleteReason, Insight, KnownMessage, Pairwise, Tier, VerdictInputs,
};
use eval_message::Message;

use crate::decision::{Decision, TreatmentDecision};
use crate::reason::{Alarm, Doubt, Evidence, Invalid, Reason, Remedy};

pub use kinds::{Advice, MoreOf, SamplePlan};

/// One thing to do next.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// What to do.
    pub advice: Advice,
    /// The samples that it is about.
    pub sample_ids: Vec<String>,
}

impl From<Advice> for Suggestion {
    fn from(advice: Advice) -> Suggestion {
        Suggestion { advice, sample_ids: Vec::new() }
    }
}

impl From<Suggestion> for Insight {
    fn from(Suggestion { advice, sample_ids }: Suggestion) -> Insight {
        Insight::new(advice.kind(), advice.severity(), Message::from(&advice), sample_ids)
    }
}

/// The inputs of advice on one treatment.
#[derive(Clone, Copy)]
struct AdviceInputs<'c> {
    inputs: &'c VerdictInputs,
    decided: &'c TreatmentDecision,
    comparison: &'c Comparison,
    pairwise: Option<&'c Pairwise>,
}

/// What to do next, the most pressing first.
#[must_use]
pub fn suggestions(
    decision: &Decision,
    inputs: &VerdictInputs,
    comparisons: &[Comparison],
    pairwise: Option<&Pairwise>,
) -> Vec<Suggestion> {
    if !decision.valid {
        return vec![repair(decision, inputs).into()];
    }
    let each = decision.per_treatment.iter().zip(comparisons);
    let mut all: Vec<Suggestion> = each
        .flat_map(|(decided, comparison)| {
            let of_skill = mend_description(decided);
            of_skill.into_iter().chain(for_treatment(AdviceInputs { inputs, decided, comparison, pairwise }))
        })
        .collect();
    let low = |reason: &Reason| reason.remedy() == Some(Remedy::MendDescription);
    if decision.tier == Tier::Solo && decision.reasons.iter().any(low) {
        all.push(Advice::MendDescription { treatment: inputs.control.name.clone() }.into());
    }
    // No baseline has a skill to load.
    if decision.tier == Tier::Solo && inputs.control.triggers.is_none() {
        all.push(Advice::AddControl { variant: inputs.control.name.clone() }.into());
    }
    // advice about the control is given once, however many treatments there are
    let mut named = Vec::new();
    all.retain(|next| {
        let is_new = !named.contains(next);
        named.extend(is_new.then(|| next.clone()));
        is_new
    });
    all
}

/// A skill that few agents loaded is not measured by its content, whatever the tier.
fn mend_description(decided: &TreatmentDecision) -> Option<Suggestion> {
    let is_rare = decided.has(|reason| matches!(reason, Reason::RarelyLoaded { .. }));
    is_rare.then(|| Advice::MendDescription { treatment: decided.treatment.clone() }.into())
}

fn repair(decision: &Decision, inputs: &VerdictInputs) -> Advice {
    let has = |is_it: fn(&Invalid) -> bool| {
        decision.reasons.iter().any(|reason| matches!(reason, Reason::Invalid(invalid) if is_it(invalid)))
    };
    if let Some(of) = &inputs.imported {
        return Advice::RepeatElsewhere { tool: of.tool.clone() };
    }
    match inputs.incomplete_reason {
        Some(IncompleteReason::Interrupted) => Advice::Resume,
        Some(IncompleteReason::BudgetExhausted) => Advice::RaiseBudget,
        Some(IncompleteReason::Aborted) => Advice::MendFirstCall,
        Some(IncompleteReason::JudgeFailed) => Advice::MendFailedJudge,
        Some(IncompleteReason::RecordsMissing) => Advice::MakeRecords,
        None if has(|invalid| matches!(invalid, Invalid::ArtifactLeak { .. })) => Advice::SeparateArtifacts,
        None if has(|invalid| matches!(invalid, Invalid::NotDelivered { .. })) => Advice::MendDelivery,
        None if has(|invalid| matches!(invalid, Invalid::NoAnswer { .. })) => Advice::ReadNoAnswers,
        _ if has(|invalid| matches!(invalid, Invalid::Opinions { .. } | Invalid::Pairs { .. })) => {
            Advice::MendJudges { is_invalid: true }
        }
        None => unscored(decision).unwrap_or(Advice::MendFailures),
        Some(IncompleteReason::TooManyFailures) => Advice::MendFailures,
    }
}

/// Where nothing but a variant without any score makes the run invalid: to mend its checks.
fn unscored(decision: &Decision) -> Option<Advice> {
    let other = |reason: &&Reason| matches!(reason, Reason::Invalid(invalid) if !matches!(invalid, Invalid::UnscoredVariant { .. }));
    let variant = decision.reasons.iter().find_map(|reason| match reason {
        Reason::Invalid(Invalid::UnscoredVariant { variant }) => Some(variant.clone()),
        _ => None,
    })?;
    decision.reasons.iter().find(other).is_none().then_some(Advice::MendOutcomes { variant, outcome: "answered" })
}

fn for_treatment(case: AdviceInputs) -> Vec<Suggestion> {
    let AdviceInputs { inputs, decided, comparison, .. } = case;
    let treatment = decided.treatment.clone();
    match (&decided.not_worse, inputs.limits.margin) {
        (Some(Ok(_)), Some(margin)) => return vec![Advice::ShipNotWorse { treatment, margin }.into()],
        (Some(Err(doubts)), _) if decided.tier != Tier::Regress => return settle_all(case, doubts),
        _ => {}
    }
    match decided.tier {
        Tier::Regress => vec![read_losses(case)],
        Tier::Cautious => settle_all(case, &decided.reasons),
        Tier::Underpowered if decided.is_unscored() => mend_outcomes(decided),
        Tier::Underpowered if comparison.unlike.samples > 0 && comparison.n < inputs.limits.min_pairs => {
            vec![mend_checks(case)]
        }
        Tier::Underpowered if comparison.unlike.samples > 0 && decided.is_narrow() => vec![mend_checks(case)],
        // more samples don't help where judges go by the place of an answer
        Tier::Underpowered if decided.has(|reason| matches!(reason, Reason::Alarm(Alarm::Position { .. }))) => {
            vec![Advice::ReplaceJudges.into()]
        }
        Tier::Underpowered if decided.has(|reason| matches!(reason, Reason::Doubt(Doubt::NothingToLose { .. }))) => {
            vec![Advice::AddEasierSamples { treatment }.into()]
        }
        Tier::Underpowered => samples::advice(case).into_iter().map(Suggestion::from).collect(),
        Tier::Noise if is_at_the_ceiling(inputs, &treatment) => vec![Advice::AddHarderSamples { treatment }.into()],
        Tier::Noise => vec![Advice::KeepSimpler { treatment, limit: inputs.limits.min_effect }.into()],
        Tier::Progress => vec![ship(treatment, comparison)],
        Tier::Solo => Vec::new(),
    }
}

/// Whether control and treatment both have every point there is: such samples can't show a difference.
fn is_at_the_ceiling(inputs: &VerdictInputs, treatment: &str) -> bool {
    const BEST: f64 = 5.0;
    let full = |arm: &ArmInputs| arm.mean.is_some_and(|mean| mean >= BEST);
    let treated = inputs.treatments.iter().find(|of| of.arm.name == treatment);
    full(&inputs.control) && treated.is_some_and(|of| full(&of.arm))
}

fn ship(treatment: String, of: &Comparison) -> Suggestion {
    let advice = match of.moved.worse.is_empty() {
        true => Advice::Ship { treatment },
        false => Advice::ShipAndReadLosses { treatment },
    };
    Suggestion { advice, sample_ids: fallen(of) }
}

/// Where a layer fell, the samples whose composite did are not the ones to read.
fn read_losses(AdviceInputs { decided, comparison, .. }: AdviceInputs) -> Suggestion {
    let treatment = decided.treatment.clone();
    match decided.is_by_layer() {
        true => Advice::ReadLayer { treatment }.into(),
        false => {
            let doubted = decided.has(|reason| matches!(reason, Reason::Evidence(Evidence::LossMayBeMadeUp { .. })));
            Suggestion { advice: Advice::ReadLosses { treatment, doubted }, sample_ids: fallen(comparison) }
        }
    }
}

fn fallen(of: &Comparison) -> Vec<String> {
    of.moved.worse.iter().map(|moved| moved.sample_id.clone()).collect()
}

/// Each remedy of the reasons once, the most pressing first.
fn settle_all(case: AdviceInputs, reasons: &[Reason]) -> Vec<Suggestion> {
    let has = |remedy| reasons.iter().any(|reason| reason.remedy() == Some(remedy));
    Remedy::ALL.into_iter().filter(|remedy| has(*remedy)).map(|remedy| settle(case, remedy)).collect()
}

fn settle(case: AdviceInputs, remedy: Remedy) -> Suggestion {
    let AdviceInputs { inputs, decided, comparison, .. } = case;
    let treatment = decided.treatment.clone();
    let elsewhere = inputs.imported.as_ref().map(|of| Advice::RepeatElsewhere { tool: of.tool.clone() });
    let advice = match remedy {
        Remedy::MendChecks => return mend_checks(case),
        Remedy::MendRuntime => Advice::MendRuntime { treatment },
        Remedy::RepeatLost => elsewhere.unwrap_or(Advice::RepeatLost { treatment }),
        Remedy::RunBothAgain => Advice::RunBothAgain { treatment },
        Remedy::RunAfresh => Advice::RunAfresh { treatment },
        Remedy::MendJudges => Advice::MendJudges { is_invalid: false },
        Remedy::ReplaceJudges => Advice::ReplaceJudges,
        Remedy::SettleJudges => Advice::SettleJudges,
        Remedy::CheckExcluded => {
            let sample_ids = comparison.excluded.iter().map(|excluded| excluded.sample_id.clone()).collect();
            return Suggestion { advice: Advice::CheckExcluded { treatment }, sample_ids };
        }
        Remedy::MendDescription => Advice::MendDescription { treatment },
        Remedy::RaiseLayer => Advice::RaiseLayer { treatment },
        Remedy::RaisePart => Advice::RaisePart { treatment },
        Remedy::ReadClusters => {
            return Suggestion { advice: Advice::ReadClusters { treatment }, sample_ids: fallen(comparison) };
        }
        Remedy::MendJudge => Advice::MendJudge { treatment },
        Remedy::HoldOutMore => Advice::HoldOutMore,
        Remedy::EasierSamples => Advice::AddEasierSamples { treatment },
        Remedy::TuneLess => Advice::TuneLess { treatment },
        Remedy::MorePairs => samples::for_gain(case),
        Remedy::WeighCost => Advice::WeighCost { treatment },
    };
    advice.into()
}

fn mend_checks(AdviceInputs { decided, comparison, .. }: AdviceInputs) -> Suggestion {
    let is_unlike = |excluded: &&Excluded| {
        excluded.why_keys.iter().any(|why| KnownMessage::of(why) == Some(KnownMessage::ChecksUnlike))
    };
    let sample_ids = comparison.excluded.iter().filter(is_unlike).map(|excluded| excluded.sample_id.clone()).collect();
    let (treatment, checks) = (decided.treatment.clone(), comparison.unlike.checks.clone());
    Suggestion { advice: Advice::MendChecks { treatment, checks }, sample_ids }
}

/// One suggestion for each arm of which nothing could be scored, by how it ended: samples don't help it.
fn mend_outcomes(decided: &TreatmentDecision) -> Vec<Suggestion> {
    let mend = |reason: &Reason| match reason {
        Reason::Evidence(Evidence::Unscored { variant, outcome, .. }) => {
            Some(Advice::MendOutcomes { variant: variant.clone(), outcome }.into())
        }
        _ => None,
    };
    decided.reasons.iter().filter_map(mend).collect()
}
