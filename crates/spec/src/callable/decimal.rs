//! Numbers by their value, not by the nearest float.
//!
//! A [`Number`] is a 64-bit integer or a float: of `15511210043330985984000000` it keeps `1.5511210043330986e25`, which
//! another number would pass for. So a number in an answer that doesn't fit is read as the text it is written as
//! ([`read_exactly`]), and one that is expected is refused when a benchmark is loaded. Nothing is ever expanded: a
//! number takes no more room than its digits, however large its exponent.

use serde_json::value::RawValue;
use serde_json::{Number, Value};

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
        Decimal::of(number).as_ref() == Some(self)
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
        Some(json) => serde_json::from_str(&json),
        None => serde_json::from_str(json),
    }
}

/// JSON on one line, each number as it is written if any of them fits no [`Number`]; `None` if it can't be read.
#[must_use]
pub fn compact(json: &str) -> Option<String> {
    let value = read_exactly(json).ok()?;
    match with_texts(json) {
        Some(_) => Some(without_space(json)),
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn same(a: &str, b: &str) -> bool {
        Decimal::read(a).unwrap() == Decimal::read(b).unwrap()
    }

    #[test]
    fn numbers_are_equal_by_value() {
        for (a, b) in [
            ("25", "25.0"),
            ("25", "2.5e1"),
            ("25", "+0025."),
            ("25", "250e-1"),
            ("0.05", "5e-2"),
            (".5", "0.50"),
            ("-0", "0.0e7"),
            ("15511210043330985984000000", "1.5511210043330985984e25"),
            ("1e999999999", "10e999999998"),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("15511210043330985984000000", "15511210043330985984000001"),
            ("3.14159265358979323846", "3.14159265358979323847"),
            ("1", "-1"),
            ("1e999999999", "1e999999998"),
            ("0.3", "0.30000000000000004"),
        ] {
            assert!(!same(a, b), "{a} {b}");
        }
        for none in ["", ".", "e5", "1e", "1e+", "1e+-5", "--1", "0x10", "1_000", "1,000", "NaN", "inf", "٢٥", "5 %"]
        {
            assert_eq!(Decimal::read(none), None, "{none}");
        }
        assert_eq!(Decimal::read("1e99999999999999999999"), None);
    }

    #[test]
    fn what_no_float_holds_is_read_as_text() {
        let read = |json: &str| read_exactly(json).unwrap();
        assert_eq!(read("15511210043330985984000001"), json!("15511210043330985984000001"));
        assert_eq!(read(r#"{"a": [1, 25.0, -9007199254740993.0]}"#), json!({"a": [1, 25.0, "-9007199254740993.0"]}));
        assert_eq!(read("[1e400, 1e-400]"), json!(["1e400", "1e-400"]));
        assert_eq!(read("18446744073709551615"), json!(u64::MAX));
        assert_eq!(read("[1e25, 0.1, 0.10000000000000001, 0.30000000000000004]"), json!([1e25, 0.1, 0.1, 0.1 + 0.2]));
        assert_eq!(read(r#""\" 15511210043330985984000001""#), json!("\" 15511210043330985984000001"));
        assert!(read_exactly("00000000000000000000000001").is_err() && read_exactly("{\"").is_err());
        assert_eq!(compact("{ \"a b\" : 1e400 ,\n \"c\": 1.0}").as_deref(), Some(r#"{"a b":1e400,"c":1.0}"#));
        assert_eq!(compact("{ \"a\" : 1.50 }").as_deref(), Some(r#"{"a":1.5}"#));
    }

    proptest! {
        #[test]
        fn a_number_fits_as_it_is_written(float in any::<f64>(), whole in any::<i64>()) {
            prop_assume!(float.is_finite());
            let long = Some(format!("{float:.16e}")).filter(|_| float.fract() != 0.0);
            for written in [format!("{float:e}"), format!("{float:?}"), whole.to_string()].into_iter().chain(long) {
                prop_assert!(Decimal::read(&written).unwrap().fits(&written), "{}", written);
            }
        }

        #[test]
        fn hostile_text_is_read_without_harm(text in "[-+0-9.eE \"\\\\é{}\\[\\],:]{0,60}") {
            if let (Ok(plain), Ok(exact)) = (serde_json::from_str::<Value>(&text), read_exactly(&text)) {
                prop_assert!(with_texts(&text).is_some() || plain == exact);
            }
            let _ = compact(&text);
        }
    }
}
