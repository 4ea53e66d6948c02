//! Figures as people read them, on a terminal as on a page: a negative one has a true minus (U+2212), not a hyphen.

use eval_format::Ci;
use eval_message::number;
pub(crate) use eval_message::number::p_text;

pub(crate) fn points(value: f64) -> String {
    minus(&number::points(value))
}

pub(crate) fn signed(value: f64) -> String {
    minus(&number::signed(value))
}

pub(crate) fn bound(value: f64) -> String {
    minus(&number::bound(value))
}

pub(crate) fn percent(share: f64) -> String {
    minus(&number::percent(share))
}

/// A figure with a true minus; another text as it is.
pub(crate) fn minus(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '$') => format!("−{rest}"),
        _ => text.to_owned(),
    }
}

/// [`minus`] for what may be a name as well: a sample `-1` keeps its own sign, since it is typed as it is shown.
pub(crate) fn minus_of_number(text: &str) -> String {
    let is_figure = text.chars().all(|c| c.is_ascii_digit() || "-.% $".contains(c)) && text.contains(['.', '%', '$']);
    if is_figure { minus(text) } else { text.to_owned() }
}

/// A time in milliseconds, or in seconds from one on.
pub(crate) fn duration(ms: f64) -> String {
    if ms < 1000.0 { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1000.0) }
}

/// The date and time of an RFC 3339 instant, to the minute.
pub(crate) fn minute(timestamp: &str) -> String {
    let cut = timestamp.get(..16).unwrap_or(timestamp).replace('T', " ");
    eval_message::plain::clip(&cut, 16)
}

/// The level of the first of these intervals, which share it.
pub(crate) fn level<'c>(mut intervals: impl Iterator<Item = &'c Ci>) -> String {
    number::level(intervals.next().map_or(LEVEL, |ci| ci.level))
}

/// Level where there is no interval.
const LEVEL: f64 = 0.95;
