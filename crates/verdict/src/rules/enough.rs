//! Whether more samples would decide an undecided difference.

use eval_format::{TreatmentInputs, VerdictInputs};

use super::preference;
use crate::reason::Evidence;

/// More pairs than this are not asked for.
pub const AFFORDABLE: u64 = 100_000;

/// Whether more samples would decide an undecided difference; `None` where nothing shows it.
pub(super) fn would_more_help(inputs: &VerdictInputs, treatment: &TreatmentInputs) -> Option<Evidence> {
    let limit = preference::limits(inputs, treatment).min_effect;
    let n = preference::deciding(inputs, treatment).n;
    if treatment.saturation.is_some_and(|of| of.saturated == Some(true)) {
        return Some(Evidence::Saturated);
    }
    Some(match preference::decisive(inputs, treatment)? {
        needed if needed > AFFORDABLE => Evidence::Hopeless { limit },
        needed if needed > n => {
            Evidence::MoreSamplesHelp { needed, n, limit, plan: preference::gain_plan(inputs, treatment) }
        }
        _ => Evidence::AcrossBorder { limit },
    })
}
