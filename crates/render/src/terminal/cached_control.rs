//! A control from the cache: how old its answers are, who gave them, and what asking some of them again showed.

use crate::minus::{bound, signed};
use eval_format::{CachedControl, Report};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::layout::minute;
use super::names::NAME;

/// The line about it; `None` where none of the control is from the cache.
pub(crate) fn cached_control<R>(report: &Report<R>, lang: Lang) -> Option<Message> {
    let of = report.cached_control.as_ref()?;
    let models: Vec<String> = of.models.keys().map(|model| clip(model, NAME)).collect();
    let version = of.executor_version.as_ref().map(|version| clip(version, NAME));
    let by: Vec<String> = models.into_iter().chain(version).collect();
    Some(msg!(
        "report-cached-control",
        count = of.answers,
        control = clip(&of.control, NAME),
        oldest = minute(&of.oldest),
        newest = minute(&of.newest),
        named = if by.is_empty() { "no" } else { "yes" },
        by = by.join(if lang == Lang::Zh { "、" } else { ", " }),
        again = again(of).text(lang)
    ))
}

fn again(of: &CachedControl) -> Message {
    let (Some(mean), true) = (of.drift.mean, of.asked_again > 0) else {
        return msg!("report-cached-control-again", count = of.asked_again);
    };
    match of.drift.ci.filter(|ci| !ci.degenerate) {
        Some(ci) => msg!(
            "report-cached-control-moved",
            count = of.asked_again,
            mean = signed(mean),
            low = bound(ci.low),
            high = bound(ci.high)
        ),
        None => msg!("report-cached-control-moved-alike", count = of.asked_again, mean = signed(mean)),
    }
}
