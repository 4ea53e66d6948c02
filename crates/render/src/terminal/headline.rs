//! The verdict's sentences on a terminal, with what speaks against relying on them.

use eval_format::{Report, Tier};
use eval_message::{Message, msg};
use eval_verdict::replacement;
use owo_colors::Style;

use super::{TerminalPage, wrap};
use crate::sentence::{Story, gate, treatments_of, whole_story};
use crate::terminal::harmless::harmless;

/// Reasons that are listed: a thousand capabilities may each be one.
const LISTED: usize = 12;

/// The first reasons, and how many more there are.
pub(crate) fn listed<T>(reasons: &[T]) -> (&[T], Option<Message>) {
    let (shown, rest) = reasons.split_at(reasons.len().min(LISTED));
    (shown, (!rest.is_empty()).then(|| msg!("report-reasons-more", count = rest.len())))
}

pub(super) fn headline<R>(page: &mut TerminalPage, report: &Report<R>) {
    let verdict = &report.verdict;
    replacement_line(page, report);
    for of in whole_story(report, page.show.lang) {
        tagged(page, &of);
        let (doubts, more) = listed(&of.doubts);
        doubts.iter().chain(&more).for_each(|doubt| reason_line(page, doubt));
        if is_invalid(&of) {
            exit_line(page, report);
            if !verdict.per_treatment.is_empty() {
                page.line(2, &msg!("report-numbers-would-say"));
            }
        }
    }
    if verdict.valid {
        exit_line(page, report);
    }
}

/// The verdict on at most so many treatments, with the first doubts, of all treatments together.
pub(super) fn brief_headline<R>(page: &mut TerminalPage, report: &Report<R>, treatments: usize, most: usize) {
    replacement_line(page, report);
    let mut all = whole_story(report, page.show.lang);
    all.sort_by_key(urgency);
    let most = most / all.len().max(1);
    let mut hidden = 0;
    let names = treatments_of(&all);
    let shown = if names.len() > treatments { treatments.saturating_sub(1).max(1) } else { names.len() };
    let is_shown = |of: &&Story| of.treatment.as_ref().is_none_or(|name| names[..shown].contains(&name));
    for of in all.iter().filter(is_shown) {
        tagged(page, of);
        let first = of.doubts.iter().take(if is_invalid(of) { most.max(1) } else { most });
        hidden += of.doubts.len() - first.len();
        first.for_each(|doubt| reason_line(page, doubt));
        if is_invalid(of) && all.len() > 1 {
            page.line(2, &msg!("report-numbers-would-say"));
        }
    }
    if hidden > 0 {
        reason_line(page, &msg!("report-brief-reasons", count = hidden));
    }
    if names.len() > shown {
        page.line(0, &msg!("report-brief-more-treatments", count = names.len() - shown));
    }
}

/// That the file says otherwise.
fn replacement_line<R>(page: &mut TerminalPage, report: &Report<R>) {
    if let Some(said) = replacement(&report.verdict) {
        page.line(0, &harmless(&said));
    }
}

fn is_invalid(of: &Story) -> bool {
    of.tier.is_none() && of.goal.is_none()
}

/// What must not be overlooked comes first, and keeps its order otherwise.
fn urgency(of: &Story) -> u8 {
    match (of.tier, of.goal) {
        (None, None) => 0,
        (None, Some(false)) => 1,
        (None, Some(true)) => 2,
        (Some(Tier::Regress), _) => 3,
        (Some(Tier::Progress), _) => 4,
        (Some(Tier::Cautious), _) => 5,
        (Some(Tier::Underpowered | Tier::Noise | Tier::Solo), _) => 6,
    }
}

/// `TIER  what it means`.
fn tagged(page: &mut TerminalPage, of: &Story) {
    let text = format!("{}  {}", of.tag, page.show.text(&of.sentence));
    let wrapped = wrap(&text, page.show.columns(), 2);
    let painted = wrapped.replacen(&of.tag, &page.show.painted(&of.tag, style(of)), 1);
    page.text.push_str(&painted);
    page.text.push('\n');
}

fn reason_line(page: &mut TerminalPage, reason: &Message) {
    let text = page.show.text(&harmless(reason));
    page.bullet(&text);
}

fn exit_line<R>(page: &mut TerminalPage, report: &Report<R>) {
    if page.show.exit_code {
        page.line(0, &gate(&report.verdict));
    }
}

fn style(of: &Story) -> Style {
    match of.tier {
        None if of.goal == Some(true) => Style::new().green().bold(),
        None if of.goal == Some(false) => Style::new().yellow().bold(),
        Some(Tier::Progress) => Style::new().green().bold(),
        None | Some(Tier::Regress) => Style::new().red().bold(),
        Some(Tier::Cautious | Tier::Underpowered | Tier::Noise) => Style::new().yellow().bold(),
        Some(Tier::Solo) => Style::new().bold(),
    }
}
