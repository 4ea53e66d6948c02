//! Extent and price of a run.

use eval_format::{Report, VariantSummary};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::units::Usd;

use super::text::NAME;

/// Returns how much was measured, with what.
pub(crate) fn about<R>(report: &Report<R>) -> Message {
    let meta = &report.meta;
    msg!(
        "report-about",
        samples = meta.sample_count,
        repeat = meta.repeat,
        executor = clip(&meta.executor, NAME),
        model = if meta.model.is_empty() { "none".to_owned() } else { clip(&meta.model, NAME) }
    )
}

/// Returns what the run cost, as far as that is known, and what was cached and retried.
pub(crate) fn costs<R>(report: &Report<R>) -> Vec<Message> {
    let (known, lost) = (report.meta.known_cost_usd, report.meta.lost_calls);
    let message = match report.meta.total_cost_usd {
        Some(usd) if lost > 0 => msg!("report-cost-at-least", usd = Usd(usd).to_string(), count = lost),
        Some(usd) => msg!("report-cost", usd = Usd(usd).to_string()),
        None if known > 0.0 => msg!("report-cost-unknown", usd = Usd(known).to_string()),
        None => msg!("report-cost-unknown-all"),
    };
    // another tool's costs are no news where its files have none
    let is_shown = report.meta.imported.is_none() || report.meta.total_cost_usd.is_some() || known > 0.0;
    let sum = |value: fn(&VariantSummary) -> u64| report.summary.values().map(value).sum::<u64>();
    let (cached, retried) = (sum(|summary| summary.cached), sum(|summary| summary.retried));
    let all = [
        is_shown.then_some(message),
        (cached > 0).then(|| msg!("report-cached", count = cached)),
        (retried > 0).then(|| msg!("report-retried", count = retried)),
    ];
    all.into_iter().flatten().collect()
}
