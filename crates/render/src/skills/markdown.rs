//! The report as Markdown, readable as it is and on every forge.

use eval_message::plain::shortened;
use std::fmt::Write as _;

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::{Lang, Message, msg};

use super::show;
use eval_message::plain::clean;

/// Results that are listed for each skill; the JSON has all.
const LISTED: usize = 200;
/// Characters of a text that are shown.
const SHOWN: usize = 300;

/// The document.
pub(crate) fn markdown(of: &SkillEvaluation, lang: Lang) -> String {
    let mut page = Markdown { lang, text: String::new() };
    page.heading(1, &msg!("skills-report-title", benchmark = inline(&of.benchmark.name)));
    about(&mut page, of);
    skills(&mut page, of);
    for skill in &of.skills {
        one(&mut page, of, skill);
    }
    page.text
}

/// Text as it grows.
pub(crate) struct Markdown {
    pub(crate) lang: Lang,
    pub(crate) text: String,
}

impl Markdown {
    pub(crate) fn heading(&mut self, level: usize, message: &Message) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let _ = writeln!(self.text, "{} {}\n", "#".repeat(level), message.text(self.lang));
    }

    pub(crate) fn bullet(&mut self, message: &Message) {
        let _ = writeln!(self.text, "- {}", message.text(self.lang));
    }

    pub(crate) fn line(&mut self, message: &Message) {
        let _ = writeln!(self.text, "{}\n", message.text(self.lang));
    }

    pub(crate) fn row<T: AsRef<str>>(&mut self, cells: &[T]) {
        let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
        let _ = writeln!(self.text, "| {} |", cells.join(" | "));
    }

    /// A table's head. The first column is text, numbers stand to the right.
    pub(crate) fn head(&mut self, heads: &[Message], texts: &[usize]) {
        let heads: Vec<String> = heads.iter().map(|head| head.text(self.lang)).collect();
        self.row(&heads);
        let rules: Vec<&str> = (0..heads.len()).map(|i| if texts.contains(&i) { "---" } else { "---:" }).collect();
        let _ = writeln!(self.text, "|{}|", rules.join("|"));
    }
}

fn about(page: &mut Markdown, of: &SkillEvaluation) {
    let settings = &of.settings;
    page.bullet(&msg!(
        "skills-report-about-benchmark",
        id = inline(&of.benchmark.id),
        version = inline(&of.benchmark.version),
        tasks = of.benchmark.tasks,
        runs = settings.runs,
        hash = short(&of.benchmark.hash)
    ));
    page.bullet(&msg!(
        "skills-report-about-run",
        id = &of.id,
        started = inline(&of.started_at),
        version = inline(&of.tool_version),
        seed = settings.seed.to_string()
    ));
    page.bullet(&show::settings(settings));
    show::doubts(of, inline).iter().for_each(|message| page.bullet(message));
    for note in &of.notes {
        let _ = writeln!(page.text, "- {}", inline(note));
    }
    show::gate(of, usize::MAX, inline, page.lang).iter().for_each(|message| page.bullet(message));
}

fn skills(page: &mut Markdown, of: &SkillEvaluation) {
    page.heading(2, &msg!("skills-report-skills"));
    let heads = [
        msg!("skills-report-skill"),
        msg!("skills-report-version"),
        msg!("skills-report-completion"),
        msg!("skills-report-interval"),
        msg!("skills-report-partial"),
        msg!("skills-report-errors"),
        msg!("skills-report-p50"),
        msg!("skills-report-p95"),
        msg!("skills-report-p99"),
        msg!("skills-report-consistency"),
        msg!("skills-report-composite"),
    ];
    page.head(&heads, &[0, 1]);
    for skill in &of.skills {
        let summary = &skill.summary;
        page.row(&[
            inline(&skill.skill_id),
            inline(&skill.skill_version),
            show::percent(summary.completion_rate),
            show::bounds(summary.completion_interval.as_ref()),
            show::score(summary.partial_score),
            show::percent(summary.error_rate),
            show::time(summary.p50_latency_ms),
            show::time(summary.p95_latency_ms),
            show::time(summary.p99_latency_ms),
            show::score(summary.consistency_score),
            show::score(summary.composite_score),
        ]);
    }
}

fn one(page: &mut Markdown, of: &SkillEvaluation, skill: &SkillCompletionReport) {
    page.heading(2, &msg!("skills-report-one", skill = inline(&skill.skill_id)));
    let counts = &skill.counts;
    page.line(&msg!(
        "skills-report-counts",
        total = counts.total,
        pass = counts.pass,
        fail = counts.fail,
        error = counts.error,
        timeout = counts.timeout,
        unscored = counts.unscored,
        harness = counts.harness_error
    ));
    show::facts(skill, inline, page.lang).iter().for_each(|message| page.line(message));
    if of.settings.runs > 1 {
        page.line(&msg!(
            "skills-report-stability",
            skill = inline(&skill.skill_id),
            consistency = show::score(skill.summary.consistency_score),
            flips = show::percent(skill.summary.flip_rate),
            k = of.settings.runs,
            all = show::percent(skill.summary.pass_hat_k)
        ));
    }
    tags(page, skill);
    results(page, skill);
}

