//! What to do next, by tier: the report's suggestions.

use eval_format::{
    ArmInputs, Comparison, Excluded, IncompleteReason, Insight, POINTS, Pairwise, PairwiseComparison, Severity, Tier,
    TreatmentVerdict, Verdict,
};
use eval_message::number::{points, signed};
use eval_message::{Arg, Message, msg};

use crate::enough::AFFORDABLE;

/// Alarms with a suggestion of their own.
const OWN_REMEDY: [&str; 8] = [
    "report-alarm-unlike",
    "report-alarm-cached",
    "report-alarm-judges-missing",
    "report-alarm-judges-differ",
    "report-alarm-agreement",
    "report-alarm-pair-agreement",
    "report-alarm-position",
    "report-alarm-pairs",
];

/// What gold has against a judge.
const GOLD: [&str; 7] = [
    "report-doubt-gold-alpha",
    "report-doubt-gold-undefined",
    "report-doubt-gold-worse",
    "report-doubt-gold-interval",
    "report-doubt-gold-few",
    "report-doubt-gold-none",
    "report-doubt-gold-gate",
];

/// The most pressing first.
pub fn suggestions(verdict: &Verdict, comparisons: &[Comparison], pairwise: Option<&Pairwise>) -> Vec<Insight> {
    if !verdict.valid {
        return vec![repair(verdict)];
    }
    let each = verdict.per_treatment.iter().zip(comparisons);
    let mut all: Vec<Insight> =
        each.flat_map(|(treatment, of)| for_treatment(verdict, treatment, of, pairwise)).collect();
    if verdict.tier == Tier::Solo {
        all.push(for_solo(verdict));
    }
    // what ails the control is told once, however many treatments there are
    let mut told = Vec::new();
    all.retain(|next| {
        let is_new = !told.contains(next);
        told.extend(is_new.then(|| next.clone()));
        is_new
    });
    all
}

fn repair(verdict: &Verdict) -> Insight {
    let message = match verdict.inputs.incomplete_reason {
        Some(IncompleteReason::Interrupted) => msg!("report-next-resume"),
        Some(IncompleteReason::BudgetExhausted) => msg!("report-next-budget"),
        Some(IncompleteReason::Aborted) => msg!("report-next-aborted"),
        Some(IncompleteReason::RecordsMissing) => msg!("report-next-records"),
        None if verdict.reasons.iter().any(|why| why.message_key.id == "report-invalid-no-answer") => {
            msg!("report-next-no-answer")
        }
        _ if verdict
            .reasons
            .iter()
            .any(|why| ["report-invalid-judges", "report-invalid-pairs"].contains(&why.message_key.id.as_ref())) =>
        {
            msg!("report-next-judges")
        }
        Some(IncompleteReason::TooManyFailures) | None => msg!("report-next-failures"),
    };
    Insight::new("repair_run", Severity::Error, message, Vec::new())
}

fn for_treatment(
    verdict: &Verdict,
    treatment: &TreatmentVerdict,
    of: &Comparison,
    pairwise: Option<&Pairwise>,
) -> Vec<Insight> {
    let name = &treatment.treatment;
    match treatment.tier {
        Tier::Regress => vec![look_at_losses(treatment, of)],
        Tier::Cautious => settle_doubts(verdict, treatment, of),
        Tier::Underpowered if has_nothing_scored(treatment) => mend_outcomes(treatment),
        Tier::Underpowered if of.unlike.samples > 0 && of.n < verdict.inputs.limits.min_pairs => {
            vec![mend_checks(treatment, of)]
        }
        Tier::Underpowered if goes_by_position(treatment) => {
            vec![Insight::new("replace_judges", Severity::Warning, msg!("report-next-position"), Vec::new())]
        }
        Tier::Underpowered => match preferred(verdict, name, pairwise) {
            Some(preferred) => vec![add_pairs(verdict, name, preferred)],
            None => std::iter::once(add_samples(verdict, name, of)).chain(more_of_each(verdict, of)).collect(),
        },
        Tier::Noise if at_the_ceiling(verdict, name) => {
            vec![Insight::new(
                "add_harder_samples",
                Severity::Warning,
                msg!("report-next-ceiling", treatment = name),
                Vec::new(),
            )]
        }
        Tier::Noise => vec![Insight::new(
            "drop_or_keep",
            Severity::Info,
            msg!("report-next-noise", treatment = name, limit = points(verdict.inputs.limits.min_effect)),
            Vec::new(),
        )],
        Tier::Progress => vec![ship(name, of)],
        Tier::Solo => Vec::new(),
    }
}

