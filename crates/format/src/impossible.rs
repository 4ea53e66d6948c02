//! Values that nothing can have measured: somebody changed the file that they stand in.

use eval_message::plain::clip;
use eval_message::{Message, msg};
use jiff::Timestamp;

use crate::skills::RateInterval;

/// Stored rates have twelve digits.
pub(crate) const ROUNDED: f64 = 1e-9;

/// Larger numbers are no count of anything, and no reader of JSON keeps them exactly.
const MOST: u64 = 1 << 53;

/// How much of a value is shown.
const SHOWN: usize = 60;

/// A stored value that can't be one, with its place.
#[derive(Debug)]
pub(crate) struct ImpossibleValue {
    field: String,
    value: String,
}

impl ImpossibleValue {
    pub(crate) fn new(field: &str, value: impl ToString) -> ImpossibleValue {
        ImpossibleValue { field: field.to_owned(), value: value.to_string() }
    }

    /// The same as a part of what is at `place`.
    pub(crate) fn inside(self, place: &str) -> ImpossibleValue {
        ImpossibleValue { field: format!("{place}.{}", self.field), ..self }
    }

    pub(crate) fn message(&self) -> Message {
        msg!("report-impossible", field = &self.field, value = clip(&self.value, SHOWN))
    }

    /// Of what people say.
    pub(crate) fn of_opinion(&self) -> Message {
        msg!("report-error-feedback", field = &self.field, value = clip(&self.value, SHOWN))
    }
}

/// The first of some checks that found something.
pub(crate) fn first<const N: usize>(found: [Option<ImpossibleValue>; N]) -> Option<ImpossibleValue> {
    found.into_iter().flatten().next()
}

/// Why a rate, 0 to 1 and inside of its interval, can't be one.
pub(crate) fn rate(field: &str, rate: Option<f64>, interval: Option<&RateInterval>) -> Option<ImpossibleValue> {
    let is_share = |of: f64| (0.0..=1.0).contains(&of);
    let odd = rate.filter(|of| !is_share(*of)).map(|of| ImpossibleValue::new(field, of));
    let interval = interval.filter(|of| {
        let is_around = rate.is_some_and(|rate| of.low <= rate + ROUNDED && rate <= of.high + ROUNDED);
        let is_level = 0.0 < of.level && of.level < 1.0;
        !(is_share(of.low) && is_share(of.high) && of.low <= of.high && is_around && is_level)
    });
    let shown = |of: &RateInterval| format!("{} ({}–{}, {})", text(rate), of.low, of.high, of.level);
    odd.or_else(|| interval.map(|of| ImpossibleValue::new(field, shown(of))))
}

/// Why a rate can't be this part of a whole; one of nothing is checked nowhere, and not measured.
pub(crate) fn share(field: &str, rate: Option<f64>, part: u64, whole: u64) -> Option<ImpossibleValue> {
    let is_odd = |rate: &f64| whole > 0 && (rate - quotient(part, whole)).abs() > ROUNDED;
    rate.filter(is_odd).map(|rate| ImpossibleValue::new(field, format!("{rate} ({part}/{whole})")))
}

/// Why a value can't be missing: what it is made of is there.
pub(crate) fn missing(field: &str, is_given: bool, is_measured: bool) -> Option<ImpossibleValue> {
    (is_measured && !is_given).then(|| ImpossibleValue::new(field, "null"))
}

/// Why a part can't be that: it is larger than the whole.
pub(crate) fn part(field: &str, part: u64, whole: u64) -> Option<ImpossibleValue> {
    (part > whole).then(|| ImpossibleValue::new(field, format!("{part}/{whole}")))
}

/// Why a number isn't the one that the rest of the file comes to; `None` is more than a number holds.
pub(crate) fn same(field: &str, stored: u64, counted: Option<u64>) -> Option<ImpossibleValue> {
    let counted_text = || counted.map_or_else(|| "> 2⁶⁴".to_owned(), |counted| counted.to_string());
    (counted != Some(stored)).then(|| ImpossibleValue::new(field, format!("{stored} ≠ {}", counted_text())))
}

/// Why these can't be counts.
pub(crate) fn counts<'f>(all: impl IntoIterator<Item = (&'f str, u64)>) -> Option<ImpossibleValue> {
    all.into_iter().find(|(_, of)| *of > MOST).map(|(field, of)| ImpossibleValue::new(field, of))
}

/// Why these can't stand in an order, from 0 on.
pub(crate) fn ordered(field: &str, all: &[f64]) -> Option<ImpossibleValue> {
    let is_ordered = all.is_sorted() && all.iter().all(|of| (0.0..=quotient(MOST, 1)).contains(of));
    let shown = || all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    (!is_ordered).then(|| ImpossibleValue::new(field, shown()))
}

/// Why this is no time.
pub(crate) fn time(field: &str, of: &str) -> Option<ImpossibleValue> {
    of.parse::<Timestamp>().is_err().then(|| ImpossibleValue::new(field, format!("\"{of}\"")))
}

/// The sum; `None` where it is more than a number holds.
pub(crate) fn sum(all: impl IntoIterator<Item = u64>) -> Option<u64> {
    all.into_iter().try_fold(0, u64::checked_add)
}

#[expect(clippy::cast_precision_loss, reason = "compared with less than twelve digits")]
pub(crate) fn quotient(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn text(rate: Option<f64>) -> String {
    rate.map_or_else(|| "null".to_owned(), |rate| rate.to_string())
}
