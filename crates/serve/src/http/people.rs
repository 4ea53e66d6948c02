//! `/run/{name}/people`: what people said, beside the judges, and who is wrong where the two disagree.

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

use super::blind::{comparison, leading, now, unreadable};
use super::form::reply_to_form;
use super::reply::{HttpFailure, html, reply, see_other};
use super::served::Served;
use crate::library::OpenComparison;

/// Samples with feedback that are read for one page.
const MOST_SAMPLES: usize = 2000;

pub(super) async fn page(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, asked| {
        let lost = |error| leading(served, asked, &name, error);
        let report = served.settings.library.open(&name).map_err(lost)?;
        let of = comparison(&report)?;
        let report = with_feedback(of)?;
        let found = people(&report).map_err(unreadable)?;
        let mut disputed: Vec<&PersonRating> = found.ratings.iter().filter(|of| of.is_disputed()).collect();
        // a stable order for links; the first one that is open is shown
        let wanted = asked.value("n").parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        disputed.sort_by(|a, b| (&a.given.sample_id, &a.given.variant).cmp(&(&b.given.sample_id, &b.given.variant)));
        let first_open = || disputed.iter().position(|of| of.given.settled.is_none());
        let shown =
            wanted.filter(|at| *at < disputed.len()).or_else(first_open).or((!disputed.is_empty()).then_some(0));
        let place = shown.and_then(|at| {
            let rating = disputed[at];
            let result = report.results.iter().find(|of| of.sample_id == rating.given.sample_id)?;
            Some(DisputePlace { number: at + 1, rating, result })
        });
        let beside = BlindFile::beside(&served.settings.library.path(&name).map_err(lost)?).map_err(unreadable)?;
        let revealed = beside.as_ref().and_then(BlindFile::revealed_at);
        people_page(&of.analysis, &found, disputed.len(), place.as_ref(), revealed, &asked.frame(served))
            .map(html)
            .map_err(|error| HttpFailure::page(&error))
    })
    .await
}

/// The report with the results that feedback is about.
fn with_feedback(of: &OpenComparison) -> Result<eval_format::Report, HttpFailure> {
    let ids: BTreeSet<&str> = of.analysis.feedback.iter().map(|of: &Feedback| of.sample_id.as_str()).collect();
    let places = ids.into_iter().filter_map(|id| of.place(id)).take(MOST_SAMPLES);
    let results = places.map(|place| of.result(place)).collect::<Result<Vec<_>, _>>().map_err(HttpFailure::bad)?;
    Ok(of.analysis.clone().with_results(results))
}

/// Settles one disagreement, and leads to the next.
pub(super) async fn settle(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    reply_to_form(&served, &uri, (&headers, body), move |served, asked, sent| {
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
        let lang = asked.linked_lang(served).map(|tag| format!("?lang={tag}")).unwrap_or_default();
        Ok(see_other(&format!("/run/{}/people{lang}#dispute", encoded(&name))))
    })
    .await
}
