//! Signals of many sessions → what is missing again and again.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_format::{GapEvidence, GapGroup, MergedGaps};
use eval_gaps::{KnowledgeConcern, KnowledgeFiles, KnowledgePages, SearchedPlaces, gap_id, gap_key, same_gaps};
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};

use crate::health::{PlacedSegment, anchor};
use crate::segment::AnchoredSignal;

/// How much evidence of a group is stored.
const EVIDENCE: usize = 20;
/// How much of a question is kept, in characters.
const QUESTION: usize = 300;

/// What tools looked for and didn't find, the same thing once. What an agent only made sure of is no wish for a page, and
/// a sentence of doubt names no thing. And how many searches are left out, where only those of the knowledge base are asked for.
pub(crate) fn inbox(all: &[PlacedSegment<'_>], pages: &KnowledgePages, is_limited: bool) -> (Vec<GapGroup>, u64) {
    let wanted: Vec<(&PlacedSegment<'_>, &AnchoredSignal)> = all
        .iter()
        .flat_map(|scope| scope.segment.signals.iter().map(move |signal| (scope, signal)))
        .filter(|(_, of)| is_wanted(of))
        .collect();
    let all_wanted = wanted.len();
    let wanted: Vec<_> = wanted.into_iter().filter(|(_, of)| !is_limited || of.is_of_knowledge_base).collect();
    let elsewhere = (all_wanted - wanted.len()) as u64;
    let subjects: Vec<&str> = wanted.iter().map(|(_, of)| of.signal.subject.as_str()).collect();
    let keys: Vec<String> = wanted.iter().map(|(_, of)| of.key.clone()).collect();
    let mut groups: Vec<GapGroup> = same_gaps(&subjects, &keys)
        .into_iter()
        .map(|places| group(&places.into_iter().map(|at| wanted[at]).collect::<Vec<_>>(), pages))
        .collect();
    rank(&mut groups);
    (groups, elsewhere)
}

/// Facts first; then wanted by the most sessions, by the most searches, last.
fn rank(groups: &mut [GapGroup]) {
    let rank = |of: &GapGroup| (of.class, Reverse(of.sessions), Reverse(of.signals), Reverse(of.last.clone()));
    groups.sort_by_key(rank);
}

/// The entries with a search in or for a knowledge base of the project at `project`, with the pages that have their words; and how
/// many searches the others have.
#[must_use]
pub fn limited_inbox(
    all: Vec<GapGroup>,
    project: &Path,
    files: &KnowledgeFiles,
    pages: &KnowledgePages,
) -> (Vec<GapGroup>, u64) {
    let concerns = |of: &GapGroup| {
        let place = |text: &String| files.concern(&SearchedPlaces::of_text(text), of.class, project, None);
        let all: Vec<KnowledgeConcern> = of.searched_in.iter().map(place).collect();
        let has = |concern| all.contains(&concern);
        (has(KnowledgeConcern::In) || has(KnowledgeConcern::For)).then(|| has(KnowledgeConcern::In))
    };
    let (mut kept, mut elsewhere) = (Vec::new(), 0_u64);
    for of in all {
        let Some(is_inside) = concerns(&of) else {
            elsewhere = elsewhere.saturating_add(of.signals);
            continue;
        };
        // A mask has words of its own.
        let texts = of.members.iter().filter(|text| !text.contains('['));
        let existing: Vec<String> = texts.flat_map(|text| pages.having(text)).collect();
        let class = if is_inside { GapClass::Knowledge } else { of.class };
        kept.push(GapGroup { class, existing_pages: distinct(existing.iter().map(String::as_str)), ..of });
    }
    (kept, elsewhere)
}

/// Groups that are the same: their places, and how sure of that somebody is and why.
pub type SameGroups = (Vec<usize>, f64, String);

/// An inbox whose groups `same` are one each.
#[must_use]
pub fn merged_inbox(all: Vec<GapGroup>, same: &[SameGroups]) -> Vec<GapGroup> {
    let mut rest: Vec<Option<GapGroup>> = all.into_iter().map(Some).collect();
    let mut groups = Vec::new();
    for (places, confidence, reason) in same {
        let members: Vec<GapGroup> = places.iter().filter_map(|at| rest.get_mut(*at)?.take()).collect();
        groups.extend(one_of(members, *confidence, reason));
    }
    groups.extend(rest.into_iter().flatten());
    rank(&mut groups);
    groups
}

fn one_of(mut members: Vec<GapGroup>, confidence: f64, reason: &str) -> Option<GapGroup> {
    rank(&mut members);
    let first = members.first()?.clone();
    let skills: BTreeSet<String> = members.iter().flat_map(|of| of.skills.iter().cloned()).collect();
    let mut evidence: Vec<GapEvidence> = members.iter().flat_map(|of| of.evidence.iter().cloned()).collect();
    // Only so much evidence is stored of each: the sessions that it names are not all that there are.
    let session =
        |of: &'_ GapEvidence| of.segment.rsplit_once('#').map_or(of.segment.clone(), |(own, _)| own.to_owned());
    let named = evidence.iter().map(session).collect::<BTreeSet<_>>().len() as u64;
    evidence.sort_by_key(|of| Reverse(of.anchor.at.clone()));
    evidence.truncate(EVIDENCE);
    let each = |of: fn(&GapGroup) -> String| members.iter().map(of).collect();
    let merged = MergedGaps {
        ids: each(|of| of.id.clone()),
        subjects: each(|of| of.subject.clone()),
        confidence,
        reason: reason.to_owned(),
    };
    Some(GapGroup {
        skills: skills.into_iter().collect(),
        sessions: named.max(first.sessions),
        signals: members.iter().fold(0, |sum: u64, of| sum.saturating_add(of.signals)),
        last: members.iter().filter_map(|of| of.last.clone()).max(),
        evidence,
        ids: distinct(members.iter().flat_map(|of| of.ids.iter().map(String::as_str))),
        searched_in: distinct(members.iter().flat_map(|of| of.searched_in.iter().map(String::as_str))),
        existing_pages: distinct(members.iter().flat_map(|of| of.existing_pages.iter().map(String::as_str))),
        members: distinct(members.iter().flat_map(|of| of.members.iter().map(String::as_str))),
        merged: (members.len() > 1).then_some(merged),
        ..first
    })
}

fn is_wanted(of: &AnchoredSignal) -> bool {
    // A listing of the working directory names nothing, and neither does a pattern of marks.
    let names_something = of.signal.subject.contains(char::is_alphanumeric);
    of.signal.kind == SignalKind::FailedSearch
        && of.signal.intent != Some(SearchIntent::Verification)
        && names_something
}

fn group(of: &[(&PlacedSegment<'_>, &AnchoredSignal)], pages: &KnowledgePages) -> GapGroup {
    let skills: BTreeSet<&String> = of.iter().filter_map(|(scope, _)| scope.segment.skill.as_ref()).collect();
    let sessions: BTreeSet<&str> = of.iter().map(|(scope, _)| scope.session).collect();
    let mut evidence: Vec<GapEvidence> = of.iter().map(|(scope, signal)| evidence(scope, signal)).collect();
    evidence.sort_by_key(|of| Reverse(of.anchor.at.clone()));
    let last = evidence.first().and_then(|of| of.anchor.at.clone());
    let question = question(&evidence);
    evidence.truncate(EVIDENCE);
    let members = distinct(of.iter().map(|(_, of)| of.signal.subject.as_str()));
    // A mask has words of its own.
    let unmasked = of.iter().filter(|(_, of)| gap_key(&of.signal.subject) == of.key);
    let wanted = distinct(unmasked.map(|(_, of)| of.signal.subject.as_str()));
    let facts = of.iter().filter(|(_, of)| of.signal.class == GapClass::Knowledge).count();
    let class = if facts * 2 >= of.len() { GapClass::Knowledge } else { GapClass::Code };
    let existing: Vec<String> = wanted.iter().flat_map(|subject| pages.having(subject)).collect();
    let ids: Vec<String> = members.iter().map(|subject| gap_id(subject)).collect();
    GapGroup {
        ids: distinct(ids.iter().map(String::as_str)),
        class,
        question,
        searched_in: distinct(of.iter().flat_map(|(_, of)| of.searched.iter().map(String::as_str))),
        existing_pages: distinct(existing.iter().map(String::as_str)),
        decision: None,
        id: of.first().map(|(_, of)| gap_id(&of.signal.subject)).unwrap_or_default(),
        subject: of.first().map(|(_, of)| of.signal.subject.clone()).unwrap_or_default(),
        skills: skills.into_iter().cloned().collect(),
        sessions: sessions.len() as u64,
        signals: of.len() as u64,
        last,
        evidence,
        members,
        merged: None,
    }
}

/// The question that was asked most often, and of several the latest one. The template of a command is none.
fn question(latest_first: &[GapEvidence]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let prompts = || latest_first.iter().filter_map(|of| of.prompt.as_deref()).filter(|prompt| !is_template(prompt));
    prompts().for_each(|prompt| *counts.entry(prompt).or_default() += 1);
    let most = counts.values().max().copied()?;
    let prompt = prompts().find(|prompt| counts.get(prompt) == Some(&most))?;
    let text = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(QUESTION).collect())
}

/// Whether a prompt is a command without arguments, or the text that a program put in place of one: some write no mark of it.
fn is_template(prompt: &str) -> bool {
    let text = prompt.trim();
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || "-_:.".contains(letter));
    let has_places = ["$ARGUMENTS", "{{args}}"].iter().any(|place| text.contains(place));
    let headings = text.lines().filter(|line| line.starts_with('#')).count();
    let begins = text.starts_with("---\n") || text.starts_with('#');
    text.strip_prefix('/').is_some_and(is_name) || has_places || (begins && headings > 1)
}

/// Each text once, the first one first; of many only so many.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.iter().any(|known| known == text) && all.len() < EVIDENCE {
            all.push(text.to_owned());
        }
    }
    all
}

fn evidence(scope: &PlacedSegment<'_>, of: &AnchoredSignal) -> GapEvidence {
    GapEvidence {
        segment: scope.name(),
        kind: of.signal.kind,
        anchor: anchor(scope.file, of),
        prompt: scope.segment.prompt.clone(),
    }
}
