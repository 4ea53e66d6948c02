//! `POST /api/run/{name}/feedback`: an opinion on the answers of a variant to a sample, as JSON or as a form.

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

use super::blind::{WAS_OPEN, is_closed, page_of};
use super::form::sent;
use super::reply::{HttpFailure, Reply, failed, json as as_json, reply, see_other};
use super::served::Served;
use super::site_request::{SiteRequest, pairs};
use crate::library::{LibraryError, OpenReport};

/// How much of a value that is refused is shown.
const SHOWN: usize = 40;
/// What is expected.
const EXAMPLE: &str = r#"{"sample_id": "s001", "variant": "v1", "rating": 4}"#;
/// What is sent.
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
    /// Where a form leads: a place on the page of the sample.
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
    reply(&served, &uri, move |served, asked| added(served, asked, &name, sent)).await
}

async fn read(headers: &HeaderMap, body: Body) -> Result<SentOpinion, HttpFailure> {
    let (is_form, bytes) = sent(headers, body).await?;
    match is_form {
        true => Ok(of_form(&String::from_utf8_lossy(&bytes))),
        // a list of the fields' values would do for the library
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

fn added(served: &Served, asked: &SiteRequest, name: &str, sent: SentOpinion) -> Reply {
    let library = &served.settings.library;
    let lost = |error| HttpFailure::library(served, name, error);
    // names may have been in sight when it was written, though they are hidden by now
    let (path, report) = library.open_closed(name).map_err(lost)?;
    let OpenReport::Comparison(of) = &*report else { return Err(HttpFailure::bad(msg!("site-feedback-kind"))) };
    if of.place(&sent.sample_id).is_none() {
        return Err(HttpFailure::bad(msg!("site-feedback-sample", sample = clip(&sent.sample_id, SHOWN))));
    }
    let names = &of.analysis.meta.variants;
    // An answer that differs for a name would tell that it is one, and an opinion stored by it whose label it is.
    if is_closed(served, name)? && !(of.analysis.meta.settings.blind && names.contains(&sent.variant)) {
        let has_labels = of.analysis.meta.settings.blind;
        let why = if has_labels { msg!("site-feedback-sealed") } else { msg!("site-feedback-sealed-named") };
        return Err(HttpFailure::bad(why).with_help(msg!("site-blind-closed-help")));
    }
    let beside = BlindFile::beside(&path).map_err(|error| lost(LibraryError::Unreadable(error.message())))?;
    if !names.contains(&sent.variant) && !beside.as_ref().is_some_and(|of| of.has(&sent.variant)) {
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
    // by the name that was sent
    let shown = stored.first().map(|of| Feedback { variant, ..of.clone() });
    if !sent.is_form {
        return Ok(as_json(&json!({ "feedback": shown })));
    }
    let back = match library.path(name) {
        Err(LibraryError::Closed(name)) => page_of(&name, served, asked, &[(WAS_OPEN, "1")]),
        _ => format!("{}#feedback", asked.frame(served).link(&sample_path(name, &sample), &[])),
    };
    Ok(see_other(&back))
}

/// A comment that says something.
pub(super) fn comment(given: Option<String>) -> Result<Option<String>, HttpFailure> {
    let comment = given.filter(|comment| !comment.trim().is_empty());
    match comment.as_ref().is_some_and(|comment| comment.len() > Feedback::LONGEST_COMMENT) {
        true => Err(HttpFailure::bad(msg!("site-feedback-long", limit = Feedback::LONGEST_COMMENT))),
        false => Ok(comment),
    }
}

/// That this is none, and what one is.
pub(super) fn no_rating(given: &str) -> HttpFailure {
    HttpFailure::bad(msg!("site-feedback-rating", rating = clip(given, SHOWN)))
}

/// 1 to 5, or none.
pub(super) fn rating(given: &Value) -> Result<Option<u8>, HttpFailure> {
    let number = given.as_u64().and_then(|number| u8::try_from(number).ok());
    match number.filter(|stars| (1..=Feedback::MOST_STARS).contains(stars)) {
        None if given.is_null() => Ok(None),
        None => Err(no_rating(&given.to_string())),
        stars => Ok(stars),
    }
}
