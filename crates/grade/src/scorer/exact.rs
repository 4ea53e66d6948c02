//! `exact_match`: deep equality of JSON values.
//!
//! - Texts are trimmed of white space around them, then compared code point by code point; nothing is normalised, so `é`
//!   in one code point is not `é` in two. With `caseSensitive: false` both are folded first (full Unicode case folding).
//! - Numbers are compared by value, digit by digit and however many there are: `25` is `25.0`, and `0.3` is not
//!   `0.30000000000000004`.
//! - A text and a number are equal when the text, trimmed, is a decimal number of that value: `"25"`, `"25.0"`, `"2.5e1"`,
//!   `"+25"`, `"025"`. `"0x19"`, `"1,000"`, `"25 %"` and `"NaN"` are no numbers. Two texts are compared as texts: `"1.10"`
//!   is not `"1.1"`; but a number with more digits than a float can hold is read as a text
//!   ([`read_exactly`](eval_spec::callable::read_exactly)), so two texts that are such numbers are compared as numbers.
//! - Objects and lists are equal to objects and lists only, never to a text; the order of keys doesn't matter, that of
//!   items does. Keys are always case-sensitive and not trimmed. `true` is not `"true"`.
//!
//! What is expected is compared with the result and with the whole output: `"5"` and `{"result": "5"}` both match
//! an output of `{"result": "5"}`.

use eval_message::msg;
use eval_spec::callable::Decimal;
use serde_json::Value;

use super::result::result;
use super::shown::shown;
use crate::finding::CheckFinding;
use crate::fold::fold_fully;
use crate::scorer::scored::{CompiledScorer, ScoredOutput};

pub(super) fn compile(value: &Value, case_sensitive: bool) -> CompiledScorer {
    let (expected, texts): (Value, TextComparison) =
        (value.clone(), if case_sensitive { same_text } else { same_folded });
    CompiledScorer::quick(move |seen| score(&expected, seen, texts))
}

fn score(expected: &Value, seen: &ScoredOutput<'_>, texts: TextComparison) -> CheckFinding {
    let found = result(seen.output);
    let equal = equal(expected, found, texts) || equal(expected, seen.output, texts);
    let reason = match equal {
        true => msg!("skills-grade-equal", expected = shown(expected)),
        false => msg!("skills-grade-differs", actual = shown(found), expected = shown(expected)),
    };
    CheckFinding::verdict(equal, reason)
}

/// How two texts are compared.
type TextComparison = fn(&str, &str) -> bool;

fn same_text(a: &str, b: &str) -> bool {
    a.trim() == b.trim()
}

fn same_folded(a: &str, b: &str) -> bool {
    fold_fully(a.trim()) == fold_fully(b.trim())
}

/// Whether two values are equal by the rules above; values are never nested deeper than their reader allows.
fn equal(a: &Value, b: &Value, texts: TextComparison) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => Decimal::of(a) == Decimal::of(b),
        (Value::String(a), Value::String(b)) => texts(a, b) || same_beyond_floats(a, b),
        (Value::String(text), Value::Number(number)) | (Value::Number(number), Value::String(text)) => {
            Decimal::read(text).is_some_and(|read| read.is(number))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, texts)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b, texts)))
        }
        _ => false,
    }
}

/// The same, byte for byte but for the writing of numbers: what arguments of a call are compared by.
pub(super) fn identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::String(_), _) | (_, Value::String(_)) => false,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| identical(a, b)))
        }
        _ => equal(a, b, |a, b| a == b),
    }
}

/// Whether two texts are the same number, one that no float holds.
fn same_beyond_floats(a: &str, b: &str) -> bool {
    let number = Decimal::read(a).filter(|number| !number.fits(a.trim()));
    number.is_some_and(|number| Decimal::read(b) == Some(number))
}
