//! Comparisons that are read blind: the page that takes opinions, and the reveal. No other address shows anything of them,
//! since the library opens them for this one only.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use eval_format::{BlindFile, Feedback, Seal, add_feedback, newest_feedback, reader_name, reveal_report, seal_report};
use eval_message::msg;
use eval_message::plain::clip;
use eval_render::site::{
    BlindPlace, BlindSet, GivenOpinion, blind_page, blind_start_page, encoded, sample_path, stars_field,
};
use jiff::Timestamp;
use serde_json::Value;

use super::feedback::{comment, no_rating, rating};
use super::form::{SentFields, reply_to_form};
use super::reply::{HttpFailure, html, reply, see_other};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::{AnswerSet, AnswerSets, LibraryError, OpenComparison, OpenReport, token_of};

/// Of a page about a report: one that is read blind leads to where that is done.
pub(super) fn leading(served: &Served, asked: &SiteRequest, name: &str, error: LibraryError) -> HttpFailure {
    match error {
        LibraryError::Closed(name) => HttpFailure::elsewhere(page_of(&name, served, asked, &[])),
        error => HttpFailure::library(served, name, error),
    }
}

/// The address of the page for the comparison of this name.
pub(super) fn page_of(name: &str, served: &Served, asked: &SiteRequest, query: &[(&str, &str)]) -> String {
    asked.frame(served).link(&format!("/blind/{}", token_of(name)), query)
}

/// `/run/{name}/blind`: offers to read a comparison blind.
pub(super) async fn start(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let lost = |error| leading(served, asked, &name, error);
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
        let lost = |error| leading(served, asked, &name, error);
        comparison(&*served.settings.library.open(&name).map_err(lost)?)?;
        let path = served.settings.library.path(&name).map_err(lost)?;
        seal_report(&path, &now(served)).map_err(unreadable)?;
        Ok(see_other(&page_of(&name, served, asked, &[])))
    })
    .await
}

/// The page of one sample, or of what is left to do.
pub(super) async fn page(State(served): State<Arc<Served>>, Path(token): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let name = named(served, &token)?;
        if !is_closed(served, &name)? {
            return Ok(see_other(&asked.frame(served).link(&format!("/run/{}", encoded(&name)), &[])));
        }
        let (path, report) = opened(served, &name)?;
        let of = comparison(&report)?;
        // what only the server's own flag hides is closed in earnest before anybody judges it
        let seal = seal_report(&path, &now(served)).map_err(unreadable)?;
        let AnswerSets { sets, left_out } = AnswerSets::of(of, &seal);
        let by = reader_name(asked.value("by"));
        let said = SaidBefore::of(of, &seal, &by);
        let wanted = numbered(asked.value("n"), sets.len())?;
        let judged: Vec<bool> = sets.iter().map(|set| said.is_judged(of, set)).collect();
        let shown = wanted.or_else(|| judged.iter().position(|is_judged| !is_judged));
        let result = shown.map(|at| of.result(sets[at].place)).transpose().map_err(HttpFailure::bad)?;
        let place = BlindPlace {
            total: sets.len(),
            judged: judged.into_iter().filter(|is_judged| *is_judged).count(),
            left_out,
            by,
            round: seal.round(),
            was_open: !asked.value(WAS_OPEN).is_empty(),
            set: shown.zip(result.as_ref()).map(|(at, result)| BlindSet {
                number: at + 1,
                result,
                variants: &sets[at].variants,
                is_rated: is_rated(of),
                given: said.given(of, &sets[at]),
            }),
        };
        blind_page(&place, &asked.frame(served)).map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// In the query of the page: what the reader sent last doesn't count as blind.
pub(super) const WAS_OPEN: &str = "open";

/// Whether each answer is rated: of more than two, pairs would show the control's again and again.
fn is_rated(of: &OpenComparison) -> bool {
    of.analysis.meta.variants.len() > 2
}

/// What a reader said under a seal, the newest of each.
struct SaidBefore<'r>(HashMap<(&'r str, &'r str, Option<&'r str>), &'r Feedback>);

