//! The page's own words.

use eval_message::{Lang, Message, msg};

use crate::page::words;

words! {
    RunWords {
        why: "page-why",
        arms: "page-arms",
        parts: "page-plot-parts",
        fallen: "page-fallen-title",
        samples: "page-samples-title",
        search: "page-search",
        any_capability: "page-any-capability",
        any_difficulty: "page-any-difficulty",
        apply: "page-apply",
        asked: "page-asked",
        gaps: "gaps-title",
        good: "page-good",
        checks: "page-checks",
        check: "page-check",
        reasons: "page-reasons",
        answers: "page-answers",
        no_text: "sample-no-text",
        terminal: "page-terminal",
        feedback: "page-feedback",
        rating: "page-rating",
        comment: "page-comment",
        send: "page-send",
        variant: "report-col-variant",
        previous: "page-previous",
        next: "page-next",
        all_runs: "page-all-runs",
        trends: "site-trends",
        people: "people-title",
        analyses: "site-analyses",
        theme: "page-theme",
        keys_title: "page-keys",
    }
    views: String,
    keys: Vec<(&'static str, String)>,
}

/// Returns the page's words, those of the script's views in its order, and keys with what they do.
pub(super) fn words_of(lang: Lang) -> RunWords {
    let say = |message: Message| message.text(lang);
    let views = [
        msg!("page-view-run"),
        msg!("site-all"),
        msg!("page-view-difference"),
        msg!("page-view-marked"),
        msg!("page-view-plain"),
    ];
    let keys = vec![
        ("j k", say(msg!("page-key-next"))),
        ("Enter", say(msg!("page-key-open"))),
        ("Esc", say(msg!("page-key-close"))),
        ("/", say(msg!("page-key-search"))),
        ("w b e", say(msg!("page-key-filter"))),
        ("1–9", say(msg!("page-key-run"))),
        ("t", say(msg!("page-key-marked"))),
        ("?", say(msg!("page-key-help"))),
    ];
    RunWords::of(lang, views.map(say).join("|"), keys)
}
