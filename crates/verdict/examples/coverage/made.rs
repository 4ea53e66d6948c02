//! A data set as a run leaves it: suite, plan and records, in memory; analysed and decided by the program's own functions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eval_analysis::{Cells, Meta, RunStatus, analyse};
use eval_format::{Analysis, Tier};
use eval_message::msg;
use eval_spec::call::{ExecError, Failure, Outcome};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::sample::Metadata;
use eval_spec::suite::Settings;
use eval_spec::units::Ratio;
use eval_spec::variant::Artifact;
use eval_spec::{
    Assertion, Cell, CellKey, Check, CheckOutcome, Grade, Identity, Layer, Output, Sample, Suite, Variant,
};
use eval_verdict::decide;
use serde_json::json;

use crate::Options;

/// How one variant's run on a sample ended.
#[derive(Clone, Debug)]
pub(crate) enum MadeRun {
    /// With a score in points for each layer: fact, behavior, judge.
    Scored(Vec<f64>),
    /// Without an answer, by what the artifact did.
    Refused,
    /// Without an answer, for a reason of its surroundings.
    TimedOut,
}

/// One sample with the runs of control and treatment, as many as there are repeats.
#[derive(Clone, Debug)]
pub(crate) struct MadeSample {
    pub(crate) cluster: Option<usize>,
    pub(crate) capability: Option<usize>,
    pub(crate) runs: [Vec<MadeRun>; 2],
}

impl MadeSample {
    /// Run once, with one score in one layer.
    pub(crate) fn scored([control, treatment]: [f64; 2]) -> MadeSample {
        MadeSample::of([MadeRun::Scored(vec![control]), MadeRun::Scored(vec![treatment])])
    }

    /// Run once.
    pub(crate) fn of(runs: [MadeRun; 2]) -> MadeSample {
        MadeSample { cluster: None, capability: None, runs: runs.map(|run| vec![run]) }
    }
}

/// What the report of a data set says.
pub(crate) struct MadeReport {
    pub(crate) tier: Tier,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Pairs, with a cluster as one.
    pub(crate) pairs: u64,
    /// The number of samples that it advises.
    pub(crate) decisive: Option<u64>,
}

/// Two variants measured on `samples`. The gate lets every score pass, so that it hides no false alarm; everything else is
/// the default, with so many planned `looks`.
pub(crate) fn report(samples: &[MadeSample], looks: u32, seed: u64, o: &Options) -> MadeReport {
    let (plan, runs) = plan(samples);
    let read = |i: usize| Ok(Some(record(&plan.cells[i], runs[i])));
    let cells = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
    let report = analysed(samples, looks, &cells, seed, o);
    let of = &report.comparisons[0];
    let (low, high) = of.diff.ci.map_or((f64::NEG_INFINITY, f64::INFINITY), |ci| (ci.low, ci.high));
    MadeReport { tier: report.verdict.tier, low, high, pairs: of.diff.n, decisive: of.power.decisive }
}

fn analysed(samples: &[MadeSample], looks: u32, cells: &Cells, seed: u64, o: &Options) -> Analysis {
    let settings =
        Settings { threshold: 1.0, judge: false, looks, bootstrap_samples: o.resamples, ..Settings::default() };
    let variant = |name: &str| Variant::new(name, Artifact::baseline());
    let suite = Suite {
        samples: samples.iter().enumerate().map(|(i, of)| sample(i, of)).collect(),
        variants: NAMES.map(variant).to_vec(),
        settings,
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    };
    let report = analyse(&suite, cells, meta(cells.plan, seed), RunStatus::Complete).map(decide);
    report.unwrap_or_else(|error| unreachable!("records in memory: {error}"))
}

/// Scores of a control, cached and of today, and of a treatment of today.
#[derive(Default)]
pub(crate) struct BesideCached {
    pub(crate) cached: Vec<f64>,
    pub(crate) again: Vec<f64>,
    pub(crate) treatment: Vec<f64>,
}

/// The report of a run whose control was cached, and asked again on the first so many samples.
pub(crate) fn beside_cached(data: &BesideCached, asked: usize, seed: u64, o: &Options) -> Analysis {
    let scores = |sample: usize, control: &[f64]| MadeSample::scored([control[sample], data.treatment[sample]]);
    let mixed: Vec<MadeSample> = (0..data.cached.len())
        .map(|sample| scores(sample, if sample < asked { &data.again } else { &data.cached }))
        .collect();
    let old: Vec<MadeSample> = (0..data.cached.len()).map(|sample| scores(sample, &data.cached)).collect();
    let ((plan, runs), (_, before)) = (plan(&mixed), self::plan(&old));
    let cached = |i: usize, run: &MadeRun| {
        let mut record = record(&plan.cells[i], run);
        (record.execution.cached, record.execution.given_at) = (true, Some(record.execution.finished_at));
        record
    };
    let read = |i: usize| {
        let cell = &plan.cells[i];
        let is_cached = cell.subject == 0 && cell.sample >= asked;
        Ok(Some(if is_cached { cached(i, runs[i]) } else { record(cell, runs[i]) }))
    };
    let replaced = |i: usize| {
        let is_asked = plan.cells[i].subject == 0 && plan.cells[i].sample < asked;
        Ok(is_asked.then(|| cached(i, before[i])))
    };
    let cells = Cells { plan: &plan, read: &read, replaced: &replaced, pair: &|_| Ok(None), texts: None };
    analysed(&mixed, 0, &cells, seed, o)
}

