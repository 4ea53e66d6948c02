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

use super::blind::error_or_blind_page;
use super::reply::{HttpFailure, Reply, html, reply, see_other};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::{LibraryError, OpenReport, is_evaluation};

/// Most reports in trends, the newest.
const MOST_IN_TRENDS: usize = 1000;

pub(super) async fn list(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let library = &served.settings.library;
        let listed = library.shown_rows();
        let filter = filter(request);
        let page_of_rows = ListPage::of(&listed.rows, &filter);
        let unreadable: Vec<UnreadableRow> = listed
            .unreadable
            .iter()
            .map(|file| UnreadableRow { path: file.path.display().to_string(), why: file.why.clone() })
            .collect();
        page(list_page(&page_of_rows, &filter, &library.live_rows(), &unreadable, &request.frame(served)))
    })
    .await
}

/// Reads the filter of the list from a query.
pub(super) fn filter(request: &SiteRequest) -> ListFilter {
    ListFilter {
        search: request.value("q").to_owned(),
        project: request.value("project").to_owned(),
        test_set: request.value("samples").to_owned(),
        verdict: request.value("verdict").to_owned(),
        artifact: request.value("artifact").to_owned(),
        page: request.page(),
    }
}

pub(super) async fn trends(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let listed = served.settings.library.shown_rows();
        let choice = TrendChoice {
            artifact: request.value("artifact").to_owned(),
            samples: request.value("samples").to_owned(),
        };
        let mut rows: Vec<_> = listed.rows.iter().collect();
        rows.sort_by(|a, b| b.timestamp.cmp(&a.timestamp));
        rows.truncate(MOST_IN_TRENDS);
        let names: BTreeMap<String, String> = rows.iter().map(|row| (row.id.clone(), row.name.clone())).collect();
        let (comparisons, evaluations): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_comparison());
        let files = |rows: &[&ReportRow]| rows.iter().filter_map(|row| listed.paths.get(&row.name).cloned()).collect();
        let files_of_comparisons: Vec<PathBuf> = files(&comparisons);
        let trends = trend(&files_of_comparisons, &Wanted::default(), |path| path.display().to_string());
        let trends = trends.map_err(|error| HttpFailure::bad(error.message()))?;
        page(trends_page(&trends, &skill_trends(files(&evaluations)), &names, &choice, &request.frame(served)))
    })
    .await
}

/// Computes the trend of every skill in these evaluations. Unreadable files are skipped here, since the list names
/// them.
fn skill_trends(files: Vec<PathBuf>) -> Vec<SkillTrend> {
    let read: Vec<_> = files.into_par_iter().filter_map(|path| read_as_stored(&path).ok()).collect();
    let mut skills: BTreeMap<&str, Vec<HistoryPoint>> = BTreeMap::new();
    for (skill, point) in read.iter().flat_map(HistoryPoint::all) {
        skills.entry(skill).or_default().push(point);
    }
    skills.into_iter().map(|(skill, history)| skill_trend(skill, history)).collect()
}

pub(super) async fn diff(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let library = &served.settings.library;
        let ticked: Vec<&str> = request.values("run").collect();
        if let [first, second] = ticked.as_slice() {
            return Ok(see_other(&compared(served, request, first, second)));
        }
        let (a, b) = (request.value("a"), request.value("b"));
        if a.is_empty() || b.is_empty() {
            return Err(HttpFailure::bad(msg!("site-diff-choose")).with_help(msg!("site-diff-choose-help")));
        }
        let choice = DiffChoice { a: a.to_owned(), b: b.to_owned(), is_forced: !request.value("force").is_empty() };
        let path = |name: &str| library.path(name).map_err(|error| HttpFailure::library(served, name, error));
        let (path_a, path_b) = (path(a)?, path(b)?);
        match [&path_a, &path_b].map(|path| is_evaluation(path)) {
            [true, true] => return skills_diff(&choice, served, request),
            [false, false] => {}
            _ => return Err(HttpFailure::bad(msg!("site-diff-kinds")).with_help(msg!("site-diff-choose-help"))),
        }
        let read = |name: &str| {
            read_slim(if name == a { &path_a } else { &path_b })
                .map_err(|error| HttpFailure::library(served, name, LibraryError::Unreadable(error.message())))
        };
        let (a, b) = (read(a)?, read(b)?);
        let directory = path_b.parent().unwrap_or(std::path::Path::new("."));
        let difference = diff_of(&a, &b, &[], choice.is_forced).map(|pair| pair.counting_runs(directory, [&a, &b]));
        page(diff_page(&difference, &choice, &request.frame(served)))
    })
    .await
}

