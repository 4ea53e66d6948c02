//! Figures of tables, and beside limits: values that may be unknown.

/// The text of an unknown value.
pub const NONE: &str = "–";

/// A share as per cent with one decimal.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| percent_to(share, 0))
}

/// A share as per cent with one decimal and `more`.
#[must_use]
pub fn percent_to(share: f64, more: usize) -> String {
    format!("{:.1$} %", share * 100.0, 1 + more)
}

/// A share and the limit that it passes, with as many decimals as it takes to tell them apart.
pub fn percents(share: Option<f64>, limit: f64) -> [String; 2] {
    apart(share, limit, percent_to)
}

/// The same of times.
pub fn times(ms: Option<f64>, limit: f64) -> [String; 2] {
    apart(ms, limit, time_to)
}

fn apart(value: Option<f64>, limit: f64, text: fn(f64, usize) -> String) -> [String; 2] {
    let Some(value) = value else { return [NONE.to_owned(), text(limit, 0)] };
    let more = more(value, limit, text);
    [text(value, more), text(limit, more)]
}

/// Decimals beyond the usual ones that tell two numbers apart.
pub fn more(a: f64, b: f64, text: fn(f64, usize) -> String) -> usize {
    (0..15).find(|more| a == b || text(a, *more) != text(b, *more)).unwrap_or(15)
}

/// A score, with two decimals.
pub fn score(score: Option<f64>) -> String {
    score.map_or_else(|| NONE.to_owned(), |score| format!("{score:.2}"))
}

/// A time.
pub fn time(ms: Option<f64>) -> String {
    ms.map_or_else(|| NONE.to_owned(), |ms| time_to(ms, 0))
}

/// A time in milliseconds or seconds, with its usual decimals and `more`.
#[must_use]
pub fn time_to(ms: f64, more: usize) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.0$} ms", 1 + more),
        ms if ms < 1000.0 => format!("{ms:.more$} ms"),
        ms => format!("{:.1$} s", ms / 1000.0, 1 + more),
    }
}
