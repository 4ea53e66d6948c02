//! Numbers and statuses as people read them, the same in every format.

use eval_spec::{Lang, Message, msg};
use serde_json::Value;

use super::contract::{RateInterval, RateMethod, TaskResult, TaskStatus};

/// What stands for a value that isn't known.
pub(crate) const NONE: &str = "–";

/// A share as per cent with one decimal.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// The bounds of an interval, in per cent.
pub(crate) fn bounds(of: Option<&RateInterval>) -> String {
    of.map_or_else(String::new, |of| format!("[{:.1}, {:.1}]", of.low * 100.0, of.high * 100.0))
}

/// A share with its interval.
pub(crate) fn with_bounds(share: Option<f64>, of: Option<&RateInterval>) -> String {
    match of {
        Some(_) => format!("{} {}", percent(share), bounds(of)),
        None => percent(share),
    }
}

/// A score, with two decimals.
pub(crate) fn score(score: Option<f64>) -> String {
    score.map_or_else(|| NONE.to_owned(), |score| format!("{score:.2}"))
}

/// A time.
pub(crate) fn time(ms: Option<f64>) -> String {
    match ms {
        None => NONE.to_owned(),
        Some(ms) if ms < 10.0 => format!("{ms:.1} ms"),
        Some(ms) if ms < 1000.0 => format!("{ms:.0} ms"),
        Some(ms) => format!("{:.1} s", ms / 1000.0),
    }
}

/// A status in a word.
pub(crate) fn status(of: TaskStatus) -> Message {
    match of {
        TaskStatus::Pass => msg!("skills-report-status-pass"),
        TaskStatus::Fail => msg!("skills-report-status-fail"),
        TaskStatus::Error => msg!("skills-report-status-error"),
        TaskStatus::Timeout => msg!("skills-report-status-timeout"),
        TaskStatus::Unscored => msg!("skills-report-status-unscored"),
        TaskStatus::HarnessError => msg!("skills-report-status-harness"),
    }
}

/// How an interval was computed.
pub(crate) fn method(of: RateMethod) -> Message {
    match of {
        RateMethod::Wilson => msg!("skills-report-method-wilson"),
        RateMethod::ClusteredBootstrap => msg!("skills-report-method-bootstrap"),
        RateMethod::ClusteredWilson => msg!("skills-report-method-clustered-wilson"),
    }
}

/// Why a task ended as it did: the error, else the scorer's reason, else what was expected and what came.
pub(crate) fn why(of: &TaskResult, lang: Lang) -> String {
    let said = of.error.as_deref().or(of.reason.as_deref()).filter(|text| !text.trim().is_empty());
    match said {
        Some(text) => text.to_owned(),
        None => match &of.output {
            Some(output) => msg!("skills-report-returned", output = shortened(&compact(output), 200)).text(lang),
            None => String::new(),
        },
    }
}

/// A JSON value on one line; a text as it is.
pub(crate) fn compact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The first `characters` of a text, with a mark where it was cut.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Several things in one line.
pub(crate) fn list(each: &[String], lang: Lang) -> String {
    each.join(if lang == Lang::Zh { "、" } else { ", " })
}
