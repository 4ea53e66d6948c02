//! Runs without a report, from their journals.

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_render::site::{LiveLooks, LiveRow, LiveView};
use eval_run::{LiveRun, RunProgress, journal_path, journals_under_way};
use eval_spec::CellKey;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Library, locked};

/// Facts about a run from the header of its journal.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// Directory of its future report.
    pub reports: PathBuf,
    /// Planned executions.
    pub planned: Option<u64>,
    /// Budget, in US dollars.
    pub budget_usd: Option<f64>,
    /// The run ends when it is decided.
    pub stops_when_decided: bool,
    /// The names of its variants are hidden.
    pub blind: bool,
    /// Command that resumes it.
    pub resume: String,
}

/// Open journals with their read positions.
#[derive(Debug, Default)]
pub(super) struct LiveRuns(BTreeMap<PathBuf, LiveRun>);

impl Library {
    /// Returns the active runs whose reports will be in this directory.
    #[must_use]
    pub fn live_rows(&self) -> Vec<LiveRow> {
        let paths = journals_under_way(&self.settings.home).unwrap_or_default();
        locked(&self.live).0.retain(|path, _| paths.contains(path));
        paths.into_iter().filter_map(|path| self.live_at(path, Timestamp::now())).map(|view| view.row).collect()
    }

    /// Returns a run without a report, active or not.
    #[must_use]
    pub fn live(&self, id: &str, now: Timestamp) -> Option<LiveView> {
        self.live_at(journal_path(&self.settings.home, id), now).filter(|view| view.row.id == id)
    }

    fn live_at(&self, path: PathBuf, now: Timestamp) -> Option<LiveView> {
        let mut runs = locked(&self.live);
        if !runs.0.contains_key(&path) {
            runs.0.insert(path.clone(), LiveRun::open(&path).ok()?);
        }
        let run = runs.0.get_mut(&path)?;
        let facts = (self.settings.facts)(run.header()).filter(|facts| facts.reports == self.settings.reports)?;
        let facts = RunFacts { blind: facts.blind || self.settings.blind, ..facts };
        let progress = run.update().ok()?;
        let view = view(run, facts, progress, now);
        if !view.is_under_way {
            runs.0.remove(&path);
        }
        Some(view)
    }
}

/// Formats a cell, without its variant in a blind run.
fn shown(key: &CellKey, blind: bool) -> String {
    match blind {
        true => CellKey { subject: "…".into(), ..key.clone() }.to_string(),
        false => key.to_string(),
    }
}

/// Returns the state of the planned looks, if the journal has the samples of each.
fn looks(run: &LiveRun, facts: &RunFacts, progress: &RunProgress) -> Option<LiveLooks> {
    let header = run.header();
    let samples = header.inputs.get("samples").and_then(Value::as_object).map_or(0, Map::len) as u64;
    let cells = facts.planned?.checked_div(samples)?;
    let (taken, finished) = run.looked(progress, cells);
    let planned = header.looks.iter().map(Vec::len).sum();
    (planned > 0).then_some(LiveLooks { taken, most: header.looks.len(), finished, planned })
}

fn view(run: &LiveRun, facts: RunFacts, progress: RunProgress, now: Timestamp) -> LiveView {
    let header = run.header();
    let seconds = |since: Timestamp| now.as_second().saturating_sub(since.as_second()).max(0);
    let is_under_way = run.is_under_way();
    let looks = looks(run, &facts, &progress);
    let awaited = progress.awaited.iter().filter(|_| is_under_way);
    LiveView {
        row: LiveRow { id: header.id.clone(), finished: progress.finished, planned: facts.planned },
        started_at: header.started_at.to_string(),
        is_under_way,
        failed: progress.failed.into_iter().collect(),
        spent_usd: progress.spent.known.0,
        assumed_usd: progress.spent.assumed.0,
        is_more_unknown: progress.spent.unknown > 0,
        budget_usd: facts.budget_usd,
        stops_when_decided: facts.stops_when_decided,
        looks,
        awaited: awaited.map(|call| (shown(&call.key, facts.blind), call.is_judgement, seconds(call.since))).collect(),
        command: facts.resume,
    }
}