/// Compares two evaluations of callable skills.
fn skills_diff(choice: &DiffChoice, served: &Served, request: &SiteRequest) -> Reply {
    let library = &served.settings.library;
    let open = |name: &str| library.open(name).map_err(|error| HttpFailure::library(served, name, error));
    let (a, b) = (open(&choice.a)?, open(&choice.b)?);
    let (OpenReport::Skills(a), OpenReport::Skills(b)) = (&*a, &*b) else {
        return Err(HttpFailure::bad(msg!("site-diff-kinds")));
    };
    page(skills_diff_page(&diff_skills(a, b, ["A", "B"], choice.is_forced), choice, &request.frame(served)))
}

/// Returns the address of the comparison of two runs, the earlier one first.
fn compared(served: &Served, request: &SiteRequest, first: &str, second: &str) -> String {
    let listed = served.settings.library.rows();
    let when = |name: &str| listed.rows.iter().find(|row| row.name == name).map(|row| row.timestamp.clone());
    let (a, b) = if when(first) <= when(second) { (first, second) } else { (second, first) };
    let lang = request.linked_lang(served).map(|tag| format!("&lang={tag}")).unwrap_or_default();
    format!("/diff?a={}&b={}{lang}", encoded(a), encoded(b))
}

pub(super) async fn run(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let library = &served.settings.library;
        match library.open(&name) {
            Ok(report) => shown(&name, &report, served, request),
            Err(LibraryError::NoReport) => match library.live(&name, served.settings.clock.now()) {
                Some(view) => page(live_page(&view, &request.frame(served))),
                None => Err(HttpFailure::library(served, &name, LibraryError::NoReport)),
            },
            Err(error) => Err(error_or_blind_page(served, request, &name, error)),
        }
    })
    .await
}

fn shown(name: &str, report: &OpenReport, served: &Served, request: &SiteRequest) -> Reply {
    match report {
        OpenReport::Skills(evaluation) => page(skills_page(evaluation, &request.frame(served))),
        OpenReport::Comparison(comparison) => {
            page(run_page(&comparison.analysis, &comparison.rows, &rows_view(request), &place(name, served, request)))
        }
    }
}

/// Reads filter and order of the samples from a query.
fn rows_view(request: &SiteRequest) -> RowsView {
    let some = |name: &str| Some(request.value(name).to_owned()).filter(|value| !value.is_empty());
    let mut view = RowsView::all();
    view.filter = RowFilter::named(request.value("filter")).unwrap_or(RowFilter::All);
    view.order = if request.value("order") == "file" { RowOrder::File } else { RowOrder::Worst };
    request.value("search").clone_into(&mut view.search);
    view.capability = some("capability");
    view.difficulty = some("difficulty");
    view.page = request.page() - 1;
    view
}

/// Returns the frame of a comparison's page, with its links.
fn place(name: &str, served: &Served, request: &SiteRequest) -> PageFrame {
    let lang = request.linked_lang(served).map(|tag| format!("lang={tag}")).unwrap_or_default();
    let links = SiteLinks {
        run: name.to_owned(),
        query: request.query_text(),
        path: request.path().to_owned(),
        lang,
        has_analyses: served.settings.analyses.is_any(),
    };
    PageFrame { lang: request.lang(served), site: Some(links) }
}

pub(super) async fn sample(
    State(served): State<Arc<Served>>,
    Path((name, sample)): Path<(String, String)>,
    uri: Uri,
) -> Response {
    reply(&served, &uri, move |served, request| {
        let sample = sample_of_segment(&sample);
        let report =
            served.settings.library.open(&name).map_err(|error| error_or_blind_page(served, request, &name, error))?;
        let OpenReport::Comparison(comparison) = &*report else {
            return Err(HttpFailure::not_found(msg!("site-no-page")));
        };
        let none = || HttpFailure::not_found(msg!("site-no-sample", report = &name, sample = sample));
        let result = comparison.result(comparison.place(sample).ok_or_else(none)?).map_err(HttpFailure::bad)?;
        let view = rows_view(request);
        let order = view.chosen(&comparison.rows);
        let index = order.iter().position(|row| row.id == sample);
        let neighbour = |step: isize| {
            let index = index?.checked_add_signed(step)?;
            order.get(index).map(|row| row.id.as_str())
        };
        let number = index.map(|index| (index + 1, order.len()));
        let among = SamplePlace { beside: [neighbour(-1), neighbour(1)], number, filter: view.filter };
        page(sample_page(&comparison.analysis, &result, among, &place(&name, served, request)))
    })
    .await
}

fn page(made: std::io::Result<String>) -> Reply {
    made.map(html).map_err(|error| HttpFailure::page(&error))
}
