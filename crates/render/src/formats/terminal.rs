//! The summary that a command shows at its end.

use std::io::{Result, Write};

use eval_format::Report;
use eval_format::skills::SkillEvaluation;
use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::skills::terminal::evaluation_text;
use crate::terminal::{Show, summary_text};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "terminal",
    extension: "txt",
    about: || msg!("report-format-terminal"),
    comparison: Some(comparison),
    evaluation: Some(evaluation),
};

fn comparison(report: &Report, show: Show, to: &mut dyn Write) -> Result<()> {
    to.write_all(summary_text(report, show, None).as_bytes())
}

fn evaluation(of: &SkillEvaluation, show: Show, to: &mut dyn Write) -> Result<()> {
    to.write_all(evaluation_text(of, show.lang, show.width, show.color).as_bytes())
}
