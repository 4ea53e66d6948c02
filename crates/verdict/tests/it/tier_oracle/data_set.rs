//! Data sets of the oracle as runs leave them: suite, plan and records, analysed and decided by the program's own functions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eval_analysis::{Cells, GapHistory, Meta, RunStatus, analyse};
use eval_format::Analysis;
use eval_message::{Lang, msg};
use eval_spec::call::{ExecError, Failure, Outcome};

use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::sample::Metadata;
use eval_spec::suite::{Goal, Settings};
use eval_spec::units::Ratio;
use eval_spec::variant::Artifact;
use eval_spec::{
    Assertion, Cell, CellKey, Check, CheckOutcome, Grade, Identity, Judged, Layer, Opinion, Output, Sample, Suite,
    Variant,
};
use eval_verdict::decide;
use serde_json::{Value, json};

const TIME: &str = "2026-03-24T15:30:45Z";
/// Characters of scores, in tenths of a point from 1.
const SCALE: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcde";

/// A data set of `tier_oracle/data_sets.json`.
pub(super) struct DataSet<'a> {
    columns: Vec<Column<'a>>,
    clusters: &'a Value,
    capabilities: &'a Value,
    is_not_worse: bool,
    settings: &'a Value,
    /// Runs by arm, sample and repeat.
    runs: Vec<Vec<Vec<&'a str>>>,
    /// The arms in the order of the suite, the control first.
    pub(super) arms: Vec<usize>,
    /// The samples in the order of the suite.
    pub(super) samples: Vec<usize>,
}

/// A score of a run: of a layer, or of a judged dimension.
struct Column<'a> {
    layer: Layer,
    dimension: Option<&'a str>,
}

impl<'a> DataSet<'a> {
    pub(super) fn new(stored: &'a Value) -> DataSet<'a> {
        let column = |pair: &'a Value| Column {
            layer: serde_json::from_value(pair[0].clone()).unwrap(),
            dimension: pair[1].as_str(),
        };
        let samples = |arm: &'a Value| arm.as_str().unwrap().split(' ').map(|runs| runs.split(',').collect()).collect();
        let runs: Vec<Vec<Vec<&str>>> = stored["runs"].as_array().unwrap().iter().map(samples).collect();
        DataSet {
            columns: stored["columns"].as_array().unwrap().iter().map(column).collect(),
            clusters: &stored["clusters"],
            capabilities: &stored["capabilities"],
            is_not_worse: stored["notWorse"] == true,
            settings: &stored["settings"],
            arms: (0..runs.len()).collect(),
            samples: (0..runs[0].len()).collect(),
            runs,
        }
    }

    /// Returns the report on these runs.
    pub(super) fn report(&self, resamples: u32) -> Analysis {
        let names: Vec<Arc<str>> = self.arms.iter().map(|arm| format!("v{arm}").into()).collect();
        let number = |name: &str| self.settings[name].as_f64().unwrap();
        let suite = Suite {
            samples: self.samples.iter().map(|sample| self.sample(*sample)).collect(),
            variants: names.iter().map(|name| Variant::new(&**name, Artifact::baseline())).collect(),
            settings: Settings {
                judge: self.columns.iter().any(|column| column.dimension.is_some()),
                goal: if self.is_not_worse { Goal::NotWorse } else { Goal::Better },
                // a run with many failures is no valid measurement, which is not what is compared
                max_failure_rate: 1.0,
                min_effect: number("minEffect"),
                trivial_diff: number("trivialDiff"),
                threshold: number("threshold"),
                margin: number("margin"),
                bootstrap_samples: resamples,
                ..Settings::default()
            },
            knowledge: eval_spec::knowledge::KnowledgeBase::default(),
            warnings: Vec::new(),
        };
        let (plan, runs) = self.plan(&names);
        let read = |i: usize| Ok(Some(self.record(&plan.cells[i], runs[i])));
        let cells = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
        analyse(&suite, &cells, meta(&plan, &names), RunStatus::Complete).map(decide).unwrap()
    }

    fn plan(&self, names: &[Arc<str>]) -> (Plan, Vec<&'a str>) {
        let (mut cells, mut runs) = (Vec::new(), Vec::new());
        for (subject, &arm) in self.arms.iter().enumerate() {
            for (sample, &of) in self.samples.iter().enumerate() {
                for (repeat, run) in (0_u32..).zip(&self.runs[arm][of]) {
                    let key = CellKey { sample: id(of).into(), subject: names[subject].clone(), repeat };
                    cells.push(Cell { key, sample, subject, fingerprint: "f".into() });
                    runs.push(*run);
                }
            }
        }
        (Plan { cells, hash: "p".to_owned() }, runs)
    }

    /// Returns whether a run of the sample has a score in the column, or none has any.
    fn plans(&self, sample: usize, column: usize) -> bool {
        let runs = self.runs.iter().flat_map(|arm| &arm[sample]);
        let mut scored = runs.filter(|run| !run.starts_with('(')).peekable();
        scored.peek().is_none() || scored.any(|run| run.as_bytes()[column] != b'_')
    }

