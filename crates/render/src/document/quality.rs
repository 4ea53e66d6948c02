//! Defects of the samples themselves: after a run in three lines, before one in the plan.

use eval_format::{QualityFinding, QualityItem, SampleCheck, SampleQuality};
use eval_message::{Arg, Message, msg};

use super::block::{Block, item, line, title};
use super::text::{and_more, harmless, id};

/// Findings that a summary shows.
const SHOWN: usize = 3;
/// Samples that are named of each.
const CASES: usize = 3;

/// Returns the score, and the findings that take most off it.
pub(super) fn blocks(quality: &SampleQuality) -> Vec<Block> {
    // what costs most has been noticed already, and what took long may be the provider's doing
    let findings: Vec<&QualityFinding> = quality.findings.iter().filter(|finding| finding.points > 0.0).collect();
    let mut blocks = vec![title(msg!("quality-line", score = score(quality)))];
    blocks.extend(findings.iter().take(SHOWN).map(|finding| item(described(finding, false))));
    let more = findings.len().saturating_sub(SHOWN);
    blocks.extend((more > 0).then(|| line(2, msg!("quality-more", count = more))));
    blocks
}

fn score(quality: &SampleQuality) -> Message {
    let checked = quality.findings.len() + quality.passed.len();
    let total = checked + quality.not_checked.len();
    match (quality.score, quality.why.as_ref()) {
        (Some(score), _) if checked == total => msg!("quality-score", score = score.to_string()),
        (Some(score), _) => {
            msg!("quality-score-partly", score = score.to_string(), checked = checked, total = total)
        }
        (None, Some(why)) => msg!("quality-score-none", why = why.message_key.clone()),
        (None, None) => msg!("quality-score-none", why = msg!("quality-why-nothing")),
    }
}

/// Returns every finding about the samples with its first cases, or that there is none.
pub(crate) fn plan(quality: &SampleQuality) -> Vec<Message> {
    let checked = quality.findings.len() + quality.passed.len();
    if quality.findings.is_empty() {
        return vec![msg!("quality-row-none", checked = checked, total = checked + quality.not_checked.len())];
    }
    quality.findings.iter().map(|finding| described(finding, true)).collect()
}

/// Returns `finding (−points): samples; advice`.
fn described(finding: &QualityFinding, is_detailed: bool) -> Message {
    let text = harmless(&finding.message_key);
    let text = match finding.points > 0.0 {
        true => msg!("quality-finding", text = text, points = finding.points.to_string()),
        false => text,
    };
    let named = finding.items.iter().take(CASES).map(|item| case(&finding.kind, item, is_detailed));
    let more = usize::try_from(finding.total_items).unwrap_or(usize::MAX).saturating_sub(named.len());
    let advice = harmless(&finding.advice.message_key);
    msg!("quality-finding-with", text = text, list = and_more(named, more), advice = advice)
}

fn case(kind: &SampleCheck, item: &QualityItem, is_detailed: bool) -> Arg {
    let detail = harmless(&item.detail.message_key);
    let first = item.sample_ids.iter().take(CASES);
    let more = usize::try_from(item.total_samples).unwrap_or(usize::MAX).saturating_sub(first.len());
    match kind {
        // these are about something else, which many samples share
        SampleCheck::ThinCapabilities | SampleCheck::QuestionDiscrimination => detail.into(),
        SampleCheck::NearDuplicates => {
            let sign = if item.value.is_some_and(|likeness| likeness < 1.0) { " ≈ " } else { " = " };
            let rest = (more > 0).then(|| "…".to_owned());
            let ids = first.map(|sample| eval_message::plain::clip(sample, super::text::NAME));
            ids.chain(rest).collect::<Vec<_>>().join(sign).into()
        }
        _ => {
            let samples = and_more(first.map(|sample| id(sample)), more);
            if is_detailed { msg!("quality-case", samples = samples, detail = detail).into() } else { samples }
        }
    }
}
