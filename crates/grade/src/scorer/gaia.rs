//! `gaia`: GAIA's quasi-exact match, as the benchmark's authors publish it (Mialon et al. 2023, arXiv:2311.12983;
//! `scorer.py` of the leaderboard). What is expected decides how the result is read:
//!
//! - a number: `$`, `%` and `,` are taken out of the result, which must then be that number;
//! - a list, which is what has a `,` or `;`: both are split there and must be of equal length; items are compared in
//!   order, numbers as above, texts in lower case without any white space;
//! - a text: both in lower case, without any white space and without ASCII punctuation.
//!
//! Three things differ from the published program or are left open by it: a result that is no number never equals one
//! (there, it is infinity, which an expected `inf` would match), a result that is a JSON list is compared item by item,
//! and two whole numbers are compared digit by digit, where it compares the floats next to them.

use std::borrow::Cow;

use eval_message::{Message, msg};
use eval_spec::callable::Decimal;
use serde_json::Value;

use super::result::result;
use super::shown::shown;
use crate::finding::CheckFinding;
use crate::scorer::scored::CompiledScorer;

pub(super) fn compile(answer: &str) -> Result<CompiledScorer, Message> {
    if answer.trim().is_empty() || answer.trim() == "?" {
        return Err(msg!("skills-grade-no-answer"));
    }
    let answer = answer.to_owned();
    Ok(CompiledScorer::quick(move |seen| {
        let found = result(seen.output);
        let expected = shown(&Value::from(answer.as_str()));
        match matches(found, &answer) {
            true => CheckFinding::verdict(true, msg!("skills-grade-equal", expected = expected)),
            false => {
                CheckFinding::verdict(false, msg!("skills-grade-differs", actual = shown(found), expected = expected))
            }
        }
    }))
}

/// Whether a result is the answer.
fn matches(result: &Value, answer: &str) -> bool {
    match result {
        Value::Array(items) if is_list(answer) => same_items(&items.iter().map(text).collect::<Vec<_>>(), answer),
        // One item is what it is without a list around it.
        Value::Array(items) if items.len() == 1 => items.iter().all(|item| same(&text(item), answer)),
        // Their brackets and quotes would vanish as punctuation.
        Value::Array(_) | Value::Object(_) | Value::Null => false,
        scalar => same(&text(scalar), answer),
    }
}

fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

fn is_list(answer: &str) -> bool {
    number(answer).is_none() && answer.contains([',', ';'])
}

fn same(result: &str, answer: &str) -> bool {
    if let Some(expected) = number(answer) {
        return is_number(result, expected, answer);
    }
    match is_list(answer) {
        true => same_items(&result.split([',', ';']).map(Cow::Borrowed).collect::<Vec<_>>(), answer),
        false => plain(result, true) == plain(answer, true),
    }
}

fn same_items(items: &[Cow<'_, str>], answer: &str) -> bool {
    let expected: Vec<&str> = answer.split([',', ';']).collect();
    items.len() == expected.len()
        && items.iter().zip(expected).all(|(item, expected)| match number(expected) {
            Some(number) => is_number(item, number, expected),
            None => plain(item, false) == plain(expected, false),
        })
}

/// `written` is the expected number as written.
fn is_number(result: &str, expected: f64, written: &str) -> bool {
    let result = result.replace(['$', '%', ','], "");
    let whole = |text: &str| Decimal::read(&text.replace('_', "")).filter(Decimal::is_whole);
    #[expect(clippy::float_cmp, reason = "as published")]
    let equal = number(&result).is_some_and(|found| found == expected);
    equal && whole(&result).zip(whole(written)).is_none_or(|(found, expected)| found == expected)
}

/// What Python's `float` makes of a text: white space around it and single `_` between digits are allowed.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let mut bytes = text.bytes().enumerate();
    let digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let joined = bytes.all(|(at, byte)| byte != b'_' || (at > 0 && digit_at(at - 1) && digit_at(at + 1)));
    joined.then(|| text.replace('_', "").parse().ok()).flatten()
}

fn plain(text: &str, without_punctuation: bool) -> String {
    let lower = text.to_lowercase();
    lower.chars().filter(|c| !(c.is_whitespace() || without_punctuation && c.is_ascii_punctuation())).collect()
}
