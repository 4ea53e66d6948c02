//! Recomputes the parts of a stored report's `sampleQuality` that don't need the samples' texts, which are not in the
//! report: the checks of results, and severity, counts, weights and points of the others.

use std::collections::BTreeSet;

use eval_format::{NotChecked, QualityFinding, QualityItem, SampleCheck, SampleQuality};
use eval_message::msg;

use super::{ITEMS, NAMED, is_exact, of_results, points, score, severity, texts, weight};
use crate::grid::Grid;
use crate::numbers::count;

/// The checks that read texts.
const BY_TEXTS: [SampleCheck; 4] = [
    SampleCheck::NearDuplicates,
    SampleCheck::LeakyPrompts,
    SampleCheck::AmbiguousRubrics,
    SampleCheck::ThinCapabilities,
];

/// The block with the checks of results repeated, and the derived values of the checks that read texts recomputed.
pub fn again(stored: &SampleQuality, grid: &Grid) -> SampleQuality {
    let mut again = of_results(grid);
    let ids: BTreeSet<&str> = grid.suite.samples.iter().map(|sample| sample.id.as_str()).collect();
    let findings = stored.findings.iter().filter(|of| BY_TEXTS.contains(&of.kind));
    again.findings.splice(..0, findings.map(|of| by_texts(of, &ids)));
    again.passed.splice(..0, stored.passed.iter().filter(|kind| BY_TEXTS.contains(kind)).cloned());
    let not_checked = stored.not_checked.iter().filter(|of| BY_TEXTS.contains(&of.kind));
    again.not_checked.splice(..0, not_checked.cloned());
    let made: BTreeSet<SampleCheck> = kinds(&again).cloned().collect();
    // no check is left out
    let lost = BY_TEXTS.into_iter().filter(|kind| !made.contains(kind));
    again.not_checked.extend(lost.map(|kind| NotChecked { kind, why: msg!("quality-why-run").into() }));
    again
}

fn kinds(of: &SampleQuality) -> impl Iterator<Item = &SampleCheck> {
    let found = of.findings.iter().map(|finding| &finding.kind);
    let not_made = of.not_checked.iter().map(|of| &of.kind);
    found.chain(of.passed.iter()).chain(not_made)
}

/// A finding about texts with its derived values recomputed, limited to known samples.
fn by_texts(stored: &QualityFinding, ids: &BTreeSet<&str>) -> QualityFinding {
    let [message, advice] = texts(&stored.kind, stored.affected, stored.checked);
    let item = |of: &QualityItem| QualityItem {
        sample_ids: of.sample_ids.iter().filter(|id| ids.contains(id.as_str())).cloned().collect(),
        ..of.clone()
    };
    QualityFinding {
        severity: severity(&stored.kind, stored.items.iter().any(|item| is_exact(&item.detail.message_key))),
        message: message.to_string(),
        message_key: message,
        advice: advice.into(),
        weight: weight(&stored.kind),
        items: stored.items.iter().map(item).collect(),
        total_items: if stored.kind == SampleCheck::NearDuplicates { stored.total_items } else { stored.affected },
        ..stored.clone()
    }
}

/// The arithmetic of a block: the points follow from the findings, and the score from the points.
pub fn settle(quality: &mut SampleQuality) {
    for of in &mut quality.findings {
        of.points = points(of.weight, of.affected, of.checked);
        of.affected = of.affected.min(of.checked);
        of.total_items = total(&of.items, ITEMS, of.total_items);
        for item in &mut of.items {
            item.total_samples = total(&item.sample_ids, NAMED, item.total_samples);
        }
    }
    // equal points keep the order of the checks
    quality.findings.sort_by(|a, b| b.points.total_cmp(&a.points));
    let made = !(quality.findings.is_empty() && quality.passed.is_empty());
    quality.score = made.then(|| score(&quality.findings));
    quality.why = quality.why.take().filter(|_| !made);
}

/// How many there are of what is listed up to `most`.
fn total<T>(listed: &[T], most: usize, stored: u64) -> u64 {
    if listed.len() < most { count(listed.len()) } else { stored.max(count(listed.len())) }
}
