//! Lists, checks and intervals as a line shows them.

use crate::minus::bound;
use eval_format::{CheckRef, Ci};
use eval_message::msg;
use eval_message::number::level;
use eval_message::plain::clip;

use crate::terminal::Show;
use crate::terminal::names::id;

pub(crate) fn interval(show: Show, ci: Option<&Ci>) -> String {
    show.text(&match ci {
        None => msg!("report-interval-none"),
        Some(ci) if ci.degenerate => msg!("report-interval-point"),
        Some(ci) => {
            let (low, high, level) = (bound(ci.low), bound(ci.high), level(ci.level));
            match ci.family > 1 {
                true => msg!("report-interval-family", level = level, low = low, high = high, family = ci.family),
                false => msg!("report-interval-of", level = level, low = low, high = high),
            }
        }
    })
}

pub(crate) fn check_name(check: &CheckRef) -> String {
    format!("{}\u{a0}#{} {}", id(&check.sample_id), check.index + 1, clip(&check.label, 40))
}

/// A list of which only the first are named; `more` of them are not.
pub(crate) fn and_more(show: Show, named: Vec<String>, more: usize) -> String {
    let list = show.list(&named);
    if more == 0 { list } else { show.text(&msg!("report-and-more", list = list, more = more)) }
}
