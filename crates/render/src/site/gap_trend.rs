//! Gap rates over time on the page of trends: a plot for each test set, and one table with the same numbers.

use std::collections::BTreeMap;

use eval_format::{GapCurve, GapTrendPoint, gap_notice};
use eval_history::trend::{Point, Series, VariantPoint};
use eval_message::msg;
use eval_message::plain::clip;
use eval_spec::units::Usd;

use super::frame::SiteFrame;
use super::plots::{TrendMark, trend};
use super::words::minute;
use crate::document::text::{NAME, clauses, commit, harmless};
use crate::document::trend::{gap_heads, marked_commit};
use crate::minus::points;
use crate::voice::unmarked;

/// Test sets with a plot, those that were measured last; the table has all.
const MOST_PLOTS: usize = 6;

pub(super) struct GapTrendView {
    pub(super) title: String,
    pub(super) notice: String,
    pub(super) plots: Vec<GapPlot>,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<GapTrendRow>,
}

pub(super) struct GapPlot {
    pub(super) svg: String,
    pub(super) caption: String,
    pub(super) readings: Vec<String>,
    /// The first run and the last one, below the plot.
    pub(super) ends: Vec<String>,
}

pub(super) struct GapTrendRow {
    pub(super) href: String,
    pub(super) when: String,
    pub(super) cells: Vec<String>,
    /// Change of the knowledge base since the run before; empty where nothing changed.
    pub(super) change: String,
}

type Run<'t> = (&'t Series, &'t Point, &'t VariantPoint);

/// The gaps of one variant's runs, which are in the order of time; `None` where none has a trace.
pub(super) fn gap_trend(runs: &[Run<'_>], names: &BTreeMap<String, String>, at: &SiteFrame) -> Option<GapTrendView> {
    let of_run = |run: &Run<'_>| run.1.gaps.iter().find(|gap| gap.variant == run.2.name).cloned();
    let found: Vec<(&Run<'_>, GapTrendPoint)> = runs.iter().filter_map(|run| Some((run, of_run(run)?))).collect();
    let name = &found.first()?.0.2.name;
    let points: Vec<&GapTrendPoint> = found.iter().map(|(_, gap)| gap).collect();
    let of_points: Vec<Run<'_>> = found.iter().map(|(run, _)| **run).collect();
    let plots = GapCurve::each(&points).into_iter().take(MOST_PLOTS).map(|curve| plot(&curve, &of_points, at));
    Some(GapTrendView {
        title: unmarked(&msg!("report-trend-gaps", variant = clip(name, NAME)), at.lang),
        notice: gap_notice().text(at.lang),
        plots: plots.collect(),
        heads: gap_heads().map(|head| head.text(at.lang)).into(),
        rows: found.iter().rev().map(|(run, gap)| row(run, gap, names, at)).collect(),
    })
}

fn plot(curve: &GapCurve, runs: &[Run<'_>], at: &SiteFrame) -> GapPlot {
    let series = |place: usize| runs[curve.marks[place].run].0;
    let mark = |(place, of): (usize, &eval_format::GapMark)| TrendMark {
        mean: Some(of.rate),
        range: of.range,
        is_break: place > 0 && !std::ptr::eq(series(place), series(place - 1)),
        is_event: of.knowledge_changed,
    };
    let marks: Vec<TrendMark> = curve.marks.iter().enumerate().map(mark).collect();
    let end = |of: &eval_format::GapMark| {
        let (_, point, _) = runs[of.run];
        let commit = point.commit.as_ref().map(|of| format!(" · {}", commit(of)));
        minute(&point.timestamp) + &commit.unwrap_or_default()
    };
    let first = curve.marks.first().filter(|_| curve.marks.len() > 1);
    GapPlot {
        svg: trend(&marks, 0.0..=1.0),
        caption: unmarked(&harmless(&curve.caption), at.lang),
        readings: curve.readings.iter().map(|of| unmarked(&harmless(of), at.lang)).collect(),
        ends: first.into_iter().chain(curve.marks.last()).map(end).collect(),
    }
}

fn row(run: &Run<'_>, gap: &GapTrendPoint, names: &BTreeMap<String, String>, at: &SiteFrame) -> GapTrendRow {
    let (_, point, variant) = run;
    let none = || "–".to_owned();
    let changed = gap.knowledge_change.as_ref();
    let change = changed.map(|changed| clauses(changed.phrases()).text(at.lang)).unwrap_or_default();
    let cost = point.total_cost_usd.map_or_else(|| msg!("report-unknown").text(at.lang), |usd| Usd(usd).to_string());
    let [coverage, rate, set, samples] = gap.cells();
    GapTrendRow {
        href: at.run(names.get(&point.id).unwrap_or(&point.id)),
        when: minute(&point.timestamp),
        change,
        cells: vec![
            marked_commit(point, gap),
            variant.mean.map_or_else(none, points),
            coverage,
            rate,
            clip(&set, 60),
            samples,
            cost,
        ],
    }
}
