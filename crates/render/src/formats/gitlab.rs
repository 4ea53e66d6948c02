//! GitLab's Code Quality report: the verdict and the samples that got worse as findings where the artifact changed. The note
//! on the merge request is the comment of `github`, which GitLab renders as well.

use std::io::{Result, Write};

use crate::minus::{points, signed};
use eval_format::{Report, Tier};
use eval_message::plain::{clean, visible};
use eval_message::{Lang, msg};
use eval_spec::hash::short_hash;
use eval_verdict::replacement;
use serde_json::{Value, json};

use super::github::place_of;
use super::spec::FormatSpec;
use crate::document::story::story;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "gitlab",
    extension: "json",
    about: || msg!("report-format-gitlab"),
    comparison: Some(|report, show, to| write(report, show.lang, to)),
    evaluation: None,
};

fn write(report: &Report, lang: Lang, to: &mut dyn Write) -> Result<()> {
    let replaced = replacement(&report.verdict).map_or_else(String::new, |of| format!(" {}", of.text(lang)));
    let verdicts = story(report, lang).into_iter().map(|of| {
        let variant = of.treatment.clone().or(report.meta.variants.last().cloned()).unwrap_or_default();
        let severity = match (report.verdict.exit_code, of.tier) {
            (0, Some(Tier::Cautious)) => "minor",
            (0, _) => "info",
            (_, Some(Tier::Regress) | None) => "critical",
            _ => "major",
        };
        finding(report, &variant, "verdict", severity, &format!("{} {}{replaced}", of.tag, of.sentence.text(lang)))
    });
    let fell = report.comparisons.iter().flat_map(|of| {
        of.moved.worse.iter().map(|one| {
            let (control, treatment) = (points(one.control), points(one.treatment));
            let fell = msg!("comment-annotation", diff = signed(one.diff), control = control, treatment = treatment);
            let text = format!("{}: {}", one.sample_id, fell.text(lang));
            finding(report, &of.treatment, &one.sample_id, "minor", &text)
        })
    });
    let findings: Vec<Value> = verdicts.chain(fell).collect();
    serde_json::to_writer_pretty(&mut *to, &findings)?;
    to.write_all(b"\n")
}

/// One finding. Its fingerprint names the suite, the variant and the sample, so that GitLab knows it again.
fn finding(report: &Report, variant: &str, about: &str, severity: &str, text: &str) -> Value {
    let place = place_of(report, variant);
    let suite = report.meta.test_set.id.split('@').next().unwrap_or_default();
    let (path, line) = place.map_or_else(|| (suite.to_owned(), 1), |place| (place.path, place.line));
    json!({
        "description": clean(text),
        "check_name": format!("omk/{}", clean(about)),
        "fingerprint": short_hash(json!([suite, variant, about]).to_string().as_bytes(), 32),
        "severity": severity,
        "location": { "path": visible(&path), "lines": { "begin": line } },
    })
}
