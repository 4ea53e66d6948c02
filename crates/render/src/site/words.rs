//! Numbers, times and verdicts in a few words.

use eval_message::{Lang, msg};

pub(super) use crate::minus::minute;

pub(super) struct Choice {
    pub(super) value: String,
    pub(super) text: String,
    pub(super) is_on: bool,
}

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
