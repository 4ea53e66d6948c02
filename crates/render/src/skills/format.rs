//! An evaluation in each of the formats that its files can have.

use std::io::{Error, ErrorKind, Write};

use eval_format::skills::SkillEvaluation;
use eval_message::Lang;
use eval_spec::callable::ReportFormat;

use crate::formats::format_named;
use crate::terminal::Show;

/// Writes an evaluation in a format. JSON and CSV are the same in every language; the others are written in the reader's.
///
/// # Errors
/// When `to` refuses.
pub fn render(of: &SkillEvaluation, format: ReportFormat, lang: Lang, to: &mut dyn Write) -> std::io::Result<()> {
    let spec = format_named::<SkillEvaluation>(format.name()).ok_or_else(|| Error::from(ErrorKind::Unsupported))?;
    spec.render(of, Show::file(lang), to)
}
