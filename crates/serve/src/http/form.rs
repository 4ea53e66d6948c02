//! Request bodies: forms and JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use eval_message::msg;

use super::guard::LARGEST_BODY;
use super::reply::{HttpFailure, Reply, failed, reply};
use super::served::Served;
use super::site_request::{SiteRequest, pairs};

/// Time limit for a body.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads the body; `true` if it is a form.
pub(super) async fn sent(headers: &HeaderMap, body: Body) -> Result<(bool, Bytes), HttpFailure> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_form = match kind.as_str() {
        "application/json" => false,
        "application/x-www-form-urlencoded" => true,
        _ => return Err(HttpFailure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, msg!("site-feedback-type"))),
    };
    let limit = usize::try_from(LARGEST_BODY).unwrap_or(usize::MAX);
    let bytes = match tokio::time::timeout(PATIENCE, to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return Err(HttpFailure::new(StatusCode::PAYLOAD_TOO_LARGE, msg!("site-too-large", limit = LARGEST_BODY)));
        }
        Err(_) => return Err(HttpFailure::new(StatusCode::REQUEST_TIMEOUT, msg!("site-slow"))),
    };
    Ok((is_form, bytes))
}

/// Like [`reply`], with the fields of a form.
pub(super) async fn reply_to_form(
    served: &Arc<Served>,
    uri: &Uri,
    (headers, body): (&HeaderMap, Body),
    work: impl FnOnce(&Served, &SiteRequest, &SentFields) -> Reply + Send + 'static,
) -> Response {
    let (is_form, bytes) = match sent(headers, body).await {
        Ok(sent) => sent,
        Err(why) => return failed(served, uri, why),
    };
    if !is_form {
        return failed(served, uri, HttpFailure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, msg!("site-form-only")));
    }
    let fields = SentFields(pairs(&String::from_utf8_lossy(&bytes)));
    reply(served, uri, move |served, request| work(served, request, &fields)).await
}

/// Fields of a form.
pub(super) struct SentFields(Vec<(String, String)>);

impl SentFields {
    /// Returns the value of a field; empty if it was not sent.
    pub(super) fn value(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }
}
