//! Whether agents load a skill when they should: a table of the variants, what changed between them, what was loaded
//! instead. The terminal and the other layouts show the same rows.

use crate::minus::{p_text, percent};
use eval_format::{TriggerComparison, TriggerConfusion, TriggerRate, TriggerRates, TriggerReport};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::layout::columns;
use super::{Show, TerminalPage, and_more};
use crate::terminal::names::{LISTED, NAME, id};

/// The section, with what was loaded instead.
pub(super) fn triggers(page: &mut TerminalPage, of: &TriggerReport) {
    page.title(&title(of));
    table(page, of);
    for variant in &of.variants {
        confusion(page, variant);
    }
    page.gap();
}

/// The numbers and what changed.
pub(super) fn table(page: &mut TerminalPage, of: &TriggerReport) {
    let show = page.show;
    let text = |message: &Message| show.text(message);
    let heads = heads().map(|head| text(&head));
    let with_counts = show.columns() >= 80;
    let rows = of.variants.iter().map(|variant| row(variant, clip(&variant.variant, NAME), with_counts, text));
    for line in columns(&std::iter::once(heads).chain(rows).collect::<Vec<_>>()) {
        page.raw(0, &line);
    }
    let names = TriggerNames { name: &quoted, ids: &|ids| listed(show, ids) };
    for message in notes(of, &names) {
        page.line(0, &message);
    }
}

fn quoted(name: &str) -> String {
    format!("`{}`", clip(name, NAME))
}

fn listed(show: Show, ids: &[String]) -> String {
    and_more(show, ids.iter().take(LISTED).map(|of| id(of)).collect(), ids.len().saturating_sub(LISTED))
}

/// The title, with the numbers of queries.
pub(crate) fn title(of: &TriggerReport) -> Message {
    msg!("report-triggers-title", should = of.should, others = of.should_not, near = of.near_misses)
}

pub(crate) fn heads() -> [Message; 4] {
    [
        msg!("report-col-variant"),
        msg!("report-triggers-recall"),
        msg!("report-triggers-precision"),
        msg!("report-triggers-f1"),
    ]
}

/// A variant's row, under [`heads`].
pub(crate) fn row(
    of: &TriggerRates,
    name: String,
    with_counts: bool,
    text: impl Fn(&Message) -> String,
) -> [String; 4] {
    let share = |rate: Option<TriggerRate>, part: u64, whole: u64| match rate {
        None => "–".to_owned(),
        Some(rate) if with_counts => format!("{} {part}/{whole}", interval(&rate, &text)),
        Some(rate) => interval(&rate, &text),
    };
    let tp = of.true_positives;
    [
        name,
        share(of.recall, tp, tp + of.false_negatives),
        share(of.precision, tp, tp + of.false_positives),
        of.f1.map_or_else(|| "–".to_owned(), |rate| interval(&rate, &text)),
    ]
}

fn interval(of: &TriggerRate, text: impl Fn(&Message) -> String) -> String {
    let number = |share: f64| percent(share).trim_end_matches(" %").to_owned();
    text(&msg!("report-triggers-rate", share = percent(of.estimate), low = number(of.low), high = number(of.high)))
}

/// Names and lists of ids as a layout writes them.
pub(crate) struct TriggerNames<'f> {
    pub(crate) name: &'f dyn Fn(&str) -> String,
    pub(crate) ids: &'f dyn Fn(&[String]) -> String,
}

/// What changed between the variants, what went wrong, and what tells nothing.
pub(crate) fn notes(of: &TriggerReport, names: &TriggerNames<'_>) -> Vec<Message> {
    let compared = of.comparisons.iter().map(|of| flips(of, names));
    let wrong = of.variants.iter().filter(|variant| !variant.wrong.is_empty()).map(|variant| {
        let list = (names.ids)(&variant.wrong);
        msg!("report-triggers-wrong", variant = (names.name)(&variant.variant), list = list)
    });
    let unmeasured = of.variants.iter().filter(|variant| variant.unmeasured > 0).map(|variant| {
        let name = (names.name)(&variant.variant);
        msg!("report-triggers-unmeasured", variant = name, count = variant.unmeasured)
    });
    compared.chain(wrong).chain(unmeasured).collect()
}

fn flips(of: &TriggerComparison, names: &TriggerNames<'_>) -> Message {
    let listed = |ids: &[String]| if ids.is_empty() { "–".to_owned() } else { (names.ids)(ids) };
    msg!(
        "report-triggers-flips",
        control = (names.name)(&of.control),
        treatment = (names.name)(&of.treatment),
        better = of.better.len(),
        gained = listed(&of.better),
        worse = of.worse.len(),
        lost = listed(&of.worse),
        p = p_text(of.p)
    )
}

fn confusion(page: &mut TerminalPage, of: &TriggerRates) {
    if of.confusion.is_empty() {
        return;
    }
    let show = page.show;
    page.line(0, &msg!("report-triggers-confusion", variant = quoted(&of.variant)));
    let (heads, rows) = confusion_table(&of.confusion, |name| clip(name, NAME), |message| show.text(message));
    for line in columns(&std::iter::once(heads).chain(rows).collect::<Vec<_>>()) {
        page.raw(2, &line);
    }
}

/// The table of what was loaded for which queries: its heads, and a row for each kind of query.
pub(crate) fn confusion_table(
    of: &[TriggerConfusion],
    name: impl Fn(&str) -> String,
    text: impl Fn(&Message) -> String,
) -> (Vec<String>, Vec<Vec<String>>) {
    let word = |skill: &str| match skill {
        "self" => text(&msg!("report-triggers-self")),
        "none" => text(&msg!("report-triggers-no-skill")),
        other => name(other),
    };
    let mut skills: Vec<&String> = of.iter().flat_map(|row| row.loaded.keys()).collect();
    skills.sort_by_key(|skill| (skill.as_str() == "none", skill.as_str() != "self", skill.as_str()));
    skills.dedup();
    let heads = std::iter::once(text(&msg!("report-triggers-expected"))).chain(skills.iter().map(|skill| word(skill)));
    let row = |of: &TriggerConfusion| {
        let counts = skills.iter().map(|skill| of.loaded.get(*skill).copied().unwrap_or(0).to_string());
        std::iter::once(word(&of.expected)).chain(counts).collect()
    };
    (heads.collect(), of.iter().map(row).collect())
}
