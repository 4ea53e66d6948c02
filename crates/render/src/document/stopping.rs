//! End of a run with planned looks.

use eval_format::{Decided, Report, Stopping, StoppingLook};
use eval_message::{Message, msg};
use eval_spec::units::Usd;

use super::block::{Block, line};
use super::text::ids;

/// Returns when it ended, what that saved, and what was under way.
pub(super) fn blocks(stopping: &Stopping) -> Vec<Block> {
    let beyond = &stopping.beyond;
    let lines = [
        (stopping.calls_saved > 0).then(|| saved(stopping)),
        (!beyond.is_empty()).then(|| msg!("report-stopping-beyond", count = beyond.len(), list = ids(beyond))),
        (stopping.samples_left > 0).then(|| msg!("report-stopping-left", count = stopping.samples_left)),
        Some(msg!("report-stopping-holds")),
        early(stopping),
    ];
    std::iter::once(line(0, outcome(stopping))).chain(lines.into_iter().flatten().map(|text| line(2, text))).collect()
}

/// Returns which look ended a run, and what that makes of a gain.
pub(crate) fn stopping<R>(report: &Report<R>) -> Vec<Message> {
    report.stopping.iter().flat_map(|stopping| std::iter::once(outcome(stopping)).chain(early(stopping))).collect()
}

/// Returns which look ended it.
pub(crate) fn outcome(stopping: &Stopping) -> Message {
    let (looked, planned, looks) = (stopping.looked, stopping.samples_planned, stopping.looks.len());
    let look = stopping.last_taken().map_or(0, |(number, _)| number);
    match (stopping.decided_after, looked < planned) {
        (Some(after), _) => {
            msg!("report-stopping-decided", look = look, looks = looks, looked = after, planned = planned)
        }
        (None, true) => msg!("report-stopping-ended", looked = looked, planned = planned),
        (None, false) => msg!("report-stopping-undecided", planned = planned),
    }
}

/// Returns that a gain which ended a run early is overstated.
fn early(stopping: &Stopping) -> Option<Message> {
    let is_gain =
        |look: &StoppingLook| look.treatments.iter().any(|treatment| treatment.decided == Some(Decided::Better));
    let (number, look) = stopping.last_taken()?;
    (number < stopping.looks.len() && is_gain(look)).then(|| msg!("report-stopping-early"))
}

fn saved(stopping: &Stopping) -> Message {
    let (calls, requests) = (stopping.calls_saved, stopping.judge_calls_saved);
    match &stopping.cost_saved_estimate {
        Some(cost) => {
            msg!("report-stopping-saved-cost", calls = calls, requests = requests, usd = Usd(cost.usd).to_string())
        }
        None => msg!("report-stopping-saved", calls = calls, requests = requests),
    }
}
