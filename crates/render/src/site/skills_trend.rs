//! Callable skills over time, as cards of the trends: one for each skill and benchmark.

use std::collections::{BTreeMap, BTreeSet};

use eval_history::skills::{SkillTrend, TrendPoint, TrendSeries};
use eval_message::plain::clip;
use eval_message::{Lang, Separator, msg};

use super::frame::SiteFrame;
use super::plots::{TrendMark, trend};
use super::trends::{Card, TrendChoice, TrendRow, number};
use super::words::minute;
use crate::skills::show;
use crate::view::evaluation::metrics::{Metric, TERMINAL};

/// Evaluations on one card, the newest.
const MOST_POINTS: usize = 100;

pub(super) fn skill_cards(
    skills: &[SkillTrend],
    names: &BTreeMap<String, String>,
    choice: &TrendChoice,
    at: &SiteFrame,
) -> Vec<Card> {
    let wanted = |name: &str, choice: &str| choice.is_empty() || choice == name;
    let mut cards = Vec::new();
    for skill in skills.iter().filter(|skill| wanted(&skill.skill, &choice.artifact)) {
        let benchmarks: BTreeSet<&str> = skill.series.iter().map(|series| series.benchmark.as_str()).collect();
        for benchmark in benchmarks.into_iter().filter(|name| wanted(name, &choice.samples)) {
            let series = skill.series.iter().filter(|series| series.benchmark == benchmark);
            cards.push(card(&skill.skill, &series.collect::<Vec<_>>(), names, at));
        }
    }
    cards
}

fn card(skill: &str, series: &[&TrendSeries], names: &BTreeMap<String, String>, at: &SiteFrame) -> Card {
    let mut points: Vec<(&TrendSeries, &TrendPoint)> =
        series.iter().flat_map(|series| series.points.iter().map(move |point| (*series, point))).collect();
    points.sort_by(|(_, a), (_, b)| (&a.finished_at, &a.evaluation).cmp(&(&b.finished_at, &b.evaluation)));
    points.drain(..points.len().saturating_sub(MOST_POINTS));
    let is_break = |place: usize| place > 0 && !std::ptr::eq(points[place].0, points[place - 1].0);
    let mark = |(place, (_, point)): (usize, &(&TrendSeries, &TrendPoint))| TrendMark {
        mean: point.completion_rate,
        range: point.completion_interval.as_ref().map(|of| (of.low, of.high)),
        is_break: is_break(place),
        is_event: false,
    };
    let marks: Vec<TrendMark> = points.iter().enumerate().map(mark).collect();
    let mut rows: Vec<TrendRow> = points
        .iter()
        .enumerate()
        .map(|(place, (series, point))| row(series, point, is_break(place), names, at))
        .collect();
    // the newest first, as in the list
    rows.reverse();
    let last = points.last();
    let about = last.map(|(series, _)| format!("{} {}", clip(&series.benchmark, 60), version(series)));
    Card {
        anchor: String::new(),
        artifact: clip(skill, 60),
        about: about.unwrap_or_default(),
        svg: trend(&marks, 0.0..=1.0),
        ends: ["100 %", "0 %"],
        heads: TERMINAL.map(|metric| Metric::name(metric).text(at.lang)).into(),
        rows,
        newest: last.map(|(_, point)| point.finished_at.clone()).unwrap_or_default(),
        gaps: None,
    }
}

fn version(of: &TrendSeries) -> String {
    format!("{} ({})", clip(&of.benchmark_version, 20), clip(&of.benchmark_hash, 13))
}

fn row(
    series: &TrendSeries,
    of: &TrendPoint,
    is_break: bool,
    names: &BTreeMap<String, String>,
    at: &SiteFrame,
) -> TrendRow {
    let lang = at.lang;
    let cells = [
        show::with_bounds(of.completion_rate, of.completion_interval.as_ref()),
        show::percent(of.error_rate),
        show::time(of.p95_latency_ms),
        show::score(of.composite_score),
    ];
    let breaks = is_break.then(|| msg!("site-trend-benchmark", version = version(series)).text(lang));
    TrendRow {
        href: at.run(names.get(&of.evaluation).unwrap_or(&of.evaluation)),
        when: minute(&of.finished_at),
        cells: cells.map(number).into(),
        breaks: breaks.unwrap_or_default(),
        noted: noted(of, lang).join(Separator::Semicolon.text(lang)),
    }
}

fn noted(of: &TrendPoint, lang: Lang) -> Vec<String> {
    let changed = of.skill_changed == Some(true);
    let changed = changed.then(|| msg!("site-trend-skill", version = clip(&of.skill_version, 20)).text(lang));
    let incomplete = (!of.is_complete).then(|| msg!("site-incomplete").text(lang));
    changed.into_iter().chain(incomplete).collect()
}
