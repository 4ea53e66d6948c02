//! A data set as a run leaves it: suite, plan and records, in memory; analysed and decided by the program's own functions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eval_analysis::{Cells, Meta, RunStatus, analyse};
use eval_format::{Analysis, RepeatPlan, Tier};
use eval_message::msg;
use eval_spec::call::{ExecError, Failure, Outcome};
use eval_spec::plan::Plan;
use eval_spec::record::{EarlierLook, EarlierTreatment, Executed, Execution, Record};
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
    /// The same, after a first attempt that ended at the time limit.
    AskedAgain(Vec<f64>),
    /// Without an answer, by what the artifact did.
    Refused,
    /// Without an answer, for a reason of its surroundings.
    TimedOut,
}

/// One sample with the runs of the control and of each treatment, as many as there are repeats.
#[derive(Clone, Debug)]
pub(crate) struct MadeSample {
    pub(crate) cluster: Option<usize>,
    pub(crate) capability: Option<usize>,
    pub(crate) runs: Vec<Vec<MadeRun>>,
}

impl MadeSample {
    /// Run once, with one score in one layer: of the control, and of each treatment.
    pub(crate) fn scored<const VARIANTS: usize>(scores: [f64; VARIANTS]) -> MadeSample {
        MadeSample::of(scores.map(|points| MadeRun::Scored(vec![points])))
    }

    /// Run once.
    pub(crate) fn of<const VARIANTS: usize>(runs: [MadeRun; VARIANTS]) -> MadeSample {
        MadeSample { cluster: None, capability: None, runs: runs.into_iter().map(|run| vec![run]).collect() }
    }

    /// The difference of two variants that ran once, with a score in one layer.
    pub(crate) fn difference(&self) -> Option<f64> {
        let points = |runs: &[MadeRun]| match runs {
            [MadeRun::Scored(layers)] if layers.len() == 1 => Some(layers[0].clamp(1.0, 5.0)),
            _ => None,
        };
        Some(points(self.runs.get(1)?)? - points(self.runs.first()?)?)
    }
}

/// What the report of a data set says.
pub(crate) struct MadeReport {
    pub(crate) tier: Tier,
    /// Of each treatment.
    pub(crate) tiers: Vec<Tier>,
    /// The first treatment's mean difference.
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Pairs, with a cluster as one.
    pub(crate) pairs: u64,
    /// The number of samples that it advises to settle whether there is a difference that matters.
    pub(crate) decisive: Option<u64>,
    /// The number that is enough if the gain is as seen.
    pub(crate) decisive_for_gain: Option<u64>,
    /// Repeats that would settle it, too.
    pub(crate) repeats: Option<RepeatPlan>,
}

/// How often a run is looked at.
#[derive(Clone, Copy, Default)]
pub(crate) struct LooksTaken {
    /// Planned looks; 0 for a run that is read once.
    pub(crate) planned: u32,
    /// Looks at these artifacts before.
    pub(crate) before: u32,
    /// Whether these had the same samples, or fewer.
    pub(crate) had_same_samples: bool,
}

impl LooksTaken {
    pub(crate) fn planned(planned: u32) -> LooksTaken {
        LooksTaken { planned, ..LooksTaken::default() }
    }

    fn earlier(self, treatments: usize) -> Vec<EarlierLook> {
        let of_treatment = |place: usize| (place, EarlierTreatment::default());
        let look = |number: u32| EarlierLook {
            report: format!("earlier {number}"),
            same_samples: self.had_same_samples,
            treatments: (1..=treatments).map(of_treatment).collect(),
            ..EarlierLook::default()
        };
        (0..self.before).map(look).collect()
    }
}

/// Variants measured on `samples`. The gate lets every score pass, so that it hides no false alarm; everything else is the
/// default, with these looks.
pub(crate) fn report(samples: &[MadeSample], looks: LooksTaken, seed: u64, o: &Options) -> MadeReport {
    let (plan, runs) = plan(samples);
    let read = |i: usize| Ok(Some(record(&plan.cells[i], runs[i])));
    let cells = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
    let report = analysed(samples, looks, &cells, seed, o);
    let of = &report.comparisons[0];
    let (low, high) = of.diff.ci.map_or((f64::NEG_INFINITY, f64::INFINITY), |ci| (ci.low, ci.high));
    MadeReport {
        tier: report.verdict.tier,
        tiers: report.verdict.per_treatment.iter().map(|of| of.tier).collect(),
        mean: of.diff.mean.unwrap_or(f64::NAN),
        low,
        high,
        pairs: of.diff.n,
        decisive: of.power.decisive,
        decisive_for_gain: of.power.decisive_for_gain,
        repeats: of.power.repeats,
    }
}

