//! Scores over time: one plot and one table for each artifact and sample file. What breaks a series is named.

use std::collections::{BTreeMap, BTreeSet};

use crate::minus::{points, signed};
use askama::Template;
use eval_format::version_text;
use eval_history::skills::SkillTrend;
use eval_history::trend::{Point, Series, VariantPoint};
use eval_history::{RunDifference, Trend};
use eval_message::plain::clip;
use eval_message::{Lang, Separator, msg};
use eval_spec::units::Usd;

use super::frame::{SiteBase, SiteFrame};
use super::gap_trend::{GapTrendView, gap_trend};
use super::plots::{TrendMark, trend};
use super::skills_trend::skill_cards;
use super::words::{Choice, minute, verdict_of};
use crate::document::diff::differs as setting_change;
use crate::document::text::harmless;
use crate::page::{Frame, words};
use crate::voice::unmarked;

/// Artifacts on a page, those of the newest runs first.
const MOST_CARDS: usize = 24;
/// Runs of one artifact in a plot, the newest.
const MOST_POINTS: usize = 100;

/// Choice of a reader; an empty text asks for all.
#[derive(Clone, Debug, Default)]
pub struct TrendChoice {
    pub artifact: String,
    pub samples: String,
}

#[derive(Template)]
#[template(path = "site/trends.html")]
struct TrendsHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    words: TrendWords,
    lang_field: Option<&'static str>,
    samples: Vec<Choice>,
    artifacts: Vec<Choice>,
    cards: Vec<Card>,
    more: String,
    skipped: Vec<String>,
    empty: String,
}

words! {
    TrendWords {
        filter: "site-filter",
        all: "site-all",
        samples: "site-test-set",
        artifact: "site-artifact",
        run: "site-run",
        unreadable: "site-unreadable",
        breaks: "site-trend-breaks",
    }
    intros: Vec<String>,
}

pub(super) struct Card {
    pub(super) anchor: String,
    pub(super) artifact: String,
    pub(super) about: String,
    pub(super) svg: String,
    /// The ends of the plot's axis.
    pub(super) ends: [&'static str; 2],
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<TrendRow>,
    pub(super) newest: String,
    pub(super) gaps: Option<GapTrendView>,
}

pub(super) struct TrendRow {
    pub(super) href: String,
    pub(super) when: String,
    pub(super) cells: Vec<TrendCell>,
    /// Reason for another series here; empty within one.
    pub(super) breaks: String,
    pub(super) noted: String,
}

pub(super) struct TrendCell {
    pub(super) text: String,
    /// The class of a verdict; empty for a number.
    pub(super) chip: &'static str,
}

pub(super) fn number(text: String) -> TrendCell {
    TrendCell { text, chip: "" }
}

/// The page of comparisons and of callable skills; `names` are the addresses of reports by their ids.
///
/// # Errors
/// When the template fails.
pub fn trends_page(
    of: &Trend,
    skills: &[SkillTrend],
    names: &BTreeMap<String, String>,
    choice: &TrendChoice,
    at: &SiteFrame,
) -> std::io::Result<String> {
    let lang = at.lang;
    let mut cards = cards(of, names, choice, at);
    cards.extend(skill_cards(skills, names, choice, at));
    cards.sort_by(|a, b| b.newest.cmp(&a.newest).then_with(|| a.artifact.cmp(&b.artifact)));
    let more = cards.len().saturating_sub(MOST_CARDS);
    cards.truncate(MOST_CARDS);
    cards.iter_mut().enumerate().for_each(|(place, card)| card.anchor = format!("artifact-{}", place + 1));
    let benchmarks = skills.iter().flat_map(|skill| &skill.series).map(|series| series.benchmark.as_str());
    let files: BTreeSet<&str> = of.series.iter().map(|series| series.path.as_str()).chain(benchmarks).collect();
    let artifacts = of.series.iter().flat_map(|series| variants(&series.points));
    let artifacts: BTreeSet<&str> = artifacts.chain(skills.iter().map(|skill| skill.skill.as_str())).collect();
    let has_comparisons = !of.series.is_empty() || skills.is_empty();
    let intros = [
        has_comparisons.then(|| msg!("site-trend-intro")),
        (!skills.is_empty()).then(|| msg!("site-trend-intro-skills")),
    ];
    let page = TrendsHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-trends").text(lang),
        words: TrendWords::of(lang, intros.into_iter().flatten().map(|intro| intro.text(lang)).collect()),
        lang_field: at.linked_lang,
        samples: choices(files, &choice.samples),
        artifacts: choices(artifacts, &choice.artifact),
        empty: if cards.is_empty() { msg!("report-trend-nothing").text(lang) } else { String::new() },
        cards,
        more: if more > 0 { msg!("site-trend-more", count = more).text(lang) } else { String::new() },
        skipped: of.skipped.iter().map(|of| skipped(of, lang)).collect(),
    };
    page.render().map_err(std::io::Error::other)
}

