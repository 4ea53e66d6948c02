//! Summary at the end of `eval`: a table of skills, failures with their reasons, what to do next. 80 columns are enough.

use std::collections::BTreeMap;

use eval_format::skills::{EvaluationStatus, SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::plain::clip;
use eval_message::{Lang, msg};
use owo_colors::Style;

use super::show;
use crate::show::Show;
use crate::terminal::{TerminalPage, columns, wrap};
use crate::view::evaluation::metrics::{self, Metric, TERMINAL};

const NAME: usize = 22;
/// Ways to fail that are listed for each skill.
const LISTED: usize = 10;
/// Tasks that are named for each of them.
const NAMED: usize = 4;

/// The summary of an evaluation, in `width` columns.
#[must_use]
pub fn evaluation_text(of: &SkillEvaluation, lang: Lang, width: usize, color: bool) -> String {
    let show = Show { lang, width, color, exit_code: false };
    let mut page = TerminalPage::new(show);
    heading(&mut page, of);
    table(&mut page, of);
    stability(&mut page, of);
    page.gap();
    of.skills.iter().for_each(|skill| failing(&mut page, of, skill));
    for note in &of.notes {
        page.bullet(&clip(note, 400));
    }
    page.gap();
    gate(&mut page, of);
    next(&mut page, of).iter().for_each(|hint| page.bullet(hint));
    page.text
}

fn heading(page: &mut TerminalPage, of: &SkillEvaluation) {
    let title = msg!(
        "skills-report-heading",
        benchmark = clip(&of.benchmark.id, 40),
        skills = of.skills.len(),
        tasks = of.benchmark.tasks,
        runs = of.settings.runs
    );
    page.title(&title);
    show::doubts(of, |why| clip(why, 200)).iter().for_each(|message| page.line(0, message));
    page.gap();
}

fn table(page: &mut TerminalPage, of: &SkillEvaluation) {
    let lang = page.show.lang;
    let heads = [msg!("skills-report-skill")].into_iter().chain(TERMINAL.map(Metric::name));
    let heads: Vec<String> = heads.chain([msg!("skills-report-gate")]).map(|head| head.text(lang)).collect();
    let mut rows = vec![heads];
    rows.extend(of.skills.iter().map(|skill| row(page.show, of, skill)));
    if of.gate.is_none() {
        rows.iter_mut().for_each(|row| row[5].clear());
    }
    for (i, line) in columns(&rows).iter().enumerate() {
        let failed = i > 0 && of.gate.as_ref().is_some_and(|gate| gate.failing.contains(&of.skills[i - 1].skill_id));
        let line = match (i, failed) {
            (0, _) => page.show.painted(line, Style::new().dimmed()),
            (_, true) => page.show.painted(line, Style::new().red()),
            _ => line.clone(),
        };
        page.text.push_str(&format!("  {line}\n"));
    }
}

fn row(show: Show, of: &SkillEvaluation, skill: &SkillCompletionReport) -> Vec<String> {
    let gate = match &of.gate {
        None => String::new(),
        Some(gate) if gate.failing.contains(&skill.skill_id) => show.text(&msg!("skills-report-gate-fails")),
        Some(_) => show.text(&msg!("skills-report-gate-passes")),
    };
    let metrics = TERMINAL.map(|metric| metric.text(&skill.summary));
    [clip(&skill.skill_id, NAME)].into_iter().chain(metrics).chain([gate]).collect()
}

/// How the runs differ, where there are several.
fn stability(page: &mut TerminalPage, of: &SkillEvaluation) {
    if of.settings.runs < 2 {
        return;
    }
    page.gap();
    for skill in &of.skills {
        page.line(2, &metrics::stability(skill, of.settings.runs, |id| clip(id, NAME)));
    }
}

/// The tasks of a skill that didn't pass in every run, with the first reason; those that failed alike stand together.
fn failing(page: &mut TerminalPage, of: &SkillEvaluation, skill: &SkillCompletionReport) {
    let mut tasks: BTreeMap<&str, Vec<&TaskResult>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for result in skill.task_results.iter().filter(|result| result.status != TaskStatus::Pass) {
        let results = tasks.entry(&result.task_id).or_default();
        if results.is_empty() {
            order.push(&result.task_id);
        }
        results.push(result);
    }
    if order.is_empty() {
        return;
    }
    let title = msg!("skills-report-failing", skill = clip(&skill.skill_id, NAME), count = order.len());
    page.title(&title);
    let lang = page.show.lang;
    let mut groups: Vec<SameEnding<'_>> = Vec::new();
    for id in &order {
        let results = &tasks[id];
        let (status, why) = (results[0].status, show::why(results[0], lang));
        let is_alike = |of: &&mut SameEnding<'_>| (of.status, of.runs, &of.why) == (status, results.len(), &why);
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.tasks.push(id),
            None => groups.push(SameEnding { tasks: vec![id], status, runs: results.len(), why }),
        }
    }
    for group in groups.iter().take(LISTED) {
        page.bullet(&group.text(page.show, of.settings.runs));
    }
    let more: usize = groups.iter().skip(LISTED).map(|group| group.tasks.len()).sum();
    if more > 0 {
        page.line(2, &msg!("skills-report-more", count = more));
    }
    page.gap();
}

