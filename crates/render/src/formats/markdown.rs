//! Markdown: a summary to be read as it is, and a comment on a pull request.

use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::markdown::{laid_out, voice};
use crate::view::{comparison, evaluation};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "markdown",
    extension: "md",
    about: || msg!("report-format-markdown"),
    comparison: Some(|of, show, to| to.write_all(laid_out(&comparison::blocks(of, voice(show.lang))).as_bytes())),
    evaluation: Some(|of, show, to| to.write_all(laid_out(&evaluation::blocks(of, voice(show.lang))).as_bytes())),
};
