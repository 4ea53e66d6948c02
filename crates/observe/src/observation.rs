//! Makes an observation from sessions.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{NeverLoadedSkill, OBSERVATION_VERSION, Observation, ObservationSources, SkillHealth, TestSet};
use eval_gaps::{KnowledgeFiles, KnowledgePages};
use eval_spec::hash::sha256_hex;

use crate::health::{PlacedSegment, health};
use crate::inbox::inbox;
use crate::read::SessionRead;
use crate::segment::Segment;

/// A session with the file that it was read from.
pub type NamedSession = (String, SessionRead);

/// Knowledge base of the observed sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObservedKnowledge<'a> {
    /// Files; `None` without a knowledge base.
    pub files: Option<&'a KnowledgeFiles>,
    /// Texts of the files.
    pub pages: Option<&'a KnowledgePages>,
    /// `true` to limit the inbox to searches in or for the knowledge base.
    pub is_limit: bool,
}

/// Makes an observation from sessions. The caller filters them by time and skill first.
///
/// A segment that several files have counts once: the copy with the most turns.
#[must_use]
pub fn observe(
    id: String,
    created_at: String,
    sessions: &[NamedSession],
    mut sources: ObservationSources,
    knowledge: ObservedKnowledge<'_>,
) -> Observation {
    let files = knowledge.files;
    let names = names(sessions);
    let all = distinct_segments(sessions, &names);
    let read: usize = sessions.iter().map(|(_, session)| session.segments.len()).sum();
    sources.copies = (read - all.len()) as u64;
    sources.sessions = all.iter().map(|placed| placed.session).collect::<BTreeSet<_>>().len() as u64;
    let times = || all.iter().filter_map(|placed| placed.segment.started_at);
    sources.first = times().min().map(|time| time.to_string());
    sources.last = times().max().map(|time| time.to_string());
    let set = test_set(&all, &sources);
    let mut by_skill: BTreeMap<Option<&str>, Vec<PlacedSegment<'_>>> = BTreeMap::new();
    let mut carried: BTreeMap<&str, u64> = BTreeMap::new();
    for placed in &all {
        by_skill.entry(placed.segment.skill.as_deref()).or_default().push(*placed);
        if let Some(name) = &placed.segment.carried {
            *carried.entry(name).or_default() += 1;
        }
    }
    let skill_health = |(skill, segments): (&Option<&str>, &Vec<PlacedSegment<'_>>)| {
        let carried = skill.and_then(|name| carried.get(name)).copied().unwrap_or(0);
        health(*skill, segments, carried, &set, files)
    };
    let mut skills: Vec<SkillHealth> = by_skill.iter().map(skill_health).collect();
    let no_pages = KnowledgePages::default();
    let (inbox, elsewhere) = inbox(&all, knowledge.pages.unwrap_or(&no_pages), knowledge.is_limit);
    sources.searches_elsewhere = elsewhere;
    skills.sort_by_key(|health| (health.skill.is_none(), std::cmp::Reverse(health.segments)));
    Observation {
        schema_version: OBSERVATION_VERSION,
        id,
        created_at,
        omk_version: env!("CARGO_PKG_VERSION").to_owned(),
        overall: health(None, &all, 0, &set, files),
        inbox,
        never_loaded: never_loaded(sessions, &by_skill.keys().copied().flatten().collect()),
        skills,
        sources,
    }
}

/// Identifies a session by its id, or by a hash of its file's name.
fn session_id(file: &str, segment: &Segment) -> String {
    segment.session.clone().unwrap_or_else(|| sha256_hex(file.as_bytes()))
}

/// Names each session by the first eight characters of its id, or more if another name is equal.
fn names(sessions: &[NamedSession]) -> BTreeMap<String, String> {
    let ids = |(file, session): &NamedSession| {
        session.segments.iter().map(|segment| session_id(file, segment)).collect::<Vec<_>>()
    };
    let (mut taken, mut names) = (BTreeSet::new(), BTreeMap::new());
    for id in sessions.iter().flat_map(ids).collect::<BTreeSet<_>>() {
        let mut lengths = (8..=id.chars().count()).map(|length| id.chars().take(length).collect::<String>());
        let name = lengths.find(|name| !taken.contains(name)).unwrap_or_else(|| id.clone());
        taken.insert(name.clone());
        names.insert(id, name);
    }
    names
}

/// Returns the segments without copies.
fn distinct_segments<'a>(sessions: &'a [NamedSession], names: &'a BTreeMap<String, String>) -> Vec<PlacedSegment<'a>> {
    let mut longest: BTreeMap<(&str, Option<&str>, u32), (u64, usize)> = BTreeMap::new();
    let mut all: Vec<PlacedSegment<'a>> = Vec::new();
    for (file, session) in sessions {
        // counts the segments of each prompt
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for segment in &session.segments {
            let session = names.get(&session_id(file, segment)).map_or("", String::as_str);
            let placed = PlacedSegment { session, file, segment };
            let Some(key) = segment.key.as_deref() else {
                all.push(placed);
                continue;
            };
            let count = counts.entry(key).or_default();
            *count += 1;
            let best = longest.entry((key, segment.skill.as_deref(), *count)).or_insert((0, usize::MAX));
            if best.1 == usize::MAX {
                *best = (segment.turns, all.len());
                all.push(placed);
            } else if segment.turns > best.0 {
                all[best.1] = placed;
                best.0 = segment.turns;
            }
        }
    }
    all
}

/// Describes the segments that the rates are about; the id is a hash of them.
fn test_set(all: &[PlacedSegment<'_>], sources: &ObservationSources) -> TestSet {
    let keys = all.iter().map(|placed| {
        let name = placed.name();
        format!("{}\n{}\n", placed.segment.key.as_deref().unwrap_or(&name), placed.segment.turns)
    });
    let hash = sha256_hex(keys.collect::<String>().as_bytes());
    TestSet {
        path: sources.paths.join(", "),
        id: format!("sessions@{}", &hash[..8]),
        sample_count: all.len() as u64,
        project: None,
        llm_generated: false,
    }
}

fn never_loaded(sessions: &[NamedSession], loaded: &BTreeSet<&str>) -> Vec<NeverLoadedSkill> {
    let mut offered: BTreeMap<&str, u64> = BTreeMap::new();
    for name in sessions.iter().flat_map(|(_, session)| &session.offered) {
        // skills of plugins are listed as `PLUGIN:NAME`, but may be loaded as `NAME`
        let short_name = name.rsplit(':').next().unwrap_or(name);
        if !loaded.contains(short_name) && !loaded.contains(name.as_str()) {
            *offered.entry(name).or_default() += 1;
        }
    }
    offered.into_iter().map(|(name, sessions)| NeverLoadedSkill { name: name.to_owned(), sessions }).collect()
}
