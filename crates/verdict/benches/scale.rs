//! How long a report of 100,000 samples in two variants takes, and in how much memory:
//!
//! ```sh
//! cargo bench -p eval-verdict --bench scale                            # the analysis on one core, with its bound
//! cargo bench -p eval-verdict --bench scale -- EXECUTIONS              # each step; one core: RAYON_NUM_THREADS=1
//! cargo bench -p eval-verdict --bench scale -- EXECUTIONS contexts     # questions about 20 documents of 5 KB
//! cargo bench -p eval-verdict --bench scale -- EXECUTIONS capabilities 6   # each of so many samples
//! ```
//!
//! The records are journal lines that are parsed anew at each reading, as a run's are. Of the questions about documents
//! one in a thousand is nearly that of another sample, which the analysis has to find.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program to be looked at")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use eval_analysis::{Cells, Meta, RunStatus, analyse, write};
use eval_format::SampleCheck;
use eval_history::{GroupingKey, by_key, read_analysis, read_slim, recompute};
use eval_message::Lang;
use eval_render::{Show, summary_text};
use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, GradeLine, Line, Record};
use eval_spec::sample::Metadata;
use eval_spec::suite::Written;
use eval_spec::units::Usd;
use eval_spec::variant::Artifact;
use eval_spec::{
    Assertion, Cell, CellKey, Check, CheckOutcome, Grade, Identity, Layer, Output, Sample, Suite, Variant,
};
use eval_verdict::decide;
use serde_json::json;

use figures::Figure;

#[path = "../../../benches/figures.rs"]
mod figures;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    match arguments.first().map(|executions| executions.parse()) {
        None => figures::main(&[("analysis", analysis)]),
        Some(executions) => {
            steps(executions.unwrap(), arguments.get(1).map(String::as_str), arguments.get(2));
            ExitCode::SUCCESS
        }
    }
}

fn analysis() -> Vec<Figure> {
    with_cells(200_000, false, None, |suite, cells| {
        let core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let begun = Instant::now();
        core.install(|| analyse(suite, cells, meta(cells.plan), RunStatus::Complete).map(decide)).unwrap();
        vec![Figure::at_most(3.0, "s", "100,000 samples x 2 on one core", begun.elapsed().as_secs_f64())]
    })
}

fn steps(executions: usize, kind: Option<&str>, of_capability: Option<&String>) {
    let contexts = kind == Some("contexts");
    let of_capability = of_capability.map_or(6, |count| count.parse().unwrap());
    let of_capability = (kind == Some("capabilities")).then_some(of_capability);
    with_cells(executions, contexts, of_capability, |suite, cells| {
        let dir = tempfile::tempdir().unwrap();
        println!("{executions} executions, memory before: {}", memory());
        let analysis =
            timed("analyse", || analyse(suite, cells, meta(cells.plan), RunStatus::Complete).map(decide).unwrap());
        if contexts {
            let quality = analysis.analysis.sample_quality.as_ref().unwrap();
            let found = quality.findings.iter().find(|finding| finding.kind == SampleCheck::NearDuplicates);
            println!("near-duplicates: {} of {} found", found.map_or(0, |of| of.affected), executions / 2 / COPIED);
            return;
        }
        let path = timed("write", || write(&analysis, suite, cells, dir.path()).unwrap());
        println!("         {} MB", std::fs::metadata(&path).unwrap().len() / 1_000_000);
        assert_eq!(timed("read without results", || read_analysis(&path).unwrap()), analysis);
        let slim = timed("read slim", || read_slim(&path).unwrap());
        let groups = timed("by capability", || by_key(&slim, GroupingKey::Capability).groups.len());
        println!("         {groups} groups");
        let again = timed("recompute", || recompute(&path, "0.1.0").unwrap());
        println!("         {} numbers that don't follow", again.differences.len());
        let show = Show { lang: Lang::En, width: 80, color: false, exit_code: true };
        timed("summary", || summary_text(&analysis, show, None));
    });
}

