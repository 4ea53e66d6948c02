//! Responses: pages, JSON, files, and what went wrong as either.

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

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct HttpFailure {
    status: StatusCode,
    why: Message,
    help: Option<Message>,
    /// Where it is found instead.
    elsewhere: Option<Box<str>>,
}

impl HttpFailure {
    pub(super) fn new(status: StatusCode, why: Message) -> HttpFailure {
        HttpFailure { status, why, help: None, elsewhere: None }
    }

    pub(super) fn with_help(self, help: Message) -> HttpFailure {
        HttpFailure { help: Some(help), ..self }
    }

    /// Of a comparison that is read blind.
    fn closed() -> HttpFailure {
        HttpFailure::new(StatusCode::FORBIDDEN, msg!("site-blind-closed")).with_help(msg!("site-blind-closed-help"))
    }

    /// The answer is at another address of this server.
    pub(super) fn elsewhere(address: String) -> HttpFailure {
        HttpFailure { elsewhere: Some(address.into()), ..HttpFailure::closed() }
    }

    pub(super) fn not_found(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::NOT_FOUND, why)
    }

    pub(super) fn bad(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::BAD_REQUEST, why)
    }

    /// A page that can't be made.
    pub(super) fn page(error: &std::io::Error) -> HttpFailure {
        HttpFailure::new(StatusCode::INTERNAL_SERVER_ERROR, msg!("site-failed-page", why = error.to_string()))
    }

    /// Of a file that is no document of ours.
    pub(super) fn unreadable(why: Message) -> HttpFailure {
        HttpFailure::new(StatusCode::UNPROCESSABLE_ENTITY, why)
    }

    /// Of a report of this name.
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

/// What a handler comes to.
pub(super) type Reply = Result<Response, HttpFailure>;

/// Does `work` on a thread of its own, when it is its turn.
pub(super) async fn reply(
    served: &Arc<Served>,
    uri: &Uri,
    work: impl FnOnce(&Served, &SiteRequest) -> Reply + Send + 'static,
) -> Response {
    let Ok(_turn) = served.work.acquire().await else { return busy(served, uri) };
    let (of_work, asked) = (Arc::clone(served), SiteRequest::of(uri));
    let done = tokio::task::spawn_blocking(move || work(&of_work, &asked)).await;
    match done {
        Ok(Ok(response)) => response,
        Ok(Err(why)) => failed(served, uri, why),
        Err(error) => failed(served, uri, HttpFailure::page(&std::io::Error::other(error))),
    }
}

pub(super) fn busy(served: &Served, uri: &Uri) -> Response {
    failed(served, uri, HttpFailure::new(StatusCode::SERVICE_UNAVAILABLE, msg!("site-busy")))
}

/// What went wrong: a page for people, JSON for programs.
pub(super) fn failed(served: &Served, uri: &Uri, of: HttpFailure) -> Response {
    if let Some(address) = &of.elsewhere {
        return see_other(address);
    }
    let asked = SiteRequest::of(uri);
    // what is closed has its names in the address, to which a page would link in another language
    let neutral = Uri::from_static(if asked.is_api() { "/api/" } else { "/" });
    let asked = if of.status == StatusCode::FORBIDDEN { SiteRequest::of(&neutral) } else { asked };
    let lang = asked.lang(served);
    let text = || of.why.text(lang);
    let mut response = match asked.is_api() {
        true => json(&json!({ "error": { "message": text(), "help": of.help.as_ref().map(|help| help.text(lang)) } })),
        false => match error_page(of.status.as_u16(), &of.why, of.help.as_ref(), &asked.frame(served)) {
            Ok(page) => html(page),
            Err(_) => whole("text/plain; charset=utf-8", text()),
        },
    };
    *response.status_mut() = of.status;
    response
}

pub(super) fn html(page: String) -> Response {
    whole("text/html; charset=utf-8", page)
}

pub(super) fn json(of: &impl Serialize) -> Response {
    whole("application/json", serde_json::to_vec(of).unwrap_or_default())
}

pub(super) fn whole(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Leads a browser to another page of this server, which it gets with GET.
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
