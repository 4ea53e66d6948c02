//! The list of reports.

use crate::minus::{points, signed};
use askama::Template;
use eval_history::listing::{ListFilter, ListPage, ReportRow, RowResult};
use eval_message::figures::percent;
use eval_message::plain::clip;
use eval_message::{Lang, Message, Separator, msg};
use eval_spec::units::Usd;

use super::frame::{SiteBase, SiteFrame, encoded};
use super::plots;
use super::words::{Choice, minute, verdict_of};
use crate::page::{Frame, words};

/// A file that is no report that can be read.
#[derive(Clone, Debug)]
pub struct UnreadableRow {
    /// Path, as it should be shown.
    pub path: String,
    pub why: Message,
}

#[derive(Clone, Debug)]
pub struct LiveRow {
    pub id: String,
    /// Executions that ended, and that are planned, where that is known.
    pub finished: usize,
    pub planned: Option<u64>,
}

#[derive(Template)]
#[template(path = "site/list.html")]
struct ListHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    words: ListWords,
    lang_field: Option<&'static str>,
    search: String,
    selects: Vec<Select>,
    live: Vec<(String, String, String)>,
    count: String,
    rows: Vec<RowHtml>,
    pages: Vec<(String, String, bool)>,
    unreadable: Vec<(String, String)>,
    empty: String,
}

words! {
    ListWords {
        search: "site-search",
        filter: "site-filter",
        reset: "site-reset",
        all: "site-all",
        compare: "site-compare",
        compare_help: "site-compare-help",
        pick: "site-pick",
        when: "site-when",
        verdict: "report-trend-verdict",
        what: "site-what",
        result: "site-result",
        samples: "site-samples",
        cost: "report-trend-cost",
        commit: "site-commit",
        live: "site-live-now",
        unreadable: "site-unreadable",
        pages: "site-pages",
    }
    reset_href: String,
    is_filtered: bool,
    has_commits: bool,
}

struct Select {
    name: &'static str,
    label: String,
    choices: Vec<Choice>,
}

struct RowHtml {
    name: String,
    href: String,
    when: String,
    class: &'static str,
    verdict: String,
    title: String,
    about: String,
    result: String,
    plot: String,
    samples: String,
    cost: String,
    commit: String,
}

/// The list: what runs, the reports of one page, files that can't be read.
///
/// # Errors
/// When the template fails.
pub fn list_page(
    found: &ListPage<'_>,
    filter: &ListFilter,
    live: &[LiveRow],
    unreadable: &[UnreadableRow],
    at: &SiteFrame,
) -> std::io::Result<String> {
    let lang = at.lang;
    let is_filtered = *filter != ListFilter { page: filter.page, ..ListFilter::default() };
    let empty = match (found.found, is_filtered) {
        (0, true) => msg!("site-list-none").text(lang),
        (0, false) => msg!("site-list-empty", program = at.program).text(lang),
        _ => String::new(),
    };
    let most = found.rows.iter().filter_map(|row| bounds(row)).fold(1.0, f64::max);
    let page = ListHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-runs").text(lang),
        words: ListWords::of(lang, at.link("/", &[]), is_filtered, found.rows.iter().any(|row| row.commit.is_some())),
        lang_field: at.linked_lang,
        search: filter.search.clone(),
        selects: selects(found, filter, lang),
        live: live.iter().map(|row| (at.run(&row.id), clip(&row.id, 60), progress(row, lang))).collect(),
        count: msg!("site-list-count", count = found.found).text(lang),
        rows: found.rows.iter().map(|row| RowHtml::of(row, most, at)).collect(),
        pages: pages(found, at),
        unreadable: unreadable.iter().map(|of| (clip(&of.path, 200), clip(&of.why.text(lang), 400))).collect(),
        empty,
    };
    page.render().map_err(std::io::Error::other)
}

pub(super) fn progress(of: &LiveRow, lang: Lang) -> String {
    match of.planned {
        Some(planned) => msg!("site-live-progress", finished = of.finished, planned = planned).text(lang),
        None => msg!("site-live-finished", finished = of.finished).text(lang),
    }
}

fn selects(found: &ListPage<'_>, filter: &ListFilter, lang: Lang) -> Vec<Select> {
    let select = |name, label: Message, all: Vec<(String, String, usize)>, chosen: &str| {
        let choice = |(value, shown, count): (String, String, usize)| Choice {
            is_on: value == chosen,
            text: format!("{shown} ({count})"),
            value,
        };
        Select { name, label: label.text(lang), choices: all.into_iter().map(choice).collect() }
    };
    let named = |of: &std::collections::BTreeMap<&str, usize>| {
        of.iter().map(|(name, count)| ((*name).to_owned(), clip(name, 60), *count)).collect::<Vec<_>>()
    };
    let verdicts = found.verdicts.iter();
    let verdicts = verdicts.map(|(name, count)| ((*name).to_owned(), verdict_of(name, lang).1, *count)).collect();
    let mut all = vec![
        select("verdict", msg!("report-trend-verdict"), verdicts, &filter.verdict),
        select("artifact", msg!("site-artifact"), named(&found.artifacts), &filter.artifact),
        select("samples", msg!("site-test-set"), named(&found.test_sets), &filter.test_set),
        select("project", msg!("site-project"), named(&found.projects), &filter.project),
    ];
    // one choice is none
    all.retain(|of| of.choices.len() > 1 || of.choices.iter().any(|choice| choice.is_on));
    all
}

