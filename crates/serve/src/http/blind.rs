//! Comparisons that are read blind: the page that takes opinions, and the reveal. Every other address of such a comparison is
//! closed before anything looks at it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use eval_format::{BlindFile, Feedback, Seal, add_feedback, newest_feedback, reveal_report, seal_report};
use eval_message::msg;
use eval_render::site::{BlindPair, BlindPlace, GivenOpinion, blind_page, blind_start_page, encoded};
use jiff::Timestamp;
use serde_json::Value;

use super::feedback::{LONGEST_NAME, comment, rating};
use super::form::reply_to_form;
use super::reply::{HttpFailure, failed, html, reply, see_other};
use super::served::Served;
use super::site_request::{SiteRequest, decoded};
use crate::library::{DrawnPair, LibraryError, OpenComparison, OpenReport, answer_pairs, round_of, token_of};

/// Where a request is sent instead, because it is about a comparison that is read blind.
pub(super) async fn closed(served: &Arc<Served>, method: &Method, uri: &Uri) -> Option<Response> {
    let segments: Vec<String> = uri.path().split('/').skip(1).map(decoded).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let (name, is_page) = match segments.as_slice() {
        // opinions may come, and are marked as blind
        ["api", "run", _, "feedback"] if method == Method::POST => return None,
        ["run", _, "blind"] => return None,
        ["run", name] | ["run", name, "sample" | "people", ..] => (*name, true),
        ["run", name, ..] | ["api", "run", name, ..] => (*name, false),
        _ => return None,
    };
    let (of_work, name) = (Arc::clone(served), name.to_owned());
    let found = tokio::task::spawn_blocking(move || (of_work.settings.library.is_closed(&name), name)).await;
    let (is_closed, name) = found.ok()?;
    let asked = SiteRequest::of(uri);
    // no address with the report's name on the page
    let neutral = Uri::from_static(if asked.is_api() { "/api/" } else { "/" });
    match is_closed {
        Ok(false) | Err(LibraryError::NoReport) => None,
        Err(error) => Some(failed(served, &neutral, HttpFailure::library(served, "…", error))),
        Ok(true) if is_page && method == Method::GET => Some(see_other(&page_of(&name, served, &asked))),
        Ok(true) => Some(failed(served, &neutral, refusal())),
    }
}

/// Why a comparison that is read blind isn't shown.
pub(super) fn refusal() -> HttpFailure {
    HttpFailure::new(StatusCode::FORBIDDEN, msg!("site-blind-closed")).with_help(msg!("site-blind-closed-help"))
}

fn page_of(name: &str, served: &Served, asked: &SiteRequest) -> String {
    let lang = asked.linked_lang(served).map(|tag| format!("?lang={tag}")).unwrap_or_default();
    format!("/blind/{}{lang}", token_of(name))
}

/// `/run/{name}/blind`: leads to the page of a comparison that is read blind; else it offers that.
pub(super) async fn start(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let lost = |error| HttpFailure::library(served, &name, error);
        if served.settings.library.is_closed(&name).map_err(lost)? {
            return Ok(see_other(&page_of(&name, served, asked)));
        }
        let report = served.settings.library.open(&name).map_err(lost)?;
        let of = comparison(&report)?;
        let revealed = BlindFile::beside(&served.settings.library.path(&name).map_err(lost)?).map_err(unreadable)?;
        let revealed = revealed.as_ref().and_then(BlindFile::revealed_at);
        blind_start_page(&of.analysis, revealed, &asked.frame(served))
            .map(html)
            .map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// Closes a comparison.
pub(super) async fn seal(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let lost = |error| HttpFailure::library(served, &name, error);
        comparison(&*served.settings.library.open(&name).map_err(lost)?)?;
        let path = served.settings.library.path(&name).map_err(lost)?;
        seal_report(&path, &now(served)).map_err(unreadable)?;
        Ok(see_other(&page_of(&name, served, asked)))
    })
    .await
}

