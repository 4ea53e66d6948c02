//! The summary of gold: what the judges' scores are worth beside people's.

use crate::minus::{bound, points, signed};
use eval_format::{GoldAgreement, GoldCoefficient, GoldDifference, GoldEstimate, GoldReport, GoldWhy};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::{Show, TerminalPage, harmless};
use crate::terminal::names::{NAME, whole};

/// The gold of a report, or of a comparison of its own.
#[must_use]
pub fn gold_text(gold: &GoldReport, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    lines(&mut page, gold);
    page.text
}

pub(super) fn lines(page: &mut TerminalPage, gold: &GoldReport) {
    let counts = &gold.counts;
    page.title(&msg!("report-gold-title"));
    let people: Vec<String> = gold.annotators.iter().map(|of| whole(&of.name, NAME)).collect();
    let about = match people.is_empty() {
        true => msg!("report-gold-none", annotations = counts.annotations, files = counts.files),
        false => msg!(
            "report-gold-about",
            used = counts.used,
            annotations = counts.annotations,
            people = page.show.list(&people),
            samples = gold.overall.samples
        ),
    };
    page.line(2, &about);
    if gold.overall.n > 0 {
        agreement(page, &gold.overall);
        for of in gold.questions.iter().filter(|_| gold.questions.len() > 1) {
            agreement(page, of);
        }
        if let Some(of) = &gold.without_judges {
            page.line(2, &msg!("report-gold-adjusted", alpha = number(page.show, &of.alpha, points), n = of.n));
        }
        if let Some(alpha) = &gold.among_annotators {
            page.line(2, &msg!("report-gold-among", alpha = number(page.show, alpha, points)));
        }
        for mean in &gold.means {
            let name = clip(&mean.variant, NAME);
            estimate(page, &mean.of, msg!("report-gold-mean", variant = name), points);
        }
        gold.differences.iter().for_each(|of| difference(page, of));
    }
    for warning in &gold.warnings {
        let text = page.show.text(&harmless(&warning.message_key));
        page.bullet(&text);
    }
}

/// People and judges in one line.
pub(crate) fn people_agreement(of: &GoldAgreement, show: Show) -> String {
    show.text(&agreed(of, show.text(&msg!("people-agreement")), show))
}

fn agreement(page: &mut TerminalPage, of: &GoldAgreement) {
    let name = match &of.question {
        None => page.show.text(&msg!("report-gold-overall")),
        Some(question) => clip(question, NAME),
    };
    let line = agreed(of, name, page.show);
    page.line(2, &line);
}

fn agreed(of: &GoldAgreement, name: String, show: Show) -> Message {
    msg!(
        "report-gold-agreement",
        name = name,
        alpha = number(show, &of.alpha, points),
        kappa = number(show, &of.kappa, points),
        bias = number(show, &of.bias, signed),
        apart = of.mean_absolute_difference.map_or_else(|| "–".to_owned(), points),
        n = of.n
    )
}

/// The number with its interval, or why there is none.
fn number(show: Show, of: &GoldCoefficient, digits: fn(f64) -> String) -> String {
    let Some(value) = of.value else {
        return show.text(&msg!("report-gold-undefined", why = why(of.why)));
    };
    match of.ci {
        Some(ci) => {
            show.text(&msg!("report-gold-ci", value = digits(value), low = digits(ci.low), high = digits(ci.high)))
        }
        None => digits(value),
    }
}

/// A word of the message `report-gold-undefined`.
fn why(why: Option<GoldWhy>) -> &'static str {
    match why {
        Some(GoldWhy::NoVariance) => "no-variance",
        Some(GoldWhy::Unstable) => "unstable",
        Some(GoldWhy::NotFinite) => "not-finite",
        Some(GoldWhy::TooFew) | None => "too-few",
    }
}

fn difference(page: &mut TerminalPage, of: &GoldDifference) {
    let name = msg!("report-gold-difference", control = clip(&of.control, NAME), treatment = clip(&of.treatment, NAME));
    estimate(page, &of.of, name, bound);
}

fn estimate(page: &mut TerminalPage, of: &GoldEstimate, name: Message, digits: fn(f64) -> String) {
    let show = page.show;
    let judge = of.judge.map_or_else(|| "–".to_owned(), digits);
    let people = match (of.estimate, of.ci) {
        (Some(value), Some(ci)) => {
            show.text(&msg!("report-gold-ci", value = digits(value), low = digits(ci.low), high = digits(ci.high)))
        }
        _ => show.text(&msg!("report-gold-undefined", why = why(of.why))),
    };
    let lambda = of.lambda.map_or_else(|| "–".to_owned(), points);
    let labelled = of.labelled;
    let name = show.text(&name);
    page.line(
        2,
        &msg!("report-gold-estimate", name = name, judge = judge, people = people, lambda = lambda, n = labelled),
    );
}
