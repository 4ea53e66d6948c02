//! Blind comparisons: the page that takes opinions, and the reveal. Other addresses show nothing of a closed
//! comparison, since the library opens it for this one only.

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

/// Converts an error of a page about a report; a closed comparison redirects to its blind page.
pub(super) fn error_or_blind_page(
    served: &Served,
    request: &SiteRequest,
    name: &str,
    error: LibraryError,
) -> HttpFailure {
    match error {
        LibraryError::Closed(name) => HttpFailure::elsewhere(blind_page_of(&name, served, request, &[])),
        error => HttpFailure::library(served, name, error),
    }
}

/// Returns the address of the blind page of a comparison.
pub(super) fn blind_page_of(name: &str, served: &Served, request: &SiteRequest, query: &[(&str, &str)]) -> String {
    request.frame(served).link(&format!("/blind/{}", token_of(name)), query)
}

/// `/run/{name}/blind`: offers to judge a comparison blind.
pub(super) async fn start(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let lost = |error| error_or_blind_page(served, request, &name, error);
        let report = served.settings.library.open(&name).map_err(lost)?;
        let comparison = comparison(&report)?;
        let revealed = BlindFile::beside(&served.settings.library.path(&name).map_err(lost)?).map_err(unreadable)?;
        let revealed = revealed.as_ref().and_then(BlindFile::revealed_at);
        blind_start_page(&comparison.analysis, revealed, &request.frame(served))
            .map(html)
            .map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// Closes a comparison until its names are revealed.
pub(super) async fn seal(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let lost = |error| error_or_blind_page(served, request, &name, error);
        comparison(&*served.settings.library.open(&name).map_err(lost)?)?;
        let path = served.settings.library.path(&name).map_err(lost)?;
        seal_report(&path, &now(served)).map_err(unreadable)?;
        Ok(see_other(&blind_page_of(&name, served, request, &[])))
    })
    .await
}

/// `/blind/{token}`: the page of one sample, or of the remaining work.
pub(super) async fn page(State(served): State<Arc<Served>>, Path(token): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let name = named(served, &token)?;
        if !is_closed(served, &name)? {
            return Ok(see_other(&request.frame(served).link(&format!("/run/{}", encoded(&name)), &[])));
        }
        let (path, report) = opened(served, &name)?;
        let comparison = comparison(&report)?;
        // a comparison hidden by the server's flag only is sealed before anybody judges it
        let seal = seal_report(&path, &now(served)).map_err(unreadable)?;
        let AnswerSets { sets, left_out } = AnswerSets::draw(comparison, &seal);
        let by = reader_name(request.value("by"));
        let said = SaidBefore::collect(comparison, &seal, &by);
        let wanted = numbered(request.value("n"), sets.len())?;
        let judged: Vec<bool> = sets.iter().map(|set| said.is_judged(comparison, set)).collect();
        let shown = wanted.or_else(|| judged.iter().position(|is_judged| !is_judged));
        let result = shown.map(|shown| comparison.result(sets[shown].place)).transpose().map_err(HttpFailure::bad)?;
        let place = BlindPlace {
            total: sets.len(),
            judged: judged.into_iter().filter(|is_judged| *is_judged).count(),
            left_out,
            by,
            round: seal.round(),
            was_open: !request.value(WAS_OPEN).is_empty(),
            set: shown.zip(result.as_ref()).map(|(index, result)| BlindSet {
                number: index + 1,
                result,
                variants: &sets[index].variants,
                is_rated: is_rated(comparison),
                given: said.given(comparison, &sets[index]),
            }),
        };
        blind_page(&place, &request.frame(served)).map(html).map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// Query parameter: the reader's last opinion was not blind.
pub(super) const WAS_OPEN: &str = "open";

/// Returns `true` if each answer is rated instead of compared: pairs of more than two answers would repeat the
/// control's.
fn is_rated(comparison: &OpenComparison) -> bool {
    comparison.analysis.meta.variants.len() > 2
}

/// A reader's newest opinions under a seal, by sample, variant and compared variant.
struct SaidBefore<'r>(HashMap<(&'r str, &'r str, Option<&'r str>), &'r Feedback>);