/// Makes the samples and what was recorded of them, and does something with both.
fn with_cells<T>(
    executions: usize,
    contexts: bool,
    of_capability: Option<usize>,
    work: impl FnOnce(&Suite, &Cells<'_>) -> T,
) -> T {
    let (mut suite, plan) = (suite(executions / 2, contexts), plan(executions / 2));
    if let Some(count) = of_capability {
        for (i, sample) in suite.samples.iter_mut().enumerate() {
            sample.metadata.capability = vec![format!("capability {}", i / count)];
        }
    }
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
        Ok(Some(Record {
            execution,
            grade: Some(grade.grade),
            artifacts_read: Vec::new(),
            replaced_failures: Vec::new(),
        }))
    };
    let cells = Cells { plan: &plan, read: &read, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
    work(&suite, &cells)
}

/// Prints how long something took, and the processor time of all cores.
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (start, before) = (Instant::now(), processor_seconds());
    let done = work();
    let (wall, cpu) = (start.elapsed().as_secs_f64(), processor_seconds() - before);
    println!("{what:<21} {wall:>6.2} s, {cpu:>6.2} s of processor time, peak {}", memory());
    done
}

/// User and system time so far; 0 where the system doesn't tell.
fn processor_seconds() -> f64 {
    /// `USER_HZ`, which is 100 on Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // the name, in parentheses, may hold spaces
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
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
        given_at: None,
        earlier_failures: Vec::new(),
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

fn review(i: usize) -> String {
    let does = ["reads a file", "parses a date", "opens a socket", "sorts a list"][i % 4];
    format!("Review function `f{i}` of module {}, which {does}", i % 977)
}

/// One question in so many is nearly that of another sample.
const COPIED: usize = 1000;
const DOCUMENTS: usize = 20;

/// The question about a document: words in an order of its own, but for the copies.
fn question(i: usize) -> String {
    const WORDS: [&str; 32] = [
        "which",
        "section",
        "explains",
        "refund",
        "delays",
        "after",
        "customers",
        "cancel",
        "orders",
        "before",
        "shipping",
        "when",
        "warranty",
        "claims",
        "arrive",
        "late",
        "because",
        "suppliers",
        "changed",
        "prices",
        "without",
        "notice",
        "and",
        "who",
        "pays",
        "for",
        "returned",
        "goods",
        "that",
        "were",
        "damaged",
        "abroad",
    ];
    match i % COPIED == COPIED - 1 {
        true => format!("{} please", question(i - DOCUMENTS)),
        false => (0..14).map(|at| WORDS[scattered(i * 14 + at, WORDS.len())]).collect::<Vec<_>>().join(" "),
    }
}

fn document(i: usize) -> String {
    (0..900).map(|at| format!("w{:<3} ", scattered((i % DOCUMENTS) * 900 + at, 700))).collect()
}

/// A number below `n` that looks random (SplitMix64).
fn scattered(i: usize, n: usize) -> usize {
    let mut x = (i as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) % n as u64) as usize
}

fn suite(samples: usize, contexts: bool) -> Suite {
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
        trigger: None,
        id: format!("s{i:06}"),
        prompt: if contexts { question(i) } else { review(i) },
        context: contexts.then(|| document(i)),
        keeps_urls: false,
        is_plain: false,
        inlined: None,
        compared: None,
        prompt_place: None,
        context_place: None,
        cwd: None,
        rubric: None,
        dimensions: Vec::new(),
        assertions: (0..5).map(assertion).collect(),
        metadata: Metadata::default(),
        mocks: Vec::new(),
        mock_places: Vec::new(),
        mocks_strict: false,
        tripwire: false,
        judge: None,
        environment: None,
        eval: None,
        place: None,
    };
    let variant = |name: &str| Variant::new(name, Artifact::baseline());
    Suite {
        samples: (0..samples).map(sample).collect(),
        variants: vec![variant("v1"), variant("v2")],
        settings: Written::default().resolve(),
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
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

fn meta(plan: &Plan) -> Meta {
    Meta {
        id: "scale".to_owned(),
        labels: vec!["v1".to_owned(), "v2".to_owned()],
        timestamp: "2026-03-24T15:30:45Z".parse().unwrap(),
        cli_version: "0.1.0".to_owned(),
        node_version: None,
        seed: 1,
        test_set_path: "eval-samples.yaml".to_owned(),
        test_set_id: "eval-samples.yaml@0123abcd".to_owned(),
        project: None,
        sample_hashes: plan.cells.iter().map(|cell| (cell.key.sample.to_string(), "0123abcd".to_owned())).collect(),
        not_read: std::collections::BTreeSet::new(),
        executor: Identity { executor: "replay".to_owned(), ..Identity::default() },
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
        gold: None,
    }
}
