//! The report as one page (askama: `templates/`). Texts and numbers are made here; the templates only lay them out and
//! escape them.

mod parts;

use askama::Template;
use eval_format::skills::SkillEvaluation;
use eval_message::plain::shortened;
use eval_message::{Lang, msg};

use self::parts::{PageSkill, words_of};
use super::show;
use crate::page::{Frame, SKILLS};
use crate::site::{SiteBase, SiteFrame};
use eval_message::plain::clean;

const PROGRAM: &str = "eval-skills";
/// The most results on a page; those that did not pass take precedence.
const MOST_RESULTS: usize = 2000;

#[derive(Template)]
#[template(path = "skills/report.html")]
struct SkillsPage {
    frame: Frame,
    base: Option<SiteBase>,
    title: String,
    about: Vec<String>,
    banners: Vec<Banner>,
    notes: Vec<String>,
    words: parts::Words,
    has_gate: bool,
    skills: Vec<PageSkill>,
    foot: String,
}

struct Banner {
    class: &'static str,
    text: String,
}

/// The page.
///
/// # Errors
/// When the template fails.
pub(crate) fn html(of: &SkillEvaluation, lang: Lang) -> std::io::Result<String> {
    page(of, lang, Frame::new(&SKILLS, lang, PROGRAM, msg!("skills-report-page-skip").text(lang)), None)
}

/// The page on the report server.
///
/// # Errors
/// When the template fails.
pub fn skills_page(of: &SkillEvaluation, at: &SiteFrame) -> std::io::Result<String> {
    let skip = msg!("skills-report-page-skip").text(at.lang);
    page(of, at.lang, Frame::of_site(&SKILLS, at.lang, PROGRAM, skip), Some(SiteBase::of(at)))
}

fn page(of: &SkillEvaluation, lang: Lang, frame: Frame, base: Option<SiteBase>) -> std::io::Result<String> {
    let each = (MOST_RESULTS / of.skills.len().max(1)).max(20);
    let skills = of.skills.iter().enumerate().map(|(place, skill)| PageSkill::of(of, skill, place, each, lang));
    let page = SkillsPage {
        frame,
        base,
        title: name(of),
        about: about(of, lang),
        banners: banners(of, lang).into_iter().map(unbroken).collect(),
        notes: of.notes.iter().map(|note| plain(&clean(note))).collect(),
        words: words_of(of, lang),
        has_gate: of.gate.is_some(),
        skills: skills.collect(),
        foot: plain(
            &msg!(
                "skills-report-page-foot",
                version = clean(&of.tool_version),
                id = clean(&of.id),
                seed = of.settings.seed.to_string()
            )
            .text(lang),
        ),
    };
    page.render().map_err(std::io::Error::other)
}

/// A percent sign stays with its number.
fn unbroken(of: Banner) -> Banner {
    Banner { text: of.text.replace(" %", "\u{a0}%"), ..of }
}

fn name(of: &SkillEvaluation) -> String {
    let name = clean(&of.benchmark.name);
    shortened(if name.is_empty() { &of.benchmark.id } else { &name }, 200)
}

/// Without the marks of code of a terminal's text.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn about(of: &SkillEvaluation, lang: Lang) -> Vec<String> {
    let (settings, benchmark) = (&of.settings, &of.benchmark);
    let messages = [
        msg!(
            "skills-report-about-benchmark",
            id = clean(&benchmark.id),
            version = show::version(&clean(&benchmark.version)),
            tasks = benchmark.tasks,
            runs = settings.runs,
            hash = shortened(&clean(&benchmark.hash), 12)
        ),
        show::settings(settings),
    ];
    let when = shortened(&clean(&of.started_at), 19).replace('T', " ").replace('…', "");
    let mut lines: Vec<String> = messages.iter().map(|message| plain(&message.text(lang))).collect();
    lines.push(when);
    lines
}

fn banners(of: &SkillEvaluation, lang: Lang) -> Vec<Banner> {
    let class = if of.gate.as_ref().is_some_and(|gate| gate.passed) { "pass" } else { "fail" };
    let doubts = show::doubts(of, clean).into_iter().map(|message| ("warn", message));
    let gate = show::gate(of, 10, clean, lang).into_iter().map(|message| (class, message));
    doubts.chain(gate).map(|(class, message)| Banner { class, text: plain(&message.text(lang)) }).collect()
}
