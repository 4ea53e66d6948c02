//! Limits looser than the defaults: a user may set them, and a reader is told where they decide.

use eval_format::{Limits, Tier, TreatmentInputs, VerdictInputs};
use eval_spec::suite::Written;

use super::fired;
use crate::reason::{Evidence, Reason};

/// Returns the tier with the default limits, where looser ones give a better tier.
pub(super) fn note(inputs: &VerdictInputs, treatment: &TreatmentInputs, tier: Tier) -> Option<Reason> {
    let (set, mut limits) = (&inputs.limits, inputs.limits);
    let defaults = Limits::new(&Written::default().resolve());
    // scores of another tool have no threshold unless one is set
    if inputs.imported.is_none() {
        limits.threshold = set.threshold.max(defaults.threshold);
    }
    limits.trivial_diff = set.trivial_diff.max(defaults.trivial_diff);
    limits.min_effect = set.min_effect.min(defaults.min_effect);
    limits.min_preference = set.min_preference.min(defaults.min_preference);
    if limits == *set {
        return None;
    }
    let (with_defaults, _) = fired(&VerdictInputs { limits, ..inputs.clone() }, treatment);
    let reason = || Evidence::LooserLimits { set: *set, defaults: limits, tier: with_defaults.name() };
    (with_defaults < tier).then(|| reason().into())
}