fn pages(found: &ListPage<'_>, at: &SiteFrame) -> Vec<(String, String, bool)> {
    if found.pages < 2 {
        return Vec::new();
    }
    let near = |page: &usize| *page == 1 || *page == found.pages || page.abs_diff(found.page) <= 2;
    let link = |page: usize| (page.to_string(), at.with("page", &page.to_string()), page == found.page);
    (1..=found.pages).filter(near).map(link).collect()
}

/// How far from 0 the interval of a difference reaches.
fn bounds(row: &ReportRow) -> Option<f64> {
    match &row.result {
        RowResult::Comparison { treatment: Some(_), mean: Some(mean), low, high, .. } => {
            let all = [Some(*mean), *low, *high].into_iter().flatten();
            Some(all.map(f64::abs).filter(|of| of.is_finite()).fold(0.0, f64::max))
        }
        _ => None,
    }
}

impl RowHtml {
    fn of(row: &ReportRow, most: f64, at: &SiteFrame) -> RowHtml {
        let lang = at.lang;
        let (class, verdict) = verdict_of(row.verdict(), lang);
        let (result, plot, samples) = result(row, most, lang);
        let commit =
            [row.branch.as_ref().map(|of| clip(of, 24)), row.commit.as_ref().map(|of| of.chars().take(7).collect())];
        RowHtml {
            name: row.name.clone(),
            href: match row.result {
                RowResult::Sealed {} => at.link(&format!("/blind/{}", encoded(&row.name)), &[]),
                _ => at.run(&row.name),
            },
            when: minute(&row.timestamp),
            class,
            verdict,
            title: title(row, lang),
            about: about(row, lang),
            result,
            plot,
            samples,
            cost: match (&row.result, row.cost_usd) {
                (RowResult::Sealed {}, _) => "–".to_owned(),
                (_, Some(usd)) => Usd(usd).to_string(),
                (_, None) => msg!("report-unknown").text(lang),
            },
            commit: commit.into_iter().flatten().collect::<Vec<_>>().join("@"),
        }
    }
}

fn title(row: &ReportRow, lang: Lang) -> String {
    let names: Vec<String> = row.artifacts.iter().map(|name| clip(name, 40)).collect();
    let list = |names: &[String]| {
        let more = if names.len() > 4 { "…" } else { "" };
        names[..names.len().min(4)].join(Separator::Comma.text(lang)) + more
    };
    match (&row.result, names.split_first()) {
        (RowResult::Comparison { .. }, Some((control, treatments))) if !treatments.is_empty() => {
            msg!("site-row-title", treatments = list(treatments), control = control).text(lang)
        }
        (RowResult::Sealed {}, _) => msg!("site-blind-row").text(lang),
        _ => list(&names),
    }
}

fn about(row: &ReportRow, lang: Lang) -> String {
    let incomplete = (!row.is_complete).then(|| msg!("site-incomplete").text(lang));
    let model = Some(clip(&row.model, 40)).filter(|model| !model.is_empty());
    let file = row.samples.rsplit('/').next().unwrap_or(&row.samples);
    [Some(clip(file, 60)), model, incomplete].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The number, its plot, and what it rests on.
fn result(row: &ReportRow, most: f64, lang: Lang) -> (String, String, String) {
    let unknown = || msg!("report-unknown").text(lang);
    match &row.result {
        RowResult::Comparison { treatment, mean, low, high, n, .. } => {
            let range = low.zip(*high);
            let number = |value: f64| if treatment.is_some() { signed(value) } else { points(value) };
            let interval = range.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
            let text = mean.map_or_else(unknown, |mean| number(mean) + &interval.unwrap_or_default());
            // of several treatments, the one that the verdict is of
            let text = match treatment.as_ref().filter(|_| row.artifacts.len() > 2) {
                Some(of) => msg!("site-row-result", treatment = clip(of, 40), result = text).text(lang),
                None => text,
            };
            let plot = treatment.as_ref().zip(*mean).map(|(_, mean)| plots::around_zero(mean, range, most));
            (text, plot.unwrap_or_default(), format!("{n}/{}", row.planned))
        }
        RowResult::Sealed {} => ("–".to_owned(), String::new(), row.planned.to_string()),
        RowResult::Skills { rates, .. } => {
            let each: Vec<String> = rates.values().map(|rate| percent(Some(*rate))).collect();
            let more = if each.len() > 3 { ", …" } else { "" };
            let text = if each.is_empty() { unknown() } else { each[..each.len().min(3)].join(", ") + more };
            (text, String::new(), row.planned.to_string())
        }
    }
}
