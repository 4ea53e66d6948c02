//! No part may fall: a layer, a judged dimension, or a declared capability, whatever the whole shows.

use eval_format::{DiffInputs, LayerInputs, Limits, PartInputs, ROUNDING, TreatmentInputs, VerdictInputs};
use eval_spec::Layer;

use super::side::{Side, side_from};
use crate::reason::{Doubt, Reason};

/// From so many points on, a fall of every single task is no accident, however few there are.
const COLLAPSE: f64 = 1.0;
/// Falls of fewer tasks may be an accident.
const LEAST_TASKS: u64 = 3;

/// The layers, dimensions and capabilities of which the interval lies below 0. The only layer is no part but the whole.
pub(super) fn fell(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let limits = &inputs.limits;
    let planned = Layer::ALL.into_iter().filter(|layer| treatment.layers.get(*layer).is_some()).count();
    let layer = |layer: Layer| {
        let of = treatment.layers.get(layer).filter(|of| planned > 1 && is_below(limits, &of.diff))?;
        Some(Doubt::LayerFell { layer, n: of.diff.n, mean: of.diff.mean, high: of.diff.high }.into())
    };
    let capability = |of: &PartInputs| {
        let diff = of.diff.as_ref().filter(|diff| is_below(limits, diff))?;
        let name = of.name.clone();
        Some(Doubt::CapabilityFell { name, n: diff.n, mean: diff.mean, high: diff.high }.into())
    };
    let dimension = |of: &PartInputs| {
        let diff = of.diff.as_ref().filter(|diff| is_below(limits, diff))?;
        let name = of.name.clone();
        Some(Doubt::DimensionFell { name, n: diff.n, mean: diff.mean, high: diff.high }.into())
    };
    let layers = Layer::ALL.into_iter().filter_map(layer);
    let dimensions = treatment.dimensions.iter().filter_map(dimension);
    layers.chain(dimensions).chain(treatment.capabilities.iter().filter_map(capability)).collect()
}

/// The parts that fell in every task, where no interval shows it: there are too few tasks or pairs for one, or too many
/// parts were asked at once.
pub(super) fn collapsed(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let is_shown = |diff: Option<&DiffInputs>| diff.is_some_and(|diff| is_below(&inputs.limits, diff));
    let has_collapsed = |of: &&PartInputs| {
        of.n >= LEAST_TASKS && !is_shown(of.diff.as_ref()) && of.best.is_some_and(|best| best <= -COLLAPSE)
    };
    let capability =
        |of: &PartInputs| Doubt::CapabilityCollapsed { name: of.name.clone(), n: of.n, mean: of.mean }.into();
    let dimension =
        |of: &PartInputs| Doubt::DimensionCollapsed { name: of.name.clone(), n: of.n, mean: of.mean }.into();
    let layer = |layer: Layer| {
        let LayerInputs { diff, best, .. } = treatment.layers.get(layer)?;
        let is_small = (LEAST_TASKS..inputs.limits.min_pairs).contains(&diff.n);
        let has_collapsed = is_small && best.is_some_and(|best| best <= -COLLAPSE);
        has_collapsed.then(|| Doubt::LayerCollapsed { layer, n: diff.n, mean: diff.mean }.into())
    };
    let dimensions = treatment.dimensions.iter().filter(has_collapsed).map(dimension);
    let capabilities = treatment.capabilities.iter().filter(has_collapsed).map(capability);
    Layer::ALL.into_iter().filter_map(layer).chain(dimensions).chain(capabilities).collect()
}

/// With fewer pairs than the minimum nothing is shown.
fn is_below(limits: &Limits, diff: &DiffInputs) -> bool {
    side_from(ROUNDING, &limits.of_parts(), diff) == Side::Below
}
