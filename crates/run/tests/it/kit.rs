//! What the tests share: a scripted executor, a grader that grades by the text, one way to run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use eval_message::msg;
use eval_run::{Cache, Engine, Guard, Guarded, Journal, RunEnd, RunError, RunLimits, Stop};
use eval_spec::call::{Cost, CostSource, Generation};
use eval_spec::context::Clock;
use eval_spec::plan::Plan;
use eval_spec::record::{Header, JOURNAL_VERSION, Record};
use eval_spec::units::Usd;
use eval_spec::{
    BoxFuture, Call, CallPrice, Cell, Check, CheckOutcome, Event, ExecError, Executor, Failure, Grade, Grader,
    Identity, Layer, Output,
};
use tempfile::TempDir;
use tokio::time::Instant;

/// What a script sees of a call.
pub(crate) struct Seen<'a> {
    pub(crate) call: &'a Call,
    /// Earlier attempts of the same cell.
    pub(crate) attempt: usize,
    /// Calls under way, this one included.
    pub(crate) running: usize,
}

type Script = dyn Fn(Seen<'_>) -> Result<Output, ExecError> + Send + Sync;

/// Answers as its script says, after `latency`, and remembers who came when.
pub(crate) struct Scripted {
    identity: Identity,
    script: Box<Script>,
    latency: Duration,
    fails_at_once: bool,
    price: CallPrice,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    attempts: HashMap<String, usize>,
    log: Vec<(String, Instant)>,
    running: usize,
    most: usize,
}

impl Scripted {
    pub(crate) fn new(script: impl Fn(Seen<'_>) -> Result<Output, ExecError> + Send + Sync + 'static) -> Scripted {
        let identity = Identity { executor: "scripted".into(), provider: "vendor".into(), ..Identity::default() };
        Scripted {
            identity,
            script: Box::new(script),
            latency: Duration::ZERO,
            fails_at_once: false,
            price: CallPrice::Unknown,
            state: Mutex::default(),
        }
    }

    pub(crate) fn taking(mut self, ms: u64) -> Scripted {
        self.latency = Duration::from_millis(ms);
        self
    }

    pub(crate) fn at(self, price: CallPrice) -> Scripted {
        Scripted { price, ..self }
    }

    /// Only answers take their time; failures come at once.
    pub(crate) fn failing_at_once(mut self) -> Scripted {
        self.fails_at_once = true;
        self
    }

    /// The keys in the order in which their calls came, one per attempt.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.state.lock().unwrap().log.iter().map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn times(&self) -> Vec<Instant> {
        self.state.lock().unwrap().log.iter().map(|(_, at)| *at).collect()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.state.lock().unwrap().most
    }

    pub(crate) fn running(&self) -> usize {
        self.state.lock().unwrap().running
    }
}

/// Counts a call as running until it is dropped.
struct Running<'a>(&'a Mutex<State>);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap().running -= 1;
    }
}

impl Executor for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        self.price
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let (attempt, running) = {
                let mut state = self.state.lock().unwrap();
                let state = &mut *state;
                state.log.push((call.key.to_string(), Instant::now()));
                state.running += 1;
                state.most = state.most.max(state.running);
                let attempts = state.attempts.entry(call.key.to_string()).or_default();
                *attempts += 1;
                (*attempts - 1, state.running)
            };
            let _running = Running(&self.state);
            let result = (self.script)(Seen { call, attempt, running });
            if !(self.latency.is_zero() || self.fails_at_once && result.is_err()) {
                tokio::time::sleep(self.latency).await;
            }
            result
        })
    }
}

/// Passes a text that contains "good"; takes `0` ms, or as long as it is told.
pub(crate) struct Graded(pub(crate) u64);

impl Grader for Graded {
    fn grade<'a>(&'a self, _: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        let outcome = if output.text.contains("good") { CheckOutcome::Passed } else { CheckOutcome::Failed };
        let check = Check {
            kind: "contains".to_owned(),
            layer: Layer::Fact,
            weight: 1.0,
            not: false,
            outcome,
            actual: None,
            message: None,
            score: None,
            children: Vec::new(),
            judged: None,
        };
        Box::pin(async move {
            if self.0 > 0 {
                tokio::time::sleep(Duration::from_millis(self.0)).await;
            }
            Grade { checks: vec![check] }
        })
    }
}

/// A run: change what matters, then [`Bench::run`] it, as often as you like.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) plan: Plan,
    pub(crate) limits: RunLimits,
    pub(crate) adaptive: bool,
    pub(crate) cached: bool,
    pub(crate) stop: Stop,
    pub(crate) grading_ms: u64,
    pub(crate) at_once: Option<usize>,
}

pub(crate) struct Ran {
    pub(crate) end: RunEnd,
    pub(crate) events: Vec<Event>,
    pub(crate) records: Vec<Option<Record>>,
}

impl Ran {
    pub(crate) fn failures(&self) -> Vec<Failure> {
        let failed = self.records.iter().flatten().filter_map(|record| match &record.execution.result {
            eval_spec::record::Executed::Failed(error) => Some(error.failure),
            eval_spec::record::Executed::Output(_) => None,
        });
        failed.collect()
    }

    pub(crate) fn answers(&self) -> usize {
        self.records.iter().flatten().count() - self.failures().len()
    }
}

