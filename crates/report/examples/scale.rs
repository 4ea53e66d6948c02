//! How long a report of 100,000 executions takes, and in how much memory: `cargo run --release -p eval-report
//! --example scale -- [EXECUTIONS]`.
//!
//! The records are journal lines that are parsed anew at each reading, as a run's are.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program to be looked at")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use eval_report::{Cells, Meta, RunStatus, Show, analyse, read_analysis, summary_text, write};
use eval_spec::call::{Cost, CostSource, Identity, Usage};
use eval_spec::grade::{Check, CheckOutcome, Grade, Layer};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, GradeLine, Line, Record};
use eval_spec::sample::{Metadata, Sample};
use eval_spec::suite::Written;
use eval_spec::units::Usd;
use eval_spec::variant::{Artifact, Variant};
use eval_spec::{Assertion, Cell, CellKey, Lang, Output, Suite};
use serde_json::json;

fn main() {
    let executions: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let (suite, plan) = (suite(executions / 2), plan(executions / 2));
    let (execution, grade) = lines();
    let read = |i: usize| {
        let Line::Execution(mut execution) = serde_json::from_str(&execution)? else { unreachable!() };
        let Line::Grade(mut grade) = serde_json::from_str::<Line>(&grade)? else { unreachable!() };
        let cell = &plan.cells[i];
        execution.key = cell.key.clone();
        for (c, check) in grade.grade.checks.iter_mut().enumerate() {
            let passed = !(i * 31 + c * 17 + cell.subject).is_multiple_of(3 + c);
            check.outcome = if passed { CheckOutcome::Passed } else { CheckOutcome::Failed };
        }
        Ok(Some(Record { execution, grade: Some(grade.grade) }))
    };
    let cells = Cells { plan: &plan, read: &read, pair: &|_| Ok(None) };
    let dir = tempfile::tempdir().unwrap();
    println!("{executions} executions, memory before: {}", memory());

    let start = Instant::now();
    let analysis = analyse(&suite, &cells, meta(), RunStatus::Complete).unwrap();
    println!("analyse  {:>7.2} s  peak {}", start.elapsed().as_secs_f64(), memory());

    let start = Instant::now();
    let path = write(&analysis, &suite, &cells, dir.path()).unwrap();
    let size = std::fs::metadata(&path).unwrap().len() / 1_000_000;
    println!("write    {:>7.2} s  peak {}  {size} MB", start.elapsed().as_secs_f64(), memory());

    let start = Instant::now();
    assert_eq!(read_analysis(&path).unwrap(), analysis);
    println!("read     {:>7.2} s  peak {}  without results", start.elapsed().as_secs_f64(), memory());

    let start = Instant::now();
    let show = Show { lang: Lang::En, width: 80, color: false, exit_code: true };
    let text = summary_text(&analysis, show, None);
    println!("summary  {:>7.2} s  {} lines", start.elapsed().as_secs_f64(), text.lines().count());
}

/// The most memory that was resident so far; where the system doesn't tell, a question mark.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(str::trim);
    peak.unwrap_or("?").to_owned()
}

/// One execution and its grade, with an answer of 2,000 characters and five checks.
fn lines() -> (String, String) {
    let key: CellKey = "s/v/0".parse().unwrap();
    let output = Output {
        usage: Some(Usage { input_tokens: 850, output_tokens: 500, ..Usage::default() }),
        cost: Some(Cost { usd: Usd(0.0038), source: CostSource::PriceTable }),
        latency_ms: Some(2300),
        model: Some("a-model-2026".to_owned()),
        ..Output::text("The query is built by concatenation. ".repeat(54))
    };
    let execution = Execution {
        key: key.clone(),
        fingerprint: "f".repeat(64),
        started_at: "2026-03-24T15:30:45Z".parse().unwrap(),
        finished_at: "2026-03-24T15:30:48Z".parse().unwrap(),
        failed_attempts: Vec::new(),
        result: Executed::Output(Box::new(output)),
        cached: false,
    };
    let check = |layer| Check {
        kind: "contains".to_owned(),
        layer,
        weight: 1.0,
        not: false,
        outcome: CheckOutcome::Passed,
        actual: Some(json!(1)),
        message: None,
        score: None,
        children: Vec::new(),
        judged: None,
    };
    let layers = [Layer::Fact, Layer::Fact, Layer::Fact, Layer::Behavior, Layer::Behavior];
    let grade = Grade { checks: layers.map(check).to_vec() };
    let text = |line: &Line| serde_json::to_string(line).unwrap();
    (text(&Line::Execution(execution)), text(&Line::Grade(GradeLine { key, grade })))
}

fn suite(samples: usize) -> Suite {
    let assertion = |i: usize| Assertion {
        kind: "contains".to_owned(),
        weight: 1.0,
        not: false,
        written: json!({ "type": "contains", "value": format!("word {i}") }).as_object().unwrap().clone(),
        children: Vec::new(),
        base: PathBuf::from("."),
        place: None,
        field_places: BTreeMap::new(),
    };
    let sample = |i: usize| Sample {
        id: format!("s{i:06}"),
        prompt: format!(
            "Review function `f{i}` of module {}, which {}",
            i % 977,
            ["reads a file", "parses a date", "opens a socket", "sorts a list"][i % 4]
        ),
        context: None,
        cwd: None,
        rubric: None,
        dimensions: Vec::new(),
        assertions: (0..5).map(assertion).collect(),
        metadata: Metadata::default(),
        mocks: Vec::new(),
        mocks_strict: false,
        tripwire: false,
        judge: None,
        environment: None,
        place: None,
    };
    let variant = |name: &str| Variant { name: name.to_owned(), artifact: Artifact::baseline(), cwd: None };
    Suite {
        samples: (0..samples).map(sample).collect(),
        variants: vec![variant("v1"), variant("v2")],
        settings: Written::default().resolve(),
        warnings: Vec::new(),
    }
}

fn plan(samples: usize) -> Plan {
    let cell = |i: usize| {
        let (sample, subject) = (i / 2, i % 2);
        let key = CellKey { sample: format!("s{sample:06}").into(), subject: ["v1", "v2"][subject].into(), repeat: 0 };
        Cell { key, sample, subject, fingerprint: "f".repeat(64).into() }
    };
    Plan { cells: (0..samples * 2).map(cell).collect(), hash: "p".repeat(64) }
}

fn meta() -> Meta {
    Meta {
        id: "scale".to_owned(),
        timestamp: "2026-03-24T15:30:45Z".parse().unwrap(),
        cli_version: "0.1.0".to_owned(),
        node_version: None,
        seed: 1,
        test_set_path: "eval-samples.yaml".to_owned(),
        test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
        project: None,
        sample_hashes: BTreeMap::new(),
        executor: Identity { executor: "replay".to_owned(), ..Identity::default() },
        judge: None,
        regrade_of: None,
        skill_isolation: BTreeMap::new(),
        git: None,
        gold: None,
    }
}
