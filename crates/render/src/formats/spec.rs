//! Report formats, and the kinds of report that each renders.

use std::io::{Error, ErrorKind, Result, Write};

use eval_format::Report;
use eval_format::skills::SkillEvaluation;
use eval_message::Message;
use eval_spec::files::{LARGEST_REPORT, LARGEST_ROWS};

use crate::show::Show;

pub type Render<T> = fn(&T, Show, &mut dyn Write) -> Result<()>;

#[derive(Clone, Copy, Debug)]
pub struct FormatSpec {
    pub name: &'static str,
    /// Ending of its files, without the dot.
    pub extension: &'static str,
    pub about: fn() -> Message,
    /// `None`: comparisons don't have it.
    pub comparison: Option<Render<Report>>,
    /// `None`: evaluations of skills don't have it.
    pub evaluation: Option<Render<SkillEvaluation>>,
}

pub trait ReportKind: Sized {
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
    /// Returns the size of the largest file in this format that commands read, in bytes.
    #[must_use]
    pub fn most_bytes(&self) -> u64 {
        match self.name {
            "json" => LARGEST_REPORT,
            "csv" | "jsonl" | "junit" => LARGEST_ROWS,
            _ => u64::MAX,
        }
    }

    /// Writes a report in this format.
    ///
    /// # Errors
    /// When `to` refuses, or reports of this kind don't have the format.
    pub fn render<T: ReportKind>(&self, report: &T, show: Show, to: &mut dyn Write) -> Result<()> {
        let render = T::renderer(self).ok_or_else(|| Error::from(ErrorKind::Unsupported))?;
        render(report, show, to)
    }
}
