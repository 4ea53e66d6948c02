//! Rules on single layers.

use eval_format::{LayerInputs, TreatmentInputs, VerdictInputs};
use eval_spec::Layer;

use super::side::{Side, side};
use crate::reason::{Doubt, Evidence, Reason};

fn planned(treatment: &TreatmentInputs) -> impl Iterator<Item = (Layer, &LayerInputs)> {
    Layer::ALL.into_iter().filter_map(|layer| Some((layer, treatment.layers.get(layer)?)))
}

/// REGRESS: the interval of a layer lies below 0 while the treatment's mean in it falls under the gate. Fewer pairs than
/// the minimum show nothing.
pub(super) fn worse(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Vec<Reason>> {
    let limits = &inputs.limits;
    let fell = |(layer, of): (Layer, &LayerInputs)| {
        let mean = of.mean.filter(|mean| *mean < limits.threshold)?;
        let below = of.diff.n >= limits.min_pairs && side(&limits.of_parts(), &of.diff) == Side::Below;
        let fell_by = of.diff.mean.map(f64::abs);
        below.then(|| Evidence::LayerBelow { layer, fell_by, mean, threshold: limits.threshold }.into())
    };
    let reasons: Vec<Reason> = planned(treatment).filter_map(fell).collect();
    (!reasons.is_empty()).then_some(reasons)
}

/// Layers under the gate, and those that could not be scored.
pub(super) fn under_gate(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let threshold = inputs.limits.threshold;
    let doubt = |(layer, of): (Layer, &LayerInputs)| match of.mean {
        None => Some(Doubt::LayerMissing { layer }.into()),
        Some(mean) if mean < threshold => Some(Doubt::LayerUnderGate { layer, mean, threshold }.into()),
        Some(_) => None,
    };
    planned(treatment).filter_map(doubt).collect()
}
