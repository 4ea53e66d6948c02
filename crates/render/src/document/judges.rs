//! Judges: who judged, whether they agree, what is missing.

use eval_format::report::Note;
use eval_format::{Agreement, Coefficient, EqualLength, JudgeSummary, Judging, Repeatability, Report};
use eval_message::number::level;
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};

use super::block::{Block, item, line, title};
use super::text::{LISTED, NAME, clauses, harmless};
use crate::minus::{bound, minus, points, signed};

pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let Some(judging) = &report.judging else { return Vec::new() };
    let mut blocks = vec![title(msg!("report-judges-title"))];
    blocks.extend(judging.judges.iter().map(|judge| item(summary(judge))));
    blocks.extend(judging.agreement.iter().flat_map(agreement));
    blocks.extend(judging.repeatability.iter().map(|judge| item(repeatability(judge, judging))));
    blocks
}

fn summary(judge: &JudgeSummary) -> Arg {
    let name = clip(&judge.judge, NAME);
    let scored = match (judge.mean.map(points), judge.sd.map(points)) {
        (Some(mean), Some(sd)) => msg!("report-judge", judge = name, count = judge.scored, mean = mean, sd = sd),
        (Some(mean), None) => msg!("report-judge-one", judge = name, mean = mean),
        (None, _) => msg!("report-judge-none", judge = name, count = judge.planned),
    };
    let missing = missing(judge.missing, judge.planned, judge.why_missing.as_ref());
    with_doubts(scored, missing, judge.self_preference)
}

/// Returns how many of the planned opinions are missing, and why.
pub(crate) fn missing(missing: u64, planned: u64, why: Option<&Note>) -> Option<Message> {
    let why = harmless(&why.filter(|_| missing > 0)?.message_key);
    Some(msg!("report-judge-missing", missing = missing, planned = planned, why = why))
}

/// Joins a judge's numbers, what is missing of them, and that the judge is kin of the model under test.
pub(super) fn with_doubts(numbers: Message, missing: Option<Message>, is_kin: bool) -> Arg {
    clauses([Some(numbers), missing, is_kin.then(|| msg!("report-judge-kin"))].into_iter().flatten())
}

/// Returns how far several judges agree: over all, by question and in pairs.
pub(super) fn agreement(agreement: &Agreement) -> Vec<Block> {
    let alpha = &agreement.alpha;
    let overall = match alpha.value.map(points) {
        Some(value) => msg!("report-agreement", alpha = value, interval = interval(alpha)),
        None => msg!("report-agreement-undefined", why = why(alpha)),
    };
    let questions = agreement.questions.iter().take(LISTED).map(|question| {
        let (name, alpha) = (clip(&question.question, NAME), &question.alpha);
        match alpha.value.map(points) {
            Some(value) => msg!("report-agreement-question", question = name, alpha = value),
            None => msg!("report-agreement-question-undefined", question = name, why = why(alpha)),
        }
    });
    // there are pairs where there are more than two judges: two agree as all do
    let pairs = agreement.pairs.iter().take(LISTED).map(|pair| {
        let (a, b) = (clip(&pair.a, NAME), clip(&pair.b, NAME));
        let apart = pair.mean_absolute_difference.map(points);
        match (apart, pair.pearson.map(points), &pair.why) {
            (Some(apart), Some(r), _) => msg!("report-judge-pair", a = a, b = b, apart = apart, r = r),
            (Some(apart), None, Some(why)) => {
                msg!("report-judge-pair-undefined", a = a, b = b, apart = apart, why = harmless(&why.message_key))
            }
            _ => msg!("report-judge-pair-none", a = a, b = b),
        }
    });
    std::iter::once(item(overall)).chain(questions.chain(pairs).map(|message| line(4, message))).collect()
}

fn interval(alpha: &Coefficient) -> Message {
    match alpha.ci {
        Some(ci) if !ci.degenerate => {
            msg!("report-interval-of", level = level(ci.level), low = points(ci.low), high = points(ci.high))
        }
        _ => msg!("report-interval-point"),
    }
}

fn why(alpha: &Coefficient) -> Message {
    alpha.why.as_ref().map_or_else(|| msg!("report-undefined-unsaid"), |why| harmless(&why.message_key))
}

fn repeatability(judge: &Repeatability, judging: &Judging) -> Message {
    let (name, repeat) = (clip(&judge.judge, NAME), judging.repeat);
    match (judge.within_sd.map(points), judge.alpha.value.map(points)) {
        (Some(sd), Some(alpha)) => msg!("report-repeats", judge = name, repeat = repeat, sd = sd, alpha = alpha),
        (Some(sd), None) => {
            msg!("report-repeats-undefined", judge = name, repeat = repeat, sd = sd, why = why(&judge.alpha))
        }
        (None, _) => msg!("report-repeats-none", judge = name),
    }
}

/// Returns the difference at equal length, beside a difference that judges had a say in.
pub(super) fn equal_length(length: Option<&EqualLength>) -> Option<Message> {
    let length = length?;
    match (length.diff, &length.ci, &length.why) {
        (Some(diff), Some(ci), _) => Some(msg!(
            "report-equal-length",
            mean = signed(diff),
            low = bound(ci.low),
            high = bound(ci.high),
            longer = characters(length.longer_by.unwrap_or(0.0))
        )),
        (_, _, Some(why)) => Some(why.message_key.clone()),
        _ => None,
    }
}

/// Formats a number of characters, whole and with a sign.
fn characters(count: f64) -> String {
    let text = format!("{count:+.0}");
    if text == "-0" || text == "+0" { "0".to_owned() } else { minus(&text) }
}