fn skipped(of: &eval_history::trend::Skipped, lang: Lang) -> String {
    unmarked(&msg!("report-trend-skipped", path = clip(&of.path, 120), why = harmless(&of.why.message_key)), lang)
}

fn choices(all: BTreeSet<&str>, chosen: &str) -> Vec<Choice> {
    let choice = |value: &str| Choice { value: value.to_owned(), text: clip(value, 60), is_on: value == chosen };
    all.into_iter().map(choice).collect()
}

fn variants(points: &[Point]) -> impl Iterator<Item = &str> {
    points.iter().flat_map(|point| point.variants.iter().map(|of| of.name.as_str()))
}

/// Runs of one project and sample file, in order of time, each with its series.
type TrendLine<'t> = Vec<(&'t Series, &'t Point)>;

fn cards(of: &Trend, names: &BTreeMap<String, String>, choice: &TrendChoice, at: &SiteFrame) -> Vec<Card> {
    let mut lines: BTreeMap<(Option<&str>, &str), TrendLine<'_>> = BTreeMap::new();
    let is_chosen = |series: &&Series| choice.samples.is_empty() || choice.samples == series.path;
    for series in of.series.iter().filter(is_chosen) {
        let line = lines.entry((series.project.as_deref(), &series.path)).or_default();
        line.extend(series.points.iter().map(|point| (series, point)));
    }
    let mut cards = Vec::new();
    for line in lines.values_mut() {
        line.sort_by(|(_, a), (_, b)| (&a.timestamp, &a.id).cmp(&(&b.timestamp, &b.id)));
        let artifacts: BTreeSet<&str> =
            line.iter().flat_map(|(_, point)| variants(std::slice::from_ref(*point))).collect();
        let wanted = |name: &&str| choice.artifact.is_empty() || choice.artifact == **name;
        cards.extend(artifacts.into_iter().filter(wanted).map(|name| card(line, name, names, at)));
    }
    cards
}

