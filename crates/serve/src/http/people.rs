//! `/run/{name}/people`: people's opinions next to the judges', and who is wrong where they disagree.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use eval_analysis::{PersonRating, people};
use eval_format::{BlindFile, Feedback, Settled, settle_feedback};
use eval_message::msg;
use eval_render::site::{DisputePlace, encoded, people_page};

use super::blind::{comparison, error_or_blind_page, now, unreadable};
use super::form::reply_to_form;
use super::reply::{HttpFailure, html, reply, see_other};
use super::served::Served;
use crate::library::OpenComparison;

/// Most samples with feedback on one page.
const MOST_SAMPLES: usize = 2000;

pub(super) async fn page(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, request| {
        let lost = |error| error_or_blind_page(served, request, &name, error);
        let report = served.settings.library.open(&name).map_err(lost)?;
        let comparison = comparison(&report)?;
        let report = with_feedback(comparison)?;
        let people = people(&report).map_err(unreadable)?;
        let mut disputed: Vec<&PersonRating> = people.ratings.iter().filter(|rating| rating.is_disputed()).collect();
        // a stable order for links; by default the first unsettled one is shown
        let wanted = request.value("n").parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        disputed.sort_by(|a, b| (&a.given.sample_id, &a.given.variant).cmp(&(&b.given.sample_id, &b.given.variant)));
        let first_open = || disputed.iter().position(|rating| rating.given.settled.is_none());
        let shown =
            wanted.filter(|index| *index < disputed.len()).or_else(first_open).or((!disputed.is_empty()).then_some(0));
        let place = shown.and_then(|shown| {
            let rating = disputed[shown];
            let result = report.results.iter().find(|result| result.sample_id == rating.given.sample_id)?;
            Some(DisputePlace { number: shown + 1, rating, result })
        });
        let blind_file = BlindFile::beside(&served.settings.library.path(&name).map_err(lost)?).map_err(unreadable)?;
        let revealed = blind_file.as_ref().and_then(BlindFile::revealed_at);
        people_page(&comparison.analysis, &people, disputed.len(), place.as_ref(), revealed, &request.frame(served))
            .map(html)
            .map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// Returns the report with the results that have feedback.
fn with_feedback(comparison: &OpenComparison) -> Result<eval_format::Report, HttpFailure> {
    let ids: BTreeSet<&str> =
        comparison.analysis.feedback.iter().map(|opinion: &Feedback| opinion.sample_id.as_str()).collect();
    let places = ids.into_iter().filter_map(|id| comparison.place(id)).take(MOST_SAMPLES);
    let results =
        places.map(|place| comparison.result(place)).collect::<Result<Vec<_>, _>>().map_err(HttpFailure::bad)?;
    Ok(comparison.analysis.clone().with_results(results))
}

/// Settles one disagreement, and redirects to the next.
pub(super) async fn settle(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    reply_to_form(&served, &uri, (&headers, body), move |served, request, sent| {
        let value = |field| sent.value(field);
        let settled = Settled::named(value("settled"));
        let unknown = || HttpFailure::bad(msg!("site-settle-unknown", settled = value("settled")));
        let settled = settled.ok_or_else(unknown)?;
        let lost = |error| HttpFailure::library(served, &name, error);
        let path = served.settings.library.path(&name).map_err(lost)?;
        let about = (value("sample_id"), value("variant"));
        let count = settle_feedback(&path, about, Some(value("by")), settled, &now(served)).map_err(unreadable)?;
        if count == 0 {
            return Err(HttpFailure::bad(msg!("site-settle-none")));
        }
        let lang = request.linked_lang(served).map(|tag| format!("?lang={tag}")).unwrap_or_default();
        Ok(see_other(&format!("/run/{}/people{lang}#dispute", encoded(&name))))
    })
    .await
}