/// Whether control and treatment both have every point there is: such samples can't show a difference.
fn at_the_ceiling(verdict: &Verdict, treatment: &str) -> bool {
    const BEST: f64 = 5.0;
    let full = |arm: &ArmInputs| arm.mean.is_some_and(|mean| mean >= BEST);
    let treated = verdict.inputs.treatments.iter().find(|of| of.arm.name == treatment);
    full(&verdict.inputs.control) && treated.is_some_and(|of| full(&of.arm))
}

fn ship(name: &str, of: &Comparison) -> Insight {
    let message = match of.moved.worse.is_empty() {
        true => msg!("report-next-ship", treatment = name),
        false => msg!("report-next-ship-but", treatment = name),
    };
    Insight::new("ship", Severity::Info, message, fallen(of))
}

/// Where a layer fell, the samples whose composite did are not the ones to read.
fn look_at_losses(treatment: &TreatmentVerdict, of: &Comparison) -> Insight {
    let name = &treatment.treatment;
    let by_layer = treatment.reasons.iter().any(|reason| reason.message_key.id == "report-why-layer-below");
    let (message, ids) = match by_layer {
        true => (msg!("report-next-regress-layer", treatment = name), Vec::new()),
        false => (msg!("report-next-regress", treatment = name), fallen(of)),
    };
    Insight::new("look_at_losses", Severity::Error, message, ids)
}

fn fallen(of: &Comparison) -> Vec<String> {
    of.moved.worse.iter().map(|moved| moved.sample_id.clone()).collect()
}

/// One suggestion for every kind of doubt.
fn settle_doubts(verdict: &Verdict, treatment: &TreatmentVerdict, of: &Comparison) -> Vec<Insight> {
    let has = |prefix: &str| treatment.reasons.iter().any(|reason| reason.message_key.id.starts_with(prefix));
    let name = &treatment.treatment;
    let mut all = Vec::new();
    if has("report-alarm-unlike") {
        all.push(mend_checks(treatment, of));
    }
    if has("report-alarm-cached") {
        all.push(Insight::new(
            "run_afresh",
            Severity::Warning,
            msg!("report-next-afresh", treatment = name),
            Vec::new(),
        ));
    }
    if has("report-alarm-judges-missing") || has("report-alarm-judges-differ") || has("report-alarm-pairs") {
        all.push(Insight::new("mend_judges", Severity::Warning, msg!("report-next-judges"), Vec::new()));
    }
    if has("report-alarm-position") {
        all.push(Insight::new("replace_judges", Severity::Warning, msg!("report-next-position"), Vec::new()));
    }
    if has("report-alarm-agreement") || has("report-alarm-pair-agreement") {
        all.push(Insight::new("settle_judges", Severity::Warning, msg!("report-next-agreement"), Vec::new()));
    }
    if has_other_alarm(treatment) {
        let ids = of.excluded.iter().map(|excluded| excluded.sample_id.clone()).collect();
        all.push(Insight::new("check_excluded", Severity::Warning, msg!("report-next-alarm", treatment = name), ids));
    }
    if has("report-doubt-layer") {
        all.push(Insight::new(
            "raise_layer",
            Severity::Warning,
            msg!("report-next-layer", treatment = name),
            Vec::new(),
        ));
    }
    if GOLD.iter().any(|doubt| has(doubt)) {
        all.push(Insight::new("mend_judge", Severity::Warning, msg!("report-next-gold", treatment = name), Vec::new()));
    }
    let is_unmeasured = has("report-doubt-holdout-few");
    if is_unmeasured {
        all.push(Insight::new("hold_out_more", Severity::Warning, msg!("report-next-holdout-few"), Vec::new()));
    }
    if (has("report-doubt-holdout") && !is_unmeasured) || has("report-doubt-gap") {
        all.push(Insight::new(
            "tune_less",
            Severity::Warning,
            msg!("report-next-holdout", treatment = name),
            Vec::new(),
        ));
    }
    if has("report-doubt-pairs") {
        // what there is to see was seen: only their number is missing
        let treated = verdict.inputs.treatments.iter().find(|of| of.arm.name == *name);
        let n = treated.map_or(of.n, |treated| crate::preference::deciding(&verdict.inputs, treated).n);
        all.push(first_samples(verdict, name, n));
    }
    if has("report-doubt-trivial") {
        all.push(Insight::new("weigh_cost", Severity::Info, msg!("report-next-trivial", treatment = name), Vec::new()));
    }
    all
}

