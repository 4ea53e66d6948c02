//! Preferences of judges who saw two answers.

use eval_format::{MissingPair, PairJudge, Pairwise, PairwiseComparison, Strengths};
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};

use super::block::{Block, item, line, title};
use super::judges::{agreement, equal_length, missing, with_doubts};
use super::text::{NAME, and_more, harmless, interval};
use crate::minus::{bound, p_text, percent, signed};

/// How many reasons are named.
const REASONS: usize = 3;

pub(super) fn blocks(pairwise: &Pairwise) -> Vec<Block> {
    let mut blocks = vec![title(msg!("report-pairwise-title"))];
    blocks.extend(pairwise.comparisons.iter().flat_map(compared).map(|message| line(2, message)));
    blocks.extend(pairwise.strengths.iter().map(|strengths| line(2, ranking(strengths))));
    blocks.extend(pairwise.judges.iter().map(|judge| item(verdicts_of(judge))));
    blocks.extend(pairwise.agreement.iter().flat_map(agreement));
    blocks
}

/// Returns the preference for a treatment, without what it rests on.
pub(crate) fn preference(comparison: &PairwiseComparison) -> Message {
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    match comparison.preference.mean.map(signed) {
        None => msg!("report-pairwise-none", control = control, treatment = treatment),
        Some(preference) => msg!(
            "report-pairwise-preference",
            control = control,
            treatment = treatment,
            preference = preference,
            interval = interval(comparison.ci()),
            samples = comparison.n
        ),
    }
}

fn verdicts_of(judge: &PairJudge) -> Arg {
    let name = clip(&judge.judge, NAME);
    let verdicts = match judge.decided {
        0 => msg!("report-pair-judge-none", judge = name, planned = judge.planned),
        decided => msg!("report-pair-judge", judge = name, decided = decided, inconsistent = judge.inconsistent),
    };
    let missing = missing(judge.missing, judge.planned, judge.why_missing.as_ref());
    with_doubts(verdicts, missing, judge.self_preference)
}

fn compared(comparison: &PairwiseComparison) -> Vec<Message> {
    let decided = comparison.preference.mean.map(|_| verdicts(comparison));
    let at_equal_length = decided.as_ref().and(equal_length(comparison.preference.equal_length.as_ref()));
    let position = comparison.position_bias.as_ref().map(|bias| {
        let (share, low, high) = (percent(bias.share), percent(bias.low), percent(bias.high));
        msg!("report-pairwise-position", share = share, low = low, high = high, count = bias.n)
    });
    let (count, planned) = (comparison.missing.len(), comparison.planned);
    let missing = (count > 0).then(|| {
        msg!("report-pairwise-missing", missing = count, planned = planned, list = reasons(&comparison.missing))
    });
    [Some(preference(comparison)), decided, at_equal_length, position, missing].into_iter().flatten().collect()
}

fn verdicts(comparison: &PairwiseComparison) -> Message {
    msg!(
        "report-pairwise-verdicts",
        wins = comparison.wins,
        losses = comparison.losses,
        ties = comparison.ties,
        inconsistent = comparison.inconsistent,
        p = comparison.preference.p_value_adjusted.map_or_else(|| "= ?".to_owned(), p_text)
    )
}

/// Returns the reasons, the most frequent first.
fn reasons(missing: &[MissingPair]) -> Arg {
    let mut tally: Vec<(Message, usize)> = Vec::new();
    for pair in missing {
        let why = harmless(&pair.why_key);
        let why = match &pair.variant {
            Some(variant) => msg!("report-lost", variant = clip(variant, NAME), list = why),
            None => why,
        };
        match tally.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, count)) => *count += 1,
            None => tally.push((why, 1)),
        }
    }
    tally.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = tally.len().saturating_sub(REASONS);
    let named = tally.into_iter().take(REASONS).map(|(why, count)| msg!("report-times", text = why, count = count));
    and_more(named.map(Arg::from), more)
}

fn ranking(strengths: &Strengths) -> Message {
    if let Some(why) = &strengths.why {
        return msg!("report-strengths-why", why = harmless(&why.message_key));
    }
    let open = |value: Option<f64>, sign: &str| value.map_or_else(|| format!("{sign}∞"), bound);
    let each = strengths.variants.iter().map(|variant| {
        let (name, strength) = (clip(&variant.variant, NAME), signed(variant.log_strength));
        let (low, high) = (open(variant.low, "−"), open(variant.high, "+"));
        msg!("report-strength", variant = name, strength = strength, low = low, high = high)
    });
    msg!("report-strengths", list = each.collect::<Vec<_>>())
}
