//! What is wrong with the samples themselves, for a terminal: after a run in three lines, before one in the plan.

use eval_format::{QualityFinding, QualityItem, SampleCheck, SampleQuality};
use eval_message::msg;

use super::{Show, TerminalPage, and_more, harmless};
use crate::terminal::names::id;

/// Findings that a summary shows.
const SHOWN: usize = 3;
/// Samples that are named of each.
const CASES: usize = 3;

/// The score, and the findings that take most off it.
pub(super) fn summary(page: &mut TerminalPage, quality: &SampleQuality) {
    page.title(&msg!("quality-line", score = headline(page.show, quality)));
    // what costs most has been noticed already, and what took long may be the provider's doing
    let told: Vec<&QualityFinding> = quality.findings.iter().filter(|of| of.points > 0.0).collect();
    for finding in told.iter().take(SHOWN) {
        let text = line(page.show, finding, false);
        page.bullet(&text);
    }
    if told.len() > SHOWN {
        let text = page.show.text(&msg!("quality-more", count = told.len() - SHOWN));
        page.raw(2, &text);
    }
    page.gap();
}

fn headline(show: Show, quality: &SampleQuality) -> String {
    let made = quality.findings.len() + quality.passed.len();
    let (score, why) = (quality.score, quality.why.as_ref());
    show.text(&match (score, why) {
        (Some(score), _) if quality.not_checked.is_empty() => msg!("quality-score", score = score.to_string()),
        (Some(score), _) => msg!(
            "quality-score-partly",
            score = score.to_string(),
            checked = made,
            total = made + quality.not_checked.len()
        ),
        (None, Some(why)) => msg!("quality-score-none", why = show.text(&why.message_key)),
        (None, None) => msg!("quality-score-none", why = show.text(&msg!("quality-why-nothing"))),
    })
}

/// Every finding about the samples with its first cases, or that there is none.
pub(super) fn plan(show: Show, quality: &SampleQuality) -> Vec<String> {
    let made = quality.findings.len() + quality.passed.len();
    if quality.findings.is_empty() {
        return vec![show.text(&msg!("quality-row-none", checked = made, total = made + quality.not_checked.len()))];
    }
    quality.findings.iter().map(|finding| line(show, finding, true)).collect()
}

/// `what (−points): which samples; what to do`.
fn line(show: Show, finding: &QualityFinding, detailed: bool) -> String {
    let text = show.text(&harmless(&finding.message_key));
    let text = match finding.points > 0.0 {
        true => show.text(&msg!("quality-finding", text = text, points = finding.points.to_string())),
        false => text,
    };
    let advice = show.text(&harmless(&finding.advice.message_key));
    let named: Vec<String> =
        finding.items.iter().take(CASES).map(|item| case(show, &finding.kind, item, detailed)).collect();
    let more = usize::try_from(finding.total_items).unwrap_or(usize::MAX).saturating_sub(named.len());
    let list = and_more(show, named, more);
    show.text(&msg!("quality-finding-with", text = text, list = list, advice = advice))
}

fn case(show: Show, kind: &SampleCheck, item: &QualityItem, detailed: bool) -> String {
    let detail = show.text(&harmless(&item.detail.message_key));
    let ids: Vec<String> = item.sample_ids.iter().take(CASES).map(|of| id(of)).collect();
    let more = usize::try_from(item.total_samples).unwrap_or(usize::MAX).saturating_sub(ids.len());
    let samples = match kind {
        // these are about something else, which many samples share
        SampleCheck::ThinCapabilities | SampleCheck::QuestionDiscrimination => return detail,
        SampleCheck::NearDuplicates => {
            let sign = if item.value.is_some_and(|likeness| likeness < 1.0) { " ≈ " } else { " = " };
            format!("{}{}", ids.join(sign), if more > 0 { format!("{sign}…") } else { String::new() })
        }
        _ => and_more(show, ids, more),
    };
    match detailed && *kind != SampleCheck::NearDuplicates {
        true => show.text(&msg!("quality-case", samples = samples, detail = detail)),
        false => samples,
    }
}
