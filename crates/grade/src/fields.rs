//! Reading an assertion's fields. The loader has checked their shapes; assertions that were built otherwise get the
//! same errors here instead of a panic.

use eval_message::{Message, msg};
use eval_spec::Assertion;
use eval_spec::types::{FieldProblem, FieldShape, FieldSpec};
use serde_json::Value;

type FieldRead<T> = Result<T, FieldProblem>;

/// A field that must be there.
pub(crate) const fn required(name: &'static str, shape: FieldShape) -> FieldSpec {
    FieldSpec { name, shape, required: true }
}

/// A field that may be there.
pub(crate) const fn optional(name: &'static str, shape: FieldShape) -> FieldSpec {
    FieldSpec { name, shape, required: false }
}

/// A problem with `field`.
pub(crate) fn problem(field: &'static str, message: Message) -> FieldProblem {
    FieldProblem { field, message, help: None }
}

/// The value of a field that must be there.
pub(crate) fn value<'a>(assertion: &'a Assertion, field: &'static str) -> FieldRead<&'a Value> {
    assertion.field(field).ok_or_else(|| problem(field, msg!("grade-field-missing", field = field)))
}

/// A text, possibly empty.
pub(crate) fn text<'a>(assertion: &'a Assertion, field: &'static str) -> FieldRead<&'a str> {
    value(assertion, field)?.as_str().ok_or_else(|| problem(field, msg!("grade-field-not-text", field = field)))
}

/// A text that is not empty, without line ends behind it.
pub(crate) fn filled<'a>(assertion: &'a Assertion, field: &'static str) -> FieldRead<&'a str> {
    match text(assertion, field)? {
        "" => Err(problem(field, msg!("grade-field-empty", field = field))),
        filled => Ok(without_line_ends(filled)),
    }
}

/// A text without the line ends behind it, unless it is nothing else: a block of YAML (`|`, `>`) ends with one that nobody sees,
/// and that no answer need have.
pub(crate) fn without_line_ends(text: &str) -> &str {
    match text.trim_end_matches(['\n', '\r']) {
        "" => text,
        rest => rest,
    }
}

/// A text that may be absent.
pub(crate) fn optional_text<'a>(assertion: &'a Assertion, field: &'static str) -> FieldRead<Option<&'a str>> {
    assertion.field(field).is_some().then(|| filled(assertion, field)).transpose()
}

/// A text, or the text of a number or boolean.
pub(crate) fn text_like(assertion: &Assertion, field: &'static str) -> FieldRead<String> {
    match value(assertion, field)? {
        Value::String(text) => Ok(text.clone()),
        scalar @ (Value::Number(_) | Value::Bool(_)) => Ok(scalar.to_string()),
        _ => Err(problem(field, msg!("grade-field-not-text", field = field))),
    }
}

/// A list of at least one text, each not empty, without line ends behind them.
pub(crate) fn texts<'a>(assertion: &'a Assertion, field: &'static str) -> FieldRead<Vec<&'a str>> {
    value(assertion, field)?;
    match assertion.texts(field) {
        Some(texts) if !texts.is_empty() && texts.iter().all(|text| !text.is_empty()) => {
            Ok(texts.into_iter().map(without_line_ends).collect())
        }
        _ => Err(problem(field, msg!("grade-field-not-texts", field = field))),
    }
}

/// A number that is neither negative nor infinite.
pub(crate) fn number(assertion: &Assertion, field: &'static str) -> FieldRead<f64> {
    value(assertion, field)?
        .as_f64()
        .filter(|number| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| problem(field, msg!("grade-field-not-number", field = field)))
}

/// A share in `0..=1`, or `default` when the field is absent.
pub(crate) fn share_or(assertion: &Assertion, field: &'static str, default: f64) -> FieldRead<f64> {
    match assertion.field(field) {
        None => Ok(default),
        Some(_) => match number(assertion, field)? {
            share if share <= 1.0 => Ok(share),
            _ => Err(problem(field, msg!("grade-field-not-share", field = field))),
        },
    }
}

/// A whole number; `4.0` is one too.
pub(crate) fn whole(assertion: &Assertion, field: &'static str) -> FieldRead<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let written = value(assertion, field)?;
    let float = || written.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=EXACT).contains(number));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and in 0..=2^53")]
    let from_float = || float().map(|number| number as u64);
    written.as_u64().or_else(from_float).ok_or_else(|| problem(field, msg!("grade-field-not-whole", field = field)))
}

/// A whole number of at least 1, or `default` when the field is absent.
pub(crate) fn count_or(assertion: &Assertion, field: &'static str, default: u64) -> FieldRead<u64> {
    match assertion.field(field) {
        None => Ok(default),
        Some(_) => match whole(assertion, field)? {
            0 => Err(problem(field, msg!("grade-field-zero", field = field))),
            count => Ok(count),
        },
    }
}
