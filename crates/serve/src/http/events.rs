//! Progress of an active run, as server-sent events.

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

/// Interval between two reads of the journal.
const BETWEEN: Duration = Duration::from_secs(1);

/// A client that listens to the progress of a run.
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
    let lang = SiteRequest::parse(&uri).lang(&served);
    let listening = Listening { served, name, lang, is_first: true, is_over: false, _place: place };
    whole("text/event-stream", Body::from_stream(stream::unfold(listening, next)))
}

/// Returns the next event; `None` after the last.
async fn next(mut listening: Listening) -> Option<(std::io::Result<String>, Listening)> {
    if listening.is_over {
        return None;
    }
    if !std::mem::take(&mut listening.is_first) {
        tokio::time::sleep(BETWEEN).await;
    }
    let event = match look(&listening.served, &listening.name).await {
        Some(view) if view.is_under_way => progress(&view, listening.lang),
        _ => {
            listening.is_over = true;
            "event: end\ndata: {}\n\n".to_owned()
        }
    };
    Some((Ok(event), listening))
}

/// Checks that progress of the run may be shown: the calls of a closed comparison would name its variants.
async fn is_shown(served: &Arc<Served>, name: &str) -> Result<(), LibraryError> {
    let (of_work, requested) = (Arc::clone(served), name.to_owned());
    let path = tokio::task::spawn_blocking(move || of_work.settings.library.path(&requested)).await;
    match path.unwrap_or(Err(LibraryError::NoReport)) {
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
    // serialised JSON has no line breaks
    format!("event: progress\ndata: {}\n\n", json!({ "finished": view.row.finished, "fields": fields }))
}
