//! Stored observations of skills in real use: the list, one of them, two side by side.
//!
//! The lines are those of a terminal. No rate is without its set of sessions, and a band is softened where few segments are
//! behind it.

use askama::Template;
use eval_format::{GapGroup, HealthBand, Observation, ObservationConfidence, SkillHealth, gap_notice};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::frame::{SiteBase, SiteFrame};
use super::list::UnreadableRow;
use super::words::minute;
use crate::document::observation::{
    compared, details, evidence, gone, group, head, left_out, more_groups, numbers, rate, sections, title,
};
use crate::document::text::NAME;
use crate::page::Frame;
use crate::voice::unmarked;

/// Skills and missing things on a page.
const LISTED: usize = 100;
/// Places that show one missing thing.
const PLACES: usize = 5;

#[derive(Clone, Debug)]
pub struct AnalysisRow {
    name: String,
    created_at: String,
    lines: [Message; 2],
}

impl AnalysisRow {
    /// An observation by the name of its file, by which it is addressed.
    #[must_use]
    pub fn new(name: String, of: &Observation) -> AnalysisRow {
        AnalysisRow { name, created_at: of.created_at.clone(), lines: [head(of), rate(&of.overall)] }
    }
}

#[derive(Template)]
#[template(path = "site/analyses.html")]
struct AnalysesHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    intro: String,
    compare_help: String,
    compare: String,
    pick: String,
    lang_field: Option<&'static str>,
    rows: Vec<AnalysisRowHtml>,
    notice: String,
    more: String,
    unreadable_title: String,
    unreadable: Vec<String>,
    empty: String,
}

struct AnalysisRowHtml {
    name: String,
    shown: String,
    href: String,
    when: String,
    lines: Vec<String>,
}

/// The page of all observations, the newest first; `more` older ones are not listed.
///
/// # Errors
/// When the template fails.
pub fn analyses_page(
    rows: &[AnalysisRow],
    unreadable: &[UnreadableRow],
    more: usize,
    at: &SiteFrame,
) -> std::io::Result<String> {
    let lang = at.lang;
    let row = |row: &AnalysisRow| AnalysisRowHtml {
        name: row.name.clone(),
        shown: clip(&row.name, 40),
        href: at.analysis(&row.name),
        when: minute(&row.created_at),
        lines: texts(&row.lines, lang),
    };
    let page = AnalysesHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-analyses").text(lang),
        intro: msg!("site-analyses-intro").text(lang),
        compare_help: msg!("site-analyses-compare-help").text(lang),
        compare: msg!("site-compare").text(lang),
        pick: msg!("site-pick").text(lang),
        lang_field: at.linked_lang,
        rows: rows.iter().map(row).collect(),
        notice: gap_notice().text(lang),
        more: if more > 0 { msg!("site-analyses-more", count = more).text(lang) } else { String::new() },
        unreadable_title: msg!("site-unreadable").text(lang),
        unreadable: unreadable.iter().map(|of| clip(&unmarked(&of.why, lang), 300)).collect(),
        empty: if rows.is_empty() { msg!("site-analyses-none").text(lang).replace('`', "") } else { String::new() },
    };
    page.render().map_err(std::io::Error::other)
}

#[derive(Template)]
#[template(path = "site/analysis.html")]
struct AnalysisHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    back: (String, String),
    about: Vec<String>,
    warning: String,
    skills: Vec<SkillCard>,
    more_skills: String,
    inbox: Vec<InboxPart>,
    left_title: String,
    left: Vec<String>,
    notice: String,
}

