//! How skills do in sessions of real use: a block for each, what is missing again and again, and what was read.

use eval_format::{
    Attribution, GapEvidence, GapGroup, GapStatus, HealthBand, Observation, ObservationConfidence, Quartiles,
    SkillHealth, UnreadFile, VariantCoverage, gap_notice,
};
use eval_message::number::percent;
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::gap::GapClass;

use super::block::{self, Block, line};
use super::coverage::files;
use super::gaps::{guessed, merged};
use super::text::{NAME, harmless};

/// How many skills and groups are shown.
const LISTED: usize = 10;
/// How much of what was looked for is shown.
const SUBJECT: usize = 100;
/// How much of a prompt is shown.
const PROMPT: usize = 160;

/// Returns an observation in parts: each skill, what is missing, what was left out.
pub(crate) fn observation(of: &Observation) -> Vec<Vec<Block>> {
    let skills = of.skills.iter().take(LISTED).map(skill);
    let more = of.skills.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| vec![line(0, msg!("observe-more-skills", count = more))]);
    let open = sections(&of.inbox).into_iter().filter(|(_, all)| all.iter().any(|group| !group.is_closed()));
    let open = open.map(|(title, all)| inbox_part(title, &all, LISTED / 2, false));
    let end = left_out(of, LISTED).into_iter().chain([gap_notice()]).map(|text| line(0, text)).collect();
    std::iter::once(vec![line(0, head(of))]).chain(skills).chain(more).chain(open).chain([end]).collect()
}

/// Returns what is missing again and again, with the places that show it.
pub(crate) fn inbox(of: &Observation) -> Vec<Vec<Block>> {
    let parts = sections(&of.inbox).into_iter().map(|(title, all)| inbox_part(title, &all, 2 * LISTED, true));
    let decide = if of.inbox.is_empty() { msg!("observe-inbox-empty") } else { msg!("observe-inbox-decide") };
    let limits = std::iter::once(decide).chain(limits(of)).map(|text| line(0, text)).collect();
    let end = vec![line(0, rate(&of.overall)), line(0, gap_notice())];
    std::iter::once(vec![line(0, head(of))]).chain(parts).chain([limits, end]).collect()
}

/// Returns two observations, skill by skill.
pub(crate) fn observation_diff(a: &Observation, b: &Observation) -> Vec<Vec<Block>> {
    let names = msg!("observe-compare-title", a = clip(&a.id, NAME), b = clip(&b.id, NAME));
    let skills = b.skills.iter().map(|later| titled(later, compared(a, later)));
    let gone = gone(a, b).flat_map(|skill| titled(skill, vec![msg!("observe-compare-gone")]));
    let end = gone.chain([line(0, gap_notice())]).collect();
    let head = vec![line(0, names), line(0, msg!("observe-compare-notice"))];
    std::iter::once(head).chain(skills).chain([end]).collect()
}

fn skill(skill: &SkillHealth) -> Vec<Block> {
    titled(skill, numbers(skill))
}

fn titled(skill: &SkillHealth, lines: Vec<Message>) -> Vec<Block> {
    std::iter::once(line(0, title(skill))).chain(lines.into_iter().map(|text| line(1, text))).collect()
}

/// The numbers of a skill before and after.
pub(crate) fn compared(a: &Observation, later: &SkillHealth) -> Vec<Message> {
    let mut lines = match a.skills.iter().find(|earlier| earlier.skill == later.skill) {
        None => vec![msg!("observe-compare-new")],
        Some(earlier) => vec![msg!("observe-compare-before", text = rate(earlier)), tools(earlier)],
    };
    lines.extend([msg!("observe-compare-after", text = rate(later)), tools(later)]);
    lines
}

/// The skills of `a` that `b` has no work of.
pub(crate) fn gone<'o>(a: &'o Observation, b: &Observation) -> impl Iterator<Item = &'o SkillHealth> {
    a.skills.iter().filter(|earlier| !b.skills.iter().any(|later| later.skill == earlier.skill))
}

pub(crate) fn head(observation: &Observation) -> Message {
    let day = |time: &Option<String>| time.as_deref().and_then(|time| time.get(..10)).unwrap_or("–").to_owned();
    let sources = &observation.sources;
    msg!(
        "observe-head",
        segments = observation.overall.segments,
        sessions = sources.sessions,
        first = day(&sources.first),
        last = day(&sources.last)
    )
}

