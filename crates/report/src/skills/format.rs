//! The formats of reports: one table that files, `--format` and `report convert` read.

use std::io::Write;

use eval_spec::Lang;

use super::contract::SkillEvaluation;
use super::{csv, html, junit, markdown};

/// What a report can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Everything, for programs and for every other format.
    Json,
    /// For people who read text.
    Markdown,
    /// One self-contained page.
    Html,
    /// One line for each task result.
    Csv,
    /// For CI.
    Junit,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] = [Format::Json, Format::Markdown, Format::Html, Format::Csv, Format::Junit];

    /// The name in `--format`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Csv => "csv",
            Format::Junit => "junit",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// What its files end in, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Csv => "csv",
            Format::Junit => "xml",
        }
    }
}

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
