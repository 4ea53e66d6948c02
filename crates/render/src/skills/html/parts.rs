//! The pieces of the page: a skill with its tiles, plots and tables, and a result with its details.

use eval_analysis::skills::rates;
use eval_format::skills::{SkillCompletionReport, SkillEvaluation, SkillSummary, TagSummary, TaskResult, TaskStatus};
use eval_message::plain::{clean, shortened};
use eval_message::{Lang, Message, msg};

use super::super::show;
use crate::page::words;
use crate::svg;
use crate::view::evaluation::metrics::{self, Metric};

/// Characters of one text on the page; the JSON has all.
const SHOWN: usize = 4000;
/// Bars of a histogram.
const BINS: usize = 24;

/// The metrics of skills, in the order of their columns.
const SKILLS: [Metric; 6] =
    [Metric::Completion, Metric::Interval, Metric::Partial, Metric::Errors, Metric::P95, Metric::Composite];
/// The metrics of tags.
const TAGS: [Metric; 5] = [Metric::Completion, Metric::Interval, Metric::Partial, Metric::Errors, Metric::P95];

pub(super) struct ColumnHead {
    pub(super) name: String,
    /// `true` if its cells are plots.
    pub(super) is_plot: bool,
}

/// A cell of a table that sorts.
pub(super) struct SortedCell {
    /// The column's name, which narrow pages show beside the cell.
    pub(super) label: String,
    pub(super) text: String,
    /// Sort key; empty when the value is unknown.
    pub(super) sort: String,
    /// A plot instead of the text.
    pub(super) plot: Option<String>,
}

impl SortedCell {
    fn new(label: Message, value: Option<f64>, text: String, lang: Lang) -> SortedCell {
        let sort = value.map(|value| value.to_string()).unwrap_or_default();
        SortedCell { label: label.text(lang), text, sort, plot: None }
    }
}

/// A cell for each metric; `least` is the gate's threshold, which the plot marks.
fn cells(metrics: &[Metric], of: &SkillSummary, least: Option<f64>, lang: Lang) -> Vec<SortedCell> {
    let cell = |metric: &Metric| SortedCell {
        plot: (*metric == Metric::Interval).then(|| interval_plot(of, least)),
        ..SortedCell::new(metric.name(), metric.value(of), metric.text(of), lang)
    };
    metrics.iter().map(cell).collect()
}

fn heads(metrics: &[Metric], lang: Lang) -> Vec<ColumnHead> {
    let head = |of: &Metric| ColumnHead { name: of.name().text(lang), is_plot: *of == Metric::Interval };
    metrics.iter().map(head).collect()
}

words! {
    Words {
        skills: "skills-report-skills",
        skill: "skills-report-skill",
        gate: "skills-report-gate",
        tags: "skills-report-tags",
        tag: "skills-report-tag",
        tasks: "skills-report-tasks",
        task: "skills-report-task",
        status: "skills-report-status",
        run: "skills-report-run",
        score: "skills-report-score",
        latency: "skills-report-latency",
        why: "skills-report-why",
        filter: "skills-report-filter-missed",
    }
    skill_metrics: Vec<ColumnHead>,
    tag_metrics: Vec<ColumnHead>,
    composite_help: String,
}

pub(super) fn words_of(of: &SkillEvaluation, lang: Lang) -> Words {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let limit = show::time(Some(of.benchmark.max_latency_ms as f64));
    let formula = msg!("skills-report-page-composite-help", limit = limit).text(lang);
    let help = format!("{} = {formula}", msg!("skills-report-composite").text(lang));
    Words::of(lang, heads(&SKILLS, lang), heads(&TAGS, lang), help)
}

pub(super) struct PageSkill {
    pub(super) anchor: String,
    pub(super) id: String,
    pub(super) version: String,
    pub(super) adapter: &'static str,
    pub(super) description: String,
    pub(super) metrics: Vec<SortedCell>,
    pub(super) gate: String,
    pub(super) gate_class: &'static str,
    pub(super) tiles: Vec<Tile>,
    pub(super) counts: String,
    pub(super) facts: Vec<String>,
    pub(super) plots: Vec<Plot>,
    pub(super) tags: Vec<PageTag>,
    pub(super) results_title: String,
    pub(super) results: Vec<PageResult>,
    pub(super) left_out: String,
}

pub(super) struct Tile {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) small: String,
}

pub(super) struct Plot {
    pub(super) caption: String,
    pub(super) svg: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) key: String,
}

pub(super) struct PageTag {
    pub(super) name: String,
    pub(super) tasks: usize,
    pub(super) metrics: Vec<SortedCell>,
}