/// The page of one pair, or of what is left to do.
pub(super) async fn page(State(served): State<Arc<Served>>, Path(token): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let name = named(served, &token)?;
        let lost = |error| HttpFailure::library(served, "…", error);
        if !served.settings.library.is_closed(&name).map_err(lost)? {
            return Ok(see_other(&format!("/run/{}", encoded(&name))));
        }
        let report = served.settings.library.open(&name).map_err(lost)?;
        let of = comparison(&report)?;
        let seal = seal_report(&served.settings.library.path(&name).map_err(lost)?, &now(served));
        let seal = seal.map_err(unreadable)?;
        let pairs = answer_pairs(of, &seal);
        let by = reader(asked.value("by"));
        let given: Vec<Option<GivenOpinion>> = pairs.iter().map(|pair| given(of, &seal, pair, &by)).collect();
        let wanted = asked.value("n").parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < pairs.len());
        let shown = wanted.or_else(|| given.iter().position(Option::is_none));
        let result = shown.map(|at| of.result(pairs[at].place)).transpose().map_err(HttpFailure::bad)?;
        let place = BlindPlace {
            total: pairs.len(),
            judged: given.iter().flatten().count(),
            by,
            round: round_of(&seal),
            pair: shown.zip(result.as_ref()).map(|(at, result)| BlindPair {
                number: at + 1,
                result,
                sides: [&pairs[at].sides[0], &pairs[at].sides[1]],
                given: given[at].clone(),
            }),
        };
        blind_page(&place, &asked.frame(served)).map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// What a reader said of a pair under this seal.
fn given(of: &OpenComparison, seal: &Seal, pair: &DrawnPair, by: &Option<String>) -> Option<GivenOpinion> {
    let newest = newest_feedback(&of.analysis.feedback);
    let since = seal.at.parse::<Timestamp>().ok();
    let is_theirs = |opinion: &&&Feedback| {
        opinion.sample_id == pair.sample
            && opinion.by == *by
            && opinion.blind
            && opinion.at.parse::<Timestamp>().ok() >= since
    };
    let (treatment, control) = (&pair.sides[pair.treatment], &pair.sides[1 - pair.treatment]);
    let about = |opinion: &&&Feedback| &opinion.variant == treatment && opinion.than.as_ref() == Some(control);
    let found = newest.iter().filter(is_theirs).find(about)?;
    let of_left = if pair.treatment == 0 { found.preference? } else { -found.preference? };
    Some(GivenOpinion { button: u8::try_from(3 - of_left).ok()?, note: found.comment.clone().unwrap_or_default() })
}

/// Takes an opinion, or reveals the names.
pub(super) async fn opinion(
    State(served): State<Arc<Served>>,
    Path(token): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    reply_to_form(&served, &uri, (&headers, body), move |served, asked, sent| {
        let name = named(served, &token)?;
        let value = |field: &str| sent.value(field);
        let path = served.settings.library.path(&name).map_err(|error| HttpFailure::library(served, "…", error))?;
        if value("act") == "reveal" {
            seal_if_hidden(served, &name, &path)?;
            reveal_report(&path, &now(served)).map_err(unreadable)?;
            let lang = asked.linked_lang(served).map(|tag| format!("?lang={tag}")).unwrap_or_default();
            return Ok(see_other(&format!("/run/{}{lang}", encoded(&name))));
        }
        let by = reader(value("by"));
        let opinions = opinions(served, &name, &path, &value, &by)?;
        add_feedback(&path, opinions).map_err(unreadable)?;
        let by = by.map(|by| format!("by={}", encoded(&by)));
        let lang = asked.linked_lang(served).map(|tag| format!("lang={tag}"));
        let query: Vec<String> = by.into_iter().chain(lang).collect();
        Ok(see_other(&format!("/blind/{token}?{}", query.join("&"))))
    })
    .await
}

