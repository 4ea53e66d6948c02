//! Responses: pages, JSON, files; errors as a page or JSON.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ALLOW, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use eval_message::{Message, msg};
use eval_render::site::error_page;
use serde::Serialize;
use serde_json::json;

use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::LibraryError;

/// An error response.
#[derive(Debug)]
pub(super) struct HttpFailure {
    status: StatusCode,
    why: Message,
    help: Option<Message>,
    /// Address to redirect to instead.
    elsewhere: Option<Box<str>>,
}

impl HttpFailure {
    pub(super) fn new(status: StatusCode, why: Message) -> HttpFailure {
        HttpFailure { status, why, help: None, elsewhere: None }
    }

    pub(super) fn with_help(self, help: Message) -> HttpFailure {
        HttpFailure { help: Some(help), ..self }
    }

    /// Makes the error about a closed comparison.
    fn closed() -> HttpFailure {
        HttpFailure::new(StatusCode::FORBIDDEN, msg!("site-blind-closed")).with_help(msg!("site-blind-closed-help"))
    }

    /// Redirects to another address of this server.
    pub(super) fn elsewhere(address: String) -> HttpFailure {
        HttpFailure { elsewhere: Some(address.into()), ..HttpFailure::closed() }
    }

    pub(super) fn not_found(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::NOT_FOUND, why)
    }

    pub(super) fn bad(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::BAD_REQUEST, why)
    }

    /// Makes the error about a page that can't be made.
    pub(super) fn page(error: &std::io::Error) -> HttpFailure {
        HttpFailure::new(StatusCode::INTERNAL_SERVER_ERROR, msg!("site-failed-page", why = error.to_string()))
    }

    /// Makes the error about an unreadable file.
    pub(super) fn unreadable(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::UNPROCESSABLE_ENTITY, why)
    }

    /// Converts an error about the report with this name.
    pub(super) fn library(served: &Served, name: &str, error: LibraryError) -> HttpFailure {
        match error {
            LibraryError::NoReport => {
                let dir = served.settings.library.directory().display().to_string();
                HttpFailure::not_found(msg!("site-no-report", name = name, dir = dir))
                    .with_help(msg!("site-no-report-help"))
            }
            LibraryError::Closed(_) => HttpFailure::closed(),
            LibraryError::Unreadable(why) => HttpFailure::unreadable(why),
        }
    }
}

/// Result of a handler.
pub(super) type Reply = Result<Response, HttpFailure>;

/// Runs `work` on a blocking thread, within the limit of concurrent requests.
pub(super) async fn reply(
    served: &Arc<Served>,
    uri: &Uri,
    work: impl FnOnce(&Served, &SiteRequest) -> Reply + Send + 'static,
) -> Response {
    let Ok(_turn) = served.work.acquire().await else { return busy(served, uri) };
    let (of_work, request) = (Arc::clone(served), SiteRequest::parse(uri));
    let done = tokio::task::spawn_blocking(move || work(&of_work, &request)).await;
    match done {
        Ok(Ok(response)) => response,
        Ok(Err(why)) => failed(served, uri, why),
        Err(error) => failed(served, uri, HttpFailure::page(&std::io::Error::other(error))),
    }
}

pub(super) fn busy(served: &Served, uri: &Uri) -> Response {
    failed(served, uri, HttpFailure::new(StatusCode::SERVICE_UNAVAILABLE, msg!("site-busy")))
}

/// Makes an error response: a page for people, JSON for programs.
pub(super) fn failed(served: &Served, uri: &Uri, failure: HttpFailure) -> Response {
    if let Some(address) = &failure.elsewhere {
        return see_other(address);
    }
    let request = SiteRequest::parse(uri);
    // the address of a closed comparison contains names, and the page would link to it in the other language
    let neutral = Uri::from_static(if request.is_api() { "/api/" } else { "/" });
    let request = if failure.status == StatusCode::FORBIDDEN { SiteRequest::parse(&neutral) } else { request };
    let lang = request.lang(served);
    let text = || failure.why.text(lang);
    let mut response = match request.is_api() {
        true => {
            json(&json!({ "error": { "message": text(), "help": failure.help.as_ref().map(|help| help.text(lang)) } }))
        }
        false => match error_page(failure.status.as_u16(), &failure.why, failure.help.as_ref(), &request.frame(served))
        {
            Ok(page) => html(page),
            Err(_) => whole("text/plain; charset=utf-8", text()),
        },
    };
    *response.status_mut() = failure.status;
    response
}

pub(super) fn html(page: String) -> Response {
    whole("text/html; charset=utf-8", page)
}

pub(super) fn json(value: &impl Serialize) -> Response {
    whole("application/json", serde_json::to_vec(value).unwrap_or_default())
}

pub(super) fn whole(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Redirects a browser to another page of this server, which it gets with GET.
pub(super) fn see_other(address: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    // addresses are percent-encoded
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}

pub(super) async fn no_page(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    failed(&served, &uri, HttpFailure::not_found(msg!("site-no-page")))
}

pub(super) async fn no_method(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    let methods = match uri.path() {
        path if path.ends_with("/feedback") => "POST",
        path if path.ends_with("/blind") || path.ends_with("/people") || path.starts_with("/blind/") => {
            "GET, HEAD, POST"
        }
        _ => "GET, HEAD",
    };
    let why = msg!("site-no-method", methods = methods);
    let mut response = failed(&served, &uri, HttpFailure::new(StatusCode::METHOD_NOT_ALLOWED, why));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    response
}
