//! How skills do in sessions of real use: a block for each, what is missing again and again, and what was read.

use eval_format::{
    Attribution, GapGroup, HealthBand, Observation, ObservationConfidence, Quartiles, SkillHealth, gap_notice,
};
use eval_message::number::percent;
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};

use super::{Show, TerminalPage};
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
    if !of.inbox.is_empty() {
        page.title(&msg!("observe-inbox-title"));
        groups(&mut page, &of.inbox, LISTED / 2, false);
        page.gap();
    }
    if !of.never_loaded.is_empty() {
        let names: Vec<String> = of.never_loaded.iter().take(LISTED).map(|of| clip(&of.name, NAME)).collect();
        let more = of.never_loaded.len().saturating_sub(names.len());
        page.line(0, &msg!("observe-never-loaded", names = show.list(&names), more = more));
    }
    sources(&mut page, of);
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
            page.title(&msg!("observe-inbox-title"));
            groups(&mut page, &of.inbox, 2 * LISTED, true);
        }
    }
    page.gap();
    page.line(0, &of.overall.gaps.segment_sentence());
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
        let earlier = a.skills.iter().find(|of| of.skill == later.skill);
        page.line(0, &title(later));
        match earlier {
            None => page.line(1, &msg!("observe-compare-new")),
            Some(earlier) => {
                page.line(1, &msg!("observe-compare-before", text = show.text(&earlier.gaps.segment_sentence())));
                page.line(1, &tools(earlier));
            }
        }
        page.line(1, &msg!("observe-compare-after", text = show.text(&later.gaps.segment_sentence())));
        page.line(1, &tools(later));
        page.gap();
    }
    let is_gone = |of: &&SkillHealth| !b.skills.iter().any(|later| later.skill == of.skill);
    for gone in a.skills.iter().filter(is_gone) {
        page.line(0, &title(gone));
        page.line(1, &msg!("observe-compare-gone"));
    }
    page.line(0, &gap_notice());
    page.text
}

fn head(of: &Observation) -> Message {
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

fn title(of: &SkillHealth) -> Message {
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
    page.line(1, &of.gaps.segment_sentence());
    page.line(1, &tools(of));
    if let Some(each) = each(of) {
        page.line(1, &each);
    }
    if let Some(usage) = of.usage {
        page.line(
            1,
            &msg!(
                "observe-tokens",
                input = usage.input_tokens,
                read = usage.cache_read_tokens,
                written = usage.cache_write_tokens,
                output = usage.output_tokens
            ),
        );
    }
    if let Some(chars) = of.context_chars {
        page.line(1, &msg!("observe-context", chars = chars));
    }
    let count = |how: Attribution| of.attribution.get(&how).copied().unwrap_or(0);
    if of.skill.is_some() {
        page.line(
            1,
            &msg!(
                "observe-attribution",
                recorded = count(Attribution::Recorded),
                loaded = count(Attribution::Loaded),
                used = count(Attribution::Used),
                carried = of.carried
            ),
        );
    }
    page.gap();
}

fn tools(of: &SkillHealth) -> Message {
    let counts = &of.tools;
    let known = counts.ok + counts.no_match + counts.failed;
    let interval = of.tool_failure_rate_ci.as_ref().map(|ci| (percent(ci.low), percent(ci.high)));
    match (of.tool_failure_rate, interval) {
        (Some(rate), Some((low, high))) => msg!(
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

fn groups(page: &mut TerminalPage, all: &[GapGroup], listed: usize, with_evidence: bool) {
    for (place, group) in (1..).zip(all.iter().take(listed)) {
        let place: u64 = place;
        let last = group.last.as_deref().and_then(|at| at.get(..10)).unwrap_or("–").to_owned();
        let subject = clip(&clean(&group.subject), SUBJECT);
        page.line(
            0,
            &msg!(
                "observe-group",
                place = place,
                subject = subject,
                sessions = group.sessions,
                signals = group.signals,
                last = last
            ),
        );
        if !with_evidence {
            continue;
        }
        for of in group.evidence.iter().take(3) {
            let prompt = of.prompt.as_deref().map_or_else(String::new, |prompt| clip(&clean(prompt), PROMPT));
            page.line(
                1,
                &msg!("observe-evidence", file = clean(&of.anchor.file), line = of.anchor.line, prompt = prompt),
            );
        }
    }
    if let Some(more) = all.len().checked_sub(listed).filter(|&more| more > 0) {
        page.line(0, &msg!("observe-more-groups", count = more));
    }
}

fn sources(page: &mut TerminalPage, of: &Observation) {
    let sources = &of.sources;
    if sources.copies > 0 {
        page.line(0, &msg!("observe-copies", count = sources.copies));
    }
    if sources.unreadable_lines + sources.unknown_records > 0 {
        page.line(
            0,
            &msg!("observe-skipped", unreadable = sources.unreadable_lines, unknown = sources.unknown_records),
        );
    }
    for file in sources.unread_files.iter().take(LISTED) {
        page.line(0, &msg!("observe-unread", path = clean(&file.path), why = clean(&file.reason)));
    }
    if let Some(more) = sources.unread_files.len().checked_sub(LISTED).filter(|&more| more > 0) {
        page.line(0, &msg!("observe-more-unread", count = more));
    }
}
