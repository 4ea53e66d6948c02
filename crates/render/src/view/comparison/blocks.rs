//! What a person reads of a comparison: the verdict and why, differences, layers, what was not measured, what to do next.
//!
//! It is short enough for a comment on a pull request: what doesn't decide is folded.

use std::collections::BTreeMap;

use crate::minus::{level, p_text, points, signed};
use eval_format::{Ci, Comparison, Difference, Insight, PairwiseComparison, Report, VariantGaps, gap_notice};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::Layer;
use eval_verdict::replacement;

use super::details;
use crate::sentence::{Story, gate, of_this_run, whole_story};
use crate::terminal::coverage::{files, share};
use crate::terminal::gaps::{more, rates, signals, warnings};
use crate::terminal::names::NAME;
use crate::terminal::triggers::{self, TriggerNames};
use crate::terminal::{about, apart, cached_control, circumstances, costs, harmless, imported, listed, stopping};
use crate::view::{Block, Table, Voice};

/// Treatments that a table or a list shows; the JSON has all.
pub(super) const MOST: usize = 8;
/// Gap signals of a variant that are listed.
const SIGNALS: usize = 50;

/// The whole report.
pub(crate) fn blocks(report: &Report, voice: Voice) -> Vec<Block> {
    let mut blocks = verdict(report, voice);
    blocks.push(Block::Line(voice.text(&about(report))));
    blocks.extend(imported(report, voice.lang).iter().map(|message| Block::Line(voice.text(message))));
    blocks.extend(stopping(report).iter().map(|message| Block::Line(voice.text(message))));
    let circumstances = circumstances(report, |each| voice.list(each));
    blocks.extend(circumstances.iter().map(|line| Block::Line(voice.text(line))));
    blocks.extend(cached_control(report, voice.lang).map(|message| Block::Line(voice.text(&message))));
    alone(&mut blocks, report, voice);
    differences(&mut blocks, report, voice);
    layers(&mut blocks, report, voice);
    triggers(&mut blocks, report, voice);
    details::not_measured(&mut blocks, report, voice);
    gaps(&mut blocks, report, voice);
    coverage(&mut blocks, report, voice);
    next(&mut blocks, report, voice);
    blocks.extend(details::folded(report, voice));
    let costs: Vec<String> = costs(report).map(|part| voice.own(&part)).collect();
    blocks.extend((!costs.is_empty()).then(|| Block::Line(costs.join("; "))));
    let (id, version) = (clip(&report.id, 80), clip(&report.meta.cli_version, 20));
    blocks.push(Block::Line(voice.text(&msg!("report-md-foot", id = id, version = version))));
    blocks
}

fn verdict(report: &Report, voice: Voice) -> Vec<Block> {
    let verdict = &report.verdict;
    let overall = if verdict.valid { verdict.tier.name().to_owned() } else { voice.own(&msg!("report-no-verdict")) };
    let mut blocks = vec![Block::Title { level: 2, text: format!("omk: {overall}") }];
    blocks.extend(replacement(verdict).map(|said| Block::Line(voice.text(&harmless(&said)))));
    let exit = Block::Line(voice.own(&gate(verdict)));
    // the run itself may have one beside those of its treatments
    let most = MOST + usize::from(!verdict.valid);
    let mut stories = whole_story(report, voice.lang).into_iter().take(most);
    if !verdict.valid {
        blocks.extend(stories.next().into_iter().flat_map(|one| headline(&one, voice)));
        blocks.push(exit);
        let follow = (!verdict.per_treatment.is_empty()).then(|| msg!("report-numbers-would-say"));
        blocks.extend(follow.map(|message| Block::Line(voice.own(&message))));
        blocks.extend(stories.flat_map(|one| headline(&one, voice)));
    } else {
        blocks.extend(stories.flat_map(|one| headline(&one, voice)));
        blocks.push(exit);
    }
    more_of(&mut blocks, verdict.per_treatment.len(), voice);
    blocks
}

