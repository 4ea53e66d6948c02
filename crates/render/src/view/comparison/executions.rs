//! The executions of a report: sample × variant × repeat.

use eval_format::{Report, SampleResult, VariantResult};

pub(crate) struct ExportedExecution<'r> {
    pub(crate) report: &'r Report,
    pub(crate) sample: &'r SampleResult,
    pub(crate) variant: &'r str,
    pub(crate) role: &'static str,
    pub(crate) repeat: u32,
    pub(crate) result: &'r VariantResult,
}

impl<'r> ExportedExecution<'r> {
    /// Returns the prompt as it was sent; `None` where the report doesn't have it.
    pub(crate) fn prompt(&self) -> Option<&'r str> {
        let texts = self.sample.texts.as_ref().map(|texts| texts.prompt.as_str());
        texts.or_else(|| self.sample.eval.as_ref().map(|eval| eval.prompt.as_str()))
    }

    /// The artifact, where it was sent as text of the system prompt; beside it an agent has one of its own.
    pub(crate) fn system(&self) -> Option<&'r str> {
        // Only other ways of delivery are counted.
        let is_text = self.report.summary.get(self.variant)?.delivery.is_none();
        let artifact = self.report.meta.artifacts.as_ref()?.get(self.variant)?;
        let is_body = |path: &str| artifact.kind == "file" || path == SKILL_FILE;
        let file = artifact.files.iter().find(|file| is_text && is_body(&file.path))?;
        let text = file.text.as_deref()?;
        Some(if file.path == SKILL_FILE { without_front_matter(text) } else { text })
    }
}

const SKILL_FILE: &str = "SKILL.md";

/// A skill's text without the lines between dashes that it begins with, as it is sent.
fn without_front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return text };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return text[at..].trim_start_matches(['\r', '\n']);
        }
    }
    text
}

/// The executions, samples in the report's order and variants in the run's.
pub(crate) fn executions(report: &Report) -> impl Iterator<Item = ExportedExecution<'_>> {
    report.results.iter().flat_map(move |sample| of_sample(report, sample))
}

fn of_sample<'r>(report: &'r Report, sample: &'r SampleResult) -> impl Iterator<Item = ExportedExecution<'r>> {
    let of_variant = move |(place, variant): (usize, &'r String)| {
        let result = sample.variants.get(variant)?;
        let role = if place == 0 { "control" } else { "treatment" };
        let execution = move |(place, result): (u32, &'r VariantResult)| {
            let repeat = result.repeat.unwrap_or(place);
            ExportedExecution { report, sample, variant, role, repeat, result }
        };
        Some((0..).zip(result.executions()).map(execution))
    };
    report.meta.variants.iter().enumerate().filter_map(of_variant).flatten()
}
