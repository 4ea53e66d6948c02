//! How skills do in sessions of real use: a block for each, what is missing again and again, and what was read.

use eval_format::{
    Attribution, GapEvidence, GapGroup, GapStatus, HealthBand, Observation, ObservationConfidence, Quartiles,
    SkillHealth, UnreadFile, VariantCoverage, gap_notice,
};
use eval_message::number::percent;
use eval_message::plain::{clean, clip};
use eval_message::{Lang, Message, msg};
use eval_spec::gap::GapClass;

use super::{Show, TerminalPage, harmless};
use crate::terminal::coverage::files;
use crate::terminal::gap_list::same;
use crate::terminal::gaps::guessed;
use crate::terminal::names::NAME;

/// How many skills and groups are shown.
const LISTED: usize = 10;
/// How much of what was looked for is shown.
const SUBJECT: usize = 100;
/// How much of a prompt is shown.
const PROMPT: usize = 160;

/// An observation for a terminal.
#[must_use]
pub fn observation_text(of: &Observation, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.line(0, &head(of));
    page.gap();
    for skill in of.skills.iter().take(LISTED) {
        block(&mut page, skill);
    }
    if let Some(more) = of.skills.len().checked_sub(LISTED).filter(|&more| more > 0) {
        page.line(0, &msg!("observe-more-skills", count = more));
        page.gap();
    }
    for (title, all) in sections(&of.inbox).into_iter().filter(|(_, all)| all.iter().any(|of| !of.is_closed())) {
        page.title(&title);
        groups(&mut page, &all, LISTED / 2, false);
        page.gap();
    }
    for line in left_out(of, LISTED, show.lang) {
        page.line(0, &line);
    }
    page.line(0, &gap_notice());
    page.text
}

/// What is missing again and again, with the places that show it.
#[must_use]
pub fn inbox_text(of: &Observation, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.line(0, &head(of));
    page.gap();
    match of.inbox.is_empty() {
        true => page.line(0, &msg!("observe-inbox-empty")),
        false => {
            for (title, all) in sections(&of.inbox) {
                page.title(&title);
                groups(&mut page, &all, 2 * LISTED, true);
                page.gap();
            }
            page.line(0, &msg!("observe-inbox-decide"));
        }
    }
    limits(of).iter().for_each(|line| page.line(0, line));
    page.gap();
    page.line(0, &rate(&of.overall));
    page.line(0, &gap_notice());
    page.text
}

/// Two observations, skill by skill.
#[must_use]
pub fn observation_diff_text(a: &Observation, b: &Observation, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.line(0, &msg!("observe-compare-title", a = clip(&a.id, NAME), b = clip(&b.id, NAME)));
    page.line(0, &msg!("observe-compare-notice"));
    page.gap();
    for later in &b.skills {
        page.line(0, &title(later));
        compared(a, later, |rate| show.text(rate)).iter().for_each(|line| page.line(1, line));
        page.gap();
    }
    for gone in gone(a, b) {
        page.line(0, &title(gone));
        page.line(1, &msg!("observe-compare-gone"));
    }
    page.line(0, &gap_notice());
    page.text
}

/// The numbers of a skill before and after.
pub(crate) fn compared(a: &Observation, later: &SkillHealth, text: impl Fn(&Message) -> String) -> Vec<Message> {
    let mut lines = match a.skills.iter().find(|of| of.skill == later.skill) {
        None => vec![msg!("observe-compare-new")],
        Some(of) => vec![msg!("observe-compare-before", text = text(&rate(of))), tools(of)],
    };
    lines.extend([msg!("observe-compare-after", text = text(&rate(later))), tools(later)]);
    lines
}

/// The skills of `a` that `b` has no work of.
pub(crate) fn gone<'o>(a: &'o Observation, b: &Observation) -> impl Iterator<Item = &'o SkillHealth> {
    a.skills.iter().filter(|of| !b.skills.iter().any(|later| later.skill == of.skill))
}

pub(crate) fn head(of: &Observation) -> Message {
    let day = |at: &Option<String>| at.as_deref().and_then(|at| at.get(..10)).unwrap_or("–").to_owned();
    let sources = &of.sources;
    msg!(
        "observe-head",
        segments = of.overall.segments,
        sessions = sources.sessions,
        first = day(&sources.first),
        last = day(&sources.last)
    )
}

