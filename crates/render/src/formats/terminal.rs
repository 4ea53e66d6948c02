//! The summary that a command shows at its end.

use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::skills::terminal::evaluation_text;
use crate::terminal::summary_text;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "terminal",
    extension: "txt",
    about: || msg!("report-format-terminal"),
    comparison: Some(|of, show, to| to.write_all(summary_text(of, show, None).as_bytes())),
    evaluation: Some(|of, show, to| to.write_all(evaluation_text(of, show.lang, show.width, show.color).as_bytes())),
};
