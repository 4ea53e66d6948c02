//! What judges preferred, for a terminal.

use std::collections::BTreeMap;

use crate::minus::{bound, p_text, percent, signed};
use eval_format::{MissingPair, PairJudge, Pairwise, PairwiseComparison, Strengths};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::judges::{agreed, also, equal_length};
use super::{Show, TerminalPage, harmless, interval};
use crate::terminal::names::NAME;

/// How many reasons are named.
const REASONS: usize = 3;

/// The section on pairwise judging.
pub(super) fn pairwise(page: &mut TerminalPage, of: &Pairwise) {
    page.title(&msg!("report-pairwise-title"));
    for comparison in &of.comparisons {
        compared(page, comparison);
    }
    if let Some(strengths) = &of.strengths {
        ranked(page, strengths);
    }
    for judge in &of.judges {
        let text = judge_line(page.show, judge);
        page.bullet(&text);
    }
    if let Some(agreement) = &of.agreement {
        agreed(page, agreement);
    }
    page.gap();
}

/// The preference for each treatment, without what it rests on.
pub(super) fn preferences(page: &mut TerminalPage, of: &Pairwise, most: usize) {
    for comparison in of.comparisons.iter().take(most) {
        page.line(0, &preference(page.show, comparison));
    }
}

fn preference(show: Show, of: &PairwiseComparison) -> Message {
    let (control, treatment) = (clip(&of.control, NAME), clip(&of.treatment, NAME));
    match of.preference.mean {
        None => msg!("report-pairwise-none", control = control, treatment = treatment),
        Some(mean) => msg!(
            "report-pairwise-preference",
            control = control,
            treatment = treatment,
            preference = signed(mean),
            interval = interval(show, of.ci()),
            samples = of.n
        ),
    }
}

fn judge_line(show: Show, judge: &PairJudge) -> String {
    let name = clip(&judge.judge, NAME);
    let verdicts = match judge.decided {
        0 => msg!("report-pair-judge-none", judge = name, planned = judge.planned),
        decided => msg!("report-pair-judge", judge = name, decided = decided, inconsistent = judge.inconsistent),
    };
    also(show, verdicts, (judge.missing, judge.planned, judge.why_missing.as_ref()), judge.self_preference)
}

fn compared(page: &mut TerminalPage, of: &PairwiseComparison) {
    page.line(2, &preference(page.show, of));
    if of.preference.mean.is_some() {
        page.line(2, &verdicts(of));
        if let Some(message) = of.preference.equal_length.as_ref().and_then(equal_length) {
            page.line(2, &message);
        }
    }
    if let Some(bias) = &of.position_bias {
        let message = msg!(
            "report-pairwise-position",
            share = percent(bias.share),
            low = percent(bias.low),
            high = percent(bias.high),
            count = bias.n
        );
        page.line(2, &message);
    }
    if !of.missing.is_empty() {
        let reasons = reasons(page, &of.missing);
        page.line(
            2,
            &msg!("report-pairwise-missing", missing = of.missing.len(), planned = of.planned, list = reasons),
        );
    }
}

fn verdicts(of: &PairwiseComparison) -> Message {
    msg!(
        "report-pairwise-verdicts",
        wins = of.wins,
        losses = of.losses,
        ties = of.ties,
        inconsistent = of.inconsistent,
        p = of.preference.p_value_adjusted.map_or_else(|| "= ?".to_owned(), p_text)
    )
}

/// The reasons, the most frequent first.
fn reasons(page: &TerminalPage, missing: &[MissingPair]) -> String {
    let mut tally: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, one) in missing.iter().enumerate() {
        let why = page.show.text(&harmless(&one.why_key));
        let why = match &one.variant {
            Some(variant) => page.show.text(&msg!("report-lost", variant = clip(variant, NAME), list = why)),
            None => why,
        };
        tally.entry(why).or_insert((at, 0)).1 += 1;
    }
    let mut tally: Vec<(String, (usize, usize))> = tally.into_iter().collect();
    tally.sort_by_key(|(_, (first, count))| (std::cmp::Reverse(*count), *first));
    let left = tally.len().saturating_sub(REASONS);
    let named = tally.into_iter().take(REASONS).map(|(why, (_, count))| format!("{why} (×{count})")).collect();
    super::and_more(page.show, named, left)
}

fn ranked(page: &mut TerminalPage, of: &Strengths) {
    if let Some(why) = &of.why {
        let why = page.show.text(&harmless(&why.message_key));
        return page.line(2, &msg!("report-strengths-why", why = why));
    }
    let open = |value: Option<f64>, sign: &str| value.map_or_else(|| format!("{sign}∞"), bound);
    let each: Vec<String> = of
        .variants
        .iter()
        .map(|one| {
            page.show.text(&msg!(
                "report-strength",
                variant = clip(&one.variant, NAME),
                strength = signed(one.log_strength),
                low = open(one.low, "−"),
                high = open(one.high, "+")
            ))
        })
        .collect();
    let list = page.show.list(&each);
    page.line(2, &msg!("report-strengths", list = list));
}
