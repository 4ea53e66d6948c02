//! An evaluation in each of the formats that `--format` and `report convert` name.

use eval_spec::callable::ReportFormat as Format;
use std::io::Write;

use eval_format::skills::SkillEvaluation;
use eval_message::Lang;

use super::{csv, html, junit, markdown};

/// Writes an evaluation in a format. JSON is the same in every language; the others are written in the reader's.
///
/// # Errors
/// When `to` refuses.
pub fn render(of: &SkillEvaluation, format: Format, lang: Lang, to: &mut dyn Write) -> std::io::Result<()> {
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *to, of)?;
            to.write_all(b"\n")
        }
        Format::Markdown => to.write_all(markdown::markdown(of, lang).as_bytes()),
        Format::Html => to.write_all(html::html(of, lang)?.as_bytes()),
        Format::Csv => csv::csv(of, to),
        Format::Junit => junit::junit(of, lang, to),
    }
}
