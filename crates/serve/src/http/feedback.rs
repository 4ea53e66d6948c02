//! `POST /api/run/{name}/feedback`: stores an opinion on a variant's answers to a sample, sent as JSON or as a form.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use eval_format::{BlindFile, Feedback, add_feedback, reader_name};
use eval_message::msg;
use eval_message::plain::clip;
use eval_render::site::sample_path;
use serde::Deserialize;
use serde_json::{Value, json};

use super::blind::{WAS_OPEN, blind_page_of, is_closed};
use super::form::sent;
use super::reply::{HttpFailure, Reply, failed, json as as_json, reply, see_other};
use super::served::Served;
use super::site_request::{SiteRequest, pairs};
use crate::library::{LibraryError, OpenReport};

/// Characters shown of a rejected value.
const SHOWN: usize = 40;
/// Example for error messages.
const EXAMPLE: &str = r#"{"sample_id": "s001", "variant": "v1", "rating": 4}"#;
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentOpinion {
    sample_id: String,
    variant: String,
    #[serde(default)]
    rating: Value,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    by: Option<String>,
    /// Sent by a form: the reply redirects to the sample's page.
    #[serde(skip)]
    is_form: bool,
}

pub(super) async fn feedback(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let sent = match read(&headers, body).await {
        Ok(sent) => sent,
        Err(why) => return failed(&served, &uri, why),
    };
    reply(&served, &uri, move |served, request| added(served, request, &name, sent)).await
}

async fn read(headers: &HeaderMap, body: Body) -> Result<SentOpinion, HttpFailure> {
    let (is_form, bytes) = sent(headers, body).await?;
    match is_form {
        true => Ok(of_form(&String::from_utf8_lossy(&bytes))),
        // serde would also accept a list of the fields' values
        false if !bytes.trim_ascii_start().starts_with(b"{") => {
            Err(HttpFailure::bad(msg!("site-feedback-object", example = EXAMPLE)))
        }
        false => serde_json::from_slice(&bytes)
            .map_err(|error| HttpFailure::bad(msg!("site-feedback-shape", why = error.to_string()))),
    }
}

fn of_form(text: &str) -> SentOpinion {
    let mut sent = SentOpinion { is_form: true, ..SentOpinion::default() };
    for (name, value) in pairs(text) {
        match name.as_str() {
            "sample_id" => sent.sample_id = value,
            "variant" => sent.variant = value,
            "rating" if !value.is_empty() => {
                sent.rating = value.parse::<u64>().map_or(Value::String(value), Value::from)
            }
            // a form sends line breaks as CR LF
            "comment" => sent.comment = Some(value.replace("\r\n", "\n")),
            "by" if !value.is_empty() => sent.by = Some(value),
            _ => {}
        }
    }
    sent
}

fn added(served: &Served, request: &SiteRequest, name: &str, sent: SentOpinion) -> Reply {
    let library = &served.settings.library;
    let lost = |error| HttpFailure::library(served, name, error);
    // names may have been visible when it was written, though they are hidden now
    let (path, report) = library.open_closed(name).map_err(lost)?;
    let OpenReport::Comparison(comparison) = &*report else { return Err(HttpFailure::bad(msg!("site-feedback-kind"))) };
    if comparison.place(&sent.sample_id).is_none() {
        return Err(HttpFailure::bad(msg!("site-feedback-sample", sample = clip(&sent.sample_id, SHOWN))));
    }
    let names = &comparison.analysis.meta.variants;
    // Different replies for names and other texts would reveal the names, and an opinion stored by name its label.
    if is_closed(served, name)? && !(comparison.analysis.meta.settings.blind && names.contains(&sent.variant)) {
        let has_labels = comparison.analysis.meta.settings.blind;
        let why = if has_labels { msg!("site-feedback-sealed") } else { msg!("site-feedback-sealed-named") };
        return Err(HttpFailure::bad(why).with_help(msg!("site-blind-closed-help")));
    }
    let blind_file = BlindFile::beside(&path).map_err(|error| lost(LibraryError::Unreadable(error.message())))?;
    if !names.contains(&sent.variant) && !blind_file.as_ref().is_some_and(|file| file.has(&sent.variant)) {
        return Err(HttpFailure::bad(msg!("site-feedback-variant", variant = clip(&sent.variant, SHOWN))));
    }
    let comment = comment(sent.comment)?;
    let rating = rating(&sent.rating)?;
    if rating.is_none() && comment.is_none() {
        return Err(HttpFailure::bad(msg!("site-feedback-empty")));
    }
    let opinion = Feedback {
        sample_id: sent.sample_id,
        variant: sent.variant,
        rating,
        comment,
        than: None,
        preference: None,
        blind: false,
        by: sent.by.and_then(|by| reader_name(&by)),
        at: served.settings.clock.now().to_string(),
        settled: None,
    };
    let (sample, variant) = (opinion.sample_id.clone(), opinion.variant.clone());
    let stored =
        add_feedback(&path, vec![opinion], None).map_err(|error| lost(LibraryError::Unreadable(error.message())))?;
    // the reply uses the name that was sent
    let shown = stored.first().map(|opinion| Feedback { variant, ..opinion.clone() });
    if !sent.is_form {
        return Ok(as_json(&json!({ "feedback": shown })));
    }
    let back = match library.path(name) {
        Err(LibraryError::Closed(name)) => blind_page_of(&name, served, request, &[(WAS_OPEN, "1")]),
        _ => format!("{}#feedback", request.frame(served).link(&sample_path(name, &sample), &[])),
    };
    Ok(see_other(&back))
}

/// Returns the comment unless it is blank; an error if it is too long.
pub(super) fn comment(given: Option<String>) -> Result<Option<String>, HttpFailure> {
    let comment = given.filter(|comment| !comment.trim().is_empty());
    match comment.as_ref().is_some_and(|comment| comment.len() > Feedback::LONGEST_COMMENT) {
        true => Err(HttpFailure::bad(msg!("site-feedback-long", limit = Feedback::LONGEST_COMMENT))),
        false => Ok(comment),
    }
}

/// Makes the error about an invalid rating.
pub(super) fn no_rating(given: &str) -> HttpFailure {
    HttpFailure::bad(msg!("site-feedback-rating", rating = clip(given, SHOWN)))
}

/// Reads 1 to 5 stars; `None` for `null`.
pub(super) fn rating(given: &Value) -> Result<Option<u8>, HttpFailure> {
    let number = given.as_u64().and_then(|number| u8::try_from(number).ok());
    match number.filter(|stars| (1..=Feedback::MOST_STARS).contains(stars)) {
        None if given.is_null() => Ok(None),
        None => Err(no_rating(&given.to_string())),
        stars => Ok(stars),
    }
}