impl Bench {
    /// `samples` × two subjects × one repeat, nothing limited, one call at a time.
    pub(crate) fn new(samples: usize) -> Bench {
        Bench::with_plan(plan(samples, 2, 1))
    }

    pub(crate) fn with_plan(plan: Plan) -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
            plan,
            limits: RunLimits { concurrency: 1, ..RunLimits::default() },
            adaptive: false,
            cached: false,
            stop: Stop::new(),
            grading_ms: 0,
            at_once: None,
        }
    }

    pub(crate) fn journal_path(&self) -> PathBuf {
        self.folder.path().join("journal").join("run.jsonl")
    }

    /// Creates the journal, or resumes the one that is there.
    pub(crate) fn journal(&self) -> Result<Journal, RunError> {
        let path = self.journal_path();
        if path.exists() { Journal::resume(&path) } else { Journal::create(&path, header(&self.plan)) }
    }

    pub(crate) fn guarded(&self, executor: &Arc<Scripted>) -> Arc<Guarded> {
        let guard = Guard::new(self.limits, self.stop.clone(), 1, Clock::System);
        self.guarded_by(executor, &Arc::new(guard))
    }

    pub(crate) fn guarded_by(&self, executor: &Arc<Scripted>, guard: &Arc<Guard>) -> Arc<Guarded> {
        let cache = self.cached.then(|| Arc::new(Cache::open(&self.folder.path().join("cache")).unwrap()));
        let executor: Arc<dyn Executor> = Arc::clone(executor) as Arc<dyn Executor>;
        let guarded = Guarded::new(executor, Arc::clone(guard), cache, self.adaptive);
        Arc::new(match self.at_once {
            Some(calls) => guarded.at_once(calls),
            None => guarded,
        })
    }

    pub(crate) async fn run(&self, executor: &Arc<Scripted>) -> Ran {
        self.try_run(executor).await.unwrap()
    }

    pub(crate) async fn try_run(&self, executor: &Arc<Scripted>) -> Result<Ran, RunError> {
        let journal = Arc::new(self.journal()?);
        let mut events = Vec::new();
        let engine = Engine {
            executors: eval_run::Executors::one(self.guarded(executor)),
            grader: Arc::new(Graded(self.grading_ms)),
            call: &call_of,
            journal: Arc::clone(&journal),
            on_event: &mut |event| events.push(event),
            watch: None,
            again: None,
        };
        let end = engine.run(&self.plan).await?;
        let records = journal.records(&self.plan).map(|(_, record)| record).collect::<Result<_, _>>()?;
        Ok(Ran { end, events, records })
    }
}

pub(crate) fn plan(samples: usize, subjects: usize, repeats: u32) -> Plan {
    plan_in(samples, subjects, eval_run::order(samples, subjects, repeats, 1))
}

pub(crate) fn plan_in(samples: usize, subjects: usize, order: Vec<(usize, usize, u32)>) -> Plan {
    let names = |letter: &str, n: usize| -> Vec<Arc<str>> { (0..n).map(|i| format!("{letter}{i}").into()).collect() };
    let fingerprint = |s, v, r| format!("{s}-{v}-{r}").into();
    eval_run::plan(&names("s", samples), &names("v", subjects), order, fingerprint, "grading")
}

pub(crate) fn header(plan: &Plan) -> Header {
    Header {
        version: JOURNAL_VERSION,
        id: "run".to_owned(),
        started_at: "2026-11-21T10:00:00Z".parse().unwrap(),
        plan_hash: plan.hash.clone(),
        settings: serde_json::json!({ "retry": 2 }),
        inputs: serde_json::json!({ "samples.json": "a", "skills/v1.md": "b" }),
        cwd: "project".to_owned(),
        program: "0.1.0".to_owned(),
        regrade_of: None,
        order_seed: 1,
        asked_again: Vec::new(),
        looks: Vec::new(),
        urls: Vec::new(),
        outputs: Vec::new(),
    }
}

pub(crate) fn call_of(cell: &Cell) -> Call {
    Call {
        key: cell.key.clone(),
        model: "model".to_owned(),
        effort: None,
        system: Some(format!("artifact of {}", cell.key.subject).into()),
        prompt: format!("question {}", cell.key.sample).into(),
        cwd: None,
        cwd_fingerprint: None,
        surroundings: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(60),
    }
}

pub(crate) fn good() -> Result<Output, ExecError> {
    Ok(Output::text("good answer"))
}

pub(crate) fn costing(usd: f64) -> Result<Output, ExecError> {
    let mut output = Output::text("good answer");
    output.cost = Some(Cost { usd: Usd(usd), source: CostSource::Reported });
    Ok(output)
}

pub(crate) fn failing(failure: Failure) -> Result<Output, ExecError> {
    Err(ExecError::new(failure, msg!("run-interrupted")))
}

pub(crate) fn retry_after(seconds: u64) -> Result<Output, ExecError> {
    let mut error = ExecError::new(Failure::RateLimited, msg!("run-interrupted"));
    error.retry_after_ms = Some(seconds * 1000);
    Err(error)
}

pub(crate) fn keys(plan: &Plan) -> Vec<String> {
    plan.cells.iter().map(|cell| cell.key.to_string()).collect()
}

pub(crate) fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
