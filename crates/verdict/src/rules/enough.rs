//! Whether more samples would decide what is undecided.

use eval_format::{DiffInputs, Limits, SaturationInputs};

use crate::reason::Why;

/// More pairs than this are not asked for.
pub const AFFORDABLE: u64 = 100_000;

/// Whether more samples would decide what is undecided; `None` where the curve doesn't tell.
pub(super) fn would_more_help(limits: &Limits, diff: &DiffInputs, of: &SaturationInputs) -> Option<Why> {
    let limit = limits.min_effect;
    if of.saturated == Some(true) {
        return Some(Why::Saturated);
    }
    let needed = of.pairs_for_min_effect?;
    Some(match needed {
        _ if needed > AFFORDABLE => Why::Hopeless { limit },
        _ if needed > diff.n => Why::MoreSamplesHelp { limit, needed, n: diff.n },
        _ => Why::AcrossBorder { limit },
    })
}
