//! Lists, checks and intervals as a line shows them.

use crate::minus::bound;
use eval_format::{CheckRef, Ci};
use eval_message::msg;
use eval_message::plain::clip;

use crate::terminal::Show;
use crate::terminal::names::id;

pub(crate) fn interval(show: Show, ci: Option<&Ci>) -> String {
    show.text(&match ci {
        None => msg!("report-interval-none"),
        Some(ci) if ci.degenerate => msg!("report-interval-point"),
        Some(ci) if ci.family > 1 => {
            msg!("report-interval-family", low = bound(ci.low), high = bound(ci.high), family = ci.family)
        }
        Some(ci) => msg!("report-interval-of", low = bound(ci.low), high = bound(ci.high)),
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
