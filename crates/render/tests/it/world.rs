//! A made-up run: samples, variants, and what each cell came to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_analysis::{Cells, Meta, RunStatus, analyse, report_json};
use eval_format::{Analysis, Report};
use eval_message::msg;
use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::suite::Written;
use eval_spec::units::Usd;
use eval_spec::variant::Artifact;
use eval_spec::{
    Assertion, Cell, CellKey, Check, CheckOutcome, ExecError, Failure, Grade, Identity, Layer, Outcome, Output, Sample,
    Suite, Variant,
};
use eval_verdict::decide;
use serde_json::{Value, json};

pub(crate) struct World {
    pub(crate) suite: Suite,
    pub(crate) plan: Plan,
    pub(crate) records: Vec<Option<Record>>,
    pub(crate) seed: u64,
    pub(crate) ended: RunStatus,
    pub(crate) gold: Option<eval_spec::gold::Gold>,
}

/// Where a cell stands: sample, variant, repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    pub(crate) sample: usize,
    pub(crate) variant: usize,
    pub(crate) repeat: usize,
}

/// What a cell came to.
#[derive(Clone, Debug)]
pub(crate) enum Came {
    /// Answered; the checks, in file order.
    To(Vec<(Layer, f64, Option<bool>)>),
    /// Not an answer.
    Ended(Outcome),
    Failed(Failure),
    NotRun,
}

/// One fact check, passed or not.
pub(crate) fn fact(passed: bool) -> Came {
    Came::To(vec![(Layer::Fact, 1.0, Some(passed))])
}

/// `passed` of `total` fact checks: 1 + 4·passed/total points.
pub(crate) fn facts(passed: usize, total: usize) -> Came {
    Came::To((0..total).map(|i| (Layer::Fact, 1.0, Some(i < passed))).collect())
}

impl World {
    /// `came` says what every cell came to.
    pub(crate) fn new(samples: usize, variants: &[&str], repeat: u32, came: impl Fn(At) -> Came) -> World {
        let mut world = World {
            suite: suite(samples, variants, repeat),
            plan: Plan { cells: Vec::new(), hash: "p".repeat(64) },
            records: Vec::new(),
            seed: 7,
            ended: RunStatus::Complete,
            gold: None,
        };
        for repeat in 0..repeat as usize {
            for sample in 0..samples {
                for variant in 0..variants.len() {
                    let at = At { sample, variant, repeat };
                    world.add(at, &came(at));
                }
            }
        }
        world
    }

    fn add(&mut self, at: At, came: &Came) {
        let key = CellKey {
            sample: self.suite.samples[at.sample].id.as_str().into(),
            subject: self.suite.variants[at.variant].name.as_str().into(),
            repeat: u32::try_from(at.repeat).unwrap(),
        };
        let fingerprint: Arc<str> = format!("fingerprint of {key}").into();
        if let Came::To(checks) = came {
            self.write_assertions(at.sample, checks);
        }
        self.records.push(record(&key, came));
        self.plan.cells.push(Cell { key, sample: at.sample, subject: at.variant, fingerprint });
    }

    /// The sample file says what the first graded cell was graded on.
    fn write_assertions(&mut self, sample: usize, checks: &[(Layer, f64, Option<bool>)]) {
        let sample = &mut self.suite.samples[sample];
        if sample.assertions.is_empty() && sample.rubric.is_none() {
            sample.assertions =
                checks.iter().enumerate().filter(|(_, c)| c.0 != Layer::Judge).map(|(i, c)| assertion(i, c)).collect();
            sample.rubric = checks.iter().any(|c| c.0 == Layer::Judge).then(|| "good?".to_owned());
        }
    }

    pub(crate) fn cell(&self, at: At) -> usize {
        let is = |cell: &Cell| {
            cell.sample == at.sample && cell.subject == at.variant && cell.key.repeat as usize == at.repeat
        };
        self.plan.cells.iter().position(is).unwrap()
    }

    pub(crate) fn record(&mut self, at: At) -> &mut Record {
        let cell = self.cell(at);
        self.records[cell].as_mut().unwrap()
    }

    pub(crate) fn output(&mut self, at: At) -> &mut Output {
        match &mut self.record(at).execution.result {
            Executed::Output(output) => output,
            Executed::Failed(_) => panic!("failed"),
        }
    }

    pub(crate) fn with_cells<T>(&self, then: impl FnOnce(&Cells) -> T) -> T {
        let read = |i: usize| Ok(self.records[i].clone());
        then(&Cells { plan: &self.plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None })
    }

    pub(crate) fn analyse(&self) -> Analysis {
        self.with_cells(|cells| analyse(&self.suite, cells, self.meta(), self.ended.clone()).map(decide)).unwrap()
    }

    pub(crate) fn json(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let analysis = self.analyse();
        self.with_cells(|cells| report_json(&analysis, &self.suite, cells, &mut bytes)).unwrap();
        bytes
    }

