//! The pages for people.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use eval_format::skills::read_as_stored;
use eval_history::skills::{HistoryPoint, SkillTrend, diff_skills, trend as skill_trend};
use eval_history::{ListFilter, ListPage, ReportRow, Wanted, diff as diff_of, read_slim, trend};
use eval_message::msg;
use eval_render::run_page::{PageFrame, RowFilter, RowOrder, RowsView, SamplePlace, SiteLinks, run_page, sample_page};
use eval_render::site::{
    DiffChoice, TrendChoice, UnreadableRow, diff_page, encoded, list_page, live_page, sample_of_segment,
    skills_diff_page, skills_page, trends_page,
};
use rayon::prelude::*;

use super::blind::leading;
use super::reply::{HttpFailure, Reply, html, reply, see_other};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::{LibraryError, OpenReport, is_evaluation};

/// Reports that trends are made of, the newest.
const MOST_IN_TRENDS: usize = 1000;

pub(super) async fn list(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, asked| {
        let library = &served.settings.library;
        let listed = library.shown_rows();
        let filter = filter(asked);
        let found = ListPage::of(&listed.rows, &filter);
        let unreadable: Vec<UnreadableRow> = listed
            .unreadable
            .iter()
            .map(|of| UnreadableRow { path: of.path.display().to_string(), why: of.why.clone() })
            .collect();
        page(list_page(&found, &filter, &library.live_rows(), &unreadable, &asked.frame(served)))
    })
    .await
}

/// Which rows a query asks for.
pub(super) fn filter(asked: &SiteRequest) -> ListFilter {
    ListFilter {
        search: asked.value("q").to_owned(),
        project: asked.value("project").to_owned(),
        test_set: asked.value("samples").to_owned(),
        verdict: asked.value("verdict").to_owned(),
        artifact: asked.value("artifact").to_owned(),
        page: asked.page(),
    }
}

pub(super) async fn trends(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, asked| {
        let listed = served.settings.library.shown_rows();
        let choice =
            TrendChoice { artifact: asked.value("artifact").to_owned(), samples: asked.value("samples").to_owned() };
        let mut rows: Vec<_> = listed.rows.iter().collect();
        rows.sort_by(|a, b| b.timestamp.cmp(&a.timestamp));
        rows.truncate(MOST_IN_TRENDS);
        let names: BTreeMap<String, String> = rows.iter().map(|row| (row.id.clone(), row.name.clone())).collect();
        let (comparisons, evaluations): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_comparison());
        let files = |rows: &[&ReportRow]| rows.iter().filter_map(|row| listed.paths.get(&row.name).cloned()).collect();
        let files_of_comparisons: Vec<PathBuf> = files(&comparisons);
        let found = trend(&files_of_comparisons, &Wanted::default(), |path| path.display().to_string());
        let found = found.map_err(|error| HttpFailure::bad(error.message()))?;
        page(trends_page(&found, &skill_trends(files(&evaluations)), &names, &choice, &asked.frame(served)))
    })
    .await
}

/// Every skill of these evaluations over time. A file that can't be read is named in the list.
fn skill_trends(files: Vec<PathBuf>) -> Vec<SkillTrend> {
    let read: Vec<_> = files.into_par_iter().filter_map(|path| Some(read_as_stored(&path).ok()?.0)).collect();
    let mut skills: BTreeMap<&str, Vec<HistoryPoint>> = BTreeMap::new();
    for (skill, point) in read.iter().flat_map(HistoryPoint::all) {
        skills.entry(skill).or_default().push(point);
    }
    skills.into_iter().map(|(skill, history)| skill_trend(skill, history)).collect()
}

pub(super) async fn diff(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, asked| {
        let library = &served.settings.library;
        let ticked: Vec<&str> = asked.values("run").collect();
        if let [one, other] = ticked.as_slice() {
            return Ok(see_other(&compared(served, asked, one, other)));
        }
        let (a, b) = (asked.value("a"), asked.value("b"));
        if a.is_empty() || b.is_empty() {
            return Err(HttpFailure::bad(msg!("site-diff-choose")).with_help(msg!("site-diff-choose-help")));
        }
        let choice = DiffChoice { a: a.to_owned(), b: b.to_owned(), is_forced: !asked.value("force").is_empty() };
        let path = |name: &str| library.path(name).map_err(|error| HttpFailure::library(served, name, error));
        let (path_a, path_b) = (path(a)?, path(b)?);
        match [&path_a, &path_b].map(|path| is_evaluation(path)) {
            [true, true] => return skills_diff(&choice, served, asked),
            [false, false] => {}
            _ => return Err(HttpFailure::bad(msg!("site-diff-kinds")).with_help(msg!("site-diff-choose-help"))),
        }
        let read = |name: &str| {
            read_slim(if name == a { &path_a } else { &path_b })
                .map_err(|error| HttpFailure::library(served, name, LibraryError::Unreadable(error.message())))
        };
        let (a, b) = (read(a)?, read(b)?);
        let directory = path_b.parent().unwrap_or(std::path::Path::new("."));
        let found = diff_of(&a, &b, &[], choice.is_forced).map(|of| of.counting_runs(directory, [&a, &b]));
        page(diff_page(&found, &choice, &asked.frame(served)))
    })
    .await
}

