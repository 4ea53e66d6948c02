//! The verdict's inputs from gold.

use eval_format::{Ci, GoldDiffInputs, GoldDifference, GoldInputs, GoldReport};

/// α below which a judge is not sound; the interval decides.
const MIN_ALPHA: f64 = 0.4;

/// Fewer labelled samples in which people saw a difference make any interval too sure of itself: where they are rare, 20
/// labels cover 83 % and 50 labels 90 % of the time instead of 95 (simulated; see the statistics crate's `ppi_mean`).
const MIN_UNTIED: u64 = 10;

/// The verdict's inputs from a report's gold.
#[must_use]
pub(crate) fn inputs(gold: &GoldReport) -> GoldInputs {
    let agreement = gold.without_judges.as_ref().unwrap_or(&gold.overall);
    let bounds = |ci: &Option<Ci>| (ci.map(|ci| ci.low), ci.map(|ci| ci.high));
    let difference = |of: &GoldDifference| {
        let (low, high) = bounds(&of.of.ci);
        (of.treatment.clone(), GoldDiffInputs { low, high, labelled: of.of.labelled, untied: of.untied })
    };
    GoldInputs {
        min_alpha: MIN_ALPHA,
        min_untied: MIN_UNTIED,
        n: agreement.n,
        alpha: agreement.alpha.value,
        alpha_low: bounds(&agreement.alpha.ci).0,
        differences: gold.differences.iter().map(difference).collect(),
        means: gold.means.iter().map(|of| (of.variant.clone(), of.of.estimate)).collect(),
    }
}
