//! A comparison for people: on a terminal and as Markdown. The marks mean better and worse, whichever way a number went.

use eval_format::skills::EvaluationStatus;
use eval_history::skills::{FlippedTask, NumberChange, SkillDelta, SkillDiff, SkillPart, SkillSide, SkillStanding};
use eval_message::plain::clip;
use eval_message::{Arg, Lang, Message, msg};
use eval_spec::callable::McpServerInfo;
use jiff::Timestamp;

use crate::document::{Block, Table, item, line};
use crate::markdown::laid_out;
use crate::minus::minus;
use crate::show::Show;
use crate::skills::show;
use crate::terminal::TerminalPage;

/// Tasks that are listed.
const LISTED: usize = 20;

#[must_use]
pub fn diff_text(of: &SkillDiff, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&title(of, |text| clip(text, 30)));
    warnings(of, |text| clip(text, 60), show.lang).iter().for_each(|message| page.line(2, message));
    page.gap();
    for skill in &of.skills {
        page.title(&name(skill, |text| clip(text, 30)));
        let mut rows = vec![["".to_owned(), clip(&of.a.label, 16), clip(&of.b.label, 16), "Δ".to_owned()]];
        rows.extend(lines(skill).map(|line| {
            [show.text(&line.what), line.a, line.b, format!("{} {}", line.diff, mark(line.better)).trim().to_owned()]
        }));
        page.table(2, &rows);
        page.line(2, &standing(skill));
        page.line(2, &test(skill));
        uneven(skill).iter().for_each(|message| page.line(2, message));
        for (mark, title, flipped) in lists(skill) {
            if flipped.is_empty() {
                continue;
            }
            page.line(2, &title);
            for task in flipped.iter().take(LISTED) {
                page.raw(4, &format!("{mark} {}", flip(task, clip)));
            }
            if flipped.len() > LISTED {
                page.line(4, &msg!("skills-report-more", count = flipped.len() - LISTED));
            }
        }
        page.gap();
    }
    alone(of, |text| clip(text, 30), show.lang).iter().for_each(|message| page.line(0, message));
    page.line(0, &msg!("skills-report-diff-legend"));
    page.text
}

/// The comparison as Markdown: a table for each skill.
#[must_use]
pub fn diff_markdown(of: &SkillDiff, lang: Lang) -> String {
    let as_written = |text: &str| text.to_owned();
    let about = msg!(
        "skills-report-diff-about",
        benchmark = &of.b.benchmark,
        a = &of.a.label,
        ida = &of.a.evaluation,
        b = &of.b.label,
        idb = &of.b.evaluation
    );
    let notes = std::iter::once(about).chain(warnings(of, as_written, lang)).chain(alone(of, as_written, lang));
    let mut blocks = vec![Block::Title(1, title(of, as_written).into())];
    blocks.extend(notes.map(item));
    blocks.extend(of.skills.iter().flat_map(|skill| skill_blocks(of, skill)));
    blocks.push(line(0, msg!("skills-report-diff-legend")));
    laid_out(&blocks, lang)
}

fn skill_blocks(diff: &SkillDiff, skill: &SkillDelta) -> Vec<Block> {
    let heads = ["", &diff.a.label, &diff.b.label, "Δ", ""].map(Arg::from).into();
    let row = |line: DiffLine| -> Vec<Arg> {
        vec![line.what.into(), line.a.into(), line.b.into(), line.diff.into(), mark(line.better).into()]
    };
    let table = Table { heads, texts: &[0, 4], rows: lines(skill).map(row).collect(), indent: 0 };
    let told = [standing(skill), test(skill)].into_iter().chain(uneven(skill)).map(|text| line(0, text));
    let lists = lists(skill).into_iter().filter(|(_, _, tasks)| !tasks.is_empty()).flat_map(|(_, title, tasks)| {
        let tasks = tasks.iter().map(|task| item(flip(task, |text, _| text.to_owned())));
        std::iter::once(Block::Title(3, title.into())).chain(tasks)
    });
    let name = Block::Title(2, name(skill, str::to_owned).into());
    [name, Block::Table(table)].into_iter().chain(told).chain(lists).collect()
}

