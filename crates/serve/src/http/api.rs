//! `GET /api/runs`: the list of runs as JSON.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use eval_history::ListPage;
use serde_json::json;

use super::pages::filter;
use super::reply::{json as as_json, reply};
use super::served::Served;

pub(super) async fn runs(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    reply(&served, &uri, |served, request| {
        let (library, lang) = (&served.settings.library, request.lang(served));
        let listed = library.shown_rows();
        let page = ListPage::of(&listed.rows, &filter(request));
        let unreadable = listed.unreadable.iter().map(|file| json!({ "path": file.path, "why": file.why.text(lang) }));
        let live = library.live_rows();
        let live = live.iter().map(|run| json!({ "id": run.id, "finished": run.finished, "planned": run.planned }));
        Ok(as_json(&json!({
            "runs": page.rows,
            "found": page.found,
            "page": page.page,
            "pages": page.pages,
            "underWay": live.collect::<Vec<_>>(),
            "unreadable": unreadable.collect::<Vec<_>>(),
        })))
    })
    .await
}
