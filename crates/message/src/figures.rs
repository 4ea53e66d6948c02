//! Formats numbers that may be unknown, for tables and next to limits.

/// The text of an unknown value.
pub const NONE: &str = "–";

/// Formats a share as per cent with one decimal.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| percent_to(share, 0))
}

/// Formats a share as per cent with one decimal and `more` further ones.
#[must_use]
pub fn percent_to(share: f64, more: usize) -> String {
    format!("{:.1$} %", share * 100.0, 1 + more)
}

/// Formats a share and its limit with as many decimals as they need to differ.
pub fn percents(share: Option<f64>, limit: f64) -> [String; 2] {
    apart(share, limit, percent_to)
}

/// Formats a time and its limit with as many decimals as they need to differ.
pub fn times(ms: Option<f64>, limit: f64) -> [String; 2] {
    apart(ms, limit, time_to)
}

fn apart(value: Option<f64>, limit: f64, text: fn(f64, usize) -> String) -> [String; 2] {
    let Some(value) = value else { return [NONE.to_owned(), text(limit, 0)] };
    let more = more(value, limit, text);
    [text(value, more), text(limit, more)]
}

/// Returns the number of additional decimals with which the texts of two numbers differ.
pub fn more(a: f64, b: f64, text: fn(f64, usize) -> String) -> usize {
    (0..15).find(|more| a == b || text(a, *more) != text(b, *more)).unwrap_or(15)
}

/// Formats a score with two decimals.
pub fn score(score: Option<f64>) -> String {
    score.map_or_else(|| NONE.to_owned(), |score| format!("{score:.2}"))
}

pub fn time(ms: Option<f64>) -> String {
    ms.map_or_else(|| NONE.to_owned(), |ms| time_to(ms, 0))
}

/// Formats milliseconds as ms or s, with the usual decimals and `more` further ones.
#[must_use]
pub fn time_to(ms: f64, more: usize) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.0$} ms", 1 + more),
        ms if ms < 1000.0 => format!("{ms:.more$} ms"),
        ms => format!("{:.1$} s", ms / 1000.0, 1 + more),
    }
}