fn analysed(samples: &[MadeSample], looks: LooksTaken, cells: &Cells, seed: u64, o: &Options) -> Analysis {
    let variants = variants(samples);
    let repeat = samples.iter().flat_map(|of| &of.runs).map(Vec::len).max().unwrap_or(1);
    let settings = Settings {
        threshold: 1.0,
        judge: false,
        looks: looks.planned,
        repeat: u32::try_from(repeat).unwrap_or(1),
        bootstrap_samples: o.resamples,
        ..Settings::default()
    };
    let variant = |name: &str| Variant::new(name, Artifact::baseline());
    let suite = Suite {
        samples: samples.iter().enumerate().map(|(i, of)| sample(i, of)).collect(),
        variants: NAMES[..variants].iter().map(|name| variant(name)).collect(),
        settings,
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    };
    let report = analyse(&suite, cells, meta(cells.plan, variants, looks, seed), RunStatus::Complete).map(decide);
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
    analysed(&mixed, LooksTaken::default(), &cells, seed, o)
}

const NAMES: [&str; 4] = ["v1", "v2", "v3", "v4"];
const TIME: &str = "2026-03-24T15:30:45Z";

/// The number of variants that were run.
fn variants(samples: &[MadeSample]) -> usize {
    samples.first().map_or(2, |of| of.runs.len())
}

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
    let layers = of.runs.iter().flatten().map(|run| match run {
        MadeRun::Scored(layers) | MadeRun::AskedAgain(layers) => layers.len(),
        MadeRun::Refused | MadeRun::TimedOut => 0,
    });
    let layers = layers.max();
    Sample {
        trigger: None,
        id: name(place),
        prompt: name(place),
        context: None,
        keeps_urls: false,
        is_plain: false,
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
        MadeRun::Scored(layers) | MadeRun::AskedAgain(layers) => {
            (Executed::Output(Box::new(Output::text("an answer"))), Some(grade(layers)))
        }
        MadeRun::Refused => {
            let refused = Output { outcome: Outcome::Refused, ..Output::text("no") };
            (Executed::Output(Box::new(refused)), None)
        }
        MadeRun::TimedOut => (Executed::Failed(timed_out()), None),
    };
    let failed_attempts = if matches!(run, MadeRun::AskedAgain(_)) { vec![timed_out()] } else { Vec::new() };
    let execution = Execution {
        key: cell.key.clone(),
        fingerprint: "f".to_owned(),
        started_at: TIME.parse().unwrap_or_else(|_| unreachable!()),
        finished_at: TIME.parse().unwrap_or_else(|_| unreachable!()),
        failed_attempts,
        result,
        cached: false,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() }
}

fn timed_out() -> ExecError {
    ExecError::new(Failure::Timeout, msg!("report-missing-timeout"))
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

fn meta(plan: &Plan, variants: usize, looks: LooksTaken, seed: u64) -> Meta {
    Meta {
        id: "simulated".to_owned(),
        labels: NAMES[..variants].iter().map(|name| (*name).to_owned()).collect(),
        timestamp: TIME.parse().unwrap_or_else(|_| unreachable!()),
        cli_version: "0.1.0".to_owned(),
        node_version: None,
        seed,
        test_set_path: "eval-samples.yaml".to_owned(),
        test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
        project: None,
        sample_hashes: plan.cells.iter().map(|cell| (cell.key.sample.to_string(), "0123abcd".to_owned())).collect(),
        not_read: std::collections::BTreeSet::new(),
        executor: Identity { executor: "replay".to_owned(), ..Identity::default() },
        judge: None,
        regrade_of: None,
        earlier_looks: looks.earlier(variants - 1),
        earlier_readings: Vec::new(),
        hedging: None,
        gap_history: eval_analysis::GapHistory::default(),
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
