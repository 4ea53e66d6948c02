//! What a person reads of an evaluation: the settings and the gate, a table of skills, then each skill.

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::plain::shortened;
use eval_message::{Lang, Message, msg};

use super::metrics::{self, Metric};
use crate::skills::show;
use crate::view::{Block, Table, Voice};

/// Results that are listed for each skill; the JSON has all.
const LISTED: usize = 200;

/// The whole evaluation.
pub(crate) fn blocks(of: &SkillEvaluation, voice: Voice) -> Vec<Block> {
    let mut page = BlockList { voice, blocks: Vec::new() };
    page.title(1, &msg!("skills-report-title", benchmark = (voice.quote)(&of.benchmark.name)));
    about(&mut page, of);
    skills(&mut page, of);
    for skill in &of.skills {
        one(&mut page, of, skill);
    }
    page.blocks
}

/// Blocks as they grow.
struct BlockList {
    voice: Voice,
    blocks: Vec<Block>,
}

impl BlockList {
    fn title(&mut self, level: usize, message: &Message) {
        self.blocks.push(Block::Title { level, text: self.voice.own(message) });
    }

    fn bullet(&mut self, message: &Message) {
        self.blocks.push(Block::Bullet(self.voice.own(message)));
    }

    fn line(&mut self, message: &Message) {
        self.blocks.push(Block::Line(self.voice.own(message)));
    }

    fn table(&mut self, heads: impl IntoIterator<Item = Message>, texts: &'static [usize], rows: Vec<Vec<String>>) {
        let heads = heads.into_iter().map(|head| self.voice.own(&head)).collect();
        self.blocks.push(Block::Table(Table { heads, texts, rows }));
    }
}

fn about(page: &mut BlockList, of: &SkillEvaluation) {
    let settings = &of.settings;
    let quote = page.voice.quote;
    page.bullet(&msg!(
        "skills-report-about-benchmark",
        id = quote(&of.benchmark.id),
        version = show::version(&quote(&of.benchmark.version)),
        tasks = of.benchmark.tasks,
        runs = settings.runs,
        hash = short(&of.benchmark.hash, quote)
    ));
    page.bullet(&msg!(
        "skills-report-about-run",
        id = &of.id,
        started = quote(&of.started_at),
        version = quote(&of.tool_version),
        seed = settings.seed.to_string()
    ));
    page.bullet(&show::settings(settings));
    show::doubts(of, quote).iter().for_each(|message| page.bullet(message));
    page.blocks.extend(of.notes.iter().map(|note| Block::Bullet(quote(note))));
    show::gate(of, usize::MAX, quote, page.voice.lang).iter().for_each(|message| page.bullet(message));
}

/// The first digits of a hash, to be searched for: nothing is put between them.
fn short(hash: &str, quote: fn(&str) -> String) -> String {
    let first = shortened(hash, 12);
    if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) { first } else { quote(&first) }
}

fn skills(page: &mut BlockList, of: &SkillEvaluation) {
    page.title(2, &msg!("skills-report-skills"));
    const METRICS: [Metric; 9] = [
        Metric::Completion,
        Metric::Interval,
        Metric::Partial,
        Metric::Errors,
        Metric::P50,
        Metric::P95,
        Metric::P99,
        Metric::Consistency,
        Metric::Composite,
    ];
    let heads = [msg!("skills-report-skill"), msg!("skills-report-version")];
    let quote = page.voice.quote;
    let rows = of.skills.iter().map(|skill| {
        let names = [quote(&skill.skill_id), quote(&skill.skill_version)];
        names.into_iter().chain(METRICS.map(|metric| metric.text(&skill.summary))).collect()
    });
    let rows = rows.collect();
    page.table(heads.into_iter().chain(METRICS.map(Metric::name)), &[0, 1], rows);
}

fn one(page: &mut BlockList, of: &SkillEvaluation, skill: &SkillCompletionReport) {
    let quote = page.voice.quote;
    page.title(2, &msg!("skills-report-one", skill = quote(&skill.skill_id)));
    page.line(&metrics::counts(skill));
    show::facts(skill, quote, page.voice.lang).iter().for_each(|message| page.line(message));
    if of.settings.runs > 1 {
        page.line(&metrics::stability(skill, of.settings.runs, quote));
    }
    tags(page, skill);
    results(page, skill);
}

fn tags(page: &mut BlockList, skill: &SkillCompletionReport) {
    if skill.tag_results.is_empty() {
        return;
    }
    page.title(3, &msg!("skills-report-tags"));
    const METRICS: [Metric; 5] = [Metric::Completion, Metric::Interval, Metric::Partial, Metric::Errors, Metric::P95];
    let heads = [msg!("skills-report-tag"), msg!("skills-report-tasks")];
    let quote = page.voice.quote;
    let rows = skill.tag_results.iter().map(|(tag, of)| {
        let summary = metrics::of_tag(of);
        let names = [quote(tag), of.tasks.to_string()];
        names.into_iter().chain(METRICS.map(|metric| metric.text(&summary))).collect()
    });
    let rows = rows.collect();
    page.table(heads.into_iter().chain(METRICS.map(Metric::name)), &[0], rows);
}

fn results(page: &mut BlockList, skill: &SkillCompletionReport) {
    let missed: Vec<&TaskResult> = skill.task_results.iter().filter(|of| of.status != TaskStatus::Pass).collect();
    if missed.is_empty() {
        return;
    }
    page.title(3, &msg!("skills-report-not-passed"));
    let heads = [
        msg!("skills-report-task"),
        msg!("skills-report-run"),
        msg!("skills-report-status"),
        msg!("skills-report-score"),
        msg!("skills-report-latency"),
        msg!("skills-report-why"),
    ];
    let groups = alike(&missed, page.voice.lang);
    let rows = groups.iter().take(LISTED).map(|runs| result(runs, page.voice)).collect();
    page.table(heads, &[0, 2, 5], rows);
    if groups.len() > LISTED {
        page.line(&msg!("skills-report-more", count = groups.iter().skip(LISTED).map(Vec::len).sum::<usize>()));
    }
}

/// The runs of a task that ended alike, in one group.
fn alike<'a>(missed: &[&'a TaskResult], lang: Lang) -> Vec<Vec<&'a TaskResult>> {
    let mut groups: Vec<Vec<&TaskResult>> = Vec::new();
    let key = |of: &TaskResult| (of.status, show::score(of.score), show::why(of, lang));
    // The runs of a task follow each other.
    let mut first = 0;
    for &of in missed {
        if groups.last().is_none_or(|last| last[0].task_id != of.task_id) {
            first = groups.len();
        }
        match groups[first..].iter_mut().find(|group| key(group[0]) == key(of)) {
            Some(group) => group.push(of),
            None => groups.push(vec![of]),
        }
    }
    groups
}

fn result(runs: &[&TaskResult], voice: Voice) -> Vec<String> {
    let of = runs[0];
    let numbers: Vec<String> = runs.iter().map(|of| of.run.to_string()).collect();
    let times = || runs.iter().filter_map(|of| of.latency_ms);
    let time = match (times().min_by(f64::total_cmp), times().max_by(f64::total_cmp)) {
        (Some(shortest), Some(longest)) if runs.len() > 1 => {
            format!("{} – {}", show::time(Some(shortest)), show::time(Some(longest)))
        }
        _ => show::time(of.latency_ms),
    };
    vec![
        (voice.quote)(&of.task_id),
        numbers.join(", "),
        voice.own(&show::status(of.status)),
        show::score(of.score),
        time,
        (voice.quote)(&show::why(of, voice.lang)),
    ]
}
