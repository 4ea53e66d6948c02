//! Output of `omk trend`: a table for each series and each pair of variants.

use crate::minus::{points, signed};
use eval_format::{Ci, GapCurve, GapTrendPoint, gap_notice, version_text};
use eval_history::Trend;
use eval_history::trend::{Point, Series, VariantPoint};
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};
use eval_spec::units::Usd;

use super::TerminalPage;
use super::layout::glued;
use crate::document::diff::differs;
use crate::document::text::{NAME, clauses, harmless, name};
use crate::document::trend::{gap_heads, marked_commit};
use crate::show::Show;

/// Columns of a report's id: its time, and mostly its variants.
const ID: usize = 20;

#[must_use]
pub fn trend_text(trend: &Trend, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    if trend.series.is_empty() {
        page.line(0, &msg!("report-trend-nothing"));
    }
    let projects: std::collections::BTreeSet<_> = trend.series.iter().map(|series| &series.project).collect();
    for series in &trend.series {
        one(&mut page, series, projects.len() > 1);
        page.gap();
    }
    for skipped in &trend.skipped {
        let why = harmless(&skipped.why.message_key);
        page.line(0, &msg!("report-trend-skipped", path = name(&skipped.path, 60), why = why));
    }
    page.text
}

fn one(page: &mut TerminalPage, of: &Series, has_others: bool) {
    let judges: Vec<Arg> = of.judge_models.iter().map(|judge| name(judge, NAME)).collect();
    let model = if of.model.is_empty() { "none".to_owned() } else { clip(&of.model, NAME) };
    let about =
        msg!("report-trend-series", set = name(&of.test_set, 40), executor = name(&of.executor, NAME), model = model);
    page.title(&about);
    if let Some(project) = of.project.as_ref().filter(|_| has_others) {
        page.line(2, &msg!("report-trend-project", project = clip(project, 12), path = name(&of.path, 60)));
    }
    if !judges.is_empty() {
        page.line(2, &msg!("report-trend-judges", list = judges));
    }
    if !of.changed.is_empty() {
        page.line(2, &msg!("report-trend-changed", list = clauses(of.changed.iter().map(differs))));
    }
    for (control, treatment) in pairs(of) {
        let rows: Vec<[String; 5]> =
            of.points.iter().filter_map(|point| row(page.show, point, &control, treatment.as_deref())).collect();
        match &treatment {
            Some(treatment) => {
                page.line(2, &msg!("report-diff-pair", a = clip(&control, NAME), b = clip(treatment, NAME)))
            }
            None => page.raw(2, &clip(&control, NAME)),
        }
        table(page, &rows);
        versions(page, of, treatment.as_deref().unwrap_or(&control));
    }
    gaps(page, of);
    for point in &of.points {
        if let Some(said) = &point.replaced {
            let text = harmless(&said.message_key);
            page.line(2, &msg!("report-replaced-of", id = name(&point.id, ID), text = text));
        }
    }
    for point in of.points.iter().filter(|point| !point.noted.is_empty()) {
        let list = clauses(point.noted.iter().map(differs));
        page.line(2, &msg!("report-trend-noted", id = name(&point.id, ID), list = list));
    }
}

/// Control and treatment of every comparison in the series; a variant alone has no treatment.
fn pairs(of: &Series) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    for point in &of.points {
        let Some(control) = point.variants.first() else { continue };
        let of_point: Vec<_> = match point.differences.is_empty() {
            true => vec![(control.name.clone(), None)],
            false => point.differences.iter().map(|of| (control.name.clone(), Some(of.treatment.clone()))).collect(),
        };
        all.extend(of_point);
    }
    let mut seen = Vec::new();
    all.retain(|pair| {
        let is_new = !seen.contains(pair);
        seen.extend(is_new.then(|| pair.clone()));
        is_new
    });
    all
}

fn row(show: Show, point: &Point, control: &str, treatment: Option<&str>) -> Option<[String; 5]> {
    let first = point.variants.first().filter(|of| of.name == control)?;
    let score = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), points);
    let tier = |tier: &str| if point.valid { tier.to_owned() } else { show.text(&msg!("report-trend-invalid")) };
    let cost = point.total_cost_usd.map_or_else(|| "–".to_owned(), |usd| Usd(usd).to_string());
    let when = clip(&point.id, ID);
    let Some(name) = treatment else {
        point.differences.is_empty().then_some(())?;
        return Some([when, score(first.mean), range(first.ci, points), tier(point.tier), cost]);
    };
    let of = point.differences.iter().find(|of| of.treatment == name)?;
    let mean = point.variants.iter().find(|of| of.name == name)?.mean;
    let scores = match (first.mean, mean) {
        (None, None) => "–".to_owned(),
        (control, treatment) => format!("{} → {}", score(control), score(treatment)),
    };
    let scored = of.mean.map(|mean| format!("{} {}", signed(mean), range(of.ci, signed)));
    let preferred = of.preference.as_ref().and_then(|of| {
        Some(show.text(&msg!("report-trend-preference", mean = signed(of.mean?), interval = range(of.ci, signed))))
    });
    let both: Vec<String> = scored.into_iter().chain(preferred).collect();
    let diff = if both.is_empty() { "–".to_owned() } else { both.join(show.semicolon()) };
    Some([when, scores, diff, tier(of.tier), cost])
}

