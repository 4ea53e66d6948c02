//! Markdown: a summary to be read as it is, and a comment on a pull request.

use std::io::{Result, Write};

use eval_format::Report;
use eval_format::skills::SkillEvaluation;
use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::markdown::{laid_out, voice};
use crate::terminal::Show;
use crate::view::{comparison, evaluation};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "markdown",
    extension: "md",
    about: || msg!("report-format-markdown"),
    comparison: Some(of_comparison),
    evaluation: Some(of_evaluation),
};

fn of_comparison(report: &Report, show: Show, to: &mut dyn Write) -> Result<()> {
    to.write_all(laid_out(&comparison::blocks(report, voice(show.lang))).as_bytes())
}

fn of_evaluation(of: &SkillEvaluation, show: Show, to: &mut dyn Write) -> Result<()> {
    to.write_all(laid_out(&evaluation::blocks(of, voice(show.lang))).as_bytes())
}