/// Tasks that ended in the same way, for the same reason, in as many runs.
struct SameEnding<'r> {
    tasks: Vec<&'r str>,
    status: TaskStatus,
    runs: usize,
    why: String,
}

impl SameEnding<'_> {
    fn text(&self, show: Show, runs: u32) -> String {
        let tasks = match self.tasks.as_slice() {
            [id] => clip(id, 32),
            ids => {
                let mut names: Vec<String> = ids.iter().take(NAMED).map(|id| clip(id, 32)).collect();
                names.extend((ids.len() > NAMED).then(|| "…".to_owned()));
                show.text(&msg!("skills-report-alike", count = ids.len(), tasks = show.list(&names)))
            }
        };
        let mut head = format!("{tasks} {}", show::status(self.status).text(show.lang));
        if runs > 1 {
            head.push_str(if show.lang == Lang::Zh { "" } else { " " });
            head.push_str(&show.text(&msg!("skills-report-in-runs", count = self.runs, runs = runs)));
        }
        sentence(&head, &clip(&self.why, 160), show.lang)
    }
}

fn sentence(head: &str, why: &str, lang: Lang) -> String {
    match (why.is_empty(), lang) {
        (true, _) => head.to_owned(),
        (false, Lang::Zh) => format!("{head}：{why}"),
        (false, Lang::En) => format!("{head}: {why}"),
    }
}

fn gate(page: &mut TerminalPage, of: &SkillEvaluation) {
    let Some(gate) = &of.gate else { return };
    let style = if gate.passed { Style::new().green().bold() } else { Style::new().red().bold() };
    for message in show::gate(of, 5, |id| clip(id, NAME), page.show.lang) {
        let wrapped = wrap(&page.show.text(&message), page.show.columns(), 2);
        page.text.push_str(&page.show.painted(&wrapped, style));
        page.text.push('\n');
    }
}

fn next(page: &mut TerminalPage, of: &SkillEvaluation) -> Vec<String> {
    let any = |is: fn(&eval_format::skills::StatusCounts) -> usize| of.skills.iter().any(|skill| is(&skill.counts) > 0);
    let mut hints = Vec::new();
    if of.status == EvaluationStatus::Interrupted {
        hints.push(msg!("skills-report-next-resume", id = &of.id));
    }
    if any(|counts| counts.timeout) {
        hints.push(msg!("skills-report-next-timeout"));
    }
    if any(|counts| counts.error) {
        hints.push(msg!("skills-report-next-error"));
    }
    let is_mixed = of.skills.iter().any(|of| of.counts.pass > 0 && of.counts.pass < of.counts.counted());
    // what is read off a skill's files is the same every time
    let was_called = of.skills.iter().flat_map(|of| &of.task_results).any(|of| of.scorer.calls_skill());
    if of.settings.runs == 1 && is_mixed && was_called {
        hints.push(msg!("skills-report-next-runs"));
    }
    hints.iter().map(|hint| page.show.text(hint)).collect()
}