pub(crate) fn title(of: &SkillHealth) -> Message {
    let name = of.skill.as_deref().map(|name| clip(name, NAME));
    let (segments, sessions) = (of.segments, of.sessions);
    match (name, of.confidence) {
        (None, _) => msg!("observe-no-skill", segments = segments, sessions = sessions),
        // Too few segments for a judgement.
        (Some(name), ObservationConfidence::Underpowered) => {
            msg!("observe-skill-few", skill = name, segments = segments, sessions = sessions)
        }
        (Some(name), confidence) => {
            let band = match of.band {
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

fn block(page: &mut TerminalPage, of: &SkillHealth) {
    page.line(0, &title(of));
    for line in numbers(of) {
        page.line(1, &line);
    }
    page.gap();
}

/// The gap rate with the sessions that it holds for; their paths are names of others.
pub(crate) fn rate(of: &SkillHealth) -> Message {
    harmless(&of.gaps.segment_sentence())
}

/// What is measured of a skill, a line each.
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
fn coverage(of: &VariantCoverage) -> Vec<Message> {
    std::iter::once(harmless(&of.segment_sentence())).chain(files(of)).collect()
}

pub(crate) fn tools(of: &SkillHealth) -> Message {
    let counts = &of.tools;
    let known = counts.known().unwrap_or_default();
    let interval = of.tool_failure_rate_ci.as_ref().map(|ci| (percent(ci.low), percent(ci.high)));
    match (of.tool_failure_rate, interval) {
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

/// What a segment takes, as medians with their quartiles.
fn each(of: &SkillHealth) -> Option<Message> {
    let whole = |value: f64| format!("{value:.0}");
    let text = |of: Quartiles, show: &dyn Fn(f64) -> String| {
        format!("{} ({}–{})", show(of.median), show(of.lower), show(of.upper))
    };
    let turns = text(of.turns?, &whole);
    let tokens = of.output_tokens.map_or_else(|| "–".to_owned(), |of| text(of, &whole));
    let seconds = |ms: f64| format!("{:.1}", ms / 1000.0);
    let duration = of.duration_ms.map_or_else(|| "–".to_owned(), |of| text(of, &seconds));
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
    let part = |is_in: &dyn Fn(&GapGroup) -> bool| inbox.iter().filter(|of| is_in(of)).collect::<Vec<_>>();
    let all = [
        (msg!("observe-inbox-title"), part(&GapGroup::is_wanted)),
        (msg!("observe-inbox-code"), part(&|of| of.class == GapClass::Code && !of.is_closed())),
        (msg!("observe-inbox-closed"), part(&GapGroup::is_closed)),
    ];
    all.into_iter().filter(|(_, part)| !part.is_empty()).collect()
}

/// The knowledge base to which the inbox is limited, and how many searches are not in it.
pub(crate) fn limits(of: &Observation) -> Option<Message> {
    let sources = &of.sources;
    let kb: Vec<String> = sources.knowledge_base.iter().map(|path| clean(path)).collect();
    (!kb.is_empty()).then(|| msg!("observe-inbox-limited", kb = kb.join(", "), count = sources.searches_elsewhere))
}

fn groups(page: &mut TerminalPage, all: &[&GapGroup], listed: usize, with_evidence: bool) {
    for (place, of) in (1..).zip(all.iter().take(listed)) {
        page.line(0, &group(place, of));
        details(of).iter().for_each(|line| page.line(1, line));
        if let Some(merged) = &of.merged {
            page.line(1, &same(merged, page.show));
        }
        for of in of.evidence.iter().take(if with_evidence { 3 } else { 0 }) {
            page.line(1, &evidence(of));
        }
    }
    if let Some(more) = more_groups(all, listed) {
        page.line(0, &more);
    }
}

/// Something that is missing, with its place among all.
pub(crate) fn group(place: u64, of: &GapGroup) -> Message {
    let last = of.last.as_deref().and_then(|at| at.get(..10)).map_or_else(|| "–".to_owned(), clean);
    let name = match &of.question {
        Some(question) => clip(&clean(question), PROMPT),
        None => clip(&clean(&of.subject), SUBJECT),
    };
    msg!("observe-group", place = place, name = name, sessions = of.sessions, signals = of.signals, last = last)
}

/// What was searched, which pages have the words, and what people decided.
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

/// Where it was wanted, and what the user had asked.
pub(crate) fn evidence(of: &GapEvidence) -> Message {
    let prompt = of.prompt.as_deref().map_or_else(String::new, |prompt| clip(&clean(prompt), PROMPT));
    msg!("observe-evidence", file = clean(&of.anchor.file), line = of.anchor.line, prompt = prompt)
}

/// How many things are not listed, where so many are.
pub(crate) fn more_groups(all: &[&GapGroup], listed: usize) -> Option<Message> {
    let more = all.len().saturating_sub(listed);
    (more > 0).then(|| msg!("observe-more-groups", count = more))
}

/// What was never loaded, and what was not read; `listed` of each.
pub(crate) fn left_out(of: &Observation, listed: usize, lang: Lang) -> Vec<Message> {
    let sources = &of.sources;
    let names: Vec<String> = of.never_loaded.iter().take(listed).map(|of| clip(&of.name, NAME)).collect();
    let more = of.never_loaded.len().saturating_sub(names.len());
    let list = names.join(if lang == Lang::Zh { "、" } else { ", " });
    let never_loaded = (!names.is_empty()).then(|| msg!("observe-never-loaded", names = list, more = more));
    let copies = (sources.copies > 0).then(|| msg!("observe-copies", count = sources.copies));
    let (unreadable, unknown) = (sources.unreadable_lines, sources.unknown_records);
    let skipped =
        (unreadable + unknown > 0).then(|| msg!("observe-skipped", unreadable = unreadable, unknown = unknown));
    let file = |of: &UnreadFile| msg!("observe-unread", path = clean(&of.path), why = clean(&of.reason));
    let files = sources.unread_files.iter().take(listed).map(file);
    let more = sources.unread_files.len().saturating_sub(listed);
    let more = (more > 0).then(|| msg!("observe-more-unread", count = more));
    let thought = of.overall.gaps.inventory().iter().filter(|of| of.place.is_some()).count();
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
