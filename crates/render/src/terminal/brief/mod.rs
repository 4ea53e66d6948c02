//! The summary that fits one screen: what was compared, the numbers, what matters, then the verdict, what to do next and
//! where the report lies. A terminal is read from its end.

mod commands;
mod matters;
mod table;

use eval_format::{Comparison, Report, Tier};
use eval_message::plain::{clean, clip};
use eval_message::{Arg, Message, msg};
use unicode_width::UnicodeWidthStr;

use super::TerminalPage;
use crate::document::difference::{apart, difference};
use crate::document::holdout::gap_line;
use crate::document::pairwise::preference;
use crate::document::same_artifact::wavering;
use crate::document::stopping::outcome;
use crate::document::story::{Story, gate, of_this_run, treatments_of, whole_story};
use crate::document::text::{NAME, and_more, harmless};
use crate::document::verdict::{replaced, tagged};
use crate::document::{Block, about, cached_control, circumstances, costs, gaps, imported, item, line, triggers};
use crate::show::Show;

pub use commands::StoredAt;

/// The rows of a terminal of 24, less that of the prompt.
const ROWS: usize = 23;
/// Treatments whose preferences have a line.
const TREATMENTS: usize = 4;
/// Treatments that are named as compared.
const SHOWN: usize = 3;

/// The summary of a report on one screen; all of it is [`summary_text`](super::summary_text).
#[must_use]
pub fn brief_text<R>(report: &Report<R>, show: Show, at: Option<StoredAt<'_>>) -> String {
    let matters = matters::matters(report, show);
    let page = |most: usize, reasons: usize, explained: bool| {
        let mut page = TerminalPage::new(show);
        numbers(&mut page, report);
        matters.print(&mut page, most, at);
        page.gap();
        // The verdicts of many treatments give way as what matters does.
        headline(&mut page, report, most.clamp(1, TREATMENTS), reasons);
        ending(&mut page, report);
        next(&mut page, report);
        if let Some(at) = at {
            commands::commands(&mut page, report, at, explained);
            page.unbroken(&msg!("report-path", path = clean(at.path)));
        }
        page.text
    };
    // what is said in more words, and then what matters least, gives way
    let forms = [
        (8, 4, true),
        (6, 3, true),
        (5, 3, true),
        (4, 3, true),
        (5, 2, false),
        (4, 2, false),
        (4, 1, false),
        (3, 1, false),
        (2, 1, false),
        (1, 1, false),
    ];
    let mut last = String::new();
    for (most, reasons, explained) in forms {
        last = page(most, reasons, explained);
        if rows(&last, show) <= ROWS {
            break;
        }
    }
    last
}

/// The rows of a terminal that a text takes.
fn rows(text: &str, show: Show) -> usize {
    text.lines().map(|line| without_colour(line).width().div_ceil(show.columns()).max(1)).sum()
}

fn without_colour(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, after)| after))
}

fn numbers<R>(page: &mut TerminalPage, report: &Report<R>) {
    let stopping = report.stopping.as_ref().map(outcome);
    let facts = std::iter::once(compared(report)).chain(imported(report)).chain(circumstances(report)).chain(stopping);
    page.blocks(&facts.map(|message| line(0, message)).collect::<Vec<_>>());
    page.text.push_str(&table::variants(report, page.show));
    if report.comparisons.len() < 2 {
        page.gap();
    }
    let is_scored = report.summary.values().any(|summary| summary.planned_scores > 0) || report.pairwise.is_none();
    let compared: Vec<&Comparison> = report.comparisons.iter().filter(|_| is_scored).collect();
    let mut blocks: Vec<Block> = match compared.as_slice() {
        [] => Vec::new(),
        [only] => {
            let apart = apart(report, only).map(|message| line(2, message));
            std::iter::once(line(0, difference(only))).chain(apart).collect()
        }
        several => {
            let is_apart = several.iter().any(|comparison| apart(report, comparison).is_some());
            let apart = is_apart.then(|| msg!("report-brief-apart-several"));
            family(several).into_iter().chain(apart).map(|message| line(0, message)).collect()
        }
    };
    blocks.extend(report.triggers.iter().flat_map(|of| triggers::numbers(of, page.show.columns() >= 80)));
    let preferences = report.pairwise.iter().flat_map(|of| &of.comparisons).take(TREATMENTS).map(preference);
    let holdout = report.holdout.as_ref().and_then(gap_line);
    let gaps = gaps::gap_line(report, MISSING).map(|message| harmless(&message));
    blocks.extend(preferences.chain(holdout).chain(gaps).map(|message| line(0, message)));
    let same_artifact = report.comparisons.first().filter(|_| report.meta.settings.aa);
    blocks.extend(same_artifact.map(|comparison| line(2, wavering(comparison))));
    blocks.extend(cached_control(report).map(|message| line(0, message)));
    page.blocks(&blocks);
}

