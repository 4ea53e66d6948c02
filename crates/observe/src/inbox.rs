//! Groups the signals of many sessions by what is missing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_format::{GapEvidence, GapGroup, MergedGaps};
use eval_gaps::{KnowledgeConcern, KnowledgeFiles, KnowledgePages, SearchedPlaces, gap_id, gap_key, same_gaps};
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};

use crate::health::{PlacedSegment, anchor};
use crate::segment::AnchoredSignal;

/// Limit on the evidence and on the texts of a group.
const MAX_EVIDENCE: usize = 20;
/// Limit on a question, in characters.
const MAX_QUESTION: usize = 300;

/// Groups failed searches by what they looked for. Leaves out searches that only verify something, and sentences of doubt,
/// which name nothing. With `is_limited`, also leaves out searches outside the knowledge base, and returns their number.
pub(crate) fn inbox(all: &[PlacedSegment<'_>], pages: &KnowledgePages, is_limited: bool) -> (Vec<GapGroup>, u64) {
    let wanted: Vec<(&PlacedSegment<'_>, &AnchoredSignal)> = all
        .iter()
        .flat_map(|placed| placed.segment.signals.iter().map(move |signal| (placed, signal)))
        .filter(|(_, signal)| is_wanted(signal))
        .collect();
    let all_wanted = wanted.len();
    let wanted: Vec<_> = wanted.into_iter().filter(|(_, signal)| !is_limited || signal.is_of_knowledge_base).collect();
    let elsewhere = (all_wanted - wanted.len()) as u64;
    let subjects: Vec<&str> = wanted.iter().map(|(_, anchored)| anchored.signal.subject.as_str()).collect();
    let keys: Vec<String> = wanted.iter().map(|(_, signal)| signal.key.clone()).collect();
    let mut groups: Vec<GapGroup> = same_gaps(&subjects, &keys)
        .into_iter()
        .map(|members| group(&members.into_iter().map(|index| wanted[index]).collect::<Vec<_>>(), pages))
        .collect();
    rank(&mut groups);
    (groups, elsewhere)
}

/// Sorts groups: knowledge before code, then the most sessions, the most searches, the latest.
fn rank(groups: &mut [GapGroup]) {
    let rank = |gap: &GapGroup| (gap.class, Reverse(gap.sessions), Reverse(gap.signals), Reverse(gap.last.clone()));
    groups.sort_by_key(rank);
}

/// Selects the groups with a search in or for the knowledge base of `project`, and looks up the pages with their words.
/// Also returns the number of searches of the other groups.
#[must_use]
pub fn limited_inbox(
    all: Vec<GapGroup>,
    project: &Path,
    files: &KnowledgeFiles,
    pages: &KnowledgePages,
) -> (Vec<GapGroup>, u64) {
    let concerns = |group: &GapGroup| {
        let place = |text: &String| files.concern(&SearchedPlaces::of_text(text), group.class, project, None);
        let all: Vec<KnowledgeConcern> = group.searched_in.iter().map(place).collect();
        let has = |concern| all.contains(&concern);
        (has(KnowledgeConcern::In) || has(KnowledgeConcern::For)).then(|| has(KnowledgeConcern::In))
    };
    let (mut selected, mut elsewhere) = (Vec::new(), 0_u64);
    for group in all {
        let Some(is_inside) = concerns(&group) else {
            elsewhere = elsewhere.saturating_add(group.signals);
            continue;
        };
        // a masked text has the mask's words
        let texts = group.members.iter().filter(|text| !text.contains('['));
        let existing: Vec<String> = texts.flat_map(|text| pages.having(text)).collect();
        let class = if is_inside { GapClass::Knowledge } else { group.class };
        selected.push(GapGroup { class, existing_pages: distinct(existing.iter().map(String::as_str)), ..group });
    }
    (selected, elsewhere)
}

/// Groups to merge.
#[derive(Clone, Debug)]
pub struct SameGroups {
    /// Indices of the groups.
    pub members: Vec<usize>,
    pub confidence: f64,
    pub reason: String,
}

/// Merges the groups that `same` lists, and sorts the inbox.
#[must_use]
pub fn merged_inbox(all: Vec<GapGroup>, same: &[SameGroups]) -> Vec<GapGroup> {
    let mut rest: Vec<Option<GapGroup>> = all.into_iter().map(Some).collect();
    let mut groups = Vec::new();
    for same in same {
        let members = same.members.iter().filter_map(|index| rest.get_mut(*index)?.take()).collect();
        groups.extend(merge(members, same.confidence, &same.reason));
    }
    groups.extend(rest.into_iter().flatten());
    rank(&mut groups);
    groups
}

fn merge(mut members: Vec<GapGroup>, confidence: f64, reason: &str) -> Option<GapGroup> {
    rank(&mut members);
    let first = members.first()?.clone();
    let skills: BTreeSet<String> = members.iter().flat_map(|group| group.skills.iter().cloned()).collect();
    let mut evidence: Vec<GapEvidence> = members.iter().flat_map(|group| group.evidence.iter().cloned()).collect();
    // evidence is limited, so that it may not name all sessions
    let session = |entry: &'_ GapEvidence| {
        entry.segment.rsplit_once('#').map_or(entry.segment.clone(), |(name, _)| name.to_owned())
    };
    let named = evidence.iter().map(session).collect::<BTreeSet<_>>().len() as u64;
    evidence.sort_by_key(|entry| Reverse(entry.anchor.at.clone()));
    evidence.truncate(MAX_EVIDENCE);
    let each = |field: fn(&GapGroup) -> String| members.iter().map(field).collect();
    let merged = MergedGaps {
        ids: each(|group| group.id.clone()),
        subjects: each(|group| group.subject.clone()),
        confidence,
        reason: reason.to_owned(),
    };
    Some(GapGroup {
        skills: skills.into_iter().collect(),
        sessions: named.max(first.sessions),
        signals: members.iter().fold(0, |sum: u64, group| sum.saturating_add(group.signals)),
        last: members.iter().filter_map(|group| group.last.clone()).max(),
        evidence,
        ids: distinct(members.iter().flat_map(|group| group.ids.iter().map(String::as_str))),
        searched_in: distinct(members.iter().flat_map(|group| group.searched_in.iter().map(String::as_str))),
        existing_pages: distinct(members.iter().flat_map(|group| group.existing_pages.iter().map(String::as_str))),
        members: distinct(members.iter().flat_map(|group| group.members.iter().map(String::as_str))),
        merged: (members.len() > 1).then_some(merged),
        ..first
    })
}

fn is_wanted(anchored: &AnchoredSignal) -> bool {
    // a listing of the working directory and a pattern of punctuation name nothing
    let names_something = anchored.signal.subject.contains(char::is_alphanumeric);
    anchored.signal.kind == SignalKind::FailedSearch
        && anchored.signal.intent != Some(SearchIntent::Verification)
        && names_something
}

fn group(searches: &[(&PlacedSegment<'_>, &AnchoredSignal)], pages: &KnowledgePages) -> GapGroup {
    let skills: BTreeSet<&String> = searches.iter().filter_map(|(placed, _)| placed.segment.skill.as_ref()).collect();
    let sessions: BTreeSet<&str> = searches.iter().map(|(placed, _)| placed.session).collect();
    let mut evidence: Vec<GapEvidence> = searches.iter().map(|(placed, signal)| evidence(placed, signal)).collect();
    evidence.sort_by_key(|entry| Reverse(entry.anchor.at.clone()));
    let last = evidence.first().and_then(|entry| entry.anchor.at.clone());
    let question = question(&evidence);
    evidence.truncate(MAX_EVIDENCE);
    let members = distinct(searches.iter().map(|(_, anchored)| anchored.signal.subject.as_str()));
    // a masked text has the mask's words
    let unmasked = searches.iter().filter(|(_, anchored)| gap_key(&anchored.signal.subject) == anchored.key);
    let wanted = distinct(unmasked.map(|(_, anchored)| anchored.signal.subject.as_str()));
    let facts = searches.iter().filter(|(_, anchored)| anchored.signal.class == GapClass::Knowledge).count();
    let class = if facts * 2 >= searches.len() { GapClass::Knowledge } else { GapClass::Code };
    let existing: Vec<String> = wanted.iter().flat_map(|subject| pages.having(subject)).collect();
    let ids: Vec<String> = members.iter().map(|subject| gap_id(subject)).collect();
    GapGroup {
        ids: distinct(ids.iter().map(String::as_str)),
        class,
        question,
        searched_in: distinct(searches.iter().flat_map(|(_, signal)| signal.searched.iter().map(String::as_str))),
        existing_pages: distinct(existing.iter().map(String::as_str)),
        decision: None,
        id: searches.first().map(|(_, first)| gap_id(&first.signal.subject)).unwrap_or_default(),
        subject: searches.first().map(|(_, first)| first.signal.subject.clone()).unwrap_or_default(),
        skills: skills.into_iter().cloned().collect(),
        sessions: sessions.len() as u64,
        signals: searches.len() as u64,
        last,
        evidence,
        members,
        merged: None,
    }
}

/// Returns the most frequent prompt, of several the latest; templates of commands don't count.
fn question(latest_first: &[GapEvidence]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let all = latest_first.iter().filter_map(|evidence| evidence.prompt.as_deref());
    let prompts = || all.clone().filter(|prompt| !is_template(prompt));
    prompts().for_each(|prompt| *counts.entry(prompt).or_default() += 1);
    let most = counts.values().max().copied()?;
    let prompt = prompts().find(|prompt| counts.get(prompt) == Some(&most))?;
    let text = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(MAX_QUESTION).collect())
}

/// Returns true for a command without arguments, or the text that a program put in place of one: some mark neither.
fn is_template(prompt: &str) -> bool {
    let text = prompt.trim();
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || "-_:.".contains(letter));
    let has_places = ["$ARGUMENTS", "{{args}}"].iter().any(|place| text.contains(place));
    let headings = text.lines().filter(|line| line.starts_with('#')).count();
    let begins = text.starts_with("---\n") || text.starts_with('#');
    text.strip_prefix('/').is_some_and(is_name) || has_places || (begins && headings > 1)
}

/// Removes duplicates, keeping the order, and returns at most [`MAX_EVIDENCE`] texts.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.iter().any(|other| other == text) && all.len() < MAX_EVIDENCE {
            all.push(text.to_owned());
        }
    }
    all
}

fn evidence(placed: &PlacedSegment<'_>, anchored: &AnchoredSignal) -> GapEvidence {
    GapEvidence {
        segment: placed.name(),
        kind: anchored.signal.kind,
        anchor: anchor(placed.file, anchored),
        prompt: placed.segment.prompt.clone(),
    }
}