const NAMES: [&str; 2] = ["v1", "v2"];
const TIME: &str = "2026-03-24T15:30:45Z";

/// Names without likeness: a few letters are never near-duplicates.
fn name(sample: usize) -> String {
    format!("s{sample}")
}

fn sample(place: usize, of: &MadeSample) -> Sample {
    let assertion = |i: usize| Assertion {
        kind: "contains".to_owned(),
        weight: 1.0,
        not: false,
        written: json!({ "type": "contains", "value": format!("w{place}-{i}") })
            .as_object()
            .cloned()
            .unwrap_or_default(),
        children: Vec::new(),
        base: PathBuf::from("."),
        place: None,
        field_places: BTreeMap::new(),
    };
    let layers = of.runs.iter().flatten().map(|run| if let MadeRun::Scored(of) = run { of.len() } else { 0 }).max();
    Sample {
        trigger: None,
        id: name(place),
        prompt: name(place),
        context: None,
        keeps_urls: false,
        inlined: None,
        compared: None,
        prompt_place: None,
        context_place: None,
        cwd: None,
        rubric: None,
        dimensions: Vec::new(),
        assertions: (0..layers.unwrap_or(0).max(1)).map(assertion).collect(),
        metadata: Metadata {
            cluster: of.cluster.map(|cluster| format!("task {cluster}")),
            capability: of.capability.iter().map(|capability| format!("capability {capability}")).collect(),
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

/// The cells, sample by sample, and how each of them ended.
fn plan(samples: &[MadeSample]) -> (Plan, Vec<&MadeRun>) {
    let subjects = NAMES.map(Arc::<str>::from);
    let fingerprint = Arc::<str>::from("f");
    let (mut cells, mut runs) = (Vec::new(), Vec::new());
    for (sample, of) in samples.iter().enumerate() {
        let id = Arc::<str>::from(name(sample));
        for (subject, of) in of.runs.iter().enumerate() {
            for (repeat, run) in (0_u32..).zip(of) {
                let key = CellKey { sample: id.clone(), subject: subjects[subject].clone(), repeat };
                cells.push(Cell { key, sample, subject, fingerprint: fingerprint.clone() });
                runs.push(run);
            }
        }
    }
    (Plan { cells, hash: "p".to_owned() }, runs)
}

fn record(cell: &Cell, run: &MadeRun) -> Record {
    let (result, grade) = match run {
        MadeRun::Scored(layers) => (Executed::Output(Box::new(Output::text("an answer"))), Some(grade(layers))),
        MadeRun::Refused => {
            let refused = Output { outcome: Outcome::Refused, ..Output::text("no") };
            (Executed::Output(Box::new(refused)), None)
        }
        MadeRun::TimedOut => (Executed::Failed(ExecError::new(Failure::Timeout, msg!("report-missing-timeout"))), None),
    };
    let execution = Execution {
        key: cell.key.clone(),
        fingerprint: "f".to_owned(),
        started_at: TIME.parse().unwrap_or_else(|_| unreachable!()),
        finished_at: TIME.parse().unwrap_or_else(|_| unreachable!()),
        failed_attempts: Vec::new(),
        result,
        cached: false,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() }
}

/// One rated check in each layer. Scores that the scale doesn't have are its end.
fn grade(layers: &[f64]) -> Grade {
    let check = |(layer, points): (Layer, &f64)| Check {
        kind: "contains".to_owned(),
        layer,
        weight: 1.0,
        not: false,
        outcome: CheckOutcome::Rated {
            ratio: Ratio::new(((points - 1.0) / 4.0).clamp(0.0, 1.0)).unwrap_or_else(|| unreachable!()),
        },
        actual: None,
        message: None,
        score: None,
        children: Vec::new(),
        judged: None,
    };
    Grade { checks: Layer::ALL.into_iter().zip(layers).map(check).collect() }
}

fn meta(plan: &Plan, seed: u64) -> Meta {
    Meta {
        id: "simulated".to_owned(),
        labels: vec!["v1".to_owned(), "v2".to_owned()],
        timestamp: TIME.parse().unwrap_or_else(|_| unreachable!()),
        cli_version: "0.1.0".to_owned(),
        node_version: None,
        seed,
        test_set_path: "eval-samples.yaml".to_owned(),
        test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
        project: None,
        sample_hashes: plan.cells.iter().map(|cell| (cell.key.sample.to_string(), "0123abcd".to_owned())).collect(),
        executor: Identity { executor: "replay".to_owned(), ..Identity::default() },
        judge: None,
        regrade_of: None,
        earlier_looks: Vec::new(),
        hedging: None,
        gap_history: eval_analysis::GapHistory::default(),
        imported: None,
        urls: Vec::new(),
        lost_calls: 0,
        skill_isolation: BTreeMap::new(),
        git: None,
        artifact_commits: BTreeMap::new(),
        gold: None,
    }
}