struct SkillCard {
    name: String,
    /// The class and text of its band; empty where there is no skill.
    band: (&'static str, String),
    lines: Vec<String>,
}

struct InboxPart {
    title: String,
    entries: Vec<MissingHtml>,
    more: String,
}

struct MissingHtml {
    text: String,
    details: Vec<String>,
    places: Vec<String>,
}

/// The page of one observation.
///
/// # Errors
/// When the template fails.
pub fn analysis_page(of: &Observation, at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let card = |skill: &SkillHealth| {
        let lines: Vec<Message> = std::iter::once(title(skill)).chain(numbers(skill)).collect();
        skill_card(skill, &lines, lang)
    };
    let missing = |(place, one): (u64, &&GapGroup)| MissingHtml {
        text: unmarked(&group(place, one), lang),
        details: texts(&details(one), lang).into_iter().map(|line| line.replace('`', "")).collect(),
        places: one.evidence.iter().take(PLACES).map(|place| unmarked(&evidence(place), lang)).collect(),
    };
    let part = |(title, all): (Message, Vec<&GapGroup>)| InboxPart {
        title: title.text(lang),
        entries: (1..).zip(all.iter().take(LISTED)).map(missing).collect(),
        more: more_groups(&all, LISTED).map(|more| unmarked(&more, lang)).unwrap_or_default(),
    };
    let page = AnalysisHtml {
        title: format!("{}, {}", msg!("site-analysis").text(lang), minute(&of.created_at)),
        about: texts(&[head(of), rate(&of.overall)], lang),
        warning: String::new(),
        skills: of.skills.iter().take(LISTED).map(card).collect(),
        more_skills: more(of.skills.len(), |count| msg!("observe-more-skills", count = count), lang),
        inbox: sections(&of.inbox).into_iter().map(part).collect(),
        left: texts(&left_out(of, LISTED), lang),
        ..frame_of(at)
    };
    page.render().map_err(std::io::Error::other)
}

/// The page of two observations with their names, the earlier one first, skill by skill.
///
/// # Errors
/// When the template fails.
pub fn analysis_diff_page(sides: [(&str, &Observation); 2], at: &SiteFrame) -> std::io::Result<String> {
    let lang = at.lang;
    let [(_, a), (_, b)] = sides;
    let card = |later: &SkillHealth| {
        let numbers = compared(a, later);
        let lines: Vec<Message> = std::iter::once(title(later)).chain(numbers).collect();
        skill_card(later, &lines, lang)
    };
    let gone_card = |of: &SkillHealth| skill_card(of, &[title(of), msg!("observe-compare-gone")], lang);
    let all = b.skills.len() + gone(a, b).count();
    let about = |(name, of): (&str, &Observation)| format!("{}: {}", clip(name, NAME), unmarked(&head(of), lang));
    let page = AnalysisHtml {
        title: msg!("site-analyses-compare").text(lang),
        about: sides.map(about).into(),
        warning: msg!("observe-compare-notice").text(lang),
        skills: b.skills.iter().map(card).chain(gone(a, b).map(gone_card)).take(LISTED).collect(),
        more_skills: more(all, |count| msg!("observe-more-skills", count = count), lang),
        ..frame_of(at)
    };
    page.render().map_err(std::io::Error::other)
}

fn frame_of(at: &SiteFrame) -> AnalysisHtml {
    let lang = at.lang;
    AnalysisHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: String::new(),
        back: (at.link("/analyses", &[]), msg!("site-analyses").text(lang)),
        about: Vec::new(),
        warning: String::new(),
        skills: Vec::new(),
        more_skills: String::new(),
        inbox: Vec::new(),
        left_title: msg!("site-analysis-left").text(lang),
        left: Vec::new(),
        notice: gap_notice().text(lang),
    }
}

fn skill_card(of: &SkillHealth, lines: &[Message], lang: Lang) -> SkillCard {
    let name = of.skill.as_deref().map_or_else(|| msg!("site-analysis-no-skill").text(lang), |name| clip(name, NAME));
    let band = if of.skill.is_some() { band(of, lang) } else { ("", String::new()) };
    SkillCard { name, band, lines: texts(lines, lang) }
}

/// The class and name of a band. Too few segments have none, and few have no colour.
fn band(of: &SkillHealth, lang: Lang) -> (&'static str, String) {
    let (class, name) = match of.band {
        HealthBand::Green => ("better", msg!("site-band-green")),
        HealthBand::Yellow => ("doubt", msg!("site-band-yellow")),
        HealthBand::Red => ("worse", msg!("site-band-red")),
    };
    match of.confidence {
        ObservationConfidence::Underpowered => ("quiet", msg!("site-band-none").text(lang)),
        ObservationConfidence::Low => ("quiet", msg!("site-band-low", band = name.text(lang)).text(lang)),
        ObservationConfidence::High => (class, name.text(lang)),
    }
}

fn texts(of: &[Message], lang: Lang) -> Vec<String> {
    of.iter().map(|line| unmarked(line, lang)).collect()
}

/// How many of so many are not listed.
fn more(all: usize, text: impl Fn(usize) -> Message, lang: Lang) -> String {
    let left = all.saturating_sub(LISTED);
    if left > 0 { unmarked(&text(left), lang) } else { String::new() }
}
