//! News of a run under way, as server-sent events.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use eval_message::Lang;
use eval_render::site::{LiveView, live_fields};
use futures::stream;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::reply::{HttpFailure, busy, failed, whole};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::LibraryError;

/// Between two looks at the journal.
const BETWEEN: Duration = Duration::from_secs(1);

/// One listener.
struct Listening {
    served: Arc<Served>,
    name: String,
    lang: Lang,
    is_first: bool,
    is_over: bool,
    _place: OwnedSemaphorePermit,
}

pub(super) async fn events(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    let Ok(place) = Arc::clone(&served.listeners).try_acquire_owned() else { return busy(&served, &uri) };
    if let Err(why) = is_shown(&served, &name).await {
        return failed(&served, &uri, HttpFailure::library(&served, &name, why));
    }
    let lang = SiteRequest::of(&uri).lang(&served);
    let listening = Listening { served, name, lang, is_first: true, is_over: false, _place: place };
    whole("text/event-stream", Body::from_stream(stream::unfold(listening, next)))
}

/// The next event; none behind the last.
async fn next(mut of: Listening) -> Option<(std::io::Result<String>, Listening)> {
    if of.is_over {
        return None;
    }
    if !std::mem::take(&mut of.is_first) {
        tokio::time::sleep(BETWEEN).await;
    }
    let event = match look(&of.served, &of.name).await {
        Some(view) if view.is_under_way => progress(&view, of.lang),
        _ => {
            of.is_over = true;
            "event: end\ndata: {}\n\n".to_owned()
        }
    };
    Some((Ok(event), of))
}

/// Whether there are news of the run: the calls of one that is read blind name its variants.
async fn is_shown(served: &Arc<Served>, name: &str) -> Result<(), LibraryError> {
    let (of_work, asked) = (Arc::clone(served), name.to_owned());
    let found = tokio::task::spawn_blocking(move || of_work.settings.library.path(&asked)).await;
    match found.unwrap_or(Err(LibraryError::NoReport)) {
        Ok(_) | Err(LibraryError::NoReport) => look(served, name).await.map(drop).ok_or(LibraryError::NoReport),
        Err(why) => Err(why),
    }
}

async fn look(served: &Arc<Served>, name: &str) -> Option<LiveView> {
    let (served, name) = (Arc::clone(served), name.to_owned());
    let now = served.settings.clock.now();
    tokio::task::spawn_blocking(move || served.settings.library.live(&name, now)).await.ok().flatten()
}

fn progress(view: &LiveView, lang: Lang) -> String {
    let fields: serde_json::Map<String, serde_json::Value> =
        live_fields(view, lang).into_iter().map(|(id, text)| (id.to_owned(), text.into())).collect();
    // JSON has no line breaks of its own
    format!("event: progress\ndata: {}\n\n", json!({ "finished": view.row.finished, "fields": fields }))
}
