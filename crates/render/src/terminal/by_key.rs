//! The table of a key of the samples: a row per value, with the means of the variants and how they differ.

use std::cmp::Reverse;

use crate::minus::{bound, points, signed};
use eval_history::by_key::{GroupDifference, GroupOfScores};
use eval_history::{GroupedScores, GroupingKey};
use eval_message::msg;
use eval_message::plain::clip;

use super::TerminalPage;
use super::layout::in_blocks;
use crate::document::text::or_dash;
use crate::show::Show;

/// Columns of a value or a variant's name, at most.
const NAME: usize = 24;
/// Rows, at most.
const ROWS: usize = 40;

#[must_use]
pub fn by_key_text(grouped: &GroupedScores, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.text.push('\n');
    if grouped.groups.is_empty() {
        page.line(0, &msg!("report-by-none", key = grouped.key.name()));
        return page.text;
    }
    page.title(&msg!("report-by-title", key = grouped.key.name()));
    let groups = listed(&grouped.groups);
    let rows: Vec<Vec<String>> =
        std::iter::once(heads(grouped, show)).chain(groups.iter().map(|group| row(grouped, group, show))).collect();
    page.text.push_str(&in_blocks(&rows, show.columns()));
    if groups.len() < grouped.groups.len() {
        page.line(0, &msg!("report-by-more", shown = groups.len(), count = grouped.groups.len() - groups.len()));
    }
    page.line(
        0,
        &match grouped.key {
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

/// Returns the heads: the value, samples, tasks, each variant, and each treatment against the control.
fn heads(of: &GroupedScores, show: Show) -> Vec<String> {
    let counts = [String::new(), show.text(&msg!("report-by-samples")), show.text(&msg!("report-by-tasks"))];
    let treatments = of.variants.iter().skip(1);
    let differences = treatments.map(|name| format!("{} − {}", clip(name, NAME), clip(&of.variants[0], NAME)));
    counts.into_iter().chain(of.variants.iter().map(|name| clip(name, NAME))).chain(differences).collect()
}

fn row(of: &GroupedScores, group: &GroupOfScores, show: Show) -> Vec<String> {
    let value = group.value.as_ref();
    let value = value.map_or_else(|| show.text(&msg!("report-by-without")), |value| clip(value, NAME));
    let means = (0..of.variants.len()).map(|i| or_dash(group.means[i], points));
    let differences =
        (1..of.variants.len()).map(|i| group.differences.get(i - 1).map_or_else(|| "–".to_owned(), difference));
    [value, group.samples.to_string(), group.tasks.to_string()].into_iter().chain(means).chain(differences).collect()
}

/// `+0.20 (−0.10 to 0.50)`, without the interval where there is none.
fn difference(difference: &GroupDifference) -> String {
    match (difference.mean, difference.ci.filter(|ci| !ci.degenerate)) {
        (None, _) => "–".to_owned(),
        (Some(mean), None) => signed(mean),
        (Some(mean), Some(ci)) => format!("{} [{}, {}]", signed(mean), bound(ci.low), bound(ci.high)),
    }
}
