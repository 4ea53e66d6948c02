use eval_message::number::{bound, p_text, percent, points, signed};
use eval_message::{Message, msg};

use crate::reason::{Alarm, DifferenceRange, Doubt, Evidence, Invalid, Reason};

/// A bound or number that isn't known.
const UNKNOWN: &str = "?";

impl From<&Reason> for Message {
    fn from(reason: &Reason) -> Message {
        match reason {
            Reason::Invalid(invalid) => of_invalid(invalid),
            Reason::Evidence(why) => of_evidence(why),
            Reason::Doubt(doubt) => of_doubt(doubt),
            Reason::Alarm(alarm) => of_alarm(alarm),
            Reason::SelfPreference { judges } => msg!("report-note-self-preference", judges = judges.join(", ")),
        }
    }
}

fn of_invalid(invalid: &Invalid) -> Message {
    match invalid {
        Invalid::Interrupted => msg!("report-invalid-interrupted"),
        Invalid::BudgetExhausted => msg!("report-invalid-budget"),
        Invalid::Aborted => msg!("report-invalid-aborted"),
        Invalid::RecordsMissing => msg!("report-invalid-records-missing"),
        Invalid::Failures { failed, ran, limit } => {
            msg!("report-invalid-failures", failed = *failed, ran = *ran, limit = percent(*limit))
        }
        Invalid::DeadVariant { variant } => msg!("report-invalid-dead", variant = variant),
        Invalid::NoAnswer { executions } => msg!("report-invalid-no-answer", count = *executions),
        Invalid::Opinions { missing, planned, limit } => {
            msg!("report-invalid-judges", missing = *missing, planned = *planned, limit = percent(*limit))
        }
        Invalid::Pairs { unjudged, answered, limit } => {
            msg!("report-invalid-pairs", unjudged = *unjudged, answered = *answered, limit = percent(*limit))
        }
    }
}

fn of_evidence(why: &Evidence) -> Message {
    match why {
        Evidence::FewPairs { n, needed } => msg!("report-why-few-pairs", n = *n, needed = *needed),
        Evidence::Unscored { variant, outcome, count, total } => {
            msg!("report-why-unscored", variant = variant, outcome = *outcome, count = *count, total = *total)
        }
        Evidence::Below(range) => below(*range),
        Evidence::Above(range) => above(*range),
        Evidence::Inside { range, limit } => inside(*range, *limit),
        Evidence::Wide { range, limit } => wide(*range, *limit),
        Evidence::LayerBelow { layer, fell_by, mean, threshold } => msg!(
            "report-why-layer-below",
            layer = layer.name(),
            diff = fell_by.map_or_else(String::new, points),
            mean = points(*mean),
            threshold = points(*threshold)
        ),
        Evidence::MoreSamplesHelp { limit, needed, n } => {
            msg!("report-why-more", limit = points(*limit), needed = *needed, n = *n)
        }
        Evidence::AcrossBorder { limit } => msg!("report-why-more-border", limit = points(*limit)),
        Evidence::Hopeless { limit } => msg!("report-why-more-hopeless", limit = points(*limit)),
        Evidence::Saturated => msg!("report-why-saturated"),
        Evidence::Preference { preference, low, high, n } => msg!(
            "report-why-preference",
            preference = or_unknown(*preference, signed),
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound),
            n = *n
        ),
        Evidence::PreferenceAsPoints { preference } => {
            msg!("report-why-preference-points", preference = signed(*preference))
        }
        Evidence::PreferenceDecides { n, needed } => msg!("report-why-preference-decides", n = *n, needed = *needed),
        Evidence::SoloUnscored { variant } => msg!("report-solo-unscored", variant = variant),
        Evidence::SoloUnder { variant, mean, threshold } => {
            msg!("report-solo-under", variant = variant, mean = points(*mean), threshold = points(*threshold))
        }
        Evidence::SoloReached { variant, mean, threshold } => {
            msg!("report-solo-reached", variant = variant, mean = points(*mean), threshold = points(*threshold))
        }
    }
}

fn below(range: DifferenceRange) -> Message {
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-below", low = or_unknown(low, bound), high = or_unknown(high, bound))
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-below-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p))
        }
    }
}

fn above(range: DifferenceRange) -> Message {
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-above", low = or_unknown(low, bound), high = or_unknown(high, bound))
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-above-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p))
        }
    }
}

fn inside(range: DifferenceRange, limit: f64) -> Message {
    let limit = points(limit);
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-inside", low = or_unknown(low, bound), high = or_unknown(high, bound), limit = limit)
        }
        DifferenceRange::AllEqual { n, value, .. } => {
            msg!("report-why-inside-all", n = n, diff = or_unknown(value, bound), limit = limit)
        }
    }
}

fn wide(range: DifferenceRange, limit: f64) -> Message {
    let limit = points(limit);
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-wide", low = or_unknown(low, bound), high = or_unknown(high, bound), limit = limit)
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-wide-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p), limit = limit)
        }
    }
}

