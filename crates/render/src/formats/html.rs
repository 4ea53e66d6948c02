//! One page that needs no other file.

use std::io::{Result, Write};

use eval_format::skills::SkillEvaluation;
use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::skills::html::html;
use crate::terminal::Show;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "html",
    extension: "html",
    about: || msg!("report-format-html"),
    comparison: None,
    evaluation: Some(evaluation),
};

fn evaluation(of: &SkillEvaluation, show: Show, to: &mut dyn Write) -> Result<()> {
    to.write_all(html(of, show.lang)?.as_bytes())
}