/// The lists of tasks that moved, with their marks and titles.
pub(crate) fn lists(skill: &SkillDelta) -> [(&'static str, Message, &[FlippedTask]); 4] {
    [
        ("▼", msg!("skills-report-newly-failing"), &skill.newly_failing),
        ("▼", msg!("skills-report-less-often"), &skill.less_often),
        ("▲", msg!("skills-report-newly-passing"), &skill.newly_passing),
        ("▲", msg!("skills-report-more-often"), &skill.more_often),
    ]
}

/// Returns that not every run decides what flipped.
pub(crate) fn uneven(skill: &SkillDelta) -> Option<Message> {
    (skill.uneven > 0).then(|| msg!("skills-report-diff-uneven", count = skill.uneven))
}

pub(crate) fn flip(of: &FlippedTask, shown: impl Fn(&str, usize) -> String) -> String {
    let counts = match of.runs_a == 1 && of.runs_b == 1 {
        true => String::new(),
        false => format!(" {}/{} → {}/{}", of.passed_a, of.runs_a, of.passed_b, of.runs_b),
    };
    format!("{}{counts}  {}", shown(&of.task, 32), shown(&of.why, 120))
}

fn title(diff: &SkillDiff, shown: impl Fn(&str) -> String) -> Message {
    msg!("skills-report-diff-title", a = shown(&diff.a.label), b = shown(&diff.b.label))
}

pub(crate) fn name(of: &SkillDelta, shown: impl Fn(&str) -> String) -> Message {
    let full = |id: &str, version: &str| format!("{} {}", shown(id), shown(version)).trim().to_owned();
    let (a, b) = (full(&of.a, &of.version_a), full(&of.b, &of.version_b));
    let list = |servers: &[McpServerInfo]| {
        let names = servers.iter().map(|server| shown(&server.to_string()));
        names.collect::<Vec<_>>().join(", ")
    };
    let (server_a, server_b) = (list(&of.servers_a), list(&of.servers_b));
    match (of.same_files, a == b) {
        (_, true) if !server_a.is_empty() && !server_b.is_empty() && server_a != server_b => {
            msg!("skills-report-diff-servers", skill = b, a = server_a, b = server_b)
        }
        (Some(true), true) => msg!("skills-report-diff-same-files", skill = b),
        (Some(false), true) => match of.changed.as_slice() {
            [SkillPart::Program] => msg!("skills-report-diff-other-program", skill = b),
            [SkillPart::Files, SkillPart::Program] => msg!("skills-report-diff-other-both", skill = b),
            _ => msg!("skills-report-diff-other-files", skill = b),
        },
        (None, true) => msg!("skills-report-diff-unknown-files", skill = b),
        (_, false) => msg!("skills-report-diff-versions", a = a, b = b),
    }
}

pub(crate) fn warnings(diff: &SkillDiff, shown: impl Fn(&str) -> String, lang: Lang) -> Vec<Message> {
    let mut all = Vec::new();
    if !diff.same_benchmark {
        all.push(msg!("skills-report-diff-forced", a = shown(&diff.a.benchmark), b = shown(&diff.b.benchmark)));
    }
    let ended = |side: &SkillSide| side.finished_at.parse::<Timestamp>().ok();
    if ended(&diff.a) > ended(&diff.b) && ended(&diff.b).is_some() {
        all.push(msg!("skills-report-diff-reversed", a = shown(&diff.a.label), b = shown(&diff.b.label)));
    }
    for side in [&diff.a, &diff.b] {
        if side.status == EvaluationStatus::Interrupted {
            all.push(msg!("skills-report-diff-incomplete", label = shown(&side.label)));
        }
        if side.unsound {
            all.push(msg!("skills-report-diff-unsound", label = shown(&side.label)));
        }
    }
    all.extend(diff.differs.iter().map(|differs| {
        msg!("skills-report-diff-differs", what = shown(&differs.what), a = shown(&differs.a), b = shown(&differs.b))
    }));
    for skill in &diff.skills {
        let list = |files: &[String]| some(files, &shown, lang);
        if !skill.changed_files.is_empty() {
            all.push(msg!("skills-report-diff-files", skill = shown(&skill.b), files = list(&skill.changed_files)));
        }
        if !skill.unread_files.is_empty() {
            all.push(msg!("skills-report-diff-unread", skill = shown(&skill.b), files = list(&skill.unread_files)));
        }
    }
    // Where the files aren't known either, the skill's own line says so.
    let is_unknown = |skill: &&SkillDelta| !skill.unknown.is_empty() && !skill.unknown.contains(&SkillPart::Files);
    let unknown: Vec<String> = diff.skills.iter().filter(is_unknown).map(|skill| shown(&skill.b)).collect();
    if !unknown.is_empty() {
        all.push(msg!("skills-report-diff-unknown-programs", skills = show::list(&unknown, lang)));
    }
    all
}

/// The first of several names, and how many more there are.
fn some(names: &[String], shown: impl Fn(&str) -> String, lang: Lang) -> String {
    const NAMED: usize = 5;
    let mut texts: Vec<String> = names.iter().take(NAMED).map(|name| shown(name)).collect();
    texts.extend(names.len().checked_sub(NAMED).filter(|more| *more > 0).map(|more| format!("+{more}")));
    show::list(&texts, lang)
}

pub(crate) fn alone(diff: &SkillDiff, shown: impl Fn(&str) -> String, lang: Lang) -> Vec<Message> {
    let list = |ids: &[String]| show::list(&ids.iter().map(|id| shown(id)).collect::<Vec<_>>(), lang);
    let only = |ids: &[String], label: &str| {
        (!ids.is_empty()).then(|| msg!("skills-report-diff-only", label = shown(label), skills = list(ids)))
    };
    [only(&diff.only_a, &diff.a.label), only(&diff.only_b, &diff.b.label)].into_iter().flatten().collect()
}

/// One number on both sides, as text.
pub(crate) struct DiffLine {
    pub(crate) what: Message,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) diff: String,
    pub(crate) better: Option<bool>,
}

