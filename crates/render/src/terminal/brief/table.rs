//! The variants by row: as many columns as the width holds, those that matter most first.

use eval_format::{Comparison, Report, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Arg, msg};
use eval_spec::Layer;
use unicode_width::UnicodeWidthStr;

use crate::document::variants::{NUMBERS, VariantNumber, answered, checks};
use crate::minus::{bound, level, signed};
use crate::show::Show;
use crate::terminal::layout::{GAP, columns, widest};

/// Variants that have a row: all, if they are no more than so many, else fewer.
const ROWS: usize = 8;
const FEWER: usize = 6;

/// A head and a cell for each variant. Those of the lowest rank stay longest.
struct BriefColumn {
    rank: u8,
    cells: Vec<String>,
}

/// The table, with a newline behind every line.
pub(super) fn variants<R>(report: &Report<R>, show: Show) -> String {
    let arms: Vec<(String, &VariantSummary)> = report
        .meta
        .variants
        .iter()
        .enumerate()
        .filter_map(|(i, name)| Some((label(show, i, report.meta.variants.len(), name), report.summary.get(name)?)))
        .collect();
    let shown = if arms.len() > ROWS { &arms[..FEWER] } else { &arms[..] };
    let labels: Vec<String> =
        std::iter::once(String::new()).chain(shown.iter().map(|(label, _)| label.clone())).collect();
    let names = &report.meta.variants[..];
    let all = wanted(report, show, &shown.iter().map(|(_, of)| *of).collect::<Vec<_>>(), names);
    let kept = fitting(&all, show.columns().saturating_sub(widest(&labels)));
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .enumerate()
        .map(|(row, label)| std::iter::once(label).chain(kept.iter().map(|cells| cells[row].clone())).collect())
        .collect();
    let mut text = columns(&rows).join("\n") + "\n";
    if arms.len() > shown.len() {
        text += &show.text(&msg!("report-brief-more-treatments", count = arms.len() - shown.len()));
        text.push('\n');
    }
    text
}

/// The columns that fit, in their order.
fn fitting(all: &[BriefColumn], width: usize) -> Vec<&[String]> {
    let mut by_rank: Vec<&BriefColumn> = all.iter().collect();
    by_rank.sort_by_key(|of| of.rank);
    let mut used = 0;
    let fits = by_rank.into_iter().take_while(|of| {
        used += GAP.width() + widest(&of.cells);
        of.rank == 0 || used <= width
    });
    let ranks: Vec<u8> = fits.map(|of| of.rank).collect();
    all.iter().filter(|of| ranks.contains(&of.rank)).map(|of| &*of.cells).collect()
}

fn label(show: Show, i: usize, variants: usize, name: &str) -> String {
    let name = clip(name, (show.columns() / 4).clamp(10, 40));
    match (i, variants) {
        (0, 2..) => show.text(&msg!("report-control", name = name)),
        _ => name,
    }
}

/// Ranks of the numbers of a variant.
const RANKS: [(&str, u8); 12] = [
    ("score", 0),
    ("difference", 1),
    ("interval", 2),
    ("answered", 3),
    ("pairs", 4),
    ("checks", 5),
    ("fact", 6),
    ("behavior", 7),
    ("judge", 8),
    ("cost", 9),
    ("time", 10),
    ("tokens", 11),
];

/// Returns the columns that say anything. Several treatments have their differences here instead of the intervals of scores.
fn wanted<R>(report: &Report<R>, show: Show, arms: &[&VariantSummary], names: &[String]) -> Vec<BriefColumn> {
    // the one score of another tool is no layer beside others
    let is_ours = report.meta.imported.is_none();
    let is_layer = |word| Layer::ALL.iter().any(|layer| layer.name() == word);
    let are_several = report.comparisons.len() > 1;
    let level = match are_several {
        true => level(report.comparisons.iter().filter_map(|comparison| comparison.diff.ci.as_ref())),
        false => level(report.summary.values().filter_map(|summary| summary.ci.as_ref())),
    };
    let head = |what: &'static str| show.text(&msg!("report-brief-head", what = what, level = &level));
    let is_wanted = |number: &&VariantNumber| {
        let is_left = are_several && number.word == "interval" || !is_ours && is_layer(number.word);
        !is_left && report.summary.values().any(number.is_known)
    };
    let cell = |number: &VariantNumber, summary: &VariantSummary| match number.word {
        "checks" => fraction(checks(summary)),
        "answered" => fraction(answered(summary)),
        _ => show.say(&(number.text)(summary)),
    };
    let column = |word: &'static str, cells: Vec<String>| BriefColumn {
        rank: RANKS.iter().find(|(ranked, _)| *ranked == word).map_or(u8::MAX, |(_, rank)| *rank),
        cells: std::iter::once(head(word)).chain(cells).collect(),
    };
    let numbers = NUMBERS.iter().filter(is_wanted);
    let numbers = numbers.map(|number| column(number.word, arms.iter().map(|arm| cell(number, arm)).collect()));
    let compared = |(word, cell): DifferenceColumn| {
        let of_arm = |name| report.comparisons.iter().find(|comparison| &comparison.treatment == name);
        let text = |name| of_arm(name).map_or_else(String::new, |comparison| show.say(&cell(comparison)));
        column(word, names.iter().take(arms.len()).map(text).collect())
    };
    let differences: [DifferenceColumn; 3] = [
        ("difference", |pair| pair.diff.mean.map_or_else(|| msg!("report-unknown").into(), |mean| signed(mean).into())),
        ("interval", |pair| match pair.diff.ci.filter(|ci| !ci.degenerate) {
            Some(ci) => msg!("report-range", low = bound(ci.low), high = bound(ci.high)).into(),
            None => "–".into(),
        }),
        ("pairs", |pair| pair.n.to_string().into()),
    ];
    let mut columns: Vec<BriefColumn> = numbers.collect();
    let behind_scores = columns.iter().take_while(|column| column.rank <= 2).count();
    columns.splice(behind_scores..behind_scores, differences.into_iter().filter(|_| are_several).map(compared));
    columns
}

/// The word above a column, and its text for a treatment.
type DifferenceColumn = (&'static str, fn(&Comparison) -> Arg);

fn fraction((part, whole): (u64, u64)) -> String {
    format!("{part}/{whole}")
}
