//! The verdict of a stored report, compared with the numbers that the report decides by.

use eval_format::{Insight, ReplacedVerdict, Report, Tier, TreatmentVerdict, UncheckedReport, Verdict};
use eval_message::{Message, msg};

use crate::advice::suggestions;
use crate::decide::mark_unmeasured;
use crate::decision::decision;

/// Replaces a stored verdict that doesn't follow from its inputs by the one that does, with its advice.
#[must_use]
pub fn checked<R>(report: UncheckedReport<R>) -> Report<R> {
    let mut report = report.with_verdict(|stored| Verdict { replaced: None, ..stored.as_stored() });
    let stored = &report.verdict;
    let decision = decision(&stored.inputs);
    let computed = decision.stored(stored.inputs.clone());
    if let Some(replaced) = replaced(stored, &computed) {
        let inputs = &computed.inputs;
        let next = suggestions(&decision, inputs, &report.comparisons, report.pairwise.as_ref());
        report.analysis.suggestions = next.into_iter().map(Insight::from).collect();
        report.verdict = Verdict { replaced: Some(replaced), ..computed };
        mark_unmeasured(&mut report);
    }
    report
}

/// Says where a stored verdict was replaced.
#[must_use]
pub fn replacement(verdict: &Verdict) -> Option<Message> {
    let of = verdict.replaced.as_ref()?;
    let [stored, shown] = [(of.valid, of.tier), (verdict.valid, tier_of(verdict, of.treatment.as_deref()))].map(name);
    let [stored_code, code] = [of.exit_code, verdict.exit_code].map(u32::from);
    Some(match &of.treatment {
        Some(treatment) if stored != shown => {
            msg!("report-replaced-treatment", treatment = treatment, stored = stored, shown = shown)
        }
        None if stored != shown => msg!("report-replaced", stored = stored, shown = shown),
        None if stored_code != code => msg!("report-replaced-code", stored = stored_code, shown = code),
        _ => msg!("report-replaced-parts"),
    })
}

fn tier_of(verdict: &Verdict, treatment: Option<&str>) -> Tier {
    let found = verdict.per_treatment.iter().find(|of| Some(&*of.treatment) == treatment);
    found.map_or(verdict.tier, |of| of.tier)
}

/// The tier; of a run that is no valid measurement a word instead.
fn name((valid, tier): (bool, Tier)) -> &'static str {
    if valid { tier.name() } else { "INVALID" }
}

/// The stored tier that differs, that of the whole run first.
fn replaced(stored: &Verdict, computed: &Verdict) -> Option<ReplacedVerdict> {
    let whole =
        ReplacedVerdict { treatment: None, tier: stored.tier, valid: stored.valid, exit_code: stored.exit_code };
    let ending = |of: &Verdict| (of.tier, of.valid, of.exit_code);
    if ending(stored) != ending(computed) || stored.per_treatment.len() != computed.per_treatment.len() {
        return Some(whole);
    }
    let reached = |of: &TreatmentVerdict| of.goal.as_ref().map(|goal| goal.reached);
    let is_other = |(was, is): &(&TreatmentVerdict, &TreatmentVerdict)| {
        (&was.treatment, was.tier, reached(was)) != (&is.treatment, is.tier, reached(is))
    };
    let (was, is) = stored.per_treatment.iter().zip(&computed.per_treatment).find(is_other)?;
    Some(ReplacedVerdict { treatment: Some(is.treatment.clone()), tier: was.tier, ..whole })
}
