//! Limits looser than the defaults: a user may set them, and a reader is told where they decide.

use eval_format::{Limits, Tier, TreatmentInputs, VerdictInputs};
use eval_spec::suite::Written;

use super::fired;
use crate::reason::{Evidence, Reason};

/// Returns the tier with the default limits, where looser ones give a better tier.
pub(super) fn note(inputs: &VerdictInputs, treatment: &TreatmentInputs, tier: Tier) -> Option<Reason> {
    let defaults = Limits::new(&Written::default().resolve());
    let set = &inputs.limits;
    // scores of another tool have no threshold unless one is set
    let is_lower = inputs.imported.is_none() && set.threshold < defaults.threshold;
    let threshold = is_lower.then_some(set.threshold);
    let trivial_diff = (set.trivial_diff < defaults.trivial_diff).then_some(set.trivial_diff);
    let min_effect = (set.min_effect > defaults.min_effect).then_some(set.min_effect);
    let is_good = matches!(tier, Tier::Progress | Tier::Noise);
    if !is_good || threshold.or(trivial_diff).or(min_effect).is_none() {
        return None;
    }
    let limits = Limits {
        threshold: if is_lower { defaults.threshold } else { set.threshold },
        trivial_diff: set.trivial_diff.max(defaults.trivial_diff),
        min_effect: set.min_effect.min(defaults.min_effect),
        ..*set
    };
    let (with_defaults, _) = fired(&VerdictInputs { limits, ..inputs.clone() }, treatment);
    (with_defaults != tier)
        .then(|| Evidence::LooserLimits { threshold, trivial_diff, min_effect, tier: with_defaults.name() }.into())
}