fn tags(page: &mut Markdown, skill: &SkillCompletionReport) {
    if skill.tag_results.is_empty() {
        return;
    }
    page.heading(3, &msg!("skills-report-tags"));
    let heads = [
        msg!("skills-report-tag"),
        msg!("skills-report-tasks"),
        msg!("skills-report-completion"),
        msg!("skills-report-interval"),
        msg!("skills-report-partial"),
        msg!("skills-report-errors"),
        msg!("skills-report-p95"),
    ];
    page.head(&heads, &[0]);
    for (tag, of) in &skill.tag_results {
        page.row(&[
            inline(tag),
            of.tasks.to_string(),
            show::percent(of.completion_rate),
            show::bounds(of.completion_interval.as_ref()),
            show::score(of.partial_score),
            show::percent(of.error_rate),
            show::time(of.p95_latency_ms),
        ]);
    }
}

fn results(page: &mut Markdown, skill: &SkillCompletionReport) {
    let missed: Vec<&TaskResult> = skill.task_results.iter().filter(|of| of.status != TaskStatus::Pass).collect();
    if missed.is_empty() {
        return;
    }
    page.heading(3, &msg!("skills-report-not-passed"));
    let heads = [
        msg!("skills-report-task"),
        msg!("skills-report-run"),
        msg!("skills-report-status"),
        msg!("skills-report-score"),
        msg!("skills-report-latency"),
        msg!("skills-report-why"),
    ];
    page.head(&heads, &[0, 2, 5]);
    for of in missed.iter().take(LISTED) {
        page.row(&[
            inline(&of.task_id),
            of.run.to_string(),
            show::status(of.status).text(page.lang),
            show::score(of.score),
            show::time(of.latency_ms),
            inline(&show::why(of, page.lang)),
        ]);
    }
    if missed.len() > LISTED {
        let _ = writeln!(page.text);
        page.line(&msg!("skills-report-more", count = missed.len() - LISTED));
    }
}

/// The first digits of a hash, to be searched for: nothing is put between them.
pub(crate) fn short(hash: &str) -> String {
    let first = shortened(hash, 12);
    if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) { first } else { inline(&first) }
}

/// What takes no room and ends a word. A backslash or an entity keeps Markdown away and no forge: GitHub and GitLab look
/// for mentions and references in what was rendered.
const BREAK: char = '\u{200b}';

/// Text of others in a line or a cell: no line break, no markup, no HTML, nothing that a forge makes a link, a
/// mention or a reference of: `www.`, `://` and addresses (GFM 0.29, § 6.9), `#12`, `GH-12` and commits (GitHub's
/// "Autolinked references and URLs"), `!12`, `%12`, `&12` and `$12` (GitLab's).
pub(crate) fn inline(text: &str) -> String {
    let text = shortened(&clean(text), SHOWN);
    let mut out = String::new();
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        let rest = &text[i + c.len_utf8()..];
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '[' | ']' | '#' | '|' | '~' | '$' => out.extend(['\\', c]),
            // within a word it is no markup
            '_' if !(before.is_alphanumeric() && rest.starts_with(char::is_alphanumeric)) => out.push_str("\\_"),
            ':' if rest.starts_with("//") => out.push_str("\\:"),
            c => out.push(c),
        }
        if begins_reference(&text[..i], c, rest) {
            out.push(BREAK);
        }
        before = c;
    }
    out
}

/// Whether a reference would be read on after `c`.
fn begins_reference(head: &str, c: char, rest: &str) -> bool {
    let ends = |word: &str| {
        let at = head.len().checked_sub(word.len());
        at.and_then(|at| head.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    match c {
        '@' => true,
        '#' | '!' | '%' | '&' | '$' | '~' => rest.starts_with(|next: char| next.is_ascii_digit()),
        'w' | 'W' => ends("ww") && rest.starts_with('.'),
        '-' => ends("gh") && rest.starts_with(|next: char| next.is_ascii_digit()),
        c if c.is_ascii_hexdigit() => !head.ends_with(|last: char| last.is_ascii_alphanumeric()) && is_commit(c, rest),
        _ => false,
    }
}

/// A word of 7 to 40 hexadecimal digits, letters among them: dates and ids of evaluations are none.
fn is_commit(first: char, rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let word = &rest[..end];
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_letter = first.is_ascii_alphabetic() || word.bytes().any(|byte| byte.is_ascii_alphabetic());
    (6..40).contains(&word.len()) && is_hex && has_letter
}
