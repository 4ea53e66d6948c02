//! The judges and the tripwires, in a summary for a terminal.

use crate::minus::{bound, minus, points, signed};
use eval_format::report::Note;
use eval_format::{Agreement, Coefficient, EqualLength, JudgeSummary, Judging, Repeatability, Report};
use eval_message::number::level;
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::{Show, TerminalPage, and_more, harmless};
use crate::terminal::names::{LISTED, NAME, id};

/// Who judged, whether they agree, what is missing.
pub(super) fn judges<R>(page: &mut TerminalPage, report: &Report<R>) {
    let Some(judging) = &report.judging else { return };
    page.title(&msg!("report-judges-title"));
    for judge in &judging.judges {
        let text = judge_line(page.show, judge);
        page.bullet(&text);
    }
    if let Some(agreement) = &judging.agreement {
        agreed(page, agreement);
    }
    for of in &judging.repeatability {
        let text = repeat_line(page.show, of, judging);
        page.bullet(&text);
    }
    page.gap();
}

fn judge_line(show: Show, judge: &JudgeSummary) -> String {
    let name = clip(&judge.judge, NAME);
    let scored = match (judge.mean, judge.sd) {
        (Some(mean), Some(sd)) => {
            msg!("report-judge", judge = name, count = judge.scored, mean = points(mean), sd = points(sd))
        }
        (Some(mean), None) => msg!("report-judge-one", judge = name, mean = points(mean)),
        (None, _) => msg!("report-judge-none", judge = name, count = judge.planned),
    };
    also(show, scored, (judge.missing, judge.planned, judge.why_missing.as_ref()), judge.self_preference)
}

/// What a judge said, with what else must be known of it: opinions missing of those planned, and why; whether it is kin
/// of the model under test.
pub(super) fn also(
    show: Show,
    said: Message,
    (missing, planned, why): (u64, u64, Option<&Note>),
    is_kin: bool,
) -> String {
    let missing = why.filter(|_| missing > 0).map(|why| {
        let why = show.text(&harmless(&why.message_key));
        msg!("report-judge-missing", missing = missing, planned = planned, why = why)
    });
    let kin = is_kin.then(|| msg!("report-judge-kin"));
    let parts = [Some(said), missing, kin];
    parts.iter().flatten().map(|part| show.text(part)).collect::<Vec<_>>().join(show.semicolon())
}

/// How far several judges agree, over all, by question and in pairs.
pub(super) fn agreed(page: &mut TerminalPage, agreement: &Agreement) {
    let text = agreement_line(page.show, agreement);
    page.bullet(&text);
    for of in agreement.questions.iter().take(LISTED) {
        let question = clip(&of.question, NAME);
        let message = match of.alpha.value {
            Some(value) => msg!("report-agreement-question", question = question, alpha = points(value)),
            None => msg!("report-agreement-question-undefined", question = question, why = why(page.show, &of.alpha)),
        };
        page.line(4, &message);
    }
    pairs(page, agreement);
}

fn agreement_line(show: Show, agreement: &Agreement) -> String {
    let message = match agreement.alpha.value {
        Some(value) => msg!("report-agreement", alpha = points(value), interval = interval(show, &agreement.alpha)),
        None => msg!("report-agreement-undefined", why = why(show, &agreement.alpha)),
    };
    show.text(&message)
}

fn interval(show: Show, of: &Coefficient) -> String {
    match of.ci {
        Some(ci) if !ci.degenerate => {
            let (low, high) = (points(ci.low), points(ci.high));
            show.text(&msg!("report-interval-of", level = level(ci.level), low = low, high = high))
        }
        _ => show.text(&msg!("report-interval-point")),
    }
}

fn why(show: Show, of: &Coefficient) -> String {
    show.text(&of.why.as_ref().map_or_else(|| msg!("report-undefined-unsaid"), |why| harmless(&why.message_key)))
}

/// Judges by pairs, where there are more than two: two agree as all do.
fn pairs(page: &mut TerminalPage, agreement: &Agreement) {
    for pair in agreement.pairs.iter().take(LISTED) {
        let (a, b) = (clip(&pair.a, NAME), clip(&pair.b, NAME));
        let apart = pair.mean_absolute_difference.map(points);
        let message = match (apart, pair.pearson, &pair.why) {
            (Some(apart), Some(r), _) => msg!("report-judge-pair", a = a, b = b, apart = apart, r = points(r)),
            (Some(apart), None, Some(why)) => {
                let why = page.show.text(&harmless(&why.message_key));
                msg!("report-judge-pair-undefined", a = a, b = b, apart = apart, why = why)
            }
            _ => msg!("report-judge-pair-none", a = a, b = b),
        };
        page.line(4, &message);
    }
}

fn repeat_line(show: Show, of: &Repeatability, judging: &Judging) -> String {
    let judge = clip(&of.judge, NAME);
    let message = match (of.within_sd, of.alpha.value) {
        (Some(sd), Some(value)) => {
            msg!("report-repeats", judge = judge, repeat = judging.repeat, sd = points(sd), alpha = points(value))
        }
        (Some(sd), None) => {
            let why = why(show, &of.alpha);
            msg!("report-repeats-undefined", judge = judge, repeat = judging.repeat, sd = points(sd), why = why)
        }
        (None, _) => msg!("report-repeats-none", judge = judge),
    };
    show.text(&message)
}

/// The difference at equal length, beside a difference that judges had a say in.
pub(super) fn equal_length(of: &EqualLength) -> Option<Message> {
    Some(match (of.diff, &of.ci, &of.why) {
        (Some(diff), Some(ci), _) => msg!(
            "report-equal-length",
            mean = signed(diff),
            low = bound(ci.low),
            high = bound(ci.high),
            longer = length(of.longer_by.unwrap_or(0.0))
        ),
        (_, _, Some(why)) => why.message_key.clone(),
        _ => return None,
    })
}

/// Characters, whole and with a sign.
fn length(characters: f64) -> String {
    let text = format!("{characters:+.0}");
    if text == "-0" || text == "+0" { "0".to_owned() } else { minus(&text) }
}

/// What each variant did on the samples that are meant to fail.
pub(super) fn tripwires<R>(page: &mut TerminalPage, report: &Report<R>) {
    if report.tripwires.is_empty() {
        return;
    }
    page.title(&msg!("report-tripwires-title"));
    for of in &report.tripwires {
        let mut text = page.show.text(&msg!(
            "report-tripwires",
            variant = clip(&of.variant, NAME),
            failed = of.failed_as_designed,
            samples = of.samples
        ));
        let named = |ids: Vec<&String>| {
            let more = ids.len().saturating_sub(LISTED);
            and_more(page.show, ids.into_iter().take(LISTED).map(|of| id(of)).collect(), more)
        };
        let mut also = |message: Message| {
            text.push_str(page.show.semicolon());
            text.push_str(&page.show.text(&message));
        };
        if of.passed > 0 {
            also(msg!("report-tripwires-passed", count = of.passed, list = named(of.passed_samples.iter().collect())));
        }
        if of.missing > 0 {
            let ids = of.missing_samples.iter().map(|one| &one.sample_id).collect();
            also(msg!("report-tripwires-missing", count = of.missing, list = named(ids)));
        }
        page.bullet(&text);
    }
    page.gap();
}