impl<'r> SaidBefore<'r> {
    fn collect(comparison: &'r OpenComparison, seal: &Seal, by: &Option<String>) -> SaidBefore<'r> {
        let since = seal.at.parse::<Timestamp>().ok();
        let is_theirs =
            |opinion: &&Feedback| opinion.by == *by && opinion.blind && opinion.at.parse::<Timestamp>().ok() >= since;
        let key =
            |opinion: &'r Feedback| (opinion.sample_id.as_str(), opinion.variant.as_str(), opinion.than.as_deref());
        let newest: Vec<&Feedback> =
            newest_feedback(&comparison.analysis.feedback).into_iter().filter(is_theirs).collect();
        // a later comment alone doesn't replace a preference or stars
        let (notes, judged): (Vec<&Feedback>, Vec<&Feedback>) =
            newest.into_iter().partition(|opinion| opinion.is_comment());
        SaidBefore(notes.into_iter().chain(judged).map(|opinion| (key(opinion), opinion)).collect())
    }

    fn stars(&self, set: &AnswerSet, variant: &str) -> Option<&Feedback> {
        self.0.get(&(set.sample.as_str(), variant, None)).copied()
    }

    fn is_judged(&self, comparison: &OpenComparison, set: &AnswerSet) -> bool {
        match is_rated(comparison) {
            true => set
                .variants
                .iter()
                .all(|variant| self.stars(set, variant).is_some_and(|opinion| opinion.rating.is_some())),
            false => self.given(comparison, set).button.is_some(),
        }
    }

    fn given(&self, comparison: &OpenComparison, set: &AnswerSet) -> GivenOpinion {
        let stars: Vec<Option<&Feedback>> = set.variants.iter().map(|variant| self.stars(set, variant)).collect();
        let compared: Vec<&Feedback> = preferring(comparison, set)
            .filter_map(|(treatment, control)| {
                self.0.get(&(set.sample.as_str(), set.variants[treatment].as_str(), Some(&*set.variants[control])))
            })
            .copied()
            .collect();
        let note = compared.iter().chain(stars.iter().flatten()).find_map(|opinion| opinion.comment.clone());
        let preference = compared.first().and_then(|opinion| opinion.preference);
        let of_left = preference.map(|preference| {
            if set.variants[0] == compared[0].variant { preference } else { preference.saturating_neg() }
        });
        GivenOpinion {
            button: of_left.and_then(|of_left| u8::try_from(3_i8.saturating_sub(of_left)).ok()),
            stars: stars.into_iter().map(|opinion| opinion.and_then(|opinion| opinion.rating)).collect(),
            note: note.unwrap_or_default(),
        }
    }
}

/// Returns the indexes in a set of each treatment and of the control that it is compared with.
fn preferring(comparison: &OpenComparison, set: &AnswerSet) -> impl Iterator<Item = (usize, usize)> {
    let control = set.variants.iter().position(|name| Some(name) == comparison.analysis.meta.variants.first());
    control.into_iter().flat_map(|control| {
        (0..set.variants.len()).filter(move |index| *index != control).map(move |index| (index, control))
    })
}

/// Stores an opinion, or reveals the names.
pub(super) async fn opinion(
    State(served): State<Arc<Served>>,
    Path(token): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    reply_to_form(&served, &uri, (&headers, body), move |served, request, sent| {
        let name = named(served, &token)?;
        let (path, report) = opened(served, &name)?;
        let round = sent.value("round");
        let blind_file = BlindFile::beside(&path).map_err(unreadable)?;
        let seal = blind_file.as_ref().and_then(|file| file.seal_of(round));
        let seal = seal.ok_or_else(|| HttpFailure::bad(msg!("site-blind-stale")))?;
        if sent.value("act") == "reveal" {
            reveal_report(&path, &now(served), Some(round)).map_err(unreadable)?;
            // The page of an earlier round reveals nothing, and gets no address that contains names.
            let next = match is_closed(served, &name)? {
                true => blind_page_of(&name, served, request, &[]),
                false => request.frame(served).link(&format!("/run/{}", encoded(&name)), &[]),
            };
            return Ok(see_other(&next));
        }
        let by = reader_name(sent.value("by"));
        let opinions = opinions(comparison(&report)?, seal, sent, &by, &now(served))?;
        let stored = add_feedback(&path, opinions, Some(round)).map_err(unreadable)?;
        let was_open = if stored.iter().any(|opinion| !opinion.blind) { "1" } else { "" };
        // if names are shown again, the sample's page shows the opinion, marked as not blind
        if let Some(opinion) = stored.first().filter(|_| !was_open.is_empty())
            && !is_closed(served, &name)?
        {
            let sample = request.frame(served).link(&sample_path(&name, &opinion.sample_id), &[]);
            return Ok(see_other(&format!("{sample}#feedback")));
        }
        let query = [("by", by.as_deref().unwrap_or_default()), (WAS_OPEN, was_open)];
        Ok(see_other(&blind_page_of(&name, served, request, &query)))
    })
    .await
}

/// Reads the opinions of a form: the preferred answer, and stars for each.
fn opinions(
    comparison: &OpenComparison,
    seal: &Seal,
    sent: &SentFields,
    by: &Option<String>,
    now: &str,
) -> Result<Vec<Feedback>, HttpFailure> {
    let sets = AnswerSets::draw(comparison, seal).sets;
    let index = numbered(sent.value("n"), sets.len())?;
    let set = index.and_then(|index| sets.get(index)).ok_or_else(|| HttpFailure::bad(msg!("site-blind-stale")))?;
    let stars: Vec<Option<u8>> =
        (0..set.variants.len()).map(|index| stars(sent.value(&stars_field(index)))).collect::<Result<_, _>>()?;
    let about = |index: usize| Feedback {
        sample_id: set.sample.clone(),
        variant: set.variants[index].clone(),
        than: None,
        preference: None,
        rating: None,
        comment: None,
        blind: false,
        by: by.clone(),
        at: now.to_owned(),
        settled: None,
    };
    let of_left = match is_rated(comparison) {
        true if stars.contains(&None) => return Err(HttpFailure::bad(msg!("site-blind-unrated"))),
        true => None,
        false => button(sent.value("preference"))?,
    };
    let preference = |(treatment, control): (usize, usize)| {
        let rated = || Some(signed(stars[treatment]?) - signed(stars[control]?));
        let preference = match is_rated(comparison) {
            true => rated()?.clamp(-2, 2),
            false => of_left.map(|of_left| if treatment == 0 { of_left } else { -of_left })?,
        };
        Some(Feedback { than: Some(set.variants[control].clone()), preference: Some(preference), ..about(treatment) })
    };
    let rated = stars.iter().enumerate().filter(|(_, stars)| stars.is_some());
    let rated = rated.map(|(index, stars)| Feedback { rating: *stars, ..about(index) });
    let mut all: Vec<Feedback> = preferring(comparison, set).filter_map(preference).chain(rated).collect();
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

/// Converts the buttons, from 1 (left answer much better) to 5 (right one), to a preference for the left answer.
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
        OpenReport::Comparison(comparison) => Ok(comparison),
        OpenReport::Skills(_) => Err(HttpFailure::not_found(msg!("site-no-page"))),
    }
}

/// Converts the number of a set, from 1, to its index; `None` for an empty number.
fn numbered(number: &str, total: usize) -> Result<Option<usize>, HttpFailure> {
    if number.is_empty() {
        return Ok(None);
    }
    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|index| *index < total);
    let none = || HttpFailure::not_found(msg!("site-blind-no-number", number = clip(number, 20), total = total));
    index.map(Some).ok_or_else(none)
}

pub(super) fn now(served: &Served) -> String {
    served.settings.clock.now().to_string()
}

pub(super) fn unreadable(error: eval_format::ReportError) -> HttpFailure {
    HttpFailure::new(StatusCode::UNPROCESSABLE_ENTITY, error.message())
}
