//! Runs that have no report yet, from their journals.

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_render::site::{LiveLooks, LiveRow, LiveView};
use eval_run::{LiveRun, RunProgress, journal_path, journals_under_way};
use eval_spec::CellKey;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Library, locked};

/// What the header of a journal says of its run.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// Where its report will be.
    pub reports: PathBuf,
    /// Executions that are planned.
    pub planned: Option<u64>,
    /// What may be spent, in US dollars.
    pub budget_usd: Option<f64>,
    /// Whether it ends when it is decided.
    pub stops_when_decided: bool,
    /// Whether the names of its variants are hidden.
    pub blind: bool,
    /// The command that goes on with it.
    pub resume: String,
}

/// Journals that were read, as far as they were.
#[derive(Debug, Default)]
pub(super) struct LiveRuns(BTreeMap<PathBuf, LiveRun>);

impl Library {
    /// The runs under way whose reports will be in this directory.
    #[must_use]
    pub fn live_rows(&self) -> Vec<LiveRow> {
        let paths = journals_under_way(&self.at.home).unwrap_or_default();
        locked(&self.live).0.retain(|path, _| paths.contains(path));
        paths.into_iter().filter_map(|path| self.live_at(path, Timestamp::now())).map(|view| view.row).collect()
    }

    /// A run without a report, whether or not a program is at it.
    #[must_use]
    pub fn live(&self, id: &str, now: Timestamp) -> Option<LiveView> {
        self.live_at(journal_path(&self.at.home, id), now).filter(|view| view.row.id == id)
    }

    fn live_at(&self, path: PathBuf, now: Timestamp) -> Option<LiveView> {
        let mut runs = locked(&self.live);
        if !runs.0.contains_key(&path) {
            runs.0.insert(path.clone(), LiveRun::open(&path).ok()?);
        }
        let run = runs.0.get_mut(&path)?;
        let facts = (self.at.facts)(run.header()).filter(|facts| facts.reports == self.at.reports)?;
        let facts = RunFacts { blind: facts.blind || self.at.blind, ..facts };
        let progress = run.update().ok()?;
        let view = view(run, facts, progress, now);
        if !view.is_under_way {
            runs.0.remove(&path);
        }
        Some(view)
    }
}

/// A cell; of a blind run without its variant.
fn shown(key: &CellKey, blind: bool) -> String {
    match blind {
        true => CellKey { subject: "…".into(), ..key.clone() }.to_string(),
        false => key.to_string(),
    }
}

/// Where a run is that may end early, as far as its journal says which samples each look takes in.
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
        awaited: awaited
            .map(|call| (shown(&call.key, facts.blind), call.is_judgement, call.since.map(seconds)))
            .collect(),
        command: facts.resume,
    }
}
