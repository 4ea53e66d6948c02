//! The formats of reports: one table for both kinds, a comparison's report and the evaluation of callable skills.
//!
//! A new format is a file here and a line in [`FORMATS`]: `--format`, `--export`, `report export --list` and the error
//! about an unknown name read the table.

mod atif;
mod csv;
mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
pub(crate) mod markdown;
mod otel;
mod spec;
mod terminal;

use eval_format::skills::SkillEvaluation;

pub use spec::{FormatSpec, Render, ReportKind};

/// Every format, those for people first.
pub const FORMATS: &[FormatSpec] = &[
    terminal::FORMAT,
    json::FORMAT,
    markdown::FORMAT,
    junit::FORMAT,
    csv::FORMAT,
    jsonl::FORMAT,
    html::FORMAT,
    github::FORMAT,
    github::annotations::FORMAT,
    gitlab::FORMAT,
    otel::FORMAT,
    otel::evaluations::FORMAT,
    atif::FORMAT,
];

pub fn formats_of<T: ReportKind>() -> impl Iterator<Item = &'static FormatSpec> {
    FORMATS.iter().filter(|format| T::renderer(format).is_some())
}

/// The formats of an evaluation's files: all but the summary for a terminal.
pub fn file_formats() -> impl Iterator<Item = &'static FormatSpec> {
    formats_of::<SkillEvaluation>().filter(|format| format.name != terminal::FORMAT.name)
}

#[must_use]
pub fn format_named<T: ReportKind>(name: &str) -> Option<&'static FormatSpec> {
    formats_of::<T>().find(|format| format.name == name)
}
