//! The summary that fits one screen: what was compared, the numbers, what matters, then the verdict, what to do next and
//! where the report lies. A terminal is read from its end.

mod commands;
mod matters;
mod table;

use eval_format::{Comparison, Report};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use unicode_width::UnicodeWidthStr;

use super::gaps::gap_line;
use super::headline::brief_headline;
use super::{Show, TerminalPage, about, and_more, cached_control, circumstances, costs, harmless, imported};
use crate::sentence::{gate, of_this_run};
use crate::terminal::difference;
use crate::terminal::names::NAME;

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
        brief_headline(&mut page, report, most.clamp(1, TREATMENTS), reasons);
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
    let show = page.show;
    page.line(0, &compared(show, report));
    imported(report, show.lang).iter().for_each(|message| page.line(0, message));
    circumstances(report, |each| show.list(each)).iter().for_each(|line| page.line(0, line));
    if let Some(of) = &report.stopping {
        page.line(0, &super::stopping::outcome(of));
    }
    page.text.push_str(&table::variants(report, show));
    if report.comparisons.len() < 2 {
        page.gap();
    }
    let is_scored = report.summary.values().any(|of| of.planned_scores > 0);
    let compared: Vec<&Comparison> =
        report.comparisons.iter().filter(|_| is_scored || report.pairwise.is_none()).collect();
    match compared.as_slice() {
        [] => {}
        [one] => {
            page.raw(0, &difference::difference(show, one));
            difference::apart(report, one).iter().for_each(|message| page.line(2, message));
        }
        several => {
            let is_apart = several.iter().any(|one| difference::apart(report, one).is_some());
            let apart = is_apart.then(|| msg!("report-brief-apart-several"));
            family(several).iter().chain(&apart).for_each(|message| page.line(0, message));
        }
    }
    if let Some(of) = &report.triggers {
        super::triggers::table(page, of);
    }
    if let Some(of) = &report.pairwise {
        super::pairwise::preferences(page, of, TREATMENTS);
    }
    if let Some(of) = &report.holdout {
        super::holdout::gaps(page, of);
    }
    gap_line(report, MISSING).iter().for_each(|message| page.line(0, &harmless(message)));
    if report.meta.settings.aa {
        super::same_artifact::wavers(page, report);
    }
    cached_control(report, show.lang).iter().for_each(|message| page.line(0, message));
}

/// Missing things that the gap line names.
const MISSING: usize = 2;

/// That the intervals of several treatments hold at once.
fn family(of: &[&Comparison]) -> Option<Message> {
    let family = of.iter().filter_map(|one| one.diff.ci).map(|ci| ci.family).max()?;
    (family > 1).then(|| msg!("report-brief-family", family = family))
}

/// Who was compared with whom, on what.
fn compared<R>(show: Show, report: &Report<R>) -> Message {
    let about = show.text(&about(report));
    let names: Vec<String> = report.meta.variants.iter().map(|name| format!("`{}`", clip(name, NAME))).collect();
    match names.split_first() {
        Some((control, treatments)) if !treatments.is_empty() => {
            let named = treatments.iter().take(SHOWN).cloned().collect();
            let treatments = and_more(show, named, treatments.len().saturating_sub(SHOWN));
            msg!("report-brief-about", treatments = treatments, control = control, about = about)
        }
        Some((only, _)) => msg!("report-brief-solo", variant = only, about = about),
        None => msg!("report-brief-solo", variant = "–", about = about),
    }
}

/// What the exit code means, and what the run cost.
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