/// The difference of two evaluations of callable skills.
fn skills_diff(of: &DiffChoice, served: &Served, asked: &SiteRequest) -> Reply {
    let library = &served.settings.library;
    let open = |name: &str| library.open(name).map_err(|error| HttpFailure::library(served, name, error));
    let (a, b) = (open(&of.a)?, open(&of.b)?);
    let (OpenReport::Skills(a), OpenReport::Skills(b)) = (&*a, &*b) else {
        return Err(HttpFailure::bad(msg!("site-diff-kinds")));
    };
    page(skills_diff_page(&diff_skills(a, b, ["A", "B"], of.is_forced), of, &asked.frame(served)))
}

/// The address of the difference of two runs, the earlier one first.
fn compared(served: &Served, asked: &SiteRequest, one: &str, other: &str) -> String {
    let listed = served.settings.library.rows();
    let when = |name: &str| listed.rows.iter().find(|row| row.name == name).map(|row| row.timestamp.clone());
    let (a, b) = if when(one) <= when(other) { (one, other) } else { (other, one) };
    let lang = asked.linked_lang(served).map(|tag| format!("&lang={tag}")).unwrap_or_default();
    format!("/diff?a={}&b={}{lang}", encoded(a), encoded(b))
}

pub(super) async fn run(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let library = &served.settings.library;
        match library.open(&name) {
            Ok(report) => shown(&name, &report, served, asked),
            Err(LibraryError::NoReport) => match library.live(&name, served.settings.clock.now()) {
                Some(view) => page(live_page(&view, &asked.frame(served))),
                None => Err(HttpFailure::library(served, &name, LibraryError::NoReport)),
            },
            Err(error) => Err(leading(served, asked, &name, error)),
        }
    })
    .await
}

fn shown(name: &str, report: &OpenReport, served: &Served, asked: &SiteRequest) -> Reply {
    match report {
        OpenReport::Skills(of) => page(skills_page(of, &asked.frame(served))),
        OpenReport::Comparison(of) => {
            page(run_page(&of.analysis, &of.rows, &rows_view(asked), &place(name, served, asked)))
        }
    }
}

/// Which samples a query asks for.
fn rows_view(asked: &SiteRequest) -> RowsView {
    let some = |name: &str| Some(asked.value(name).to_owned()).filter(|value| !value.is_empty());
    let mut view = RowsView::all();
    view.filter = RowFilter::named(asked.value("filter")).unwrap_or(RowFilter::All);
    view.order = if asked.value("order") == "file" { RowOrder::File } else { RowOrder::Worst };
    asked.value("search").clone_into(&mut view.search);
    view.capability = some("capability");
    view.difficulty = some("difficulty");
    view.page = asked.page() - 1;
    view
}

/// Where the page of a comparison is.
fn place(name: &str, served: &Served, asked: &SiteRequest) -> PageFrame {
    let lang = asked.linked_lang(served).map(|tag| format!("lang={tag}")).unwrap_or_default();
    let links = SiteLinks {
        run: name.to_owned(),
        query: asked.query_text(),
        path: asked.path().to_owned(),
        lang,
        has_analyses: served.settings.analyses.is_any(),
    };
    PageFrame { lang: asked.lang(served), site: Some(links) }
}

pub(super) async fn sample(
    State(served): State<Arc<Served>>,
    Path((name, sample)): Path<(String, String)>,
    uri: Uri,
) -> Response {
    reply(&served, &uri, move |served, asked| {
        let sample = sample_of_segment(&sample);
        let report = served.settings.library.open(&name).map_err(|error| leading(served, asked, &name, error))?;
        let OpenReport::Comparison(of) = &*report else { return Err(HttpFailure::not_found(msg!("site-no-page"))) };
        let none = || HttpFailure::not_found(msg!("site-no-sample", report = &name, sample = sample));
        let result = of.result(of.place(sample).ok_or_else(none)?).map_err(HttpFailure::bad)?;
        let view = rows_view(asked);
        let order = view.chosen(&of.rows);
        let at = order.iter().position(|row| row.id == sample);
        let beside = |step: isize| {
            let at = at?.checked_add_signed(step)?;
            order.get(at).map(|row| row.id.as_str())
        };
        let number = at.map(|at| (at + 1, order.len()));
        let among = SamplePlace { beside: [beside(-1), beside(1)], number, filter: view.filter };
        page(sample_page(&of.analysis, &result, among, &place(&name, served, asked)))
    })
    .await
}

fn page(made: std::io::Result<String>) -> Reply {
    made.map(html).map_err(|error| HttpFailure::page(&error))
}