fn headline(of: &Story, voice: Voice) -> Vec<Block> {
    let text = Block::Line(format!("**{}** {}", of.tag, voice.text(&of.sentence)));
    let (doubts, more) = listed(&of.doubts);
    let doubts = doubts.iter().chain(&more).map(|doubt| Block::Bullet(voice.text(doubt)));
    std::iter::once(text).chain(doubts).collect()
}

/// How many are not shown.
fn more_of(blocks: &mut Vec<Block>, count: usize, voice: Voice) {
    if count > MOST {
        blocks.push(Block::Line(voice.own(&msg!("report-md-more", count = count - MOST))));
    }
}

pub(super) fn title(blocks: &mut Vec<Block>, message: &Message, voice: Voice) {
    blocks.push(Block::Title { level: 3, text: voice.own(message) });
}

pub(super) fn table<const N: usize>(
    blocks: &mut Vec<Block>,
    heads: [Message; N],
    texts: &'static [usize],
    rows: impl Iterator<Item = [String; N]>,
    voice: Voice,
) {
    let heads = heads.iter().map(|head| voice.own(head)).collect();
    let rows = rows.take(MOST * Layer::ALL.len()).map(Vec::from).collect();
    blocks.push(Block::Table(Table { heads, texts, rows }));
}

/// The numbers of variants that nothing is compared with.
fn alone(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    if !report.comparisons.is_empty() {
        return;
    }
    let heads = [
        msg!("report-col-variant"),
        msg!("report-row-score"),
        msg!("report-row-interval", level = level(report.summary.values().filter_map(|of| of.ci.as_ref()))),
        msg!("report-md-layers"),
        msg!("report-row-checks"),
    ];
    let rows = report.summary.iter().map(|(name, of)| {
        let layers = Layer::ALL.into_iter().filter_map(|layer| {
            let mean = points(of.layers.get(layer)?.mean?);
            Some(format!("{} {mean}", voice.own(&msg!("report-md-layer", layer = layer.name()))))
        });
        let (passed, failed) = (of.checks.passed, of.checks.failed);
        [
            (voice.name)(name),
            or_none(of.avg_composite_score.filter(|_| of.planned_scores > 0).map(points)),
            interval_of(of.ci.as_ref(), voice, points),
            or_none(Some(voice.list(&layers.collect::<Vec<_>>())).filter(|list| !list.is_empty())),
            voice.own(&msg!("report-of", part = passed, whole = passed + failed)),
        ]
    });
    table(blocks, heads, &[0, 3], rows, voice);
}

/// Whether agents load the skills when they should, and what they load instead.
fn triggers(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let Some(of) = &report.triggers else { return };
    title(blocks, &triggers::title(of), voice);
    let own = |message: &Message| voice.own(message);
    let rows = of.variants.iter().map(|variant| triggers::row(variant, (voice.name)(&variant.variant), true, own));
    table(blocks, triggers::heads(), &[0], rows, voice);
    let listed = |ids: &[String]| {
        let named: Vec<String> = ids.iter().take(MOST).map(|id| (voice.name)(id)).collect();
        let list = voice.list(&named);
        let more = ids.len().saturating_sub(MOST);
        if more == 0 { list } else { voice.own(&msg!("report-and-more", list = list, more = more)) }
    };
    let notes = triggers::notes(of, &TriggerNames { name: &|name| (voice.name)(name), ids: &listed });
    blocks.extend(notes.iter().map(|note| Block::Bullet(voice.own(note))));
    for variant in of.variants.iter().filter(|variant| !variant.confusion.is_empty()) {
        let name = (voice.name)(&variant.variant);
        blocks.push(Block::Line(voice.own(&msg!("report-triggers-confusion", variant = name))));
        let (heads, rows) = triggers::confusion_table(&variant.confusion, |name| (voice.name)(name), own);
        blocks.push(Block::Table(Table { heads, texts: &[0], rows }));
    }
}

