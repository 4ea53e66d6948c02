//! Numbers by their value, not by the nearest float.
//!
//! A [`Number`] is a 64-bit integer or a float: `15511210043330985984000000` is rounded to `1.5511210043330986e25`, which
//! equals other numbers, too. So a number in an answer that doesn't fit is read as the text it is written as
//! ([`read_exactly`]), and one that is expected is refused when a benchmark is loaded. Nothing is ever expanded: a
//! number takes no more room than its digits, however large its exponent.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::halves::{read_mended, without_halves};

/// A decimal number: `0.DIGITS × 10^exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    is_negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// The number that `text` is, white space around it aside: a sign or none, digits with a `.` or none, an exponent or
    /// none. No other notation is read.
    #[must_use]
    pub fn read(text: &str) -> Option<Decimal> {
        let text = text.trim();
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, whole(exponent)?),
            None => (unsigned, 0),
        };
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if before.is_empty() && after.is_empty() || !is_digits(before) || !is_digits(after) {
            return None;
        }
        let before = before.trim_start_matches('0');
        let all = [before, after].concat();
        let digits = all.trim_start_matches('0');
        let point = i64::try_from(before.len()).ok()? - i64::try_from(all.len() - digits.len()).ok()?;
        let digits = digits.trim_end_matches('0');
        Some(match digits.is_empty() {
            true => Decimal { is_negative: false, digits: String::new(), exponent: 0 },
            false => Decimal {
                is_negative: text.starts_with('-'),
                digits: digits.to_owned(),
                exponent: exponent.checked_add(point)?,
            },
        })
    }

    /// The number that `number` is; of a float, its shortest writing.
    #[must_use]
    pub fn of(number: &Number) -> Option<Decimal> {
        match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => Decimal::read(&format!("{float:e}")),
            None => Decimal::read(&number.to_string()),
        }
    }

    /// Whether `number` is this number. A float is also what programs write that always write 17 digits, as `%.17g`
    /// does: `0.10000000000000001` is 0.1. A whole number is no other number.
    #[must_use]
    pub fn is(&self, number: &Number) -> bool {
        let long = || number.as_f64().filter(|_| number.is_f64() && !self.is_whole());
        // Of two shortest writings that are equally near, JSON's may be the other one.
        let json = || Decimal::read(&number.to_string());
        Decimal::of(number).as_ref() == Some(self)
            || json().as_ref() == Some(self)
            || long().is_some_and(|float| Decimal::read(&format!("{float:.16e}")).as_ref() == Some(self))
    }

    /// Whether it has no fraction.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|digits| digits <= self.exponent.max(0))
    }

    /// Whether it, that is written so, is what a [`Number`] holds.
    #[must_use]
    pub fn fits(&self, written: &str) -> bool {
        // A float that is out of range is no number of `serde_json`.
        let whole = written.parse().ok().filter(|number: &Number| !number.is_f64());
        let float = || Number::from_f64(written.parse().ok()?);
        whole.or_else(float).is_some_and(|number| self.is(&number))
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn whole(exponent: &str) -> Option<i64> {
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    exponent.parse().ok().filter(|_| is_digits(digits))
}

/// Reads JSON; a number that no [`Number`] holds exactly becomes the text it is written as, for a text is equal to the
/// number it spells.
///
/// # Errors
/// It is no JSON, or nested too deep.
pub fn read_exactly(json: &str) -> serde_json::Result<Value> {
    match with_texts(json) {
        Some(json) => read_mended(&json),
        None => read_mended(json),
    }
}

/// JSON on one line, each number as it is written if any of them fits no [`Number`]; `None` if it can't be read.
#[must_use]
pub fn compact(json: &str) -> Option<String> {
    let value = read_exactly(json).ok()?;
    match with_texts(json) {
        Some(_) => Some(without_space(&without_halves(json).map_or(Cow::Borrowed(json), Cow::Owned))),
        None => Some(value.to_string()),
    }
}

/// `json` with quotes around the numbers that fit no [`Number`], if there are any.
fn with_texts(json: &str) -> Option<String> {
    /// Numbers with so few digits fit.
    const SHORT: usize = 15;
    let bytes = json.as_bytes();
    let (mut quoted, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(byte) = bytes.get(at) {
        let begin = at;
        match byte {
            b'"' => at = end_of_text(bytes, at),
            b'-' | b'0'..=b'9' => {
                let is_of_it = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                at += bytes[at..].iter().take_while(is_of_it).count();
                let written = &json[begin..at];
                let is_short = written.len() <= SHORT && !written.contains(['e', 'E']);
                let is_number = || serde_json::from_str::<&RawValue>(written).is_ok();
                if !is_short && is_number() && !Decimal::read(written).is_some_and(|number| number.fits(written)) {
                    quoted.push_str(&json[copied..begin]);
                    quoted.extend(["\"", written, "\""]);
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    quoted.push_str(&json[copied..]);
    (copied > 0).then_some(quoted)
}

/// Where the text that begins at `start` ends.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// What is JSON, without the space between its parts.
fn without_space(json: &str) -> String {
    let bytes = json.as_bytes();
    let (mut compact, mut at) = (String::with_capacity(json.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let begin = at;
        at = match byte {
            b'"' => end_of_text(bytes, at).min(bytes.len()),
            _ => at + 1,
        };
        if !byte.is_ascii_whitespace() {
            compact.push_str(&json[begin..at]);
        }
    }
    compact
}