fn or_unknown(value: Option<f64>, text: fn(f64) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

fn p_or_unknown(p: Option<f64>) -> String {
    p.map_or_else(|| "= ?".to_owned(), p_text)
}

fn of_doubt(doubt: &Doubt) -> Message {
    match doubt {
        Doubt::Trivial { diff, limit } => {
            msg!("report-doubt-trivial", diff = signed(*diff), limit = points(*limit))
        }
        Doubt::FewPairs { n, needed } => msg!("report-doubt-pairs", n = *n, needed = *needed),
        Doubt::LayerUnderGate { layer, mean, threshold } => {
            msg!("report-doubt-layer", layer = layer.name(), mean = points(*mean), threshold = points(*threshold))
        }
        Doubt::LayerMissing { layer } => msg!("report-doubt-layer-missing", layer = layer.name()),
        Doubt::InvalidRun => msg!("report-doubt-invalid"),
        Doubt::ScoresSilent => msg!("report-doubt-scores"),
        Doubt::GoldPairwise => msg!("report-doubt-gold-pairwise"),
        Doubt::GoldAlpha { alpha, low, limit } => {
            msg!("report-doubt-gold-alpha", alpha = points(*alpha), low = points(*low), limit = points(*limit))
        }
        Doubt::GoldUndefined { n } => msg!("report-doubt-gold-undefined", n = *n),
        Doubt::GoldUnderGate { variant, mean, threshold } => {
            msg!("report-doubt-gold-gate", variant = variant, mean = points(*mean), threshold = points(*threshold))
        }
        Doubt::GoldWorse { low, high } => msg!("report-doubt-gold-worse", low = bound(*low), high = bound(*high)),
        Doubt::GoldUnconfirmed { low, high } => {
            msg!("report-doubt-gold-interval", low = bound(*low), high = bound(*high))
        }
        Doubt::GoldNone => msg!("report-doubt-gold-none"),
        Doubt::GoldFew { n, needed } => msg!("report-doubt-gold-few", n = *n, needed = *needed),
        Doubt::HoldoutFew { train, held_out } => {
            msg!("report-doubt-holdout-few", train = *train, holdout = *held_out)
        }
        Doubt::HoldoutLost { train, held_out, n } => {
            msg!("report-doubt-holdout", train = signed(*train), holdout = signed(*held_out), n = *n)
        }
        Doubt::HoldoutGap { gap, low, high } => {
            msg!("report-doubt-gap", gap = signed(*gap), low = bound(*low), high = bound(*high))
        }
    }
}

fn of_alarm(alarm: &Alarm) -> Message {
    match alarm {
        Alarm::ScoresMissing { variant, missing, planned, limit } => {
            msg!("report-alarm-missing", variant = variant, missing = *missing, planned = *planned, limit = *limit)
        }
        Alarm::OverBudget { variant, count } => msg!("report-alarm-budget", variant = variant, count = *count),
        Alarm::ChecksUnlike { samples, checks } => {
            msg!("report-alarm-unlike", count = *samples, checks = checks.join(", "))
        }
        Alarm::LayerUnscored { variant, layer, share, limit } => msg!(
            "report-alarm-unscored",
            variant = variant,
            layer = layer.name(),
            share = percent(*share),
            limit = *limit
        ),
        Alarm::ModelsDiffer { model, control, treatment } => {
            msg!("report-alarm-models", model = model, control = percent(*control), treatment = percent(*treatment))
        }
        Alarm::ModelsUnnamed { control, treatment } => {
            msg!("report-alarm-models-unnamed", control = percent(*control), treatment = percent(*treatment))
        }
        Alarm::OpinionsMissing { variant, missing, planned, limit } => msg!(
            "report-alarm-judges-missing",
            variant = variant,
            missing = *missing,
            planned = *planned,
            limit = *limit
        ),
        Alarm::Agreement { alpha, limit } => {
            msg!("report-alarm-agreement", alpha = points(*alpha), limit = points(*limit))
        }
        Alarm::PairAgreement { alpha, limit } => {
            msg!("report-alarm-pair-agreement", alpha = points(*alpha), limit = points(*limit))
        }
        Alarm::PairsMissing { missing, planned, limit } => {
            msg!("report-alarm-pairs", missing = *missing, planned = *planned, limit = *limit)
        }
        Alarm::Position { share, low, high } => {
            msg!("report-alarm-position", share = percent(*share), low = percent(*low), high = percent(*high))
        }
        Alarm::ScoresMissingDiffer(gap) => msg!(
            "report-alarm-missing-differs",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ),
        Alarm::OutcomesDiffer { outcome, gap } => msg!(
            "report-alarm-outcomes",
            outcome = *outcome,
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ),
        Alarm::ChecksUnscoredDiffer(gap) => msg!(
            "report-alarm-checks",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ),
        Alarm::CachedDiffer(gap) => msg!(
            "report-alarm-cached",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ),
        Alarm::OpinionsMissingDiffer(gap) => msg!(
            "report-alarm-judges-differ",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ),
    }
}
