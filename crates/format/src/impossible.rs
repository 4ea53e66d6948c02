//! Numbers that nothing can have measured: somebody changed the file that they stand in.

use eval_message::{Message, msg};

use crate::skills::RateInterval;

/// Stored rates have twelve digits.
const ROUNDED: f64 = 1e-9;

/// Why a rate, 0 to 1 and inside of its interval, can't be one.
pub(crate) fn rate(field: &str, rate: Option<f64>, interval: Option<&RateInterval>) -> Option<Message> {
    let is_share = |of: f64| (0.0..=1.0).contains(&of);
    let odd = rate.filter(|of| !is_share(*of)).map(|of| what(field, &of.to_string()));
    let interval = interval.filter(|of| {
        let is_around = rate.is_none_or(|rate| of.low <= rate + ROUNDED && rate <= of.high + ROUNDED);
        !(is_share(of.low) && is_share(of.high) && of.low <= of.high && is_around)
    });
    odd.or_else(|| interval.map(|of| what(field, &format!("{} ({}–{})", text(rate), of.low, of.high))))
}

/// Why a rate can't be this part of a whole; one of nothing is checked nowhere, and not measured.
pub(crate) fn share(field: &str, rate: Option<f64>, part: u64, whole: u64) -> Option<Message> {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    let is_odd = |rate: &f64| whole > 0 && (rate - part as f64 / whole as f64).abs() > ROUNDED;
    rate.filter(is_odd).map(|rate| what(field, &format!("{rate} ({part}/{whole})")))
}

/// Why a part can't be that: it is larger than the whole.
pub(crate) fn part(field: &str, part: u64, whole: u64) -> Option<Message> {
    (part > whole).then(|| what(field, &format!("{part}/{whole}")))
}

/// Why these can't stand in an order, from 0 on.
pub(crate) fn ordered(field: &str, all: &[f64]) -> Option<Message> {
    let is_ordered = all.is_sorted() && all.iter().all(|of| *of >= 0.0 && of.is_finite());
    (!is_ordered).then(|| what(field, &all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")))
}

pub(crate) fn what(field: &str, value: &str) -> Message {
    msg!("report-impossible", field = field, value = value)
}

fn text(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| rate.to_string())
}