impl PageSkill {
    pub(super) fn of(
        of: &SkillEvaluation,
        skill: &SkillCompletionReport,
        place: usize,
        most: usize,
        lang: Lang,
    ) -> PageSkill {
        let say = |message: Message| message.text(lang);
        let least = of.gate.as_ref().map(|gate| gate.min_completion);
        let fails = of.gate.as_ref().is_some_and(|gate| gate.failing.contains(&skill.skill_id));
        let shown = shown_results(&skill.task_results, most);
        let left_out = skill.task_results.len() - shown.len();
        PageSkill {
            anchor: format!("skill-{}", place + 1),
            id: line(&skill.skill_id),
            version: line(&skill.skill_version),
            adapter: skill.adapter_type.name(),
            description: line(&skill.description),
            metrics: cells(&SKILLS, &skill.summary, least, lang),
            gate: say(if fails { msg!("skills-report-gate-fails") } else { msg!("skills-report-gate-passes") }),
            gate_class: if fails { "fail" } else { "pass" },
            tiles: tiles(of, skill, lang),
            counts: say(metrics::counts(skill)),
            facts: show::facts(skill, line, lang).into_iter().map(say).collect(),
            plots: plots(of, skill, lang),
            tags: skill.tag_results.iter().map(|(name, tag)| page_tag(name, tag, lang)).collect(),
            results_title: say(msg!("skills-report-page-results")),
            results: shown.into_iter().map(|result| PageResult::of(result, lang)).collect(),
            left_out: match left_out {
                0 => String::new(),
                count => say(msg!("skills-report-page-left-out", count = count)),
            },
        }
    }
}

fn interval_plot(of: &SkillSummary, least: Option<f64>) -> String {
    let range = of.completion_interval.as_ref().map(|of| (of.low, of.high));
    svg::interval(of.completion_rate, range, least, &Metric::CompletionWithin.text(of))
}

fn page_tag(name: &str, of: &TagSummary, lang: Lang) -> PageTag {
    PageTag { name: line(name), tasks: of.tasks, metrics: cells(&TAGS, &metrics::of_tag(of), None, lang) }
}

fn tiles(of: &SkillEvaluation, skill: &SkillCompletionReport, lang: Lang) -> Vec<Tile> {
    let summary = &skill.summary;
    let tile = |name: Message, value: String, small: String| Tile { name: name.text(lang), value, small };
    let metric = |of: Metric, small: String| tile(of.name(), of.text(summary), small);
    let times = format!("P50 {}, P99 {}", Metric::P50.text(summary), Metric::P99.text(summary));
    let mut tiles = vec![
        metric(Metric::Completion, Metric::Interval.text(summary)),
        metric(Metric::Composite, String::new()),
        metric(Metric::Errors, String::new()),
        metric(Metric::Partial, String::new()),
        metric(Metric::P95, times),
    ];
    if of.settings.runs > 1 {
        let flips = msg!("skills-report-page-flips", flips = show::percent(summary.flip_rate)).text(lang);
        tiles.push(metric(Metric::Consistency, flips));
        let name = msg!("skills-report-page-pass-k", k = of.settings.runs);
        tiles.push(tile(name, show::percent(summary.pass_hat_k), String::new()));
    }
    tiles
}

fn plots(of: &SkillEvaluation, skill: &SkillCompletionReport, lang: Lang) -> Vec<Plot> {
    let mut plots = Vec::new();
    plots.extend(latencies(skill, lang));
    plots.push(scores(skill, lang));
    if of.settings.runs > 1 && skill.runs.len() <= 60 {
        plots.push(runs(skill, lang));
    }
    plots
}

#[expect(clippy::cast_precision_loss, reason = "counts of results")]
fn latencies(skill: &SkillCompletionReport, lang: Lang) -> Option<Plot> {
    let all: Vec<&TaskResult> = skill.task_results.iter().collect();
    let sorted = rates::latencies(&all);
    let most = *sorted.last().filter(|most| **most > 0.0)?;
    let step = most / BINS as f64;
    let mut bins = [0_usize; BINS];
    for ms in &sorted {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of bins")]
        let at = ((ms / step).max(0.0) as usize).min(BINS - 1);
        bins[at] += 1;
    }
    let bar = |(place, count): (usize, &usize)| {
        let (from, to) = (step * place as f64, step * (place + 1) as f64);
        (*count as f64, format!("{} – {}: {count}", show::time(Some(from)), show::time(Some(to))))
    };
    let bars: Vec<(f64, String)> = bins.iter().enumerate().map(bar).collect();
    let summary = &skill.summary;
    let marks: Vec<f64> =
        [summary.p50_latency_ms, summary.p95_latency_ms].into_iter().flatten().map(|ms| ms / most).collect();
    let caption = msg!("skills-report-page-latency-title").text(lang);
    let key = format!("┆ P50 {}, P95 {}", Metric::P50.text(summary), Metric::P95.text(summary));
    let svg = svg::bars(&bars, &marks, &format!("{caption}: {key}"));
    Some(Plot { caption, svg, from: "0 ms".to_owned(), to: show::time(Some(most)), key })
}

