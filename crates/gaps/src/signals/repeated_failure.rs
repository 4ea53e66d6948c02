//! The same kind of search failing again and again.

use std::collections::BTreeMap;

use eval_spec::gap::{GapClass, SignalKind};

use super::failed_search::{EndedSearch, searches};
use super::signal::{GapSignal, SignalDetector};
use crate::class::SearchedPlaces;
use crate::conversation::Conversation;
use crate::outcome::SearchOutcome;

/// See [`SIGNALS`](super::SIGNALS).
pub(super) const DETECTOR: SignalDetector = SignalDetector { kind: SignalKind::RepeatedFailure, detect };

/// How many calls fail at least.
const CALLS: usize = 3;
/// Within how many turns.
const TURNS: u32 = 3;

fn detect(conversation: &Conversation) -> Vec<GapSignal> {
    let mut by_tool: BTreeMap<_, Vec<EndedSearch<'_>>> = BTreeMap::new();
    for ended in searches(conversation).filter(|ended| ended.outcome != SearchOutcome::Cancelled) {
        by_tool.entry((ended.turn.thread.clone(), ended.search.tool)).or_default().push(ended);
    }
    let mut found: Vec<GapSignal> = by_tool.into_values().flat_map(|calls| chains(&calls)).collect();
    found.sort_by_key(|signal| signal.turn);
    found
}

/// The runs of failures without a success between, of which some three turns hold at least three calls.
fn chains(calls: &[EndedSearch<'_>]) -> Vec<GapSignal> {
    let runs = calls.split(|ended| ended.outcome != SearchOutcome::Missed);
    let near = |run: &[EndedSearch<'_>]| {
        run.windows(CALLS).any(|window| {
            let (first, last) = (window[0].turn.number, window[CALLS - 1].turn.number);
            last - first < TURNS
        })
    };
    runs.filter(|run| near(run)).map(chain).collect()
}

fn chain(run: &[EndedSearch<'_>]) -> GapSignal {
    let first = &run[0];
    GapSignal {
        kind: SignalKind::RepeatedFailure,
        turn: first.turn.number,
        thread: first.turn.thread.clone(),
        calls: run.iter().map(|ended| ended.call.id.clone()).collect(),
        subject: first.search.query.clone(),
        context: String::new(),
        intent: None,
        class: GapClass::Knowledge,
        searched: SearchedPlaces::default(),
        place: None,
    }
}