/// What only the server's own flag hides is closed in earnest before anything is stored of it.
pub(super) fn seal_if_hidden(served: &Served, name: &str, path: &std::path::Path) -> Result<(), HttpFailure> {
    let is_closed = served.settings.library.is_closed(name);
    if is_closed.map_err(|error| HttpFailure::library(served, "…", error))? {
        seal_report(path, &now(served)).map_err(unreadable)?;
    }
    Ok(())
}

/// The opinions that a form has: which answer is better, and stars for each.
fn opinions<'f>(
    served: &Served,
    name: &str,
    path: &std::path::Path,
    value: &dyn Fn(&str) -> &'f str,
    by: &Option<String>,
) -> Result<Vec<Feedback>, HttpFailure> {
    let report = served.settings.library.open(name).map_err(|error| HttpFailure::library(served, "…", error))?;
    let of = comparison(&report)?;
    let beside = BlindFile::beside(path).map_err(unreadable)?;
    let seals = beside.as_ref().map(BlindFile::seals).unwrap_or_default();
    let seal = seals.iter().find(|seal| round_of(seal) == value("round"));
    let pairs = seal.map(|seal| answer_pairs(of, seal)).unwrap_or_default();
    let at = value("n").parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let pair = at.and_then(|at| pairs.get(at)).ok_or_else(|| HttpFailure::bad(msg!("site-blind-stale")))?;
    let stars = |field: &str| match value(field) {
        "" => Ok(None),
        given => rating(&given.parse::<u64>().map_or(Value::String(given.to_owned()), Value::from)),
    };
    let note = comment(Some(value("note").replace("\r\n", "\n")))?;
    let blank = || Feedback {
        sample_id: pair.sample.clone(),
        variant: pair.sides[pair.treatment].clone(),
        than: None,
        preference: None,
        rating: None,
        comment: None,
        blind: false,
        by: by.clone(),
        at: now(served),
        settled: None,
    };
    let mut all = Vec::new();
    if let Some(preference) = preference(value("preference"), pair)? {
        let than = Some(pair.sides[1 - pair.treatment].clone());
        all.push(Feedback { than, preference: Some(preference), comment: note, ..blank() });
    }
    for (side, field) in [(0, "stars_a"), (1, "stars_b")] {
        let rating = stars(field)?;
        all.extend(rating.map(|stars| Feedback { variant: pair.sides[side].clone(), rating: Some(stars), ..blank() }));
    }
    if all.is_empty() {
        return Err(HttpFailure::bad(msg!("site-feedback-empty")));
    }
    Ok(all)
}

/// From the buttons, 1 the left one much better to 5 the right one, to how much better the treatment is.
fn preference(button: &str, pair: &DrawnPair) -> Result<Option<i8>, HttpFailure> {
    if button.is_empty() {
        return Ok(None);
    }
    let number = button.parse::<i8>().ok().filter(|number| (1..=5).contains(number));
    let of_left = 3 - number.ok_or_else(|| HttpFailure::bad(msg!("site-feedback-rating", rating = button)))?;
    Ok(Some(if pair.treatment == 0 { of_left } else { -of_left }))
}

fn named(served: &Served, token: &str) -> Result<String, HttpFailure> {
    served.settings.library.of_token(token).ok_or_else(|| HttpFailure::not_found(msg!("site-no-page")))
}

pub(super) fn comparison(report: &OpenReport) -> Result<&OpenComparison, HttpFailure> {
    match report {
        OpenReport::Comparison(of) => Ok(of),
        OpenReport::Skills(_) => Err(HttpFailure::not_found(msg!("site-no-page"))),
    }
}

pub(super) fn reader(name: &str) -> Option<String> {
    Some(name.trim().chars().take(LONGEST_NAME).collect::<String>()).filter(|name| !name.is_empty())
}

pub(super) fn now(served: &Served) -> String {
    served.settings.clock.now().to_string()
}

pub(super) fn unreadable(error: eval_format::ReportError) -> HttpFailure {
    HttpFailure::new(StatusCode::UNPROCESSABLE_ENTITY, error.message())
}
