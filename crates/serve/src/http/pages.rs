//! The pages for people.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use eval_history::{ListFilter, ListPage, Wanted, diff as diff_of, read_slim, trend};
use eval_message::msg;
use eval_render::Show;
use eval_render::formats::FORMATS;
use eval_render::run_page::{PageFrame, RowFilter, RowOrder, RowsView, SiteLinks, run_page, sample_page};
use eval_render::site::{
    DiffChoice, TrendChoice, UnreadableRow, diff_page, encoded, list_page, live_page, trends_page,
};

use super::reply::{HttpFailure, Reply, html, reply, see_other};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::{LibraryError, OpenReport};

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
        // evaluations of callable skills have histories of their own, in the store
        let mut rows: Vec<_> = listed.rows.iter().filter(|row| row.is_comparison()).collect();
        rows.sort_by(|a, b| b.timestamp.cmp(&a.timestamp));
        rows.truncate(MOST_IN_TRENDS);
        let files: Vec<_> = rows.iter().filter_map(|row| listed.paths.get(&row.name).cloned()).collect();
        let names: BTreeMap<String, String> = rows.iter().map(|row| (row.id.clone(), row.name.clone())).collect();
        let found = trend(&files, &Wanted::default(), |path| path.display().to_string());
        let found = found.map_err(|error| HttpFailure::bad(error.message()))?;
        page(trends_page(&found, &names, &choice, &asked.frame(served)))
    })
    .await
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
        let read = |name: &str| {
            let closed = |error| HttpFailure::library(served, name, error);
            if library.is_closed(name).map_err(closed)? {
                return Err(super::blind::refusal());
            }
            let path = library.path(name).map_err(|error| HttpFailure::library(served, name, error))?;
            read_slim(&path)
                .map_err(|error| HttpFailure::library(served, name, LibraryError::Unreadable(error.message())))
        };
        let choice = DiffChoice { a: a.to_owned(), b: b.to_owned(), is_forced: !asked.value("force").is_empty() };
        let found = diff_of(&read(a)?, &read(b)?, &[], choice.is_forced);
        page(diff_page(&found, &choice, &asked.frame(served)))
    })
    .await
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
            Err(error) => Err(HttpFailure::library(served, &name, error)),
        }
    })
    .await
}

fn shown(name: &str, report: &OpenReport, served: &Served, asked: &SiteRequest) -> Reply {
    let show = Show::file(asked.lang(served));
    match report {
        OpenReport::Skills(of) => rendered("html", |format, to| format.render(&**of, show, to)).map(html),
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
    let links = SiteLinks { run: name.to_owned(), query: asked.query_text(), path: asked.path().to_owned(), lang };
    PageFrame { lang: asked.lang(served), site: Some(links) }
}

fn rendered(
    name: &str,
    render: impl FnOnce(&eval_render::formats::FormatSpec, &mut Vec<u8>) -> std::io::Result<()>,
) -> Result<String, HttpFailure> {
    let mut text = Vec::new();
    let format = FORMATS.iter().find(|format| format.name == name);
    let format = format.ok_or_else(|| HttpFailure::not_found(msg!("site-no-page")))?;
    render(format, &mut text).map_err(|error| HttpFailure::page(&error))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub(super) async fn sample(
    State(served): State<Arc<Served>>,
    Path((name, sample)): Path<(String, String)>,
    uri: Uri,
) -> Response {
    reply(&served, &uri, move |served, asked| {
        let report = served.settings.library.open(&name).map_err(|error| HttpFailure::library(served, &name, error))?;
        let OpenReport::Comparison(of) = &*report else { return Err(HttpFailure::not_found(msg!("site-no-page"))) };
        let none = || HttpFailure::not_found(msg!("site-no-sample", report = &name, sample = &sample));
        let result = of.result(of.place(&sample).ok_or_else(none)?).map_err(HttpFailure::bad)?;
        let order = rows_view(asked).chosen(&of.rows);
        let at = order.iter().position(|row| row.id == sample);
        let beside = |step: isize| {
            let at = at?.checked_add_signed(step)?;
            order.get(at).map(|row| row.id.as_str())
        };
        page(sample_page(&of.analysis, &result, [beside(-1), beside(1)], &place(&name, served, asked)))
    })
    .await
}

fn page(made: std::io::Result<String>) -> Reply {
    made.map(html).map_err(|error| HttpFailure::page(&error))
}
