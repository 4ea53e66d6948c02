//! How a run with planned looks ended, in a summary for a terminal.

use eval_format::{Decided, Report, Stopping, StoppingLook};
use eval_message::{Message, msg};
use eval_spec::units::Usd;

use super::{TerminalPage, and_more};
use crate::terminal::names::{LISTED, id};

/// When it ended, what that saved, and what was under way.
pub(super) fn lines(page: &mut TerminalPage, of: &Stopping) {
    page.line(0, &outcome(of));
    if of.calls_saved > 0 {
        page.line(2, &saved(of));
    }
    if !of.beyond.is_empty() {
        let named = of.beyond.iter().take(LISTED).map(|of| id(of)).collect();
        let list = and_more(page.show, named, of.beyond.len().saturating_sub(LISTED));
        page.line(2, &msg!("report-stopping-beyond", count = of.beyond.len(), list = list));
    }
    if of.samples_left > 0 {
        page.line(2, &msg!("report-stopping-left", count = of.samples_left));
    }
    page.line(2, &msg!("report-stopping-holds"));
    if let Some(early) = early(of) {
        page.line(2, &early);
    }
}

/// Which look ended a run, and what that makes of a gain.
pub(crate) fn stopping<R>(report: &Report<R>) -> Vec<Message> {
    report.stopping.iter().flat_map(|of| std::iter::once(outcome(of)).chain(early(of))).collect()
}

/// Which look ended it.
pub(super) fn outcome(of: &Stopping) -> Message {
    let (looked, planned, looks) = (of.looked, of.samples_planned, of.looks.len());
    let look = of.last_taken().map_or(0, |(number, _)| number);
    match (of.decided_after, looked < planned) {
        (Some(after), _) => {
            msg!("report-stopping-decided", look = look, looks = looks, looked = after, planned = planned)
        }
        (None, true) => msg!("report-stopping-ended", looked = looked, planned = planned),
        (None, false) => msg!("report-stopping-undecided", planned = planned),
    }
}

/// That a gain which ended a run early is overstated.
fn early(of: &Stopping) -> Option<Message> {
    let is_gain = |look: &StoppingLook| look.treatments.iter().any(|of| of.decided == Some(Decided::Better));
    let (number, look) = of.last_taken()?;
    (number < of.looks.len() && is_gain(look)).then(|| msg!("report-stopping-early"))
}

fn saved(of: &Stopping) -> Message {
    let (calls, requests) = (of.calls_saved, of.judge_calls_saved);
    match &of.cost_saved_estimate {
        Some(cost) => {
            msg!("report-stopping-saved-cost", calls = calls, requests = requests, usd = Usd(cost.usd).to_string())
        }
        None => msg!("report-stopping-saved", calls = calls, requests = requests),
    }
}
