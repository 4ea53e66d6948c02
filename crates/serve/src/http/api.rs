//! `GET /api/runs`: the list for programs.

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
    reply(&served, &uri, |served, asked| {
        let (library, lang) = (&served.settings.library, asked.lang(served));
        let listed = library.shown_rows();
        let found = ListPage::of(&listed.rows, &filter(asked));
        let unreadable = listed.unreadable.iter().map(|of| json!({ "path": of.path, "why": of.why.text(lang) }));
        let live = library.live_rows();
        let live = live.iter().map(|of| json!({ "id": of.id, "finished": of.finished, "planned": of.planned }));
        Ok(as_json(&json!({
            "runs": found.rows,
            "found": found.found,
            "page": found.page,
            "pages": found.pages,
            "underWay": live.collect::<Vec<_>>(),
            "unreadable": unreadable.collect::<Vec<_>>(),
        })))
    })
    .await
}
