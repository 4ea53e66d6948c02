use eval_message::number::{points, signed};
use eval_message::{Message, msg};

use crate::advice::{Advice, MoreOf, ObservedDifference, SamplePlan};

/// The argument for a number that is absent.
const NONE: &str = "none";

impl From<&Advice> for Message {
    fn from(advice: &Advice) -> Message {
        match advice {
            Advice::Resume => msg!("report-next-resume"),
            Advice::RaiseBudget => msg!("report-next-budget"),
            Advice::MendFirstCall => msg!("report-next-aborted"),
            Advice::MakeRecords => msg!("report-next-records"),
            Advice::ReadNoAnswers => msg!("report-next-no-answer"),
            Advice::MendFailures => msg!("report-next-failures"),
            Advice::MendJudges { .. } => msg!("report-next-judges"),
            Advice::ReplaceJudges => msg!("report-next-position"),
            Advice::SettleJudges => msg!("report-next-agreement"),
            Advice::MendChecks { treatment, checks } => {
                msg!("report-next-checks", treatment = treatment, checks = checks.join(", "))
            }
            Advice::RunAfresh { treatment } => msg!("report-next-afresh", treatment = treatment),
            Advice::CheckExcluded { treatment } => msg!("report-next-alarm", treatment = treatment),
            Advice::RaiseLayer { treatment } => msg!("report-next-layer", treatment = treatment),
            Advice::MendJudge { treatment } => msg!("report-next-gold", treatment = treatment),
            Advice::HoldOutMore => msg!("report-next-holdout-few"),
            Advice::TuneLess { treatment } => msg!("report-next-holdout", treatment = treatment),
            Advice::WeighCost { treatment } => msg!("report-next-trivial", treatment = treatment),
            Advice::MendOutcomes { variant, outcome } => {
                msg!("report-next-unscored", variant = variant, outcome = *outcome)
            }
            Advice::ReadLosses { treatment } => msg!("report-next-regress", treatment = treatment),
            Advice::ReadLayer { treatment } => msg!("report-next-regress-layer", treatment = treatment),
            Advice::AddHarderSamples { treatment } => msg!("report-next-ceiling", treatment = treatment),
            Advice::KeepSimpler { treatment, limit } => {
                msg!("report-next-noise", treatment = treatment, limit = points(*limit))
            }
            Advice::Ship { treatment } => msg!("report-next-ship", treatment = treatment),
            Advice::ShipAndReadLosses { treatment } => msg!("report-next-ship-but", treatment = treatment),
            Advice::AddControl { variant } => msg!("report-next-solo", variant = variant),
            Advice::AddSamples { treatment, plan } => of_samples(treatment, *plan),
            Advice::NarrowInterval { treatment, samples, repeats, opinions, best } => msg!(
                "report-next-twice",
                treatment = treatment,
                samples = points(*samples),
                repeats = or_none(*repeats, points),
                opinions = or_none(*opinions, points),
                best = name(*best)
            ),
        }
    }
}

fn of_samples(treatment: &str, plan: SamplePlan) -> Message {
    match plan {
        SamplePlan::First { n, needed } => {
            msg!("report-next-first-samples", treatment = treatment, n = n, needed = needed)
        }
        SamplePlan::ForScores { n, needed, effect, observed, family, is_early } => msg!(
            "report-next-more-samples",
            treatment = treatment,
            needed = needed,
            more = needed - n,
            effect = points(effect),
            observed = or_none(observed.map(|of| of.mean), signed),
            shows = pairs(observed),
            family = family,
            early = if is_early { "yes" } else { "no" }
        ),
        SamplePlan::ForPreferences { needed, more, effect, observed, family, .. } => msg!(
            "report-next-more-pairs",
            treatment = treatment,
            needed = needed.unwrap_or(0),
            effect = preference(effect),
            observed = or_none(observed.map(|of| of.mean), signed),
            shows = pairs(observed),
            more = more,
            family = family
        ),
        SamplePlan::Some { n, .. } => {
            msg!("report-next-some-samples", n = n)
        }
        SamplePlan::HopelessForScores { effect } => {
            msg!("report-next-hopeless", effect = points(effect))
        }
        SamplePlan::HopelessForPreferences { effect } => {
            msg!("report-next-hopeless-pairs", effect = preference(effect))
        }
    }
}

fn or_none(value: Option<f64>, text: fn(f64) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), text)
}

fn pairs(observed: Option<ObservedDifference>) -> u64 {
    observed.map_or(0, |of| of.pairs)
}

/// As many digits as a preference has that matters: 0.2 points are one of 0.05, and 0.1 are one of 0.025.
fn preference(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn name(of: MoreOf) -> &'static str {
    match of {
        MoreOf::Samples => "samples",
        MoreOf::Repeats => "repeats",
        MoreOf::Opinions => "opinions",
    }
}
