//! Signals of many sessions → what is missing again and again.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use eval_format::{GapEvidence, GapGroup};
use eval_gaps::{alike, gap_id};
use eval_spec::gap::{SearchIntent, SignalKind};

use crate::health::{PlacedSegment, anchor};
use crate::segment::AnchoredSignal;

/// How much evidence of a group is stored.
const EVIDENCE: usize = 20;

/// What tools looked for and didn't find, the same thing once. What an agent only made sure of is no wish for a page, and
/// a sentence of doubt names no thing.
pub(crate) fn inbox(all: &[PlacedSegment<'_>]) -> Vec<GapGroup> {
    let wanted: Vec<(&PlacedSegment<'_>, &AnchoredSignal)> = all
        .iter()
        .flat_map(|scope| scope.segment.signals.iter().map(move |signal| (scope, signal)))
        .filter(|(_, of)| is_wanted(of))
        .collect();
    let subjects: Vec<&str> = wanted.iter().map(|(_, of)| of.signal.subject.as_str()).collect();
    let mut groups: Vec<GapGroup> = alike(&subjects)
        .into_iter()
        .map(|places| group(&places.into_iter().map(|at| wanted[at]).collect::<Vec<_>>()))
        .collect();
    groups.sort_by(|a, b| {
        let rank = |of: &GapGroup| (Reverse(of.sessions), Reverse(of.signals), Reverse(of.last.clone()));
        rank(a).cmp(&rank(b))
    });
    groups
}

fn is_wanted(of: &AnchoredSignal) -> bool {
    of.signal.kind == SignalKind::FailedSearch && of.signal.intent != Some(SearchIntent::Verification)
}

fn group(of: &[(&PlacedSegment<'_>, &AnchoredSignal)]) -> GapGroup {
    let skills: BTreeSet<&String> = of.iter().filter_map(|(scope, _)| scope.segment.skill.as_ref()).collect();
    let sessions: BTreeSet<&str> = of.iter().map(|(scope, _)| scope.session).collect();
    let mut evidence: Vec<GapEvidence> = of.iter().map(|(scope, signal)| evidence(scope, signal)).collect();
    evidence.sort_by_key(|of| Reverse(of.anchor.at.clone()));
    let last = evidence.first().and_then(|of| of.anchor.at.clone());
    evidence.truncate(EVIDENCE);
    GapGroup {
        id: of.first().map(|(_, of)| gap_id(&of.signal.subject)).unwrap_or_default(),
        subject: of.first().map(|(_, of)| of.signal.subject.clone()).unwrap_or_default(),
        skills: skills.into_iter().cloned().collect(),
        sessions: sessions.len() as u64,
        signals: of.len() as u64,
        last,
        evidence,
    }
}

fn evidence(scope: &PlacedSegment<'_>, of: &AnchoredSignal) -> GapEvidence {
    GapEvidence {
        segment: scope.name(),
        kind: of.signal.kind,
        anchor: anchor(scope.file, of),
        prompt: scope.segment.prompt.clone(),
    }
}