impl<'r> SaidBefore<'r> {
    fn of(of: &'r OpenComparison, seal: &Seal, by: &Option<String>) -> SaidBefore<'r> {
        let since = seal.at.parse::<Timestamp>().ok();
        let is_theirs =
            |opinion: &&Feedback| opinion.by == *by && opinion.blind && opinion.at.parse::<Timestamp>().ok() >= since;
        let key = |of: &'r Feedback| (of.sample_id.as_str(), of.variant.as_str(), of.than.as_deref());
        let newest: Vec<&Feedback> = newest_feedback(&of.analysis.feedback).into_iter().filter(is_theirs).collect();
        // a note that came alone takes no button and no stars away
        let (notes, judged): (Vec<&Feedback>, Vec<&Feedback>) = newest.into_iter().partition(|of| of.is_comment());
        SaidBefore(notes.into_iter().chain(judged).map(|opinion| (key(opinion), opinion)).collect())
    }

    fn stars(&self, set: &AnswerSet, variant: &str) -> Option<&Feedback> {
        self.0.get(&(set.sample.as_str(), variant, None)).copied()
    }

    fn is_judged(&self, of: &OpenComparison, set: &AnswerSet) -> bool {
        match is_rated(of) {
            true => set.variants.iter().all(|variant| self.stars(set, variant).is_some_and(|of| of.rating.is_some())),
            false => self.given(of, set).button.is_some(),
        }
    }

    fn given(&self, of: &OpenComparison, set: &AnswerSet) -> GivenOpinion {
        let stars: Vec<Option<&Feedback>> = set.variants.iter().map(|variant| self.stars(set, variant)).collect();
        let compared: Vec<&Feedback> = preferring(of, set)
            .filter_map(|(treatment, control)| {
                self.0.get(&(set.sample.as_str(), set.variants[treatment].as_str(), Some(&*set.variants[control])))
            })
            .copied()
            .collect();
        let note = compared.iter().chain(stars.iter().flatten()).find_map(|of| of.comment.clone());
        let preference = compared.first().and_then(|of| of.preference);
        let of_left =
            preference.map(|of| if set.variants[0] == compared[0].variant { of } else { of.saturating_neg() });
        GivenOpinion {
            button: of_left.and_then(|of_left| u8::try_from(3_i8.saturating_sub(of_left)).ok()),
            stars: stars.into_iter().map(|of| of.and_then(|of| of.rating)).collect(),
            note: note.unwrap_or_default(),
        }
    }
}

/// The places in a set of each treatment and the control that it is compared with.
fn preferring(of: &OpenComparison, set: &AnswerSet) -> impl Iterator<Item = (usize, usize)> {
    let control = set.variants.iter().position(|name| Some(name) == of.analysis.meta.variants.first());
    control
        .into_iter()
        .flat_map(|control| (0..set.variants.len()).filter(move |at| *at != control).map(move |at| (at, control)))
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
        let (path, report) = opened(served, &name)?;
        let round = sent.value("round");
        let beside = BlindFile::beside(&path).map_err(unreadable)?;
        let seal = beside.as_ref().and_then(|of| of.seal_of(round));
        let seal = seal.ok_or_else(|| HttpFailure::bad(msg!("site-blind-stale")))?;
        if sent.value("act") == "reveal" {
            reveal_report(&path, &now(served), Some(round)).map_err(unreadable)?;
            // An earlier round's page reveals nothing, and learns no address that has names in it.
            let next = match is_closed(served, &name)? {
                true => page_of(&name, served, asked, &[]),
                false => asked.frame(served).link(&format!("/run/{}", encoded(&name)), &[]),
            };
            return Ok(see_other(&next));
        }
        let by = reader_name(sent.value("by"));
        let opinions = opinions(comparison(&report)?, seal, sent, &by, &now(served))?;
        let stored = add_feedback(&path, opinions, Some(round)).map_err(unreadable)?;
        let was_open = if stored.iter().any(|of| !of.blind) { "1" } else { "" };
        // where nothing is hidden any more, the page of the sample shows it, and that it isn't blind
        if let Some(of) = stored.first().filter(|_| !was_open.is_empty())
            && !is_closed(served, &name)?
        {
            let sample = asked.frame(served).link(&sample_path(&name, &of.sample_id), &[]);
            return Ok(see_other(&format!("{sample}#feedback")));
        }
        let query = [("by", by.as_deref().unwrap_or_default()), (WAS_OPEN, was_open)];
        Ok(see_other(&page_of(&name, served, asked, &query)))
    })
    .await
}

