//! The level and the p-values of treatments that are some of a larger family.

use eval_format::{FileFamily, ImportedResults};
use eval_stats::holm;

use crate::numbers::count;

/// The level of one interval by itself, both tails together.
pub(crate) const ALPHA: f64 = 0.05;

/// Returns the family of treatments that couldn't be read together: each interval at its share of the level.
#[must_use]
pub fn unread_family(treatments: usize) -> FileFamily {
    FileFamily { treatments: count(treatments), alpha: bonferroni(count(treatments)), p_values: None }
}

#[expect(clippy::cast_precision_loss, reason = "a count of arms")]
fn bonferroni(treatments: u64) -> f64 {
    ALPHA / treatments.max(1) as f64
}

/// Returns a family as a report stores it, if it is larger than what is compared, with a level that it may have: a stored
/// report may have been edited.
pub(crate) fn checked(family: &FileFamily, compared: usize) -> Option<FileFamily> {
    let alpha = family.alpha.clamp(bonferroni(family.treatments), ALPHA);
    (family.treatments > count(compared)).then(|| FileFamily { alpha, ..family.clone() })
}

/// Returns how many treatments of a family are not compared.
pub(crate) fn others(family: Option<&FileFamily>, compared: usize) -> usize {
    let others = family.map(|family| family.treatments.saturating_sub(count(compared)));
    others.and_then(|others| usize::try_from(others).ok()).unwrap_or_default()
}

/// Adjusts p-values as those of a family that has `others` more.
#[expect(clippy::cast_precision_loss, reason = "a count of treatments")]
pub(crate) fn adjusted(p_values: &[f64], family: Option<&FileFamily>, others: usize) -> Vec<f64> {
    match family.map(|family| &family.p_values) {
        None => holm(p_values),
        Some(Some(known)) => {
            let mut adjusted = holm(&[p_values, known].concat());
            adjusted.truncate(p_values.len());
            adjusted
        }
        Some(None) => {
            let size = (p_values.len() + others) as f64;
            p_values.iter().map(|p| (p * size).min(1.0)).collect()
        }
    }
}

/// Returns how many treatments the files have, where fewer are compared.
pub(crate) fn file_treatments(imported: &ImportedResults, compared: usize) -> Option<u64> {
    imported.family.as_ref().map(|family| family.treatments).filter(|all| *all > count(compared))
}

/// Returns the largest level, both tails together, that an interval of the family may have.
pub(crate) fn most_alpha(family: Option<&FileFamily>) -> f64 {
    family.map_or(1.0, |family| family.alpha)
}
