//! Measures the engine: `cargo bench -p eval-run --bench engine -- [CELLS]`.
//!
//! Prints one line per figure; `docs/en/performance.md` has the bounds. Peak memory is that of the whole process
//! so far, so the figures are taken in the order of what they need.
#![expect(clippy::print_stdout, reason = "a program that prints its figures")]
#![expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval_run::{Cache, Engine, Guard, Guarded, Journal, RunEnd, RunLimits, Stop, order, plan};
use eval_spec::call::Generation;
use eval_spec::context::Clock;
use eval_spec::plan::Plan;
use eval_spec::record::{Header, JOURNAL_VERSION};
use eval_spec::{
    BoxFuture, Call, Cell, Check, CheckOutcome, ExecError, Executor, Grade, Grader, Identity, Layer, Output,
};

struct Answers {
    identity: Identity,
    after: Duration,
    text: String,
}

impl Executor for Answers {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            if !self.after.is_zero() {
                tokio::time::sleep(self.after).await;
            }
            Ok(Output::text(self.text.clone()))
        })
    }
}

struct Passes;

impl Grader for Passes {
    fn grade<'a>(&'a self, _: &'a Cell, _: &'a Output) -> BoxFuture<'a, Grade> {
        let check = Check {
            kind: "contains".to_owned(),
            layer: Layer::Fact,
            weight: 1.0,
            not: false,
            outcome: CheckOutcome::Passed,
            actual: None,
            message: None,
            score: None,
            children: Vec::new(),
            judged: None,
        };
        Box::pin(async move { Grade { checks: vec![check] } })
    }
}

fn plan_of(cells: usize) -> Plan {
    let samples: Vec<Arc<str>> = (0..cells / 2).map(|i| format!("s{i:06}").into()).collect();
    plan(
        &samples,
        &["control".into(), "treatment".into()],
        order(samples.len(), 2, 1, 1),
        |s, v, r| format!("{s:050}{v}{r}").into(),
        "g",
    )
}

fn call_of(cell: &Cell) -> Call {
    Call {
        key: cell.key.clone(),
        model: "m".to_owned(),
        effort: None,
        system: None,
        prompt: format!("question {}", cell.key).into(),
        cwd: None,
        cwd_fingerprint: None,
        surroundings: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(60),
    }
}

async fn run(journal: Journal, plan: &Plan, concurrency: usize, adaptive: bool, after: u64) -> RunEnd {
    run_with(journal, plan, concurrency, adaptive, after, None).await
}

async fn run_with(
    journal: Journal,
    plan: &Plan,
    concurrency: usize,
    adaptive: bool,
    after: u64,
    cache: Option<Arc<Cache>>,
) -> RunEnd {
    let limits = RunLimits { concurrency, ..RunLimits::default() };
    let guard = Arc::new(Guard::new(limits, Stop::new(), 1, Clock::System));
    let answers =
        Answers { identity: Identity::default(), after: Duration::from_millis(after), text: "x".repeat(1024) };
    let engine = Engine {
        executors: eval_run::Executors::one(Arc::new(Guarded::new(Arc::new(answers), guard, cache, adaptive))),
        grader: Arc::new(Passes),
        call: &call_of,
        journal: Arc::new(journal),
        on_event: &mut |_| {},
        watch: None,
        again: None,
    };
    engine.run(plan).await.unwrap()
}

fn create(path: &Path, plan: &Plan) -> Journal {
    let header = Header {
        version: JOURNAL_VERSION,
        id: "speed".to_owned(),
        started_at: jiff::Timestamp::now(),
        plan_hash: plan.hash.clone(),
        settings: serde_json::Value::Null,
        inputs: serde_json::Value::Null,
        cwd: String::new(),
        program: String::new(),
        regrade_of: None,
        order_seed: None,
        asked_again: Vec::new(),
        looks: Vec::new(),
        urls: Vec::new(),
        outputs: Vec::new(),
    };
    Journal::create(path, header).unwrap()
}

fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) / 1024
}

/// Seconds of processor time so far: the fair number on a machine that others use too.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
    // Fields 14 and 15 of proc(5), in hundredths; the first after the name is field 3.
    [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Measures one thing after the other.
struct Watch {
    wall: Instant,
    cpu: f64,
}

impl Watch {
    fn start() -> Watch {
        Watch { wall: Instant::now(), cpu: cpu() }
    }

    fn report(&self, what: &str) {
        let (wall, cpu) = (self.wall.elapsed().as_secs_f64(), cpu() - self.cpu);
        println!("{what:56} wall {:7.1} ms  cpu {:6.0} ms  peak {} MiB", wall * 1e3, cpu * 1e3, peak_mib());
    }
}

#[tokio::main]
async fn main() {
    let cells: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir().unwrap();

    let small = plan_of(1000);
    for attempt in 0..3 {
        let journal = create(&folder.path().join(format!("small{attempt}.jsonl")), &small);
        let watch = Watch::start();
        run(journal, &small, 8, false, 0).await;
        watch.report("1000 instant cells, concurrency 8");
    }

    let waiting = plan_of(2000);
    let journal = create(&folder.path().join("waiting.jsonl"), &waiting);
    let watch = Watch::start();
    run(journal, &waiting, 32, true, 50).await;
    watch.report("2000 cells of 50 ms, concurrency 32 (ideal 3125 ms)");

    let middling = plan_of(cells / 10);
    let cache = Arc::new(Cache::open(&folder.path().join("cache")).unwrap());
    for what in ["filling", "served by"] {
        let journal = create(&folder.path().join(format!("{what}.jsonl")), &middling);
        let watch = Watch::start();
        run_with(journal, &middling, 32, false, 0, Some(Arc::clone(&cache))).await;
        watch.report(&format!("{} instant cells, {what} the cache", middling.cells.len()));
    }

    let large = plan_of(cells);
    let path = folder.path().join("large.jsonl");
    let journal = create(&path, &large);
    let watch = Watch::start();
    run(journal, &large, 32, false, 0).await;
    watch.report(&format!("{cells} instant cells with 1 KiB each"));
    let bytes = std::fs::metadata(&path).unwrap().len();

    let watch = Watch::start();
    let journal = Journal::resume(&path).unwrap();
    watch.report(&format!("opening their journal ({} MiB)", bytes >> 20));
    let watch = Watch::start();
    let read = journal.records(&large).filter(|(_, record)| matches!(record, Ok(Some(_)))).count();
    assert_eq!(read, large.cells.len());
    watch.report("reading every record back");
    let watch = Watch::start();
    let end = run(journal, &large, 32, false, 0).await;
    assert_eq!(end.done, large.cells.len());
    watch.report("resuming the finished run");
}
