//! Whether more samples would decide what is undecided.

use eval_format::{DiffInputs, Limits, SaturationInputs};
use eval_message::number::points;
use eval_message::{Message, msg};

/// More pairs than this are not asked for.
pub const AFFORDABLE: u64 = 100_000;

/// Whether more samples would decide what is undecided; `None` where the curve doesn't tell.
pub(crate) fn would_more_help(limits: &Limits, diff: &DiffInputs, of: &SaturationInputs) -> Option<Message> {
    let limit = points(limits.min_effect);
    if of.saturated == Some(true) {
        return Some(msg!("report-why-saturated"));
    }
    let needed = of.pairs_for_min_effect?;
    Some(match needed {
        _ if needed > AFFORDABLE => msg!("report-why-more-hopeless", limit = limit),
        _ if needed > diff.n => msg!("report-why-more", limit = limit, needed = needed, n = diff.n),
        _ => msg!("report-why-more-border", limit = limit),
    })
}
