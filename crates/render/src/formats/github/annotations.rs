//! The commands by which a step of GitHub Actions shows notes at lines: the verdict, and the samples that got worse, where
//! the artifact changed.

use std::io::{Result, Write};

use crate::minus::{points, signed};
use eval_format::{Report, Tier};
use eval_message::plain::clean;
use eval_message::{Lang, msg};

use super::{Place, WORSE, place_of};
use crate::document::story::{of_this_run, story};
use crate::formats::spec::FormatSpec;

pub(in crate::formats) const FORMAT: FormatSpec = FormatSpec {
    name: "github-annotations",
    extension: "txt",
    about: || msg!("report-format-github-annotations"),
    comparison: Some(|report, show, to| write(report, show.lang, to)),
    evaluation: None,
};

fn write(report: &Report, lang: Lang, to: &mut dyn Write) -> Result<()> {
    for of in story(report, lang) {
        let variant = of.treatment.as_deref().or(report.meta.variants.last().map(String::as_str));
        let place = variant.and_then(|variant| place_of(report, variant));
        let level = match (report.verdict.exit_code, of.tier) {
            (0, Some(Tier::Cautious)) => "warning",
            (0, _) => "notice",
            _ => "error",
        };
        let lines = [Some(&of.sentence), of.next.as_ref(), Some(&of.gate), of.left_out.as_ref()];
        let text = lines.into_iter().flatten().map(|line| of_this_run(&line.text(lang), &report.id));
        let text: Vec<String> = text.collect();
        command(to, level, place.as_ref(), &format!("omk: {}", of.tag), &text.join("\n"))?;
    }
    for comparison in &report.comparisons {
        let place = place_of(report, &comparison.treatment);
        for one in comparison.moved.worse.iter().take(WORSE) {
            let (control, treatment) = (points(one.control), points(one.treatment));
            let fell = msg!("comment-annotation", diff = signed(one.diff), control = control, treatment = treatment);
            command(to, "warning", place.as_ref(), &format!("omk: {}", one.sample_id), &fell.text(lang))?;
        }
    }
    Ok(())
}

/// `::error file=…,line=…,title=…::text`.
fn command(to: &mut dyn Write, level: &str, place: Option<&Place>, title: &str, text: &str) -> Result<()> {
    let title = property(&clean(title));
    let place = place.map(|of| format!("file={},line={},", property(&of.path), of.line)).unwrap_or_default();
    writeln!(to, "::{level} {place}title={title}::{}", data(text))
}

/// A value as GitHub reads it: line breaks would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property, which `:` and `,` end, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
