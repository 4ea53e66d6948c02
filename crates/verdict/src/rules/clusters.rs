//! Whether a difference over tasks, in which the samples of a cluster count once, is one over samples, too: what is declared
//! one cluster after looking may hide any number of samples.

use eval_format::{DiffInputs, TreatmentInputs, VerdictInputs};

use super::preference;
use crate::reason::{Doubt, Evidence, Reason};

/// A gain over samples is at least this part of that over tasks.
const LEAST_PART: f64 = 0.5;

/// Why a gain is one of clusters only.
pub(super) fn gain_of_clusters(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let DiffInputs { mean: Some(mean), over_samples: Some(over), .. } = *preference::deciding(inputs, treatment) else {
        return Vec::new();
    };
    let least = inputs.limits.trivial_diff.max(LEAST_PART * mean);
    (over < least).then(|| Doubt::GainOfClusters { mean, over }.into()).into_iter().collect()
}

/// That a loss is one of clusters only; it stays a loss.
pub(super) fn loss_of_clusters(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Reason> {
    let over = preference::deciding(inputs, treatment).over_samples.filter(|over| *over >= 0.0)?;
    Some(Evidence::LossOfClusters { over }.into())
}

/// Why a difference that matters isn't excluded.
pub(super) fn could_hide_difference(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let limit = preference::limits(inputs, treatment).min_effect;
    let over = preference::deciding(inputs, treatment).over_samples.filter(|over| over.abs() > limit);
    over.map(|over| Doubt::ClustersHide { over, limit }.into()).into_iter().collect()
}

/// Why a loss of more than the margin isn't excluded.
pub(super) fn could_hide_loss(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(margin) = inputs.limits.margin else { return Vec::new() };
    let over = treatment.diff.over_samples.filter(|over| *over <= -margin);
    over.map(|over| Doubt::ClustersHide { over, limit: margin }.into()).into_iter().collect()
}
