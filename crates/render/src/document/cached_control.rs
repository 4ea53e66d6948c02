//! Control from the cache: the age of its answers, who gave them, and what asking some of them again showed.

use eval_format::{CachedControl, Report};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::text::NAME;
use crate::minus::{bound, minute, signed};

/// Returns the line; `None` where none of the control is from the cache.
pub(crate) fn cached_control<R>(report: &Report<R>) -> Option<Message> {
    let control = report.cached_control.as_ref()?;
    let sources = control.models.keys().chain(&control.executor_version);
    let sources: Vec<String> = sources.map(|source| clip(source, NAME)).collect();
    Some(msg!(
        "report-cached-control",
        count = control.answers,
        control = clip(&control.control, NAME),
        oldest = minute(&control.oldest),
        newest = minute(&control.newest),
        named = if sources.is_empty() { "no" } else { "yes" },
        by = sources,
        again = again(control)
    ))
}

fn again(control: &CachedControl) -> Message {
    let count = control.asked_again;
    let Some(mean) = control.drift.mean.filter(|_| count > 0).map(signed) else {
        return msg!("report-cached-control-again", count = count);
    };
    match control.drift.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => {
            let (low, high) = (bound(ci.low), bound(ci.high));
            msg!("report-cached-control-moved", count = count, mean = mean, low = low, high = high)
        }
        None => msg!("report-cached-control-moved-alike", count = count, mean = mean),
    }
}