    pub(crate) fn report(&self) -> Report {
        serde_json::from_slice(&self.json()).unwrap()
    }

    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.json()).unwrap()
    }

    pub(crate) fn meta(&self) -> Meta {
        let names: Vec<&str> = self.suite.variants.iter().map(|v| v.name.as_str()).collect();
        let timestamp = "2026-03-24T15:30:45Z".parse().unwrap();
        Meta {
            id: eval_format::report_id(timestamp, &names, |_| false),
            // drawn by chance in a run, in one order here
            labels: match self.suite.settings.blind {
                true => (0..names.len()).rev().map(|rank| format!("Variant {}", eval_format::letters(rank))).collect(),
                false => names.iter().map(|name| (*name).to_owned()).collect(),
            },
            timestamp,
            cli_version: "0.1.0".to_owned(),
            node_version: None,
            seed: self.seed,
            test_set_path: "eval-samples.yaml".to_owned(),
            test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
            project: None,
            sample_hashes: self.suite.samples.iter().map(|s| (s.id.clone(), "0123456789ab".to_owned())).collect(),
            not_read: std::collections::BTreeSet::new(),
            executor: Identity { executor: "replay".to_owned(), provider: "replay".to_owned(), ..Identity::default() },
            judge: None,
            regrade_of: None,
            earlier_looks: Vec::new(),
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
            gold: self.gold.clone(),
        }
    }
}

fn suite(samples: usize, variants: &[&str], repeat: u32) -> Suite {
    let mut settings = Written::default().resolve();
    settings.repeat = repeat;
    settings.model = "sonnet".to_owned();
    settings.bootstrap_samples = 2000;
    Suite {
        samples: (1..=samples).map(|i| sample(&format!("s{i:03}"))).collect(),
        variants: variants.iter().map(|name| variant(name)).collect(),
        settings,
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    }
}

pub(crate) fn sample(id: &str) -> Sample {
    Sample { id: id.to_owned(), prompt: format!("Review function `{id}`"), ..Sample::default() }
}

fn variant(name: &str) -> Variant {
    let artifact = Artifact { reference: name.to_owned(), ..Artifact::baseline() };
    Variant::new(name, artifact)
}

fn assertion(i: usize, (layer, weight, _): &(Layer, f64, Option<bool>)) -> Assertion {
    let (kind, value) = match layer {
        Layer::Fact => ("contains", json!(format!("word {i}"))),
        _ => ("max_length", json!(100 + i)),
    };
    let written = json!({ "type": kind, "value": value, "weight": weight });
    Assertion {
        kind: kind.to_owned(),
        weight: *weight,
        not: false,
        written: written.as_object().unwrap().clone(),
        children: Vec::new(),
        base: PathBuf::from("."),
        place: None,
        field_places: BTreeMap::new(),
    }
}

fn record(key: &CellKey, came: &Came) -> Option<Record> {
    let (result, grade) = match came {
        Came::NotRun => return None,
        Came::To(checks) => {
            let output = Output {
                usage: Some(Usage { input_tokens: 850, output_tokens: 1200, ..Usage::default() }),
                cost: Some(Cost { usd: Usd(0.004), source: CostSource::Reported }),
                latency_ms: Some(2300),
                model: Some("sonnet-1".to_owned()),
                ..Output::text(format!("The answer of {key}"))
            };
            let grade = Grade { checks: checks.iter().map(check).collect() };
            (Executed::Output(Box::new(output)), Some(grade))
        }
        Came::Ended(outcome) => {
            let output = Output {
                outcome: *outcome,
                cost: Some(Cost { usd: Usd(0.001), source: CostSource::Reported }),
                ..Output::text("no answer")
            };
            (Executed::Output(Box::new(output)), None)
        }
        Came::Failed(failure) => (Executed::Failed(ExecError::new(*failure, msg!("report-missing-timeout"))), None),
    };
    let execution = Execution {
        key: key.clone(),
        fingerprint: "f".repeat(64),
        started_at: "2026-03-24T15:30:45Z".parse().unwrap(),
        finished_at: "2026-03-24T15:30:48Z".parse().unwrap(),
        failed_attempts: Vec::new(),
        result,
        cached: false,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    Some(Record { execution, grade, artifacts_read: Vec::new(), replaced_failures: Vec::new() })
}

fn check((layer, weight, passed): &(Layer, f64, Option<bool>)) -> Check {
    Check {
        kind: match layer {
            Layer::Fact => "contains",
            Layer::Behavior => "max_length",
            Layer::Judge => "rubric",
        }
        .to_owned(),
        layer: *layer,
        weight: *weight,
        not: false,
        outcome: match passed {
            Some(true) => CheckOutcome::Passed,
            Some(false) => CheckOutcome::Failed,
            None => CheckOutcome::Unscored { why: msg!("report-missing-timeout") },
        },
        actual: Some(json!(1)),
        message: None,
        score: None,
        children: Vec::new(),
        judged: None,
    }
}

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
