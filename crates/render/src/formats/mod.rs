//! The formats of reports: one table for both kinds, a comparison's report and the evaluation of callable skills.
//!
//! A new format is a file here and a line in [`FORMATS`]: `--format`, `--export`, `report export --list` and the error
//! about an unknown name read the table.

mod csv;
mod html;
mod json;
mod junit;
pub(crate) mod markdown;
mod terminal;

use std::io::{Error, ErrorKind, Result, Write};

use eval_format::Report;
use eval_format::skills::SkillEvaluation;
use eval_message::Message;

use crate::terminal::Show;

/// Every format, those for people first.
pub const FORMATS: &[FormatSpec] =
    &[terminal::FORMAT, json::FORMAT, markdown::FORMAT, junit::FORMAT, csv::FORMAT, html::FORMAT];

/// Writes a report of one kind.
pub type Render<T> = fn(&T, Show, &mut dyn Write) -> Result<()>;

/// One format.
#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    /// Its name on the command line.
    pub name: &'static str,
    /// What its files end in, without the dot.
    pub extension: &'static str,
    /// What it is for, in one line.
    pub about: fn() -> Message,
    /// `None`: comparisons don't have it.
    comparison: Option<Render<Report>>,
    /// `None`: evaluations of skills don't have it.
    evaluation: Option<Render<SkillEvaluation>>,
}

/// A kind of report that has formats.
pub trait ReportKind: Sized {
    /// How `format` renders this kind.
    fn renderer(format: &FormatSpec) -> Option<Render<Self>>;
}

impl ReportKind for Report {
    fn renderer(format: &FormatSpec) -> Option<Render<Report>> {
        format.comparison
    }
}

impl ReportKind for SkillEvaluation {
    fn renderer(format: &FormatSpec) -> Option<Render<SkillEvaluation>> {
        format.evaluation
    }
}

impl FormatSpec {
    /// Writes a report in this format.
    ///
    /// # Errors
    /// When `to` refuses, or reports of this kind don't have the format.
    pub fn render<T: ReportKind>(&self, report: &T, show: Show, to: &mut dyn Write) -> Result<()> {
        let render = T::renderer(self).ok_or_else(|| Error::from(ErrorKind::Unsupported))?;
        render(report, show, to)
    }
}

/// The formats that a kind of report has.
pub fn formats_of<T: ReportKind>() -> impl Iterator<Item = &'static FormatSpec> {
    FORMATS.iter().filter(|format| T::renderer(format).is_some())
}

/// The format of a name, if this kind of report has it.
#[must_use]
pub fn format_named<T: ReportKind>(name: &str) -> Option<&'static FormatSpec> {
    formats_of::<T>().find(|format| format.name == name)
}
