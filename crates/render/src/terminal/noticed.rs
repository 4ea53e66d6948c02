//! What was not measured, what else catches the eye, and what to do next.

use eval_format::{Insight, InsightKind, OutcomeCounts, Report, Severity, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::Failure;

use super::{Show, TerminalPage, and_more, check_name, harmless};
use crate::sentence::of_this_run;
use crate::terminal::names::{LISTED, NAME, id};

/// Insights, and what was not measured.
pub(crate) fn noticed<R>(page: &mut TerminalPage, report: &Report<R>) {
    let lost: Vec<Message> = report.meta.variants.iter().filter_map(|name| lost(page.show, report, name)).collect();
    if !lost.is_empty() {
        page.title(&msg!("report-lost-title"));
        lost.iter().for_each(|message| page.bullet(&page.show.text(message)));
        page.gap();
    }
    // what judges and tripwires have a section of their own for isn't said again
    let elsewhere = [InsightKind::SelfPreference, InsightKind::JudgeAgreement, InsightKind::TripwirePassed];
    let insights: Vec<&Insight> =
        report.analysis.insights.iter().filter(|insight| !elsewhere.contains(&insight.kind)).collect();
    if insights.is_empty() {
        return;
    }
    page.title(&msg!("report-noticed-title"));
    for insight in insights {
        let text = insight_text(page.show, insight);
        page.bullet(&text);
    }
    page.gap();
}

fn lost<R>(show: Show, report: &Report<R>, name: &str) -> Option<Message> {
    let of = report.summary.get(name)?;
    let classes = failures(of).into_iter().chain(endings(&of.outcomes));
    let classes =
        classes.map(|(count, why)| show.text(&msg!("report-lost-class", count = count, why = show.text(&why))));
    let checks = of.unscored.iter().map(|checks| {
        let why = show.text(&harmless(&checks.why_key));
        show.text(&msg!("report-lost-checks", count = checks.count, check = clip(&checks.kind, NAME), why = why))
    });
    let each: Vec<String> = classes.chain(checks).collect();
    let variant = clip(name, NAME);
    (!each.is_empty()).then(|| msg!("report-lost", variant = variant, list = show.list(&each)))
}

pub(crate) fn failures(of: &VariantSummary) -> Vec<(u64, Message)> {
    let class = |(failure, count): (&Failure, &u64)| (*count, eval_analysis::measure::why_failed(*failure));
    of.failures.iter().map(class).collect()
}

/// What ended without an answer and without a failure, which [`failures`] names.
pub(crate) fn endings(outcomes: &OutcomeCounts) -> impl Iterator<Item = (u64, Message)> {
    let not_run = outcomes.not_run;
    [
        (outcomes.refused, msg!("report-missing-refused")),
        (outcomes.truncated, msg!("report-missing-truncated")),
        (outcomes.limit_hit, msg!("report-missing-limit-hit")),
        (outcomes.empty, msg!("report-missing-empty")),
        (not_run, msg!("report-missing-not-run")),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
}

fn insight_text(show: Show, insight: &Insight) -> String {
    let text = show.text(&harmless(&insight.message_key));
    // what always passes is seldom worth reading about one by one
    let named: Vec<String> = match insight.severity {
        Severity::Info if insight.kind != InsightKind::UnmatchedRegex => Vec::new(),
        Severity::Warning | Severity::Error if insight.kind == InsightKind::LowDiscrimination => Vec::new(),
        Severity::Info | Severity::Warning | Severity::Error => insight.checks.iter().take(3).map(check_name).collect(),
    };
    match named.is_empty() {
        true => text,
        false => {
            let more = insight.checks.len() - named.len();
            show.text(&msg!("report-in-samples", text = text, list = and_more(show, named, more)))
        }
    }
}

pub(crate) fn next<R>(page: &mut TerminalPage, report: &Report<R>) {
    if report.analysis.suggestions.is_empty() {
        return;
    }
    page.title(&msg!("report-next-title"));
    for suggestion in &report.analysis.suggestions {
        let text = of_this_run(&page.show.text(&harmless(&suggestion.message_key)), &report.id);
        let ids: Vec<String> = suggestion.sample_ids.iter().take(LISTED).map(|of| id(of)).collect();
        match ids.is_empty() {
            true => page.bullet(&text),
            false => {
                let more = suggestion.sample_ids.len() - ids.len();
                let list = and_more(page.show, ids, more);
                page.bullet(&page.show.text(&msg!("report-in-samples", text = text, list = list)));
            }
        }
    }
}