/// Missing things that the gap line names.
const MISSING: usize = 2;

/// Returns that the intervals of several treatments hold at once.
fn family(of: &[&Comparison]) -> Option<Message> {
    let family = of.iter().filter_map(|one| one.diff.ci).map(|ci| ci.family).max()?;
    (family > 1).then(|| msg!("report-brief-family", family = family))
}

/// Returns who was compared with whom, on what.
fn compared<R>(report: &Report<R>) -> Message {
    let names: Vec<String> = report.meta.variants.iter().map(|name| format!("`{}`", clip(name, NAME))).collect();
    match names.split_first() {
        Some((control, treatments)) if !treatments.is_empty() => {
            let named = treatments.iter().take(SHOWN).map(Arg::from);
            let treatments = and_more(named, treatments.len().saturating_sub(SHOWN));
            msg!("report-brief-about", treatments = treatments, control = control, about = about(report))
        }
        Some((only, _)) => msg!("report-brief-solo", variant = only, about = about(report)),
        None => msg!("report-brief-solo", variant = "–", about = about(report)),
    }
}

/// Writes the verdict on at most so many treatments, with the first doubts, of all treatments together.
fn headline<R>(page: &mut TerminalPage, report: &Report<R>, treatments: usize, most: usize) {
    let mut blocks: Vec<Block> = replaced(report).into_iter().collect();
    let mut all = whole_story(report, page.show.lang);
    all.sort_by_key(urgency);
    let most = most / all.len().max(1);
    let mut hidden = 0;
    let names = treatments_of(&all);
    let shown = if names.len() > treatments { treatments.saturating_sub(1).max(1) } else { names.len() };
    let is_shown = |story: &&Story| story.treatment.as_ref().is_none_or(|name| names[..shown].contains(&name));
    for story in all.iter().filter(is_shown) {
        let is_invalid = story.is_of_invalid_run();
        let first = story.doubts.iter().take(if is_invalid { most.max(1) } else { most });
        hidden += story.doubts.len() - first.len();
        blocks.push(tagged(story));
        blocks.extend(first.map(|doubt| item(harmless(doubt))));
        blocks.extend((is_invalid && all.len() > 1).then(|| line(2, msg!("report-numbers-would-say"))));
    }
    blocks.extend((hidden > 0).then(|| item(msg!("report-brief-reasons", count = hidden))));
    let more = names.len() - shown;
    blocks.extend((more > 0).then(|| line(0, msg!("report-brief-more-treatments", count = more))));
    page.blocks(&blocks);
}

/// Returns a rank: what must not be overlooked comes first, and keeps its order otherwise.
fn urgency(story: &Story) -> u8 {
    match (story.tier, story.goal) {
        (None, None) => 0,
        (None, Some(false)) => 1,
        (None, Some(true)) => 2,
        (Some(Tier::Regress), _) => 3,
        (Some(Tier::Progress), _) => 4,
        (Some(Tier::Cautious), _) => 5,
        (Some(Tier::Underpowered | Tier::Noise | Tier::Solo), _) => 6,
    }
}

/// Writes what the exit code means, and what the run cost.
fn ending<R>(page: &mut TerminalPage, report: &Report<R>) {
    let show = page.show;
    let exit = show.exit_code.then(|| gate(&report.verdict));
    let all: Vec<String> = exit.into_iter().chain(costs(report)).map(|part| show.text(&part)).collect();
    page.raw(0, &all.join(show.semicolon()));
}

/// The most pressing advice.
fn next<R>(page: &mut TerminalPage, report: &Report<R>) {
    let show = page.show;
    let most = if report.comparisons.len() > 1 { 1 } else { 2 };
    for suggestion in report.analysis.suggestions.iter().take(most) {
        let text = of_this_run(&show.text(&harmless(&suggestion.message_key)), &report.id);
        page.line(0, &msg!("report-brief-next", text = text));
    }
}