/// Where judges only compare, there are no scores to differ.
fn differences(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let is_scored = report.summary.values().any(|of| of.planned_scores > 0);
    let compared: Vec<&PairwiseComparison> = report.pairwise.iter().flat_map(|of| &of.comparisons).take(MOST).collect();
    let scores: Vec<&Comparison> =
        report.comparisons.iter().filter(|_| is_scored || report.pairwise.is_none()).take(MOST).collect();
    if report.comparisons.is_empty() {
        return;
    }
    title(blocks, &msg!("report-difference-title"), voice);
    if !scores.is_empty() {
        let heads = [
            msg!("report-col-treatment"),
            msg!("report-col-scores"),
            msg!("report-col-difference"),
            msg!("report-row-interval", level = level(scores.iter().filter_map(|one| one.diff.ci.as_ref()))),
            msg!("report-col-p"),
            msg!("report-col-outcomes"),
            msg!("report-col-pairs"),
        ];
        table(blocks, heads, &[0], scores.iter().map(|one| score_row(report, one, voice)), voice);
        let apart = scores.iter().filter_map(|one| apart(report, one));
        blocks.extend(apart.map(|message| Block::Bullet(voice.text(&message))));
    }
    let preferences: Vec<[String; 6]> = compared.iter().map(|one| preference_row(one, voice)).collect();
    if !preferences.is_empty() {
        let heads = [
            msg!("report-col-treatment"),
            msg!("report-col-preference"),
            msg!("report-row-interval", level = level(compared.iter().filter_map(|one| one.preference.ci.as_ref()))),
            msg!("report-col-p"),
            msg!("report-col-verdicts"),
            msg!("report-col-samples"),
        ];
        table(blocks, heads, &[0], preferences.into_iter(), voice);
    }
    let family = report.comparisons.iter().filter_map(|one| one.diff.ci).map(|ci| ci.family).max().unwrap_or(1);
    if family > 1 {
        blocks.push(Block::Line(voice.own(&msg!("report-md-family", family = family))));
    }
    more_of(blocks, report.comparisons.len(), voice);
}

fn score_row(report: &Report, of: &Comparison, voice: Voice) -> [String; 7] {
    let mean = |name: &String| report.summary.get(name).and_then(|of| of.avg_composite_score).map(points);
    [
        (voice.name)(&of.treatment),
        from_to(mean(&of.control), mean(&of.treatment)),
        or_none(of.diff.mean.map(signed)),
        interval(&of.diff, voice),
        p_value(&of.diff, voice),
        format!("{} / {} / {}", of.wins, of.losses, of.ties),
        of.n.to_string(),
    ]
}

fn preference_row(of: &PairwiseComparison, voice: Voice) -> [String; 6] {
    [
        (voice.name)(&of.treatment),
        or_none(of.preference.mean.map(signed)),
        interval(&of.preference, voice),
        p_value(&of.preference, voice),
        format!("{} / {} / {}", of.wins, of.losses, of.ties),
        of.n.to_string(),
    ]
}

/// Each layer of each treatment: a composite that rises can hide a layer that falls.
fn layers(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let row = |of: &Comparison, layer: Layer| {
        let diff = of.layers.get(layer)?;
        let mean = |name: &String| report.summary.get(name)?.layers.get(layer)?.mean.map(points);
        Some([
            voice.own(&msg!("report-md-layer", layer = layer.name())),
            (voice.name)(&of.treatment),
            from_to(mean(&of.control), mean(&of.treatment)),
            or_none(diff.mean.map(signed)),
            interval(diff, voice),
        ])
    };
    let rows: Vec<[String; 5]> = report
        .comparisons
        .iter()
        .take(MOST)
        .flat_map(|of| Layer::ALL.into_iter().filter_map(move |layer| row(of, layer)))
        .collect();
    if rows.len() > report.comparisons.len().min(MOST) {
        title(blocks, &msg!("report-md-layers"), voice);
        let heads = [
            msg!("report-col-layer"),
            msg!("report-col-treatment"),
            msg!("report-col-scores"),
            msg!("report-col-difference"),
            msg!(
                "report-row-interval",
                level =
                    level(report.comparisons.iter().flat_map(|of| {
                        Layer::ALL.into_iter().filter_map(|layer| of.layers.get(layer)?.ci.as_ref())
                    }))
            ),
        ];
        table(blocks, heads, &[0, 1], rows.into_iter(), voice);
    }
}

