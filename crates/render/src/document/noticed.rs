//! Measurements that are missing, what else catches the eye, and what to do next.

use eval_format::{Insight, InsightKind, OutcomeCounts, Report, Severity, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::Failure;

use super::block::{Block, item, title};
use super::text::{NAME, and_more, check_name, harmless, ids};

/// Returns what was not measured, and why.
pub(super) fn lost<R>(report: &Report<R>) -> Vec<Block> {
    let each = |name: &String| {
        let summary = report.summary.get(name)?;
        let classes = failures(summary).into_iter().chain(endings(&summary.outcomes));
        let classes = classes.map(|(count, why)| msg!("report-lost-class", count = count, why = why));
        let all: Vec<Message> = classes.chain(unscored(summary)).collect();
        (!all.is_empty()).then(|| item(msg!("report-lost", variant = clip(name, NAME), list = all)))
    };
    titled(msg!("report-lost-title"), report.meta.variants.iter().filter_map(each))
}

fn titled(text: Message, blocks: impl Iterator<Item = Block>) -> Vec<Block> {
    let mut blocks = blocks.peekable();
    let title = blocks.peek().map(|_| title(text));
    title.into_iter().chain(blocks).collect()
}

/// Returns the checks that could not be evaluated, each with its number.
pub(crate) fn unscored(summary: &VariantSummary) -> impl Iterator<Item = Message> {
    summary.unscored.iter().map(|checks| {
        let (count, check) = (checks.count, clip(&checks.kind, NAME));
        msg!("report-lost-checks", count = count, check = check, why = harmless(&checks.why_key))
    })
}

fn failures(summary: &VariantSummary) -> Vec<(u64, Message)> {
    let class = |(failure, count): (&Failure, &u64)| (*count, eval_analysis::measure::why_failed(*failure));
    summary.failures.iter().map(class).collect()
}

/// Returns what ended without an answer and without a failure, which [`failures`] names.
fn endings(outcomes: &OutcomeCounts) -> impl Iterator<Item = (u64, Message)> {
    let all = [
        (outcomes.refused, msg!("report-missing-refused")),
        (outcomes.truncated, msg!("report-missing-truncated")),
        (outcomes.limit_hit, msg!("report-missing-limit-hit")),
        (outcomes.empty, msg!("report-missing-empty")),
        (outcomes.not_run, msg!("report-missing-not-run")),
    ];
    all.into_iter().filter(|(count, _)| *count > 0)
}

/// Returns the insights but those that judges and tripwires have a section for.
pub(super) fn insights<R>(report: &Report<R>) -> Vec<Block> {
    let elsewhere = [InsightKind::SelfPreference, InsightKind::JudgeAgreement, InsightKind::TripwirePassed];
    let insights = report.analysis.insights.iter().filter(|insight| !elsewhere.contains(&insight.kind));
    titled(msg!("report-noticed-title"), insights.map(|insight| item(with_checks(insight))))
}

fn with_checks(insight: &Insight) -> Message {
    let text = harmless(&insight.message_key);
    // what always passes is seldom worth reading about one by one
    let named = match insight.severity {
        Severity::Info if insight.kind != InsightKind::UnmatchedRegex => 0,
        Severity::Warning | Severity::Error if insight.kind == InsightKind::LowDiscrimination => 0,
        Severity::Info | Severity::Warning | Severity::Error => insight.checks.len().min(3),
    };
    if named == 0 {
        return text;
    }
    let list = and_more(insight.checks[..named].iter().map(check_name), insight.checks.len() - named);
    msg!("report-in-samples", text = text, list = list)
}

pub(super) fn next<R>(report: &Report<R>) -> Vec<Block> {
    let all = report.analysis.suggestions.iter();
    let advice = all.map(|suggestion| Block::Advice(with_samples(suggestion).into(), report.id.clone()));
    titled(msg!("report-next-title"), advice)
}

pub(crate) fn with_samples(suggestion: &Insight) -> Message {
    let text = harmless(&suggestion.message_key);
    match suggestion.sample_ids.is_empty() {
        true => text,
        false => msg!("report-in-samples", text = text, list = ids(&suggestion.sample_ids)),
    }
}
