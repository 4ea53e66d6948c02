//! Evaluation for people: the settings and the gate, a table of skills, then each skill.

use eval_format::skills::{SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::plain::shortened;
use eval_message::{Arg, Lang, Message, msg};

use super::metrics::{self, Metric};
use crate::document::{Block, Table, item, line};
use crate::skills::show;

/// Results that are listed for each skill; the JSON has all.
const LISTED: usize = 200;

const SKILL_METRICS: [Metric; 9] = [
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

const TAG_METRICS: [Metric; 5] = [Metric::Completion, Metric::Interval, Metric::Partial, Metric::Errors, Metric::P95];

pub(crate) fn blocks(of: &SkillEvaluation, lang: Lang) -> Vec<Block> {
    let mut blocks = vec![Block::Title(1, msg!("skills-report-title", benchmark = &of.benchmark.name).into())];
    blocks.extend(about(of, lang).into_iter().map(item));
    blocks.push(Block::Title(2, msg!("skills-report-skills").into()));
    let rows = of.skills.iter().map(|skill| {
        let names = [Arg::from(&skill.skill_id), Arg::from(&skill.skill_version)];
        names.into_iter().chain(SKILL_METRICS.map(|metric| metric.text(&skill.summary).into())).collect()
    });
    let heads = [msg!("skills-report-skill"), msg!("skills-report-version")];
    blocks.push(table(heads.into_iter().chain(SKILL_METRICS.map(Metric::name)), &[0, 1], rows));
    blocks.extend(of.skills.iter().flat_map(|skill| one(of, skill, lang)));
    blocks
}

fn table(
    heads: impl IntoIterator<Item = Message>,
    texts: &'static [usize],
    rows: impl Iterator<Item = Vec<Arg>>,
) -> Block {
    let heads = heads.into_iter().map(Arg::from).collect();
    Block::Table(Table { heads, texts, rows: rows.collect(), indent: 0 })
}

fn about(evaluation: &SkillEvaluation, lang: Lang) -> Vec<Arg> {
    let settings = &evaluation.settings;
    let benchmark = msg!(
        "skills-report-about-benchmark",
        id = &evaluation.benchmark.id,
        version = show::version(&evaluation.benchmark.version),
        tasks = evaluation.benchmark.tasks,
        runs = settings.runs,
        hash = Arg::Name(shortened(&evaluation.benchmark.hash, 12))
    );
    let (started, version, seed) = (&evaluation.started_at, &evaluation.tool_version, settings.seed.to_string());
    let run = msg!("skills-report-about-run", id = &evaluation.id, started = started, version = version, seed = seed);
    let head = [benchmark, run, show::settings(settings)].into_iter().chain(show::doubts(evaluation, str::to_owned));
    let gate = show::gate(evaluation, usize::MAX, str::to_owned, lang);
    head.map(Arg::from).chain(evaluation.notes.iter().map(Arg::from)).chain(gate.into_iter().map(Arg::from)).collect()
}

fn one(of: &SkillEvaluation, skill: &SkillCompletionReport, lang: Lang) -> Vec<Block> {
    let stability = (of.settings.runs > 1).then(|| metrics::stability(skill, of.settings.runs, str::to_owned));
    let facts = show::facts(skill, str::to_owned, lang);
    let lines = std::iter::once(metrics::counts(skill)).chain(facts).chain(stability);
    let mut blocks = vec![Block::Title(2, msg!("skills-report-one", skill = &skill.skill_id).into())];
    blocks.extend(lines.map(|text| line(0, text)));
    blocks.extend(tags(skill));
    blocks.extend(results(skill, lang));
    blocks
}

fn tags(skill: &SkillCompletionReport) -> Vec<Block> {
    if skill.tag_results.is_empty() {
        return Vec::new();
    }
    let heads = [msg!("skills-report-tag"), msg!("skills-report-tasks")];
    let rows = skill.tag_results.iter().map(|(tag, of)| {
        let summary = metrics::of_tag(of);
        let names = [Arg::from(tag), of.tasks.to_string().into()];
        names.into_iter().chain(TAG_METRICS.map(|metric| metric.text(&summary).into())).collect()
    });
    let table = table(heads.into_iter().chain(TAG_METRICS.map(Metric::name)), &[0], rows);
    vec![Block::Title(3, msg!("skills-report-tags").into()), table]
}

fn results(skill: &SkillCompletionReport, lang: Lang) -> Vec<Block> {
    let missed: Vec<&TaskResult> = skill.task_results.iter().filter(|of| of.status != TaskStatus::Pass).collect();
    if missed.is_empty() {
        return Vec::new();
    }
    let heads = [
        msg!("skills-report-task"),
        msg!("skills-report-run"),
        msg!("skills-report-status"),
        msg!("skills-report-score"),
        msg!("skills-report-latency"),
        msg!("skills-report-why"),
    ];
    let groups = alike(&missed, lang);
    let table = table(heads, &[0, 2, 5], groups.iter().take(LISTED).map(|runs| result(runs, lang)));
    let more: usize = groups.iter().skip(LISTED).map(Vec::len).sum();
    let more = (more > 0).then(|| line(0, msg!("skills-report-more", count = more)));
    [Block::Title(3, msg!("skills-report-not-passed").into()), table].into_iter().chain(more).collect()
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

fn result(runs: &[&TaskResult], lang: Lang) -> Vec<Arg> {
    let first = runs[0];
    let numbers: Vec<String> = runs.iter().map(|run| run.run.to_string()).collect();
    let times = || runs.iter().filter_map(|run| run.latency_ms);
    let time = match (times().min_by(f64::total_cmp), times().max_by(f64::total_cmp)) {
        (Some(shortest), Some(longest)) if runs.len() > 1 => {
            format!("{} – {}", show::time(Some(shortest)), show::time(Some(longest)))
        }
        _ => show::time(first.latency_ms),
    };
    vec![
        Arg::from(&first.task_id),
        numbers.join(", ").into(),
        show::status(first.status).into(),
        show::score(first.score).into(),
        time.into(),
        show::why(first, lang).into(),
    ]
}