pub(crate) fn title(skill: &SkillHealth) -> Message {
    let name = skill.skill.as_deref().map(|name| clip(name, NAME));
    let (segments, sessions) = (skill.segments, skill.sessions);
    match (name, skill.confidence) {
        (None, _) => msg!("observe-no-skill", segments = segments, sessions = sessions),
        // Too few segments for a judgement.
        (Some(name), ObservationConfidence::Underpowered) => {
            msg!("observe-skill-few", skill = name, segments = segments, sessions = sessions)
        }
        (Some(name), confidence) => {
            let band = match skill.band {
                HealthBand::Green => "green",
                HealthBand::Yellow => "yellow",
                HealthBand::Red => "red",
            };
            let confidence = if confidence == ObservationConfidence::High { "high" } else { "low" };
            msg!(
                "observe-skill",
                skill = name,
                band = band,
                confidence = confidence,
                segments = segments,
                sessions = sessions
            )
        }
    }
}

/// The gap rate with the sessions that it holds for; their paths are names of others.
pub(crate) fn rate(skill: &SkillHealth) -> Message {
    harmless(&skill.gaps.segment_sentence())
}

/// Returns the measurements of a skill, a line each.
pub(crate) fn numbers(of: &SkillHealth) -> Vec<Message> {
    let tokens = of.usage.map(|usage| {
        msg!(
            "observe-tokens",
            input = usage.input_tokens,
            read = usage.cache_read_tokens,
            written = usage.cache_write_tokens,
            output = usage.output_tokens
        )
    });
    let context = of.context_chars.map(|chars| msg!("observe-context", chars = chars));
    let count = |how: Attribution| of.attribution.get(&how).copied().unwrap_or(0);
    let attribution = of.skill.is_some().then(|| {
        msg!(
            "observe-attribution",
            recorded = count(Attribution::Recorded),
            loaded = count(Attribution::Loaded),
            used = count(Attribution::Used),
            carried = of.carried
        )
    });
    let known = [Some(rate(of)), Some(tools(of)), each(of), tokens, context, attribution].into_iter().flatten();
    known.chain(of.coverage.iter().flat_map(coverage)).collect()
}

/// The share of files with the sessions that it holds for, how they were met, and those that weren't.
fn coverage(coverage: &VariantCoverage) -> Vec<Message> {
    std::iter::once(harmless(&coverage.segment_sentence())).chain(files(coverage)).collect()
}

pub(crate) fn tools(skill: &SkillHealth) -> Message {
    let counts = &skill.tools;
    let known = counts.known().unwrap_or_default();
    let interval = skill.tool_failure_rate_ci.as_ref().map(|ci| (percent(ci.low), percent(ci.high)));
    match (skill.tool_failure_rate, interval) {
        (Some(rate), Some((low, high))) if known > 0 => msg!(
            "observe-tools",
            rate = percent(rate),
            low = low,
            high = high,
            known = known,
            refused = counts.not_run,
            unknown = counts.unknown
        ),
        _ => msg!("observe-no-tools", refused = counts.not_run, unknown = counts.unknown),
    }
}

/// Returns turns, tokens and time of a segment, as medians with their quartiles.
fn each(of: &SkillHealth) -> Option<Message> {
    let whole = |value: f64| format!("{value:.0}");
    let text = |quartiles: Quartiles, show: &dyn Fn(f64) -> String| {
        format!("{} ({}–{})", show(quartiles.median), show(quartiles.lower), show(quartiles.upper))
    };
    let turns = text(of.turns?, &whole);
    let tokens = of.output_tokens.map_or_else(|| "–".to_owned(), |tokens| text(tokens, &whole));
    let seconds = |ms: f64| format!("{:.1}", ms / 1000.0);
    let duration = of.duration_ms.map_or_else(|| "–".to_owned(), |time| text(time, &seconds));
    let spread = of.dispersion.map_or_else(|| "–".to_owned(), |share| format!("{share:.2}"));
    Some(msg!(
        "observe-each",
        turns = turns,
        tokens = tokens,
        duration = duration,
        spread = spread,
        interrupted = of.interrupted
    ))
}

/// The inbox in parts, each with its title: pages to write, code, and what people have decided on.
pub(crate) fn sections(inbox: &[GapGroup]) -> Vec<(Message, Vec<&GapGroup>)> {
    let part = |is_in: &dyn Fn(&GapGroup) -> bool| inbox.iter().filter(|group| is_in(group)).collect::<Vec<_>>();
    let all = [
        (msg!("observe-inbox-title"), part(&GapGroup::is_wanted)),
        (msg!("observe-inbox-code"), part(&|group| group.class == GapClass::Code && !group.is_closed())),
        (msg!("observe-inbox-closed"), part(&GapGroup::is_closed)),
    ];
    all.into_iter().filter(|(_, part)| !part.is_empty()).collect()
}

/// The knowledge base to which the inbox is limited, and how many searches are not in it.
pub(crate) fn limits(observation: &Observation) -> Option<Message> {
    let sources = &observation.sources;
    let kb: Vec<String> = sources.knowledge_base.iter().map(|path| clean(path)).collect();
    (!kb.is_empty()).then(|| msg!("observe-inbox-limited", kb = kb.join(", "), count = sources.searches_elsewhere))
}

