//! Gold: what the judges' scores are worth beside people's.

use eval_format::{GoldAgreement, GoldCoefficient, GoldEstimate, GoldReport, GoldWhy};
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};

use super::block::{Block, item, line, title};
use super::text::{NAME, harmless, name, or_dash};
use crate::minus::{bound, points, signed};

pub(crate) fn blocks(gold: &GoldReport) -> Vec<Block> {
    let mut blocks = vec![title(msg!("report-gold-title")), line(2, about(gold))];
    if gold.overall.n > 0 {
        blocks.extend(numbers(gold).into_iter().map(|message| line(2, message)));
    }
    blocks.extend(gold.warnings.iter().map(|warning| item(harmless(&warning.message_key))));
    blocks
}

fn about(gold: &GoldReport) -> Message {
    let counts = &gold.counts;
    let people: Vec<Arg> = gold.annotators.iter().map(|person| name(&person.name, NAME)).collect();
    match people.is_empty() {
        true => msg!("report-gold-none", annotations = counts.annotations, files = counts.files),
        false => msg!(
            "report-gold-about",
            used = counts.used,
            annotations = counts.annotations,
            people = people,
            samples = gold.overall.samples
        ),
    }
}

fn numbers(gold: &GoldReport) -> Vec<Message> {
    let several = gold.questions.iter().filter(|_| gold.questions.len() > 1);
    let mut lines: Vec<Message> = std::iter::once(&gold.overall).chain(several).map(agreement).collect();
    let adjusted = gold.without_judges.as_ref();
    lines.extend(adjusted.map(|of| msg!("report-gold-adjusted", alpha = number(&of.alpha, points), n = of.n)));
    let among = gold.among_annotators.as_ref();
    lines.extend(among.map(|alpha| msg!("report-gold-among", alpha = number(alpha, points))));
    lines.extend(
        gold.means
            .iter()
            .map(|mean| estimate(&mean.of, msg!("report-gold-mean", variant = clip(&mean.variant, NAME)), points)),
    );
    lines.extend(gold.differences.iter().map(|difference| {
        let (control, treatment) = (clip(&difference.control, NAME), clip(&difference.treatment, NAME));
        let name = msg!("report-gold-difference", control = control, treatment = treatment);
        estimate(&difference.of, name, bound)
    }));
    lines
}

/// Returns how far people and judges agree.
pub(crate) fn people_agreement(agreement: &GoldAgreement) -> Message {
    agreed(agreement, msg!("people-agreement").into())
}

fn agreement(agreement: &GoldAgreement) -> Message {
    let question = agreement.question.as_ref().map(|question| Arg::Text(clip(question, NAME)));
    agreed(agreement, question.unwrap_or_else(|| msg!("report-gold-overall").into()))
}

fn agreed(agreement: &GoldAgreement, name: Arg) -> Message {
    msg!(
        "report-gold-agreement",
        name = name,
        alpha = number(&agreement.alpha, points),
        kappa = number(&agreement.kappa, points),
        bias = number(&agreement.bias, signed),
        apart = or_dash(agreement.mean_absolute_difference, points),
        n = agreement.n
    )
}

/// Returns the number with its interval, or why there is none.
fn number(number: &GoldCoefficient, digits: fn(f64) -> String) -> Arg {
    let Some(value) = number.value else { return undefined(number.why).into() };
    match number.ci {
        Some(ci) => msg!("report-gold-ci", value = digits(value), low = digits(ci.low), high = digits(ci.high)).into(),
        None => digits(value).into(),
    }
}

fn undefined(why: Option<GoldWhy>) -> Message {
    let why = match why {
        Some(GoldWhy::NoVariance) => "no-variance",
        Some(GoldWhy::Unstable) => "unstable",
        Some(GoldWhy::NotFinite) => "not-finite",
        Some(GoldWhy::TooFew) | None => "too-few",
    };
    msg!("report-gold-undefined", why = why)
}

fn estimate(estimate: &GoldEstimate, name: Message, digits: fn(f64) -> String) -> Message {
    let people = match (estimate.estimate, estimate.ci) {
        (Some(value), Some(ci)) => {
            msg!("report-gold-ci", value = digits(value), low = digits(ci.low), high = digits(ci.high))
        }
        _ => undefined(estimate.why),
    };
    msg!(
        "report-gold-estimate",
        name = name,
        judge = or_dash(estimate.judge, digits),
        people = people,
        lambda = or_dash(estimate.lambda, points),
        n = estimate.labelled
    )
}