/// The opinions that a form has: which answer is better, and stars for each.
fn opinions(
    of: &OpenComparison,
    seal: &Seal,
    sent: &SentFields,
    by: &Option<String>,
    now: &str,
) -> Result<Vec<Feedback>, HttpFailure> {
    let sets = AnswerSets::of(of, seal).sets;
    let at = numbered(sent.value("n"), sets.len())?;
    let set = at.and_then(|at| sets.get(at)).ok_or_else(|| HttpFailure::bad(msg!("site-blind-stale")))?;
    let stars: Vec<Option<u8>> =
        (0..set.variants.len()).map(|at| stars(sent.value(&stars_field(at)))).collect::<Result<_, _>>()?;
    let about = |at: usize| Feedback {
        sample_id: set.sample.clone(),
        variant: set.variants[at].clone(),
        than: None,
        preference: None,
        rating: None,
        comment: None,
        blind: false,
        by: by.clone(),
        at: now.to_owned(),
        settled: None,
    };
    let of_left = match is_rated(of) {
        true if stars.contains(&None) => return Err(HttpFailure::bad(msg!("site-blind-unrated"))),
        true => None,
        false => button(sent.value("preference"))?,
    };
    let preference = |(treatment, control): (usize, usize)| {
        let rated = || Some(signed(stars[treatment]?) - signed(stars[control]?));
        let preference = match is_rated(of) {
            true => rated()?.clamp(-2, 2),
            false => of_left.map(|of_left| if treatment == 0 { of_left } else { -of_left })?,
        };
        Some(Feedback { than: Some(set.variants[control].clone()), preference: Some(preference), ..about(treatment) })
    };
    let rated = stars.iter().enumerate().filter(|(_, stars)| stars.is_some());
    let rated = rated.map(|(at, stars)| Feedback { rating: *stars, ..about(at) });
    let mut all: Vec<Feedback> = preferring(of, set).filter_map(preference).chain(rated).collect();
    let first = all.first_mut().ok_or_else(|| HttpFailure::bad(msg!("site-blind-unjudged")))?;
    first.comment = comment(Some(sent.value("note").replace("\r\n", "\n")))?;
    Ok(all)
}

fn stars(given: &str) -> Result<Option<u8>, HttpFailure> {
    match given {
        "" => Ok(None),
        given => rating(&given.parse::<u64>().map_or(Value::String(given.to_owned()), Value::from)),
    }
}

fn signed(stars: u8) -> i8 {
    i8::try_from(stars).unwrap_or(i8::MAX)
}

/// From the buttons, 1 the left answer much better to 5 the right one, to how much better the left one is.
fn button(given: &str) -> Result<Option<i8>, HttpFailure> {
    if given.is_empty() {
        return Ok(None);
    }
    let number = given.parse::<i8>().ok().filter(|number| (1..=5).contains(number));
    number.map(|number| Some(3 - number)).ok_or_else(|| no_rating(given))
}

fn named(served: &Served, token: &str) -> Result<String, HttpFailure> {
    served.settings.library.of_token(token).ok_or_else(|| HttpFailure::not_found(msg!("site-no-page")))
}

fn opened(served: &Served, name: &str) -> Result<(PathBuf, Arc<OpenReport>), HttpFailure> {
    served.settings.library.open_closed(name).map_err(|error| HttpFailure::library(served, "…", error))
}

pub(super) fn is_closed(served: &Served, name: &str) -> Result<bool, HttpFailure> {
    match served.settings.library.path(name) {
        Ok(_) => Ok(false),
        Err(LibraryError::Closed(_)) => Ok(true),
        Err(error) => Err(HttpFailure::library(served, "…", error)),
    }
}

pub(super) fn comparison(report: &OpenReport) -> Result<&OpenComparison, HttpFailure> {
    match report {
        OpenReport::Comparison(of) => Ok(of),
        OpenReport::Skills(_) => Err(HttpFailure::not_found(msg!("site-no-page"))),
    }
}

/// The place of a set by its number, from 1; `None` where none is named.
fn numbered(number: &str, total: usize) -> Result<Option<usize>, HttpFailure> {
    if number.is_empty() {
        return Ok(None);
    }
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|at| *at < total);
    let none = || HttpFailure::not_found(msg!("site-blind-no-number", number = clip(number, 20), total = total));
    at.map(Some).ok_or_else(none)
}

pub(super) fn now(served: &Served) -> String {
    served.settings.clock.now().to_string()
}

pub(super) fn unreadable(error: eval_format::ReportError) -> HttpFailure {
    HttpFailure::new(StatusCode::UNPROCESSABLE_ENTITY, error.message())
}
