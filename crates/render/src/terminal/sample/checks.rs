//! The checks of a sample, a row each, and why those failed that say it.

use crate::minus::points;
use eval_analysis::grouping::label_of;
use eval_format::{AssertionDetail, VariantResult};
use eval_message::plain::clip;
use eval_message::{Arg, msg};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::document::text::{NAME, clauses, harmless};
use crate::show::Show;
use crate::terminal::layout::{pad, widest};
use crate::terminal::page::TerminalPage;

/// Columns of a check's name, and of a value that was measured.
const LABEL: usize = 60;
const ACTUAL: usize = 200;

pub(super) fn checks(page: &mut TerminalPage, arms: &[(&str, &VariantResult)]) {
    let show = page.show;
    let most = arms.iter().map(|(_, of)| of.assertions.details.len()).max().unwrap_or_default();
    if most == 0 {
        return;
    }
    page.title(&msg!("sample-checks"));
    let ends: Vec<Vec<String>> = arms
        .iter()
        .map(|(name, of)| {
            let cells =
                (0..most).map(|i| of.assertions.details.get(i).map_or_else(|| "–".to_owned(), |of| end(show, of)));
            std::iter::once(clip(name, 16)).chain(cells).collect()
        })
        .collect();
    let taken: usize = ends.iter().map(|column| widest(column) + 2).sum();
    let room = show.columns().saturating_sub(taken + 2 + 4).clamp(12, LABEL);
    let labels: Vec<String> =
        std::iter::once(String::new()).chain((0..most).map(|i| format!("{} {}", i + 1, name(arms, i, room)))).collect();
    let width = widest(&labels);
    for (row, label) in labels.iter().enumerate() {
        let cells: Vec<String> = ends.iter().map(|column| pad(&column[row], widest(column))).collect();
        page.text.push_str(format!("  {}  {}", pad(label, width), cells.join("  ")).trim_end());
        page.text.push('\n');
    }
    whys(page, arms);
}

fn name(arms: &[(&str, &VariantResult)], at: usize, width: usize) -> String {
    let of = arms.iter().find_map(|(_, of)| of.assertions.details.get(at));
    of.map_or_else(String::new, |of| clip(&label_of(&of.kind, of.not, &of.written), width))
}

fn end(show: Show, of: &AssertionDetail) -> String {
    if let Some(rating) = of.rating {
        return points(rating);
    }
    show.text(&match (of.passed_runs, of.evaluated_runs, of.passed) {
        (Some(passed), Some(runs), _) if runs > 0 => msg!("report-of", part = passed, whole = runs),
        (_, _, Some(true)) => msg!("sample-passed"),
        (_, _, Some(false)) => msg!("sample-failed"),
        (_, _, None) => msg!("sample-unavailable"),
    })
}

/// Writes what was measured where a check failed or could not be evaluated.
fn whys(page: &mut TerminalPage, arms: &[(&str, &VariantResult)]) {
    for (variant, of) in arms {
        for (at, check) in of.assertions.details.iter().enumerate().filter(|(_, check)| check.passed != Some(true)) {
            let show = page.show;
            let said = check.message_key.as_ref().map(|key| harmless(key).into());
            let said: Option<Arg> = said.or_else(|| check.message.as_ref().map(|text| clip(text, ACTUAL).into()));
            let actual = check.actual.as_ref().filter(|actual| !is_nothing(actual)).map(|actual| match actual {
                Value::String(text) => clip(text, ACTUAL),
                other => clip(&other.to_string(), ACTUAL),
            });
            // what is found in several parts is said in words
            let is_told = said.is_some() && check.actual.as_ref().is_some_and(Value::is_object);
            let found = actual.filter(|_| !is_told).map(|actual| msg!("sample-found", actual = actual).into());
            let parts = [said, found].into_iter().flatten().filter(|text| show.say(text).width() > 0);
            let parts: Vec<Arg> = parts.collect();
            if !parts.is_empty() {
                let why = clauses(parts);
                page.line(2, &msg!("sample-why", number = at + 1, variant = clip(variant, NAME), why = why));
            }
        }
    }
}

/// Returns `true` for what only says that a check failed, which is said already.
fn is_nothing(actual: &Value) -> bool {
    match actual {
        Value::Null | Value::Bool(_) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Object(fields) => fields.values().all(is_nothing),
        Value::Array(_) | Value::Number(_) => false,
    }
}