fn from_to(control: Option<String>, treatment: Option<String>) -> String {
    format!("{} → {}", or_none(control), or_none(treatment))
}

pub(super) fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| eval_message::figures::NONE.to_owned())
}

fn interval(of: &Difference, voice: Voice) -> String {
    interval_of(of.ci.as_ref(), voice, signed)
}

fn interval_of(ci: Option<&Ci>, voice: Voice, number: fn(f64) -> String) -> String {
    match ci {
        None => eval_message::figures::NONE.to_owned(),
        Some(ci) if ci.degenerate => voice.own(&msg!("report-no-spread")),
        Some(ci) => voice.own(&msg!("report-range", low = number(ci.low), high = number(ci.high))),
    }
}

/// As in a sentence, without the sign of equality, and harmless.
fn p_value(of: &Difference, voice: Voice) -> String {
    or_none(of.p_value_adjusted.map(|p| (voice.quote)(p_text(p).trim_start_matches("= "))))
}

/// What agents looked for and didn't find. The rates come with their test set, and what they say nothing of below them.
fn gaps(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let all = &report.analysis.gap;
    if all.is_empty() {
        return;
    }
    title(blocks, &msg!("gaps-title"), voice);
    let arms = in_order(report, all);
    let lines = arms.iter().flat_map(|(name, of)| rates(name, of).into_iter().chain(warnings(of)));
    blocks.extend(lines.map(|line| Block::Bullet(voice.text(&line))));
    blocks.push(Block::Line(voice.own(&gap_notice())));
    let has_any = |of: &VariantGaps| !of.inventory().is_empty() || !of.filtered().is_empty();
    let folds = arms.iter().filter(|(_, of)| has_any(of)).map(|(name, of)| {
        let (listed, left) = signals(of.inventory().iter().chain(of.filtered()), SIGNALS);
        let listed = listed.into_iter().map(|(_, line)| line).chain(more(left));
        Block::Fold {
            title: voice.own(&msg!("gaps-signals", variant = clip(name, NAME))),
            blocks: listed.map(|line| Block::Bullet(voice.text(&line))).collect(),
        }
    });
    blocks.extend(folds);
}

/// Which files of the knowledge base agents read; the share comes with its test set.
fn coverage(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let all = &report.analysis.coverage;
    if all.is_empty() {
        return;
    }
    title(blocks, &msg!("gaps-coverage-title"), voice);
    let arms = in_order(report, all);
    blocks.extend(arms.iter().map(|(name, of)| Block::Bullet(voice.text(&share(name, of)))));
    blocks.push(Block::Line(voice.own(&gap_notice())));
    let listed = arms.iter().map(|(name, of)| (name, files(of))).filter(|(_, files)| !files.is_empty());
    blocks.extend(listed.map(|(name, files)| Block::Fold {
        title: voice.own(&msg!("gaps-coverage-files", variant = clip(name, NAME))),
        blocks: files.iter().map(|line| Block::Bullet(voice.text(line))).collect(),
    }));
}

/// What variants have, the control's first.
fn in_order<'r, T>(report: &'r Report, all: &'r BTreeMap<String, T>) -> Vec<(&'r String, &'r T)> {
    report.meta.variants.iter().filter_map(|name| all.get_key_value(name)).take(MOST).collect()
}

fn next(blocks: &mut Vec<Block>, report: &Report, voice: Voice) {
    let suggestions = &report.analysis.suggestions;
    if suggestions.is_empty() {
        return;
    }
    title(blocks, &msg!("report-next-title"), voice);
    let advice = |of| of_this_run(&suggestion(of, voice), &report.id);
    blocks.extend(suggestions.iter().take(MOST).map(|of| Block::Bullet(advice(of))));
    more_of(blocks, suggestions.len(), voice);
}

fn suggestion(of: &Insight, voice: Voice) -> String {
    let text = voice.text(&harmless(&of.message_key));
    match of.sample_ids.is_empty() {
        true => text,
        false => {
            let list = details::names(&of.sample_ids, voice);
            voice.own(&msg!("report-in-samples", text = text, list = list))
        }
    }
}
