//! Lines beside the numbers: what got worse and why, then what makes the numbers doubtful.

use std::collections::BTreeMap;

use eval_format::{CheckFall, Comparison, Insight, InsightKind, Report, Severity};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::commands::StoredAt;
use crate::document::judges;
use crate::document::noticed::unscored;
use crate::document::text::{LISTED, NAME, and_more, harmless, id, moved};
use crate::minus::percent;
use crate::show::Show;
use crate::terminal::page::TerminalPage;

/// The lines, the most important first, and how many findings have none.
pub(super) struct Matters {
    lines: Vec<String>,
    beside: usize,
}

impl Matters {
    /// The first lines, and how to read the others.
    pub(super) fn print(&self, page: &mut TerminalPage, most: usize, at: Option<StoredAt<'_>>) {
        let (shown, hidden) = self.lines.split_at(self.lines.len().min(most));
        shown.iter().for_each(|line| page.raw(0, line));
        let count = hidden.len() + self.beside;
        if count > 0 {
            // a path would take the room of a finding
            let named = at.and_then(StoredAt::named).filter(|named| named.len() <= NAME);
            page.line(
                0,
                &match named {
                    Some(named) => msg!("report-brief-more", count = count, report = named),
                    None => msg!("report-brief-more-details", count = count),
                },
            );
        }
    }
}

pub(super) fn matters<R>(report: &Report<R>, show: Show) -> Matters {
    let are_several = report.comparisons.len() > 1;
    let worse = report.comparisons.iter().filter_map(|comparison| worse(comparison, are_several));
    let causes: Vec<Vec<Message>> = report.comparisons.iter().map(|of| causes(of, are_several)).collect();
    let first_causes = causes.iter().flat_map(|of| of.first().cloned());
    let more_causes = causes.iter().flat_map(|of| of.iter().skip(1).cloned());
    let unpaired = report.comparisons.iter().filter_map(|comparison| left_out(comparison, show));
    let opinions = report.judging.iter().flat_map(|judging| &judging.judges).filter_map(|judge| {
        let missing = judges::missing(judge.missing, judge.planned, judge.why_missing.as_ref())?;
        Some(msg!("report-lost", variant = clip(&judge.judge, NAME), list = missing))
    });
    let checks = report.meta.variants.iter().filter_map(|name| lost_checks(report, show, name));
    let (mut insights, beside): (Vec<&Insight>, Vec<&Insight>) =
        report.analysis.insights.iter().partition(|insight| insight.severity > Severity::Info);
    insights.sort_by_key(|insight| rank(&insight.kind));
    let findings = || report.analysis.sample_quality.iter().flat_map(|quality| &quality.findings);
    let defects = findings().filter(|finding| finding.severity > Severity::Info).map(|finding| &finding.message_key);
    let warned = insights.into_iter().map(|insight| &insight.message_key);
    let first_clause = |message: &Message| one_line(show, &show.text(&harmless(message)));
    let said = worse.chain(first_causes).chain(unpaired).chain(opinions).chain(checks);
    let lines = said.map(|message| show.text(&message)).chain(warned.chain(defects).map(first_clause));
    let lines = lines.chain(more_causes.map(|message| show.text(&message))).collect();
    let minor = findings().filter(|finding| finding.severity == Severity::Info && finding.points > 0.0).count();
    Matters { lines, beside: beside.len() + minor }
}

/// Returns the reasons for which samples are no pairs, each once, with the variants and how many of each.
fn left_out(comparison: &Comparison, show: Show) -> Option<Message> {
    let mut reasons: Vec<(Message, BTreeMap<&str, usize>)> = Vec::new();
    for sample in &comparison.excluded {
        for (variant, why) in sample.variants.iter().zip(&sample.why_keys) {
            let why = harmless(why);
            let place = reasons.iter().position(|(reason, _)| *reason == why).unwrap_or(reasons.len());
            if place == reasons.len() {
                reasons.push((why, BTreeMap::new()));
            }
            *reasons[place].1.entry(variant).or_default() += 1;
        }
    }
    reasons.sort_by_key(|(why, _)| show.text(why));
    let each = reasons.into_iter().map(|(why, variants)| {
        let counts = variants.into_iter().map(|(name, count)| format!("`{}` {count}", clip(name, NAME)));
        msg!("report-brief-why", why = why, variants = counts.collect::<Vec<_>>())
    });
    let list: Vec<Message> = each.collect();
    (!list.is_empty()).then(|| msg!("report-brief-left-out", count = comparison.excluded.len(), list = list))
}

/// Returns how many samples went each way, and those that fell most.
fn worse(comparison: &Comparison, is_named: bool) -> Option<Message> {
    let Comparison { wins, losses, ties, .. } = comparison;
    let named = comparison.moved.worse.iter().take(LISTED).map(|sample| moved(&sample.sample_id, sample.diff));
    let more = usize::try_from(*losses).unwrap_or(usize::MAX).saturating_sub(named.len());
    let list = if named.len() == 0 { "none".into() } else { and_more(named, more) };
    let message = msg!("report-brief-moved", wins = *wins, losses = *losses, ties = *ties, list = list);
    (comparison.n > 0).then(|| of_treatment(comparison, is_named, message))
}

fn of_treatment(comparison: &Comparison, is_named: bool, message: Message) -> Message {
    match is_named {
        true => msg!("report-lost", variant = clip(&comparison.treatment, NAME), list = message),
        false => message,
    }
}

/// Returns checks that fail more often than before, those of most samples first.
fn causes(comparison: &Comparison, is_named: bool) -> Vec<Message> {
    let cause = |fall: &CheckFall| {
        let more = usize::try_from(fall.samples).unwrap_or(usize::MAX).saturating_sub(fall.named.len());
        let message = msg!(
            "report-brief-cause",
            check = clip(&fall.label, 48),
            control = percent(fall.control_rate),
            treatment = percent(fall.treatment_rate),
            samples = and_more(fall.named.iter().map(|name| id(name)), more)
        );
        of_treatment(comparison, is_named, message)
    };
    comparison.fallen_checks.iter().take(2).map(cause).collect()
}

/// Returns the checks of a variant that could not be evaluated, in the order of their texts.
fn lost_checks<R>(report: &Report<R>, show: Show, name: &str) -> Option<Message> {
    let mut list: Vec<Message> = unscored(report.summary.get(name)?).collect();
    list.sort_by_key(|checks| show.text(checks));
    list.dedup();
    (!list.is_empty()).then(|| msg!("report-lost", variant = clip(name, NAME), list = list))
}

fn rank(kind: &InsightKind) -> u8 {
    match kind {
        InsightKind::TripwirePassed => 0,
        InsightKind::SelfPreference | InsightKind::JudgeAgreement => 1,
        InsightKind::TurningCheck
        | InsightKind::UnmatchedRegex
        | InsightKind::PromptIgnored
        | InsightKind::ArtifactIgnored => 2,
        InsightKind::AllFail => 3,
        _ => 4,
    }
}

/// The first clause: what it is, without the advice behind the colon.
fn one_line(show: Show, text: &str) -> String {
    let mut is_quoted = false;
    let end = text.char_indices().find(|(at, c)| {
        is_quoted ^= *c == '`';
        !is_quoted && (*c == '：' || (*c == ':' && text[at + 1..].starts_with(' ')))
    });
    let clause = end.map_or(text, |(at, _)| &text[..at]);
    clip(clause, show.columns())
}
