//! Details: what was not measured, which samples and checks moved, other observations.

use crate::minus::{percent, signed};
use eval_format::{Comparison, Excluded, Report, SampleDifference, VariantSummary};
use eval_message::msg;

use super::blocks::{MOST, or_none, table, title};
use super::excluded::excluded_groups;
use crate::terminal::{endings, failures, harmless};
use crate::urls::url_lines;
use crate::view::{Block, Voice};

/// Samples, checks and reasons that are named.
const NAMED: usize = 5;

/// Answered executions of each variant, and why the other ones weren't.
pub(super) fn not_measured(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let arms: Vec<(&String, &VariantSummary)> =
        report.meta.variants.iter().filter_map(|name| Some((name, report.summary.get(name)?))).collect();
    let is_lost = |of: &VariantSummary| of.outcomes.answered < of.outcomes.total() || !of.unscored.is_empty();
    if !arms.iter().any(|(_, of)| is_lost(of)) {
        return;
    }
    title(blocks, &msg!("report-lost-title"), voice);
    let heads = [msg!("report-col-variant"), msg!("report-row-answered"), msg!("report-col-why")];
    let rows = arms.into_iter().take(MOST + 1).map(|(name, of)| {
        let (answered, total) = (of.outcomes.answered, of.outcomes.total());
        let answered = voice.own(&msg!("report-of", part = answered, whole = total));
        [(voice.name)(name), answered, or_none(Some(reasons(of, voice)).filter(|why| !why.is_empty()))]
    });
    table(blocks, heads, &[0, 2], rows, voice);
}

fn reasons(of: &VariantSummary, voice: Voice) -> String {
    let classes = failures(of).into_iter().chain(endings(&of.outcomes));
    let classes =
        classes.map(|(count, why)| voice.own(&msg!("report-lost-class", count = count, why = voice.own(&why))));
    let checks = of.unscored.iter().take(NAMED).map(|checks| {
        let why = voice.text(&harmless(&checks.why_key));
        let text = msg!("report-md-lost-checks", count = checks.count, check = (voice.name)(&checks.kind), why = why);
        voice.own(&text)
    });
    voice.list(&classes.chain(checks).collect::<Vec<_>>())
}

/// What doesn't decide.
pub(super) fn folded(report: &Report, voice: Voice) -> Vec<Block> {
    let compared = report.comparisons.iter().take(MOST).filter_map(|of| moved(of, voice));
    compared.chain(noticed(report, voice)).chain(pages(report, voice)).collect()
}

/// The samples and checks that a treatment moved most, and the samples that are left out.
fn moved(of: &Comparison, voice: Voice) -> Option<Block> {
    let mut blocks = Vec::new();
    let samples = |moved: &[SampleDifference]| {
        let each = moved.iter().take(NAMED).map(|one| format!("{} {}", (voice.name)(&one.sample_id), signed(one.diff)));
        voice.list(&each.collect::<Vec<_>>())
    };
    let mut bullet = |text: String| blocks.push(Block::Bullet(text));
    if !of.moved.better.is_empty() {
        bullet(voice.own(&msg!("report-moved-better", list = samples(&of.moved.better))));
    }
    if !of.moved.worse.is_empty() {
        bullet(voice.own(&msg!("report-moved-worse", list = samples(&of.moved.worse))));
    }
    for check in of.checks.iter().take(NAMED) {
        let name = format!("{} {}", (voice.name)(&check.check.sample_id), (voice.name)(&check.check.label));
        let (control, treatment) = (percent(check.control_rate), percent(check.treatment_rate));
        bullet(voice.own(&msg!("report-check-moved", check = name, control = control, treatment = treatment)));
    }
    if !of.excluded.is_empty() {
        bullet(excluded(of, voice));
    }
    let title = voice.own(&msg!("report-md-moved", treatment = &of.treatment));
    (!blocks.is_empty()).then_some(Block::Fold { title, blocks })
}

fn excluded(of: &Comparison, voice: Voice) -> String {
    let why = |group: &[Excluded]| {
        let ids: Vec<String> = group.iter().map(|one| (voice.name)(&one.sample_id)).collect();
        let arms = group[0].variants.iter().zip(&group[0].why_keys);
        let arms = arms.map(|(variant, why)| format!("{}: {}", (voice.name)(variant), voice.text(&harmless(why))));
        let (samples, why) = (voice.list(&ids), voice.list(&arms.collect::<Vec<_>>()));
        voice.own(&msg!("report-excluded-why", samples = samples, why = why))
    };
    let listed = voice.list(&excluded_groups(of, NAMED).map(why).collect::<Vec<_>>());
    let list = match of.excluded.len().saturating_sub(NAMED) {
        0 => listed,
        more => voice.own(&msg!("report-and-more", list = listed, more = more)),
    };
    voice.own(&msg!("report-md-excluded", count = of.excluded.len(), list = list))
}

fn noticed(report: &Report, voice: Voice) -> Option<Block> {
    let insights = report.analysis.insights.iter().take(MOST);
    let blocks: Vec<Block> = insights.map(|of| Block::Bullet(voice.text(&harmless(&of.message_key)))).collect();
    let title = voice.own(&msg!("report-noticed-title"));
    (!blocks.is_empty()).then_some(Block::Fold { title, blocks })
}

/// The pages that stood in prompts in the place of URLs.
fn pages(report: &Report, voice: Voice) -> Option<Block> {
    let lines = url_lines(&report.meta.urls, voice.lang);
    let blocks: Vec<Block> = lines.iter().map(|line| Block::Bullet(voice.text(line))).collect();
    let title = voice.own(&msg!("page-extra-urls"));
    (!blocks.is_empty()).then_some(Block::Fold { title, blocks })
}

/// The first of several names, and how many more there are.
pub(super) fn names(of: &[String], voice: Voice) -> String {
    let named: Vec<String> = of.iter().take(NAMED).map(|name| (voice.name)(name)).collect();
    let list = voice.list(&named);
    match of.len().saturating_sub(NAMED) {
        0 => list,
        more => voice.own(&msg!("report-and-more", list = list, more = more)),
    }
}
