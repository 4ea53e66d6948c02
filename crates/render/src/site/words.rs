//! Numbers, times and verdicts in a few words.

use eval_message::{Lang, msg};

/// A choice of a filter.
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) text: String,
    pub(super) is_on: bool,
}

/// The date and time of an RFC 3339 instant, to the minute.
pub(super) fn minute(timestamp: &str) -> String {
    let cut = timestamp.get(..16).unwrap_or(timestamp).replace('T', " ");
    eval_message::plain::clip(&cut, 16)
}

/// The class and text of a verdict.
pub(super) fn verdict_of(verdict: &str, lang: Lang) -> (&'static str, String) {
    use eval_history::listing::{FAILED, INVALID, PASSED, SEALED, UNGATED};
    let text = match verdict {
        INVALID => msg!("site-invalid").text(lang),
        SEALED => msg!("site-blind").text(lang),
        PASSED => msg!("site-passed").text(lang),
        FAILED => msg!("site-failed").text(lang),
        UNGATED => msg!("site-ungated").text(lang),
        tier => tier.to_owned(),
    };
    let class = match verdict {
        "PROGRESS" | PASSED => "better",
        "REGRESS" | FAILED => "worse",
        "CAUTIOUS" | INVALID => "doubt",
        _ => "quiet",
    };
    (class, text)
}