#[expect(clippy::cast_precision_loss, reason = "counts of results")]
fn scores(skill: &SkillCompletionReport, lang: Lang) -> Plot {
    let mut bins = [0_usize; 11];
    let counted = skill.task_results.iter().filter(|of| of.status.counts());
    for score in counted.map(|of| of.score.unwrap_or(0.0)).filter(|score| score.is_finite()) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
        let at = (score.clamp(0.0, 1.0) * 10.0).floor() as usize;
        bins[at] += 1;
    }
    let bar = |(place, count): (usize, &usize)| {
        let from = place as f64 / 10.0;
        let to = if place == 10 { "1".to_owned() } else { format!("{:.2}", from + 0.09) };
        let message = msg!("skills-report-page-scores-bar", count = *count, from = format!("{from:.1}"), to = to);
        (*count as f64, message.text(lang))
    };
    let bars: Vec<(f64, String)> = bins.iter().enumerate().map(bar).collect();
    let caption = msg!("skills-report-page-scores").text(lang);
    let svg = svg::bars(&bars, &[], &caption);
    Plot { caption, svg, from: "0".to_owned(), to: "1".to_owned(), key: String::new() }
}

fn runs(skill: &SkillCompletionReport, lang: Lang) -> Plot {
    let bar = |run: &eval_format::skills::RunSummary| {
        let rate = show::percent(run.completion_rate);
        (run.completion_rate.unwrap_or(0.0), msg!("skills-report-page-run-bar", run = run.run, rate = rate).text(lang))
    };
    let bars: Vec<(f64, String)> = skill.runs.iter().map(bar).collect();
    let caption = msg!("skills-report-page-runs").text(lang);
    let svg = svg::shares(&bars, &caption);
    let last = skill.runs.len().to_string();
    Plot { caption, svg, from: "1".to_owned(), to: last, key: String::new() }
}

/// The results on the page: all when there is room, else those that did not pass first.
fn shown_results(all: &[TaskResult], most: usize) -> Vec<&TaskResult> {
    if all.len() <= most {
        return all.iter().collect();
    }
    let missed = all.iter().filter(|of| of.status != TaskStatus::Pass);
    missed.chain(all.iter().filter(|of| of.status == TaskStatus::Pass)).take(most).collect()
}

pub(super) struct PageResult {
    pub(super) task: String,
    pub(super) status: &'static str,
    pub(super) status_text: String,
    pub(super) run: u32,
    pub(super) numbers: [SortedCell; 2],
    pub(super) why: String,
    pub(super) parts: Vec<DetailLine>,
}

pub(super) struct DetailLine {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) is_code: bool,
}

impl PageResult {
    fn of(of: &TaskResult, lang: Lang) -> PageResult {
        let why = shortened(&clean(&show::why(of, lang)), 180);
        PageResult {
            task: line(&of.task_id),
            status: of.status.name(),
            status_text: show::status(of.status).text(lang),
            run: of.run,
            numbers: [
                SortedCell::new(msg!("skills-report-score"), of.score, show::score(of.score), lang),
                SortedCell::new(msg!("skills-report-latency"), of.latency_ms, show::time(of.latency_ms), lang),
            ],
            why: if why.is_empty() { show::status(of.status).text(lang) } else { why },
            parts: parts(of, lang),
        }
    }
}

fn parts(of: &TaskResult, lang: Lang) -> Vec<DetailLine> {
    let part = |name: Message, text: String, is_code: bool| {
        (!text.is_empty()).then(|| DetailLine { name: name.text(lang), text: cut(&text, lang), is_code })
    };
    let pretty = |value: &serde_json::Value| match value {
        serde_json::Value::Array(_) | serde_json::Value::Object(_) => format!("{value:#}"),
        other => other.to_string(),
    };
    let facts = msg!(
        "skills-report-page-facts",
        scorer = of.scorer.name(),
        attempts = of.attempts,
        start = show::time(of.start_ms),
        tokens = of.tokens.map_or_else(|| show::NONE.to_owned(), |tokens| tokens.to_string())
    );
    let all = [
        part(msg!("skills-report-page-description"), line(&of.description), false),
        part(msg!("skills-report-reason"), of.reason.clone().unwrap_or_default(), false),
        part(msg!("skills-report-page-error"), of.error.clone().unwrap_or_default(), true),
        part(msg!("skills-report-page-input"), pretty(&of.input), true),
        part(msg!("skills-report-page-expected"), pretty(&of.expected), true),
        part(msg!("skills-report-page-output"), of.output.as_ref().map(pretty).unwrap_or_default(), true),
        part(msg!("skills-report-page-mismatches"), of.schema_mismatches.join("\n"), true),
        part(msg!("skills-report-page-failed-attempts"), of.failed_attempts.join("\n"), true),
        part(msg!("skills-report-page-stderr"), of.stderr.clone().unwrap_or_default(), true),
        part(msg!("skills-report-page-how"), facts.text(lang), false),
    ];
    all.into_iter().flatten().collect()
}

/// Untrusted text on one line.
fn line(text: &str) -> String {
    shortened(&clean(text), 400)
}

/// The beginning of an untrusted text, control characters made visible.
fn cut(text: &str, lang: Lang) -> String {
    let visible = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let kept: String = text.chars().take(SHOWN).map(visible).collect();
    match text.chars().count() {
        count if count > SHOWN => {
            format!("{kept}{}", msg!("skills-report-page-cut", count = count).text(lang))
        }
        _ => kept,
    }
}
