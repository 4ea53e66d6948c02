//! What matters beside the numbers: what got worse and why, then what makes the numbers doubtful, a line each.

use std::collections::BTreeMap;

use crate::minus::{percent, signed};
use eval_format::{CheckFall, Comparison, Insight, InsightKind, Report, Severity};
use eval_message::msg;
use eval_message::plain::clip;

use super::commands::StoredAt;
use crate::terminal::lists::and_more;
use crate::terminal::names::{LISTED, NAME, id};
use crate::terminal::{Show, TerminalPage, harmless};

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
    let several = report.comparisons.len() > 1;
    let worse = report.comparisons.iter().filter_map(|of| worse(show, of, several));
    let causes: Vec<Vec<String>> = report.comparisons.iter().map(|of| causes(show, of, several)).collect();
    let first_causes = causes.iter().flat_map(|of| of.first().cloned());
    let more_causes = causes.iter().flat_map(|of| of.iter().skip(1).cloned());
    let unpaired = report.comparisons.iter().filter_map(|of| left_out(show, of));
    let opinions = report.judging.iter().flat_map(|of| &of.judges).filter_map(|judge| {
        let why = judge.why_missing.as_ref().filter(|_| judge.missing > 0)?;
        let why = show.text(&harmless(&why.message_key));
        let lost = msg!("report-judge-missing", missing = judge.missing, planned = judge.planned, why = why);
        Some(show.text(&msg!("report-lost", variant = clip(&judge.judge, NAME), list = show.text(&lost))))
    });
    let checks = report.meta.variants.iter().filter_map(|name| unscored(show, report, name));
    let (insights, beside): (Vec<&Insight>, Vec<&Insight>) =
        report.analysis.insights.iter().partition(|of| is_doubt(of));
    let mut insights = insights;
    insights.sort_by_key(|of| rank(&of.kind));
    let warned = insights.into_iter().map(|of| one_line(show, &show.text(&harmless(&of.message_key))));
    let findings = || report.analysis.sample_quality.findings.iter();
    let defects = findings()
        .filter(|of| of.severity > Severity::Info)
        .map(|of| one_line(show, &show.text(&harmless(&of.message_key))));
    let lines: Vec<String> = worse
        .chain(first_causes)
        .chain(unpaired)
        .chain(opinions)
        .chain(checks)
        .chain(warned)
        .chain(defects)
        .chain(more_causes)
        .collect();
    let minor = findings().filter(|of| of.severity == Severity::Info && of.points > 0.0).count();
    Matters { lines, beside: beside.len() + minor }
}

/// The reasons for which samples are no pairs, each once, with the variants and how many of each.
fn left_out(show: Show, of: &Comparison) -> Option<String> {
    if of.excluded.is_empty() {
        return None;
    }
    let mut reasons: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for one in &of.excluded {
        for (variant, why) in one.variants.iter().zip(&one.why_keys) {
            *reasons.entry(show.text(&harmless(why))).or_default().entry(variant).or_default() += 1;
        }
    }
    let each = reasons.into_iter().map(|(why, variants)| {
        let counts = variants.into_iter().map(|(name, count)| format!("`{}` {count}", clip(name, NAME)));
        show.text(&msg!("report-brief-why", why = why, variants = show.list(&counts.collect::<Vec<_>>())))
    });
    let list = show.list(&each.collect::<Vec<_>>());
    Some(show.text(&msg!("report-brief-left-out", count = of.excluded.len(), list = list)))
}

/// How many samples went each way, and those that fell most.
fn worse(show: Show, of: &Comparison, is_named: bool) -> Option<String> {
    let each =
        of.moved.worse.iter().take(LISTED).map(|one| format!("{}\u{a0}{}", id(&one.sample_id), signed(one.diff)));
    let named: Vec<String> = each.collect();
    let more = usize::try_from(of.losses).unwrap_or(usize::MAX).saturating_sub(named.len());
    let list = if named.is_empty() { "none".to_owned() } else { and_more(show, named, more) };
    let text = msg!("report-brief-moved", wins = of.wins, losses = of.losses, ties = of.ties, list = list);
    (of.n > 0).then(|| of_treatment(show, of, is_named, show.text(&text)))
}

fn of_treatment(show: Show, of: &Comparison, is_named: bool, text: String) -> String {
    match is_named {
        true => show.text(&msg!("report-lost", variant = clip(&of.treatment, NAME), list = text)),
        false => text,
    }
}

/// Checks that fail more often than before, those of most samples first.
fn causes(show: Show, of: &Comparison, is_named: bool) -> Vec<String> {
    let line = |fall: &CheckFall| {
        let named: Vec<String> = fall.named.iter().map(|name| id(name)).collect();
        let more = usize::try_from(fall.samples).unwrap_or(usize::MAX).saturating_sub(named.len());
        let text = show.text(&msg!(
            "report-brief-cause",
            check = clip(&fall.label, 48),
            control = percent(fall.control_rate),
            treatment = percent(fall.treatment_rate),
            samples = and_more(show, named, more)
        ));
        of_treatment(show, of, is_named, text)
    };
    of.fallen_checks.iter().take(2).map(line).collect()
}

/// Checks of a variant that could not be evaluated, by reason.
fn unscored<R>(show: Show, report: &Report<R>, name: &str) -> Option<String> {
    let of = report.summary.get(name)?;
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for checks in &of.unscored {
        let why = show.text(&harmless(&checks.why_key));
        let count = msg!("report-lost-checks", count = checks.count, check = clip(&checks.kind, NAME), why = why);
        *reasons.entry(show.text(&count)).or_default() += checks.count;
    }
    let list: Vec<String> = reasons.into_keys().collect();
    (!list.is_empty()).then(|| show.text(&msg!("report-lost", variant = clip(name, NAME), list = show.list(&list))))
}

/// Whether it makes the numbers doubtful.
fn is_doubt(of: &Insight) -> bool {
    of.severity > Severity::Info
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