/// Alarms that ask for another remedy than one of their own.
fn has_other_alarm(treatment: &TreatmentVerdict) -> bool {
    let ids = || treatment.reasons.iter().map(|reason| reason.message_key.id.as_ref());
    ids().any(|id| id.starts_with("report-alarm-") && !OWN_REMEDY.contains(&id))
}

fn mend_checks(treatment: &TreatmentVerdict, of: &Comparison) -> Insight {
    let checks = of.unlike.checks.join(", ");
    let is_unlike = |excluded: &&Excluded| excluded.why_keys.iter().any(|why| why.id == "report-missing-checks");
    let ids = of.excluded.iter().filter(is_unlike).map(|excluded| excluded.sample_id.clone()).collect();
    let message = msg!("report-next-checks", treatment = &treatment.treatment, checks = checks);
    Insight::new("mend_checks", Severity::Warning, message, ids)
}

/// Nor do they help where judges look at the place of an answer.
fn goes_by_position(treatment: &TreatmentVerdict) -> bool {
    treatment.reasons.iter().any(|reason| reason.message_key.id == "report-alarm-position")
}

/// Samples don't help a variant that gives nothing to score.
fn has_nothing_scored(treatment: &TreatmentVerdict) -> bool {
    treatment.reasons.iter().any(|reason| reason.message_key.id == "report-why-unscored")
}

/// One suggestion for each arm of which nothing could be scored, by how it ended.
fn mend_outcomes(treatment: &TreatmentVerdict) -> Vec<Insight> {
    let reasons = treatment.reasons.iter().map(|reason| &reason.message_key);
    let unscored = reasons.filter(|reason| reason.id == "report-why-unscored");
    let arg = |reason: &Message, name: &str| match reason.args.get(name) {
        Some(Arg::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let mend = |reason: &Message| {
        let message = msg!("report-next-unscored", variant = arg(reason, "variant"), outcome = arg(reason, "outcome"));
        Insight::new("mend_outcomes", Severity::Error, message, Vec::new())
    };
    unscored.map(mend).collect()
}

/// How many samples the observed spread asks for, and at least those that progress asks for.
fn add_samples(verdict: &Verdict, name: &str, of: &Comparison) -> Insight {
    let limits = &verdict.inputs.limits;
    let effect = points(limits.min_effect);
    let treated = verdict.inputs.treatments.iter().find(|of| of.arm.name == name);
    let n = treated.map_or(of.n, crate::preference::pairs);
    // the spread of preferences is not that of scores
    let of_scores = |pairs: Option<u64>| pairs.filter(|_| n == of.n).map(|pairs| pairs.max(limits.progress_pairs));
    let observed = of.diff.mean.zip(of_scores(of.power.pairs_for_observed)).filter(|(_, pairs)| *pairs <= AFFORDABLE);
    let message: Message = match of_scores(of.power.pairs_for_min_effect) {
        // too few pairs tell no spread worth planning with
        _ if n < limits.min_pairs => return first_samples(verdict, name, n),
        Some(pairs) if pairs > AFFORDABLE => msg!("report-next-hopeless", effect = effect),
        Some(pairs) if pairs > n => msg!(
            "report-next-more-samples",
            treatment = name,
            needed = pairs,
            more = pairs - n,
            effect = effect,
            observed = observed.map_or_else(|| "none".to_owned(), |(mean, _)| signed(mean)),
            shows = observed.map_or(0, |(_, pairs)| pairs),
            family = of.diff.ci.map_or(1, |ci| ci.family),
            early = if of.power.method.is_some() { "yes" } else { "no" }
        ),
        _ => msg!("report-next-some-samples", n = n),
    };
    Insight::new("add_samples", Severity::Warning, message, Vec::new())
}

/// What judges preferred, where that is what decides.
fn preferred<'p>(verdict: &Verdict, name: &str, pairwise: Option<&'p Pairwise>) -> Option<&'p PairwiseComparison> {
    let treated = verdict.inputs.treatments.iter().find(|of| of.arm.name == name)?;
    let of = pairwise?.comparisons.iter().find(|of| of.treatment == name)?;
    crate::preference::decides(&verdict.inputs, treated).then_some(of)
}

