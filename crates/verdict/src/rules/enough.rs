//! Whether more samples would decide an undecided difference.

use eval_format::{DiffInputs, Limits, SaturationInputs};

use crate::reason::Evidence;

/// More pairs than this are not asked for.
pub const AFFORDABLE: u64 = 100_000;

/// Whether more samples would decide an undecided difference; `None` where the curve doesn't show it.
pub(super) fn would_more_help(limits: &Limits, diff: &DiffInputs, of: &SaturationInputs) -> Option<Evidence> {
    let limit = limits.min_effect;
    if of.saturated == Some(true) {
        return Some(Evidence::Saturated);
    }
    let needed = of.pairs_for_min_effect?;
    Some(match needed {
        _ if needed > AFFORDABLE => Evidence::Hopeless { limit },
        _ if needed > diff.n => Evidence::MoreSamplesHelp { limit, needed, n: diff.n },
        _ => Evidence::AcrossBorder { limit },
    })
}
