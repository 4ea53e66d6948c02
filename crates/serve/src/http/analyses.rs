//! `/analyses`: stored observations of skills in real use.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use eval_format::Observation;
use eval_message::msg;
use eval_render::site::{UnreadableRow, analyses_page, analysis_diff_page, analysis_page, encoded};

use super::reply::{HttpFailure, html, reply, see_other};
use super::served::Served;
use super::site_request::SiteRequest;

pub(super) async fn list(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let all = served.settings.analyses.listed();
        let unreadable = all.unreadable.into_iter();
        let unreadable: Vec<UnreadableRow> =
            unreadable.map(|file| UnreadableRow { path: file.path.display().to_string(), why: file.why }).collect();
        let page = analyses_page(&all.rows, &unreadable, all.more, &request.frame(served));
        page.map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

pub(super) async fn show(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let observation = open(served, &name)?;
        analysis_page(&observation, &request.frame(served)).map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

pub(super) async fn compare(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let ticked: Vec<&str> = request.values("run").collect();
        if let [first, second] = ticked.as_slice() {
            return Ok(see_other(&in_order(served, request, first, second)?));
        }
        let (a, b) = (request.value("a"), request.value("b"));
        if a.is_empty() || b.is_empty() {
            return Err(HttpFailure::bad(msg!("site-analyses-choose")).with_help(msg!("site-diff-choose-help")));
        }
        let (earlier, later) = (open(served, a)?, open(served, b)?);
        let page = analysis_diff_page([(a, &earlier), (b, &later)], &request.frame(served));
        page.map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// Returns the address of the comparison of two observations, the earlier one first.
fn in_order(served: &Served, request: &SiteRequest, first: &str, second: &str) -> Result<String, HttpFailure> {
    let is_in_order = open(served, first)?.created_at <= open(served, second)?.created_at;
    let (a, b) = if is_in_order { (first, second) } else { (second, first) };
    let lang = request.linked_lang(served).map(|tag| format!("&lang={tag}")).unwrap_or_default();
    Ok(format!("/analyses/compare?a={}&b={}{lang}", encoded(a), encoded(b)))
}

fn open(served: &Served, name: &str) -> Result<Observation, HttpFailure> {
    let none =
        || HttpFailure::not_found(msg!("site-no-analysis", name = name)).with_help(msg!("observe-none-stored-help"));
    served.settings.analyses.find(name).map_err(HttpFailure::unreadable)?.ok_or_else(none)
}