pub(crate) fn lines(of: &SkillDelta) -> impl Iterator<Item = DiffLine> {
    let line = |what, delta: &NumberChange, text: fn(Option<f64>) -> String, diff: fn(f64) -> String| {
        let shown = delta.diff.map(diff);
        // what rounds to nothing went no way
        let is_none = shown.as_deref().is_some_and(|shown| !shown.contains(|c| matches!(c, '1'..='9')));
        DiffLine {
            what,
            a: text(delta.a),
            b: text(delta.b),
            diff: match is_none {
                true => diff(0.0),
                false => shown.unwrap_or_else(|| show::NONE.to_owned()),
            },
            better: delta.better.filter(|_| !is_none),
        }
    };
    [
        line(msg!("skills-report-completion"), &of.completion_rate, show::percent, points),
        line(msg!("skills-report-errors"), &of.error_rate, show::percent, points),
        line(msg!("skills-report-p95"), &of.p95_latency_ms, show::time, milliseconds),
        line(msg!("skills-report-composite"), &of.composite_score, thousandths, |diff| minus(&format!("{diff:+.3}"))),
    ]
    .into_iter()
}

/// A difference of shares, in percentage points.
fn points(diff: f64) -> String {
    minus(&format!("{:+.1} pp", diff * 100.0))
}

fn milliseconds(diff: f64) -> String {
    minus(&format!("{diff:+.1} ms"))
}

fn thousandths(score: Option<f64>) -> String {
    score.map_or_else(|| show::NONE.to_owned(), |score| format!("{score:.3}"))
}

/// Better, worse, the same or unknown.
pub(crate) fn mark(better: Option<bool>) -> &'static str {
    match better {
        Some(true) => "▲",
        Some(false) => "▼",
        None => "",
    }
}

pub(crate) fn standing(skill: &SkillDelta) -> Message {
    let (failing, passing) = (skill.newly_failing.len(), skill.newly_passing.len());
    let (less, more) = (skill.less_often.len(), skill.more_often.len());
    macro_rules! counted {
        ($key:literal) => {
            msg!($key, failing = failing, passing = passing, often = less + more, less = less, more = more)
        };
    }
    match skill.standing {
        SkillStanding::Regressed => counted!("skills-report-standing-regressed"),
        SkillStanding::Lower => counted!("skills-report-standing-lower"),
        SkillStanding::Same => counted!("skills-report-standing-same"),
        SkillStanding::Higher => counted!("skills-report-standing-higher"),
        SkillStanding::Unmeasured => msg!("skills-report-standing-unmeasured"),
    }
}

pub(crate) fn test(skill: &SkillDelta) -> Message {
    let p = |p: f64| if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") };
    msg!(
        "skills-report-diff-test",
        tasks = skill.tasks,
        left = skill.left_out.len(),
        mcnemar = p(skill.mcnemar_p),
        regression = p(skill.regression_p)
    )
}
