//! The page's own words.

use eval_message::{Lang, Message, msg};

/// RunWords that the templates say.
pub(super) struct RunWords {
    pub(super) why: String,
    pub(super) arms: String,
    pub(super) parts: String,
    pub(super) fallen: String,
    pub(super) samples: String,
    pub(super) search: String,
    pub(super) any_capability: String,
    pub(super) any_difficulty: String,
    pub(super) apply: String,
    pub(super) asked: String,
    pub(super) gaps: String,
    pub(super) good: String,
    pub(super) checks: String,
    pub(super) check: String,
    pub(super) reasons: String,
    pub(super) answers: String,
    pub(super) no_text: String,
    pub(super) terminal: String,
    pub(super) feedback: String,
    pub(super) rating: String,
    pub(super) comment: String,
    pub(super) send: String,
    pub(super) variant: String,
    pub(super) previous: String,
    pub(super) next: String,
    pub(super) all_runs: String,
    pub(super) trends: String,
    pub(super) people: String,
    pub(super) analyses: String,
    pub(super) theme: String,
    /// What the script needs for the views of answers, in its order.
    pub(super) views: String,
    pub(super) keys_title: String,
    /// Keys, and what they do.
    pub(super) keys: Vec<(&'static str, String)>,
}

impl RunWords {
    pub(super) fn of(lang: Lang) -> RunWords {
        let say = |message: Message| message.text(lang);
        RunWords {
            why: say(msg!("page-why")),
            arms: say(msg!("page-arms")),
            parts: say(msg!("page-plot-parts")),
            fallen: say(msg!("page-fallen-title")),
            samples: say(msg!("page-samples-title")),
            search: say(msg!("page-search")),
            any_capability: say(msg!("page-any-capability")),
            any_difficulty: say(msg!("page-any-difficulty")),
            apply: say(msg!("page-apply")),
            asked: say(msg!("page-asked")),
            gaps: say(msg!("gaps-title")),
            good: say(msg!("page-good")),
            checks: say(msg!("page-checks")),
            check: say(msg!("page-check")),
            reasons: say(msg!("page-reasons")),
            answers: say(msg!("page-answers")),
            no_text: say(msg!("sample-no-text")),
            terminal: say(msg!("page-terminal")),
            feedback: say(msg!("page-feedback")),
            rating: say(msg!("page-rating")),
            comment: say(msg!("page-comment")),
            send: say(msg!("page-send")),
            variant: say(msg!("report-col-variant")),
            previous: say(msg!("page-previous")),
            next: say(msg!("page-next")),
            all_runs: say(msg!("page-all-runs")),
            trends: say(msg!("site-trends")),
            people: say(msg!("people-title")),
            analyses: say(msg!("site-analyses")),
            theme: say(msg!("page-theme")),
            views: [msg!("page-view-run"), msg!("site-all"), msg!("page-view-difference")]
                .into_iter()
                .chain([msg!("page-view-marked"), msg!("page-view-plain")])
                .map(say)
                .collect::<Vec<_>>()
                .join("|"),
            keys_title: say(msg!("page-keys")),
            keys: vec![
                ("j k", say(msg!("page-key-next"))),
                ("Enter", say(msg!("page-key-open"))),
                ("Esc", say(msg!("page-key-close"))),
                ("/", say(msg!("page-key-search"))),
                ("w b e", say(msg!("page-key-filter"))),
                ("1–9", say(msg!("page-key-run"))),
                ("t", say(msg!("page-key-marked"))),
                ("?", say(msg!("page-key-help"))),
            ],
        }
    }
}
