//! What follows from the numbers: one of six tiers, and the exit code.
//!
//! A decision is a pure function of [`VerdictInputs`], which the report stores beside the verdict, so it can be
//! recomputed, and a reader of a stored report gets its reasons with their numbers.

use eval_format::report::{GoalVerdict, Note};
use eval_format::{IncompleteReason, Tier, TreatmentVerdict, Verdict, VerdictInputs};
use eval_message::Message;
use eval_spec::suite::GateTier;

use crate::exit;
use crate::reason::{Evidence, Reason};
use crate::rules::{gap_guard, goal, solo, tier, triggers, validity};

/// What the rules decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The worst of the treatments.
    pub tier: Tier,
    /// Whether the run is a valid measurement.
    pub valid: bool,
    /// Why it is none; with one variant only, why the gate allows or refuses.
    pub reasons: Vec<Reason>,
    /// Each treatment.
    pub per_treatment: Vec<TreatmentDecision>,
    /// 0 ship, 1 don't, 3 no valid measurement, 130 interrupted.
    pub exit_code: u8,
}

/// What the rules decide on one treatment.
#[derive(Clone, Debug, PartialEq)]
pub struct TreatmentDecision {
    /// Its name.
    pub treatment: String,
    /// Its tier.
    pub tier: Tier,
    /// The reasons of the tier.
    pub reasons: Vec<Reason>,
    /// Where the goal is not to be worse: what shows it, or what speaks against it.
    pub not_worse: Option<Result<Evidence, Vec<Reason>>>,
}

/// Decides. Nothing but `inputs` is read.
#[must_use]
pub fn decision(inputs: &VerdictInputs) -> Decision {
    let invalid = validity::invalid(inputs);
    let per_treatment: Vec<TreatmentDecision> = inputs
        .treatments
        .iter()
        .map(|treatment| {
            let (tier, reasons) = tier(inputs, treatment);
            TreatmentDecision {
                treatment: treatment.arm.name.clone(),
                tier,
                reasons,
                not_worse: goal::not_worse(inputs, treatment),
            }
        })
        .collect();
    let tier = per_treatment.iter().map(|of| of.tier).min().unwrap_or(Tier::Solo);
    let solo = solo::gate(inputs);
    let are_all = |good: &[Tier]| per_treatment.iter().all(|of| good.contains(&of.tier));
    let ships = match tier {
        // nothing differs: both would be false alarms
        _ if inputs.limits.aa => !per_treatment.iter().any(|of| matches!(of.tier, Tier::Progress | Tier::Regress)),
        _ if inputs.limits.margin.is_some() && tier != Tier::Solo => {
            per_treatment.iter().all(TreatmentDecision::is_not_worse)
        }
        Tier::Progress => true,
        // the worst tier hides those that the gate never lets through
        Tier::Cautious => inputs.limits.gate == GateTier::Cautious && are_all(&[Tier::Progress, Tier::Cautious]),
        Tier::Solo => solo.is_ok(),
        _ => false,
    };
    let ships = ships && triggers::all_pass(inputs) && gap_guard::all_pass(inputs);
    let valid = invalid.is_empty();
    let exit_code = match (valid, inputs.incomplete_reason) {
        (_, Some(IncompleteReason::Interrupted)) => exit::INTERRUPTED,
        (false, _) => exit::INVALID,
        (true, _) if ships || inputs.limits.report_only => exit::OK,
        (true, _) => exit::REFUSED,
    };
    let of_solo = match (tier, solo) {
        (Tier::Solo, Ok(reasons) | Err(reasons)) => reasons,
        _ => Vec::new(),
    };
    let reasons = invalid.into_iter().map(Reason::from).chain(of_solo).collect();
    Decision { tier, valid, reasons, per_treatment, exit_code }
}

/// The decision on `inputs`, as a report stores it.
#[must_use]
pub fn verdict(inputs: &VerdictInputs) -> Verdict {
    decision(inputs).stored(inputs.clone())
}

impl Decision {
    /// The decision as a report stores it, with the numbers it was made from.
    #[must_use]
    pub fn stored(&self, inputs: VerdictInputs) -> Verdict {
        let of_treatment = |of: &TreatmentDecision| TreatmentVerdict {
            treatment: of.treatment.clone(),
            tier: of.tier,
            reasons: notes(&of.reasons),
            goal: of.not_worse.as_ref().map(|of| match of {
                Ok(shown) => GoalVerdict { reached: true, reasons: vec![Message::from(shown).into()] },
                Err(doubts) => GoalVerdict { reached: false, reasons: notes(doubts) },
            }),
        };
        Verdict {
            tier: self.tier,
            valid: self.valid,
            reasons: notes(&self.reasons),
            per_treatment: self.per_treatment.iter().map(of_treatment).collect(),
            exit_code: self.exit_code,
            inputs,
            replaced: None,
        }
    }

    /// Whether a single variant reaches its gate.
    #[must_use]
    pub fn reaches_solo_gate(&self) -> bool {
        self.reasons.iter().any(|reason| matches!(reason, Reason::Evidence(Evidence::SoloReached { .. })))
    }

    /// The decision on the treatment of that name.
    #[must_use]
    pub fn on(&self, treatment: &str) -> Option<&TreatmentDecision> {
        self.per_treatment.iter().find(|of| of.treatment == treatment)
    }
}

impl TreatmentDecision {
    /// Whether it was shown not to be worse than the control by more than the margin.
    #[must_use]
    pub fn is_not_worse(&self) -> bool {
        matches!(self.not_worse, Some(Ok(_)))
    }

    /// Returns true if it reaches the goal: PROGRESS, unless the goal is not to be worse.
    #[must_use]
    pub fn reaches_goal(&self) -> bool {
        self.not_worse.as_ref().map_or(self.tier == Tier::Progress, Result::is_ok)
    }

    /// Whether a layer that fell decided.
    #[must_use]
    pub fn is_by_layer(&self) -> bool {
        self.has(|reason| matches!(reason, Reason::Evidence(Evidence::LayerBelow { .. })))
    }

    /// Whether nothing could be scored of one arm.
    #[must_use]
    pub fn is_unscored(&self) -> bool {
        self.has(|reason| matches!(reason, Reason::Evidence(Evidence::Unscored { .. })))
    }

    /// Whether a reason says what more samples would do.
    #[must_use]
    pub fn is_about_more_samples(&self) -> bool {
        self.has(|reason| matches!(reason, Reason::Evidence(why) if why.is_about_more_samples()))
    }

    /// Whether neither its interval nor what is missing or unseen keeps it undecided.
    pub(crate) fn is_narrow(&self) -> bool {
        let keeps = |reason: &Reason| {
            matches!(
                reason,
                Reason::Evidence(Evidence::Wide { .. } | Evidence::FewPairs { .. } | Evidence::Preference { .. })
                    | Reason::Doubt(_)
            )
        };
        !self.has(keeps)
    }

    /// Whether a reason is like that.
    pub(crate) fn has(&self, is_it: impl Fn(&Reason) -> bool) -> bool {
        self.reasons.iter().any(is_it)
    }
}

fn notes(reasons: &[Reason]) -> Vec<Note> {
    reasons.iter().map(|reason| Message::from(reason).into()).collect()
}
