//! What judges preferred, for a terminal.

use eval_spec::{Message, msg};

use super::{NAME, Page, clip, harmless, interval};
use crate::contract::{MissingPair, Pairwise, PairwiseComparison, Strengths};
use crate::verdict::{bound, p_text, percent, signed};

/// How many reasons are named.
const REASONS: usize = 3;

/// The section on pairwise judging.
pub(super) fn pairwise(page: &mut Page, of: &Pairwise) {
    page.title(&msg!("report-pairwise-title"));
    for comparison in &of.comparisons {
        compared(page, comparison);
    }
    if let Some(strengths) = &of.strengths {
        ranked(page, strengths);
    }
    page.gap();
}

fn compared(page: &mut Page, of: &PairwiseComparison) {
    let (control, treatment) = (clip(&of.control, NAME), clip(&of.treatment, NAME));
    match of.preference.mean {
        None => page.line(2, &msg!("report-pairwise-none", control = control, treatment = treatment)),
        Some(mean) => {
            let interval = interval(page.show, of.ci());
            let message = msg!(
                "report-pairwise-preference",
                control = control,
                treatment = treatment,
                preference = signed(mean),
                interval = interval,
                samples = of.n
            );
            page.line(2, &message);
            page.line(2, &verdicts(of));
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
fn reasons(page: &Page, missing: &[MissingPair]) -> String {
    let mut tally: Vec<(String, usize)> = Vec::new();
    for one in missing {
        let why = page.show.text(&harmless(&one.why_key));
        let why = match &one.variant {
            Some(variant) => page.show.text(&msg!("report-lost", variant = clip(variant, NAME), list = why)),
            None => why,
        };
        match tally.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => tally.push((why, 1)),
        }
    }
    tally.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let left = tally.len().saturating_sub(REASONS);
    let named = tally.into_iter().take(REASONS).map(|(why, count)| format!("{why} (×{count})")).collect();
    super::shortened(page.show, named, left)
}

fn ranked(page: &mut Page, of: &Strengths) {
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