fn range(ci: Option<Ci>, text: fn(f64) -> String) -> String {
    ci.map_or_else(String::new, |ci| format!("[{}, {}]", text(ci.low), text(ci.high)))
}

fn table(page: &mut TerminalPage, rows: &[[String; 5]]) {
    let heads: [Message; 5] = [
        msg!("report-trend-report"),
        msg!("report-trend-score"),
        msg!("report-trend-difference"),
        msg!("report-trend-verdict"),
        msg!("report-trend-cost"),
    ];
    let heads = heads.map(|head| page.show.text(&head));
    let all: Vec<[String; 5]> = std::iter::once(heads).chain(rows.iter().cloned()).collect();
    page.table(4, &all);
}

/// Which versions of an artifact the runs had, where it lives in a repository: a line for each, from the run on that was the first.
fn versions(page: &mut TerminalPage, of: &Series, variant: &str) {
    let found =
        of.points.iter().filter_map(|point| Some((point, point.variants.iter().find(|of| of.name == variant)?)));
    let own: Vec<(&Point, &VariantPoint)> = found.collect();
    if own.iter().all(|(_, of)| of.commit.is_none()) {
        return;
    }
    page.line(2, &msg!("report-trend-versions", variant = clip(variant, NAME)));
    for runs in own.chunk_by(|(_, a), (_, b)| a.hash == b.hash && a.commit == b.commit) {
        let (point, variant) = runs[0];
        let mark = if of.is_new_version(point, variant) { "▼" } else { " " };
        let version = variant.commit.as_ref().map_or_else(|| "–".to_owned(), version_text);
        page.raw(4, &format!("{}  {mark} {version}", clip(&point.id, ID)));
    }
    if own.iter().any(|(_, of)| of.commit.as_ref().is_some_and(|commit| commit.dirty)) {
        page.line(4, &msg!("report-trend-dirty"));
    }
}

/// Gap rates and coverage over time, a table for each variant. A series has one test set, which each row names.
fn gaps(page: &mut TerminalPage, of: &Series) {
    let all = || of.points.iter().flat_map(|point| point.gaps.iter().map(move |gap| (point, gap)));
    let names: std::collections::BTreeSet<&str> = all().map(|(_, gap)| gap.variant.as_str()).collect();
    for variant in &names {
        page.line(2, &msg!("report-trend-gaps", variant = clip(variant, NAME)));
        let own: Vec<(&Point, &GapTrendPoint)> = all().filter(|(_, gap)| gap.variant == **variant).collect();
        let rows = own.iter().map(|(point, gap)| gap_row(point, gap).to_vec());
        let report = std::iter::once(msg!("report-trend-report"));
        let heads: Vec<String> = report.chain(gap_heads()).map(|head| page.show.text(&head)).collect();
        page.table(4, &std::iter::once(heads).chain(rows).collect::<Vec<_>>());
        for (point, changed) in own.iter().filter_map(|(point, gap)| Some((point, gap.knowledge_change.as_ref()?))) {
            let list = clauses(changed.phrases());
            page.line(4, &msg!("report-trend-noted", id = name(&point.id, ID), list = list));
        }
        let points: Vec<&GapTrendPoint> = own.iter().map(|(_, gap)| *gap).collect();
        for reading in GapCurve::each(&points).iter().flat_map(|curve| &curve.readings) {
            page.line(4, &harmless(reading));
        }
    }
    if !names.is_empty() {
        page.line(2, &gap_notice());
    }
}

fn gap_row(point: &Point, gap: &GapTrendPoint) -> [String; 8] {
    let none = || "–".to_owned();
    let mean = point.variants.iter().find(|of| of.name == gap.variant).and_then(|of| of.mean);
    let commit = marked_commit(point, gap);
    let cost = point.total_cost_usd.map_or_else(none, |usd| Usd(usd).to_string());
    let [coverage, rate, set, samples] = gap.cells();
    [clip(&point.id, ID), commit, mean.map_or_else(none, points), coverage, rate, glued(&clip(&set, 40)), samples, cost]
}