fn inbox_part(text: Message, all: &[&GapGroup], listed: usize, with_evidence: bool) -> Vec<Block> {
    let mut blocks = vec![block::title(text)];
    for (place, gap) in (1..).zip(all.iter().take(listed)) {
        let places = gap.evidence.iter().take(if with_evidence { 3 } else { 0 }).map(evidence);
        let lines = details(gap).into_iter().chain(gap.merged.as_ref().map(merged)).chain(places);
        blocks.push(line(0, group(place, gap)));
        blocks.extend(lines.map(|text| line(1, text)));
    }
    blocks.extend(more_groups(all, listed).map(|more| line(0, more)));
    blocks
}

/// Something that is missing, with its place among all.
pub(crate) fn group(place: u64, group: &GapGroup) -> Message {
    let last = group.last.as_deref().and_then(|time| time.get(..10)).map_or_else(|| "–".to_owned(), clean);
    let name = match &group.question {
        Some(question) => clip(&clean(question), PROMPT),
        None => clip(&clean(&group.subject), SUBJECT),
    };
    msg!("observe-group", place = place, name = name, sessions = group.sessions, signals = group.signals, last = last)
}

/// Returns the searches, the pages that have their words, and people's decision.
pub(crate) fn details(of: &GapGroup) -> Vec<Message> {
    let texts = if of.members.is_empty() { std::slice::from_ref(&of.subject) } else { &of.members };
    let quoted = |texts: &[String]| {
        texts
            .iter()
            .take(LISTED)
            .map(|text| format!("`{}`", clip(&clean(text), SUBJECT)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let more = texts.len().saturating_sub(LISTED);
    let searched = msg!("observe-group-searches", id = clip(&clean(&of.id), NAME), list = quoted(texts), more = more);
    let pages = &of.existing_pages;
    let exists = (!pages.is_empty()).then(|| msg!("observe-group-exists", list = quoted(pages)));
    let status = of.decision.as_ref().map(|decision| {
        let (at, reason) = (clip(&clean(&decision.at), 10), decision.reason.as_deref().unwrap_or_default());
        match decision.status {
            GapStatus::Done if of.is_back() => msg!("observe-group-back", at = at),
            GapStatus::Done => msg!("observe-group-done", at = at),
            GapStatus::Dismissed => msg!("observe-group-dismissed", at = at, reason = clip(&clean(reason), PROMPT)),
        }
    });
    std::iter::once(searched).chain(exists).chain(status).collect()
}

/// Returns a place of the gap, and the user's prompt there.
pub(crate) fn evidence(evidence: &GapEvidence) -> Message {
    let prompt = evidence.prompt.as_deref().map_or_else(String::new, |prompt| clip(&clean(prompt), PROMPT));
    msg!("observe-evidence", file = clean(&evidence.anchor.file), line = evidence.anchor.line, prompt = prompt)
}

/// How many things are not listed, where so many are.
pub(crate) fn more_groups(all: &[&GapGroup], listed: usize) -> Option<Message> {
    let more = all.len().saturating_sub(listed);
    (more > 0).then(|| msg!("observe-more-groups", count = more))
}

/// Returns skills that were never loaded, and files that were not read; `listed` of each.
pub(crate) fn left_out(of: &Observation, listed: usize) -> Vec<Message> {
    let sources = &of.sources;
    let names: Vec<String> = of.never_loaded.iter().take(listed).map(|skill| clip(&skill.name, NAME)).collect();
    let more = of.never_loaded.len().saturating_sub(names.len());
    let never_loaded = (!names.is_empty()).then(|| msg!("observe-never-loaded", names = names, more = more));
    let copies = (sources.copies > 0).then(|| msg!("observe-copies", count = sources.copies));
    let (unreadable, unknown) = (sources.unreadable_lines, sources.unknown_records);
    let skipped =
        (unreadable + unknown > 0).then(|| msg!("observe-skipped", unreadable = unreadable, unknown = unknown));
    let file = |file: &UnreadFile| msg!("observe-unread", path = clean(&file.path), why = clean(&file.reason));
    let files = sources.unread_files.iter().take(listed).map(file);
    let more = sources.unread_files.len().saturating_sub(listed);
    let more = (more > 0).then(|| msg!("observe-more-unread", count = more));
    let thought = of.overall.gaps.inventory().iter().filter(|entry| entry.place.is_some()).count();
    let thinking = sources.thinking.then(|| msg!("observe-thinking", count = thought));
    let guessed = guessed(&of.overall.gaps);
    limits(of)
        .into_iter()
        .chain(thinking)
        .chain(guessed)
        .chain(never_loaded)
        .chain(copies)
        .chain(skipped)
        .chain(files)
        .chain(more)
        .collect()
}
