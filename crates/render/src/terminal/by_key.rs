//! The table of a key of the samples: a row per value, with the means of the variants and how they differ.

use std::cmp::Reverse;

use crate::minus::{bound, points, signed};
use eval_history::by_key::{GroupDifference, GroupOfScores};
use eval_history::{GroupedScores, GroupingKey};
use eval_message::msg;
use eval_message::plain::clip;

use super::table::blocks;
use super::{Show, TerminalPage};

/// Columns of a value or a variant's name, at most.
const NAME: usize = 24;
/// Rows, at most.
const ROWS: usize = 40;

/// The table of `omk eval --by KEY`.
#[must_use]
pub fn by_key_text(of: &GroupedScores, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.text.push('\n');
    if of.groups.is_empty() {
        page.line(0, &msg!("report-by-none", key = of.key.name()));
        return page.text;
    }
    page.title(&msg!("report-by-title", key = of.key.name()));
    let value = |group: &GroupOfScores| match &group.value {
        Some(value) => clip(value, NAME),
        None => show.text(&msg!("report-by-without")),
    };
    let groups = listed(&of.groups);
    let labels: Vec<String> = std::iter::once(String::new()).chain(groups.iter().map(|group| value(group))).collect();
    page.text.push_str(&blocks(&labels, &numbers(of, &groups, show), show.columns()));
    if groups.len() < of.groups.len() {
        page.line(0, &msg!("report-by-more", shown = groups.len(), count = of.groups.len() - groups.len()));
    }
    page.line(
        0,
        &match of.key {
            GroupingKey::Capability => msg!("report-by-capability"),
            _ => msg!("report-by-describes"),
        },
    );
    page.text
}

/// The groups with the most samples, as they come; of as many the first.
fn listed(all: &[GroupOfScores]) -> Vec<&GroupOfScores> {
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_key(|&place| Reverse(all[place].samples));
    places.truncate(ROWS);
    places.sort_unstable();
    places.into_iter().map(|place| &all[place]).collect()
}

/// The columns: samples, tasks, each variant, and each treatment against the control.
fn numbers(of: &GroupedScores, groups: &[&GroupOfScores], show: Show) -> Vec<Vec<String>> {
    let column = |head: String, cell: &dyn Fn(&GroupOfScores) -> String| -> Vec<String> {
        std::iter::once(head).chain(groups.iter().map(|group| cell(group))).collect()
    };
    let mut columns = vec![
        column(show.text(&msg!("report-by-samples")), &|group| group.samples.to_string()),
        column(show.text(&msg!("report-by-tasks")), &|group| group.tasks.to_string()),
    ];
    let score = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), points);
    for (i, name) in of.variants.iter().enumerate() {
        columns.push(column(clip(name, NAME), &|group| score(group.means[i])));
    }
    for (i, treatment) in of.variants.iter().skip(1).enumerate() {
        let head = format!("{} − {}", clip(treatment, NAME), clip(&of.variants[0], NAME));
        columns.push(column(head, &|group| group.differences.get(i).map_or_else(|| "–".to_owned(), difference)));
    }
    columns
}

/// `+0.20 (−0.10 to 0.50)`, without the interval where there is none.
fn difference(of: &GroupDifference) -> String {
    match (of.mean, of.ci.filter(|ci| !ci.degenerate)) {
        (None, _) => "–".to_owned(),
        (Some(mean), None) => signed(mean),
        (Some(mean), Some(ci)) => format!("{} [{}, {}]", signed(mean), bound(ci.low), bound(ci.high)),
    }
}