    fn sample(&self, sample: usize) -> Sample {
        let planned = || (0..self.columns.len()).filter(|&column| self.plans(sample, column));
        let dimension = |column: usize| Some((self.columns[column].dimension?.to_owned(), "Is it?".to_owned()));
        let texts = |names: &Value| names.as_array().into_iter().flatten().map(text).collect();
        Sample {
            trigger: None,
            id: id(sample),
            prompt: id(sample),
            context: None,
            keeps_urls: false,
            is_plain: false,
            inlined: None,
            compared: None,
            prompt_place: None,
            context_place: None,
            cwd: None,
            rubric: None,
            dimensions: planned().filter_map(dimension).collect(),
            assertions: planned()
                .filter(|column| self.columns[*column].dimension.is_none())
                .map(|column| assertion(sample, column))
                .collect(),
            metadata: Metadata {
                cluster: self.clusters.get(sample).filter(|name| !name.is_null()).map(text),
                capability: self.capabilities.get(sample).map(texts).unwrap_or_default(),
                ..Metadata::default()
            },
            mocks: Vec::new(),
            mock_places: Vec::new(),
            mocks_strict: false,
            tripwire: false,
            judge: None,
            environment: None,
            eval: None,
            place: None,
        }
    }

    fn record(&self, cell: &Cell, run: &str) -> Record {
        let scores = run.trim_end_matches(['!', '~']);
        let (result, grade) = match (ending(run), failure(run)) {
            (Some(outcome), _) => (Executed::Output(Box::new(Output { outcome, ..Output::text(String::new()) })), None),
            (_, Some(failure)) => (Executed::Failed(failed(failure)), None),
            _ => (Executed::Output(Box::new(Output::text("an answer"))), Some(self.grade(scores))),
        };
        let failed_attempts = match run.chars().last() {
            Some('!') => vec![failed(Failure::Timeout)],
            Some('~') => vec![failed(Failure::RateLimited)],
            _ => Vec::new(),
        };
        let execution = Execution {
            key: cell.key.clone(),
            fingerprint: "f".to_owned(),
            started_at: TIME.parse().unwrap(),
            finished_at: TIME.parse().unwrap(),
            failed_attempts,
            result,
            cached: false,
            given_at: None,
            earlier_failures: Vec::new(),
        };
        Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() }
    }

    fn grade(&self, scores: &str) -> Grade {
        let check = |(column, score): (&Column, char)| {
            let tenths = u32::try_from(SCALE.find(score)?).ok()?;
            Some(check(column, tenths))
        };
        Grade { checks: self.columns.iter().zip(scores.chars()).filter_map(check).collect() }
    }
}

/// Returns a check whose score lies so many tenths of a point above 1.
fn check(column: &Column, tenths: u32) -> Check {
    let opinion = || Opinion {
        judge: "judge".to_owned(),
        repeat: 0,
        score: Some(f64::from(10 + tenths) / 10.0),
        reasoning: String::new(),
        claims: Vec::new(),
        why: None,
        reply: None,
        failure: None,
        requests: 1,
        cost_usd: None,
    };
    let judged = |dimension: &str| {
        let opinions = vec![opinion()];
        let score = Judged::score_of(&opinions);
        Box::new(Judged { dimension: Some(dimension.to_owned()), lang: Lang::En, score, opinions })
    };
    Check {
        kind: column.dimension.map_or("contains", |_| "rubric").to_owned(),
        layer: column.layer,
        weight: 1.0,
        not: false,
        outcome: CheckOutcome::Rated { ratio: Ratio::new(f64::from(tenths) / 40.0).unwrap() },
        actual: None,
        message: None,
        score: None,
        children: Vec::new(),
        judged: column.dimension.map(judged),
    }
}

fn ending(run: &str) -> Option<Outcome> {
    match run {
        "(r" => Some(Outcome::Refused),
        "(t" => Some(Outcome::Truncated),
        "(e" => Some(Outcome::Empty),
        "(l" => Some(Outcome::LimitHit),
        _ => None,
    }
}

fn failure(run: &str) -> Option<Failure> {
    match run {
        "(T" => Some(Failure::Timeout),
        "(C" => Some(Failure::Crashed),
        _ => None,
    }
}

fn failed(failure: Failure) -> ExecError {
    ExecError::new(failure, msg!("report-missing-timeout"))
}

/// Returns an id; a few letters are never near-duplicates.
fn id(sample: usize) -> String {
    format!("s{sample}")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn assertion(sample: usize, column: usize) -> Assertion {
    let written = json!({ "type": "contains", "value": format!("w{sample}-{column}") });
    Assertion {
        kind: "contains".to_owned(),
        weight: 1.0,
        not: false,
        written: written.as_object().unwrap().clone(),
        children: Vec::new(),
        base: PathBuf::from("."),
        place: None,
        field_places: BTreeMap::new(),
    }
}

fn meta(plan: &Plan, names: &[Arc<str>]) -> Meta {
    Meta {
        id: "oracle".to_owned(),
        labels: names.iter().map(ToString::to_string).collect(),
        timestamp: TIME.parse().unwrap(),
        cli_version: "0.1.0".to_owned(),
        node_version: None,
        seed: 1,
        test_set_path: "eval-samples.yaml".to_owned(),
        test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
        project: None,
        sample_hashes: plan.cells.iter().map(|cell| (cell.key.sample.to_string(), "0123abcd".to_owned())).collect(),
        // an API that refuses a request selects no answer
        not_read: std::collections::BTreeSet::new(),
        executor: Identity { executor: "anthropic-api".to_owned(), ..Identity::default() },
        judge: None,
        regrade_of: None,
        earlier_looks: Vec::new(),
        earlier_readings: Vec::new(),
        hedging: None,
        gap_history: GapHistory::default(),
        imported: None,
        urls: Vec::new(),
        lost_calls: 0,
        skill_isolation: BTreeMap::new(),
        uncopied: Vec::new(),
        git: None,
        artifact_commits: BTreeMap::new(),
        gold: None,
    }
}
