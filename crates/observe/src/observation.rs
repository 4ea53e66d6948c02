//! All sessions → the observation.

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

/// The knowledge base that the sessions were read with.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObservedKnowledge<'a> {
    /// Its files; `None` without a knowledge base.
    pub files: Option<&'a KnowledgeFiles>,
    /// Their texts.
    pub pages: Option<&'a KnowledgePages>,
    /// Whether only searches in or for it are in the inbox.
    pub is_limit: bool,
}

/// The observation of some sessions, each with the file that it was read from; times outside of `sources.from` and
/// `sources.to`, and skills that weren't asked for, are the caller's to leave out.
///
/// A segment that stands in several files counts once, where it is longest.
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
    let all = scopes(sessions, &names);
    let read: usize = sessions.iter().map(|(_, session)| session.segments.len()).sum();
    sources.copies = (read - all.len()) as u64;
    sources.sessions = all.iter().map(|scope| scope.session).collect::<BTreeSet<_>>().len() as u64;
    let times = || all.iter().filter_map(|scope| scope.segment.started_at);
    sources.first = times().min().map(|at| at.to_string());
    sources.last = times().max().map(|at| at.to_string());
    let set = test_set(&all, &sources);
    let mut by_skill: BTreeMap<Option<&str>, Vec<PlacedSegment<'_>>> = BTreeMap::new();
    let mut carried: BTreeMap<&str, u64> = BTreeMap::new();
    for scope in &all {
        by_skill.entry(scope.segment.skill.as_deref()).or_default().push(*scope);
        if let Some(name) = &scope.segment.carried {
            *carried.entry(name).or_default() += 1;
        }
    }
    let of = |(skill, scopes): (&Option<&str>, &Vec<PlacedSegment<'_>>)| {
        let carried = skill.and_then(|name| carried.get(name)).copied().unwrap_or(0);
        health(*skill, scopes, carried, &set, files)
    };
    let mut skills: Vec<SkillHealth> = by_skill.iter().map(of).collect();
    let no_pages = KnowledgePages::default();
    let (inbox, elsewhere) = inbox(&all, knowledge.pages.unwrap_or(&no_pages), knowledge.is_limit);
    sources.searches_elsewhere = elsewhere;
    skills.sort_by_key(|of| (of.skill.is_none(), std::cmp::Reverse(of.segments)));
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

/// What tells a session: its id, else its file.
fn own_id(file: &str, segment: &Segment) -> String {
    segment.session.clone().unwrap_or_else(|| sha256_hex(file.as_bytes()))
}

/// A name for each session: the first eight characters of its id, and more of it where others begin alike.
fn names(sessions: &[NamedSession]) -> BTreeMap<String, String> {
    let of = |(file, session): &NamedSession| {
        session.segments.iter().map(|segment| own_id(file, segment)).collect::<Vec<_>>()
    };
    let (mut taken, mut names) = (BTreeSet::new(), BTreeMap::new());
    for id in sessions.iter().flat_map(of).collect::<BTreeSet<_>>() {
        let mut lengths = (8..=id.chars().count()).map(|length| id.chars().take(length).collect::<String>());
        let name = lengths.find(|name| !taken.contains(name)).unwrap_or_else(|| id.clone());
        taken.insert(name.clone());
        names.insert(id, name);
    }
    names
}

/// The segments, copies left out.
fn scopes<'a>(sessions: &'a [NamedSession], names: &'a BTreeMap<String, String>) -> Vec<PlacedSegment<'a>> {
    let mut longest: BTreeMap<(&str, Option<&str>, u32), (u64, usize)> = BTreeMap::new();
    let mut all: Vec<PlacedSegment<'a>> = Vec::new();
    for (file, session) in sessions {
        // Of a prompt with several segments, each has its place among them.
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        for segment in &session.segments {
            let session = names.get(&own_id(file, segment)).map_or("", String::as_str);
            let scope = PlacedSegment { session, file, segment };
            let Some(key) = segment.key.as_deref() else {
                all.push(scope);
                continue;
            };
            let place = places.entry(key).or_default();
            *place += 1;
            let known = longest.entry((key, segment.skill.as_deref(), *place)).or_insert((0, usize::MAX));
            if known.1 == usize::MAX {
                *known = (segment.turns, all.len());
                all.push(scope);
            } else if segment.turns > known.0 {
                all[known.1] = scope;
                known.0 = segment.turns;
            }
        }
    }
    all
}

/// What the rates hold for: these segments, and no others.
fn test_set(all: &[PlacedSegment<'_>], sources: &ObservationSources) -> TestSet {
    let keys = all.iter().map(|scope| {
        let own = scope.name();
        format!("{}\n{}\n", scope.segment.key.as_deref().unwrap_or(&own), scope.segment.turns)
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
        // Skills of plugins are listed as `PLUGIN:NAME`, and may be loaded by the name alone.
        let own = name.rsplit(':').next().unwrap_or(name);
        if !loaded.contains(own) && !loaded.contains(name.as_str()) {
            *offered.entry(name).or_default() += 1;
        }
    }
    offered.into_iter().map(|(name, sessions)| NeverLoadedSkill { name: name.to_owned(), sessions }).collect()
}