fn card(line: &TrendLine<'_>, artifact: &str, names: &BTreeMap<String, String>, at: &SiteFrame) -> Card {
    let mut runs: Vec<(&Series, &Point, &VariantPoint)> = line
        .iter()
        .filter_map(|(series, point)| Some((*series, *point, point.variants.iter().find(|of| of.name == artifact)?)))
        .collect();
    runs.drain(..runs.len().saturating_sub(MOST_POINTS));
    let is_break = |place: usize| place > 0 && !std::ptr::eq(runs[place].0, runs[place - 1].0);
    let marks: Vec<TrendMark> = runs
        .iter()
        .enumerate()
        .map(|(place, (series, point, variant))| TrendMark {
            mean: variant.mean,
            range: variant.ci.map(|ci| (ci.low, ci.high)),
            is_break: is_break(place),
            is_event: series.is_new_version(point, variant),
        })
        .collect();
    let last = runs.last().map(|(series, ..)| *series);
    let mut rows: Vec<TrendRow> =
        runs.iter().enumerate().map(|(place, run)| row(run, is_break(place), names, at)).collect();
    // the newest first, as in the list
    rows.reverse();
    Card {
        anchor: String::new(),
        artifact: clip(artifact, 60),
        about: last.map(|series| about(series, at.lang)).unwrap_or_default(),
        svg: trend(&marks, 1.0..=5.0),
        ends: ["5", "1"],
        heads: [
            msg!("report-trend-score"),
            msg!("report-trend-difference"),
            msg!("report-trend-verdict"),
            msg!("report-trend-cost"),
        ]
        .map(|head| head.text(at.lang))
        .into(),
        rows,
        newest: runs.last().map(|(_, point, _)| point.timestamp.clone()).unwrap_or_default(),
        gaps: gap_trend(&runs, names, at),
    }
}

fn about(of: &Series, lang: Lang) -> String {
    let judges: Vec<String> = of.judge_models.iter().map(|judge| clip(judge, 40)).collect();
    let judges = (!judges.is_empty()).then(|| msg!("report-trend-judges", list = judges).text(lang));
    let model = Some(clip(&of.model, 40)).filter(|model| !model.is_empty());
    let all = [Some(clip(&of.test_set, 60)), Some(clip(&of.executor, 40)), model, judges];
    all.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The version of the artifact, marked where it is another one than before.
fn version(series: &Series, point: &Point, variant: &VariantPoint) -> Option<String> {
    let version = variant.commit.as_ref().map(version_text)?;
    Some(if series.is_new_version(point, variant) { format!("▼ {version}") } else { version })
}

fn row(
    (series, point, variant): &(&Series, &Point, &VariantPoint),
    is_break: bool,
    names: &BTreeMap<String, String>,
    at: &SiteFrame,
) -> TrendRow {
    let lang = at.lang;
    let separator = Separator::Semicolon.text(lang);
    let listed = |changes: &[RunDifference]| {
        let all: Vec<String> = changes.iter().map(setting_change).collect();
        all.join(separator)
    };
    let noted = point.noted.iter().map(setting_change);
    let replaced = point.replaced.iter().map(|said| unmarked(&harmless(&said.message_key), lang));
    let begins = series.points.first().is_some_and(|first| std::ptr::eq(first, *point));
    let breaks = match is_break {
        false => String::new(),
        true if begins && !series.changed.is_empty() => listed(&series.changed),
        // in a series that began before
        true => msg!("site-trend-back").text(lang),
    };
    let range = |low: String, high: String| format!(" [{low}, {high}]");
    let score = variant.mean.map_or_else(
        || msg!("report-unknown").text(lang),
        |mean| points(mean) + &variant.ci.map(|ci| range(points(ci.low), points(ci.high))).unwrap_or_default(),
    );
    let difference = point.differences.iter().find(|of| of.treatment == variant.name).and_then(|of| {
        Some(signed(of.mean?) + &of.ci.map(|ci| range(signed(ci.low), signed(ci.high))).unwrap_or_default())
    });
    let (class, verdict) = verdict_of(if point.valid { point.tier } else { eval_history::listing::INVALID }, lang);
    let cost = point.total_cost_usd.map_or_else(|| msg!("report-unknown").text(lang), |usd| Usd(usd).to_string());
    TrendRow {
        href: at.run(names.get(&point.id).unwrap_or(&point.id)),
        when: minute(&point.timestamp),
        cells: vec![
            number(score),
            number(difference.unwrap_or_else(|| "–".to_owned())),
            TrendCell { text: verdict, chip: class },
            number(cost),
        ],
        breaks,
        noted: replaced.chain(version(series, point, variant)).chain(noted).collect::<Vec<_>>().join(separator),
    }
}