/// The same of samples whose answers judges compare: the spread is that of preferences, and so is what shows.
fn add_pairs(verdict: &Verdict, name: &str, of: &PairwiseComparison) -> Insight {
    let limits = &verdict.inputs.limits;
    let effect = share(limits.min_effect / POINTS);
    let power = of.power.unwrap_or_default();
    let of_progress = |pairs: u64| pairs.max(limits.progress_pairs);
    let seen = of.preference.mean.zip(power.pairs_for_observed.map(of_progress));
    let seen = seen.filter(|(_, pairs)| *pairs <= AFFORDABLE && *pairs > of.n);
    let message = match power.pairs_for_min_effect.map(of_progress) {
        _ if of.n < limits.min_pairs => return first_samples(verdict, name, of.n),
        Some(pairs) if pairs > of.n && (pairs <= AFFORDABLE || seen.is_some()) => msg!(
            "report-next-more-pairs",
            treatment = name,
            needed = if pairs <= AFFORDABLE { pairs } else { 0 },
            effect = effect,
            observed = seen.map_or_else(|| "none".to_owned(), |(mean, _)| signed(mean)),
            shows = seen.map_or(0, |(_, pairs)| pairs),
            more = if pairs <= AFFORDABLE { pairs - of.n } else { seen.map_or(0, |(_, pairs)| pairs - of.n) },
            family = of.preference.ci.map_or(1, |ci| ci.family)
        ),
        Some(pairs) if pairs > AFFORDABLE => msg!("report-next-hopeless-pairs", effect = effect),
        _ => msg!("report-next-some-samples", n = of.n),
    };
    Insight::new("add_samples", Severity::Warning, message, Vec::new())
}

/// As many digits as a preference has that matters: 0.2 points are one of 0.05, and 0.1 are one of 0.025.
fn share(preference: f64) -> String {
    let text = format!("{preference:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn first_samples(verdict: &Verdict, name: &str, n: u64) -> Insight {
    let needed = verdict.inputs.limits.progress_pairs;
    let message = msg!("report-next-first-samples", treatment = name, n = n, needed = needed);
    Insight::new("add_samples", Severity::Warning, message, Vec::new())
}

/// What more samples, repeats or opinions would each do to the interval, where the spread's sources can be told. Samples
/// narrow it most, but repeats and opinions that come near need nobody to write samples.
fn more_of_each(verdict: &Verdict, of: &Comparison) -> Option<Insight> {
    const NEAR: f64 = 0.05;
    let twice = of.shares.as_ref().filter(|_| of.n >= verdict.inputs.limits.min_pairs)?.with_twice;
    let samples = twice.samples.filter(|_| twice.repeats.is_some() || twice.opinions.is_some())?;
    let is_near = |factor: Option<f64>| factor.is_some_and(|factor| factor <= samples + NEAR);
    let best = match () {
        () if is_near(twice.opinions) => "opinions",
        () if is_near(twice.repeats) => "repeats",
        () => "samples",
    };
    let shown = |factor: Option<f64>| factor.map_or_else(|| "none".to_owned(), points);
    let message = msg!(
        "report-next-twice",
        treatment = &of.treatment,
        samples = points(samples),
        repeats = shown(twice.repeats),
        opinions = shown(twice.opinions),
        best = best
    );
    Some(Insight::new("narrow_interval", Severity::Info, message, Vec::new()))
}

fn for_solo(verdict: &Verdict) -> Insight {
    let name = &verdict.inputs.control.name;
    Insight::new("add_control", Severity::Info, msg!("report-next-solo", variant = name), Vec::new())
}
