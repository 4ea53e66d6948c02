//! Triggers: whether agents load a skill when they should, what changed between variants, what was loaded instead.

use eval_format::{TriggerComparison, TriggerConfusion, TriggerRate, TriggerRates, TriggerReport};
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};

use super::block::{Block, Table, line, title};
use super::text::{NAME, ids, name};
use crate::minus::{p_text, percent};

pub(super) fn blocks(triggers: &TriggerReport, with_counts: bool) -> Vec<Block> {
    let (should, others, near) = (triggers.should, triggers.should_not, triggers.near_misses);
    let title = title(msg!("report-triggers-title", should = should, others = others, near = near));
    let confused = triggers.variants.iter().filter(|rates| !rates.confusion.is_empty()).flat_map(|rates| {
        let about = msg!("report-triggers-confusion", variant = clip(&rates.variant, NAME));
        [line(0, about), Block::Table(confusion(&rates.confusion))]
    });
    std::iter::once(title).chain(numbers(triggers, with_counts)).chain(confused).collect()
}

/// Returns the numbers, what changed between the variants, what went wrong, and what tells nothing.
pub(crate) fn numbers(triggers: &TriggerReport, with_counts: bool) -> Vec<Block> {
    let heads = [
        msg!("report-col-variant"),
        msg!("report-triggers-recall"),
        msg!("report-triggers-precision"),
        msg!("report-triggers-f1"),
    ];
    let rows = triggers.variants.iter().map(|rates| row(rates, with_counts)).collect();
    let table = Table { heads: heads.map(Arg::from).into(), texts: &[0], rows, ..Table::default() };
    let compared = triggers.comparisons.iter().map(flips);
    let wrong = triggers
        .variants
        .iter()
        .filter(|rates| !rates.wrong.is_empty())
        .map(|rates| msg!("report-triggers-wrong", variant = clip(&rates.variant, NAME), list = ids(&rates.wrong)));
    let unmeasured = triggers.variants.iter().filter(|rates| rates.unmeasured > 0).map(|rates| {
        msg!("report-triggers-unmeasured", variant = clip(&rates.variant, NAME), count = rates.unmeasured)
    });
    let notes = compared.chain(wrong).chain(unmeasured).map(|note| line(0, note));
    std::iter::once(Block::Table(table)).chain(notes).collect()
}

fn row(rates: &TriggerRates, with_counts: bool) -> Vec<Arg> {
    let share = |rate: Option<TriggerRate>, whole: Option<u64>| -> Arg {
        let Some(rate) = rate else { return "–".into() };
        let (rate, part) = (interval(&rate), rates.true_positives);
        whole
            .map_or(rate.clone(), |whole| msg!("report-triggers-counts", rate = rate, part = part, whole = whole))
            .into()
    };
    let found = |missed: u64| with_counts.then_some(rates.true_positives + missed);
    vec![
        name(&rates.variant, NAME),
        share(rates.recall, found(rates.false_negatives)),
        share(rates.precision, found(rates.false_positives)),
        share(rates.f1, None),
    ]
}

fn interval(rate: &TriggerRate) -> Message {
    let number = |share: f64| percent(share).trim_end_matches(" %").to_owned();
    msg!("report-triggers-rate", share = percent(rate.estimate), low = number(rate.low), high = number(rate.high))
}

fn flips(comparison: &TriggerComparison) -> Message {
    let listed = |samples: &[String]| if samples.is_empty() { Arg::from("–") } else { ids(samples) };
    msg!(
        "report-triggers-flips",
        control = clip(&comparison.control, NAME),
        treatment = clip(&comparison.treatment, NAME),
        better = comparison.better.len(),
        gained = listed(&comparison.better),
        worse = comparison.worse.len(),
        lost = listed(&comparison.worse),
        p = p_text(comparison.p)
    )
}

/// Returns which skills were loaded for which queries: a row for each kind of query.
fn confusion(rows: &[TriggerConfusion]) -> Table {
    let word = |skill: &str| match skill {
        "self" => msg!("report-triggers-self").into(),
        "none" => msg!("report-triggers-no-skill").into(),
        other => name(other, NAME),
    };
    let mut skills: Vec<&String> = rows.iter().flat_map(|row| row.loaded.keys()).collect();
    skills.sort_by_key(|skill| (skill.as_str() == "none", skill.as_str() != "self", skill.as_str()));
    skills.dedup();
    let heads = std::iter::once(msg!("report-triggers-expected").into()).chain(skills.iter().map(|skill| word(skill)));
    let cells = |row: &TriggerConfusion| {
        let counts = skills.iter().map(|skill| row.loaded.get(*skill).copied().unwrap_or(0).to_string().into());
        std::iter::once(word(&row.expected)).chain(counts).collect()
    };
    Table { indent: 2, heads: heads.collect(), texts: &[0], rows: rows.iter().map(cells).collect() }
}
