//! `omk eval`: load, plan, run, report, decide.

use std::path::PathBuf;
use std::sync::Arc;

use eval_cli::judges::{self, Shared};
use eval_cli::terminal::progress::{self, Progress};
use eval_cli::{Failure, Terminal, ending, exit};
use eval_exec::{ExecutorKind, Recorder};
use eval_message::msg;
use eval_run::{
    Budget, Cache, Ended, Engine, Executors, Guard, Guarded, Journal, Limits, Outage, Pairing, Retry, RunEnd, RunError,
    Stop, Watch,
};
use eval_spec::plan::Plan;
use eval_spec::record::{Header, JOURNAL_VERSION};
use eval_spec::suite::{Settings, Written};
use eval_spec::units::Usd;
use eval_spec::{BoxFuture, Cell, Context, Event, PairJudged, Suite};

use super::export::{self, Export};
use super::project::{Chosen, Place, Project, Purpose, is_replay, settings};
use super::regrade::{self, Regrade};
use super::{report, resume};
use crate::cli::EvalArgs;

/// How a command shows its result and what its exit code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `omk eval`: a summary (or the report with `--json`); the verdict decides.
    Eval,
    /// `omk bench run`: the report on standard output; 0 once it is measured.
    BenchRun,
    /// `omk bench ci`: a summary; every variant must reach the threshold.
    BenchCi,
}

/// Runs `omk eval`.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &EvalArgs) -> Result<u8, Failure> {
    let exports = Export::all(context, &arguments.export)?;
    if let Some(id) = &arguments.resume {
        let resumed = resume::open(context, id, arguments.written())?;
        terminal.diagnostics(&resumed.project.suite.warnings);
        refuse_unknown_price(context, &resumed.project, resumed.journal.header().regrade_of.is_some())?;
        prepare(context, &resumed.project.suite.settings)?;
        return execute(context, terminal, &resumed.project, &resumed.plan, resumed.journal, Style::Eval, &exports);
    }
    if let Some(id) = &arguments.regrade {
        return regrade(context, terminal, id, arguments.written(), &exports);
    }
    let place = Place::find(context, arguments.project.as_deref())?;
    let chosen = settings(context, arguments.written(), arguments.directories(), &place)?;
    start(context, terminal, chosen, arguments.flags.dry_run, Style::Eval, &exports)
}

/// Grades the answers of the run `id` anew, in a run of its own.
fn regrade(
    context: &Context,
    terminal: &Terminal,
    id: &str,
    flags: Written,
    exports: &[Export],
) -> Result<u8, Failure> {
    let graded = regrade::open(context, id, flags)?;
    let Regrade { project, plan, answers, .. } = &graded;
    terminal.diagnostics(&project.suite.warnings);
    refuse_unknown_price(context, project, true)?;
    prepare(context, &project.suite.settings)?;
    let journal = create_journal(context, project, plan, Some(answers.header()))?;
    graded.adopt_into(&journal)?;
    execute(context, terminal, project, plan, journal, Style::Eval, exports)
}

/// Loads the inputs, and either shows the plan or runs it.
pub(crate) fn start(
    context: &Context,
    terminal: &Terminal,
    chosen: Chosen,
    dry_run: bool,
    style: Style,
    exports: &[Export],
) -> Result<u8, Failure> {
    let purpose = if dry_run { Purpose::Preview } else { Purpose::Run };
    let project = Project::load(context, chosen, purpose)?;
    terminal.diagnostics(&project.suite.warnings);
    refuse_unknown_price(context, &project, false)?;
    let plan = project.plan();
    if dry_run {
        return report::show_plan(context, terminal, &project, &plan);
    }
    prepare(context, &project.suite.settings)?;
    let journal = create_journal(context, &project, &plan, None)?;
    execute(context, terminal, &project, &plan, journal, style, exports)
}

/// Makes sure that the report can be written; our own place for it is closed to others.
pub(crate) fn prepare(context: &Context, settings: &Settings) -> Result<(), Failure> {
    if settings.output_dir.is_none() {
        let directory = report::directory(context, settings);
        let failed = Failure::io(msg!("cli-cannot-write", path = context.display(&directory)));
        eval_run::private_folder(&directory).map_err(failed)?;
    }
    report::prepare(context, settings)
}

/// X6: a money budget can't be kept with a model whose price nobody knows, be it a judge's. Answers that are
/// graded anew (`is_regrade`) cost nothing.
pub(crate) fn refuse_unknown_price(context: &Context, project: &Project, is_regrade: bool) -> Result<(), Failure> {
    let settings = &project.suite.settings;
    let has_budget = settings.budget_usd.is_some() || settings.budget_per_sample_usd.is_some();
    if !has_budget || settings.allow_unknown_cost {
        return Ok(());
    }
    let answering = (!is_regrade).then_some((settings.executor.as_str(), &settings.model));
    let paid = project.judges.iter().filter(|seat| seat.kind != ExecutorKind::Recordings);
    let judging = paid.map(|seat| (seat.executor.identity().executor.as_str(), &seat.model));
    let is_unknown = |(executor, model): &(&str, &String)| {
        !eval_exec::reports_cost(executor) && project.prices.price(model).is_none()
    };
    let Some((_, model)) = answering.into_iter().chain(judging).find(is_unknown) else { return Ok(()) };
    let own = context.display(&context.home.join("prices.json"));
    Err(Failure::usage(
        msg!("cli-budget-unknown-price", model = model),
        msg!("cli-budget-unknown-price-help", path = own),
    ))
}

/// A new journal under an id that no other run has: two runs in one second don't meet.
///
/// A regraded run goes on in the directory of the `graded` one.
pub(crate) fn create_journal(
    context: &Context,
    project: &Project,
    plan: &Plan,
    graded: Option<&Header>,
) -> Result<Journal, Failure> {
    let started_at = context.now();
    let settings = &project.suite.settings;
    let names: Vec<&str> = match settings.blind {
        true => vec!["blind"],
        false => project.suite.variants.iter().map(|variant| variant.name.as_str()).collect(),
    };
    let reports = report::directory(context, settings);
    let mut header = Header {
        version: JOURNAL_VERSION,
        id: String::new(),
        started_at,
        plan_hash: plan.hash.clone(),
        settings: serde_json::to_value(ending::without_secrets(context, settings)).unwrap_or_default(),
        inputs: project.inputs(),
        cwd: graded.map_or_else(|| context.cwd.display().to_string(), |graded| graded.cwd.clone()),
        regrade_of: graded.map(|graded| graded.id.clone()),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        order_seed: Some(project.order_seed),
    };
    loop {
        header.id = eval_format::report_id(started_at, &names, |id| {
            eval_run::journal_path(&context.home, id).exists() || reports.join(format!("{id}.json")).exists()
        });
        match Journal::create(&eval_run::journal_path(&context.home, &header.id), header.clone()) {
            // Another run took the id between our look and our writing.
            Err(RunError::Exists { .. }) => {}
            created => return Ok(created?),
        }
    }
}

/// Runs the plan, writes the report, shows it, and gives the exit code.
fn execute(
    context: &Context,
    terminal: &Terminal,
    project: &Project,
    plan: &Plan,
    journal: Journal,
    style: Style,
    exports: &[Export],
) -> Result<u8, Failure> {
    let journal = Arc::new(journal);
    let id = journal.header().id.clone();
    terminal.note(&msg!("cli-run-id", id = &id));
    let end = run_engine(context, terminal, project, plan, &journal)?;
    let resume = msg!("cli-resume-with", command = format!("omk eval --resume {id}"));
    if end.ended == Ended::Interrupted {
        return Ok(ending::interrupted(terminal, &end, &resume));
    }
    for warning in &end.warnings {
        terminal.warn(warning);
    }
    if let Some(reason) = ending::ended_early(&end, &journal, context.lang) {
        terminal.error(&reason, None);
        terminal.note(&resume);
    }
    match report::finish(context, terminal, project, plan, &journal, &end.ended, style) {
        // What was paid for stands in the journal.
        Err(failure @ Failure::Report(_)) => {
            terminal.failure(context, &failure);
            terminal.note(&resume);
            Ok(exit::INVALID)
        }
        Err(failure) => Err(failure),
        Ok(code) => {
            let stored = report::directory(context, &project.suite.settings).join(format!("{id}.json"));
            let are_exported = export::write_all(context, terminal, exports, &stored)?;
            Ok(if are_exported { code } else { exit::INVALID })
        }
    }
}

fn limits(project: &Project) -> Limits {
    let settings = &project.suite.settings;
    let is_replay = is_replay(settings) && project.judges.iter().all(|seat| seat.kind == ExecutorKind::Recordings);
    Limits {
        concurrency: settings.concurrency,
        // A recorded failure does not pass by asking again.
        retry: Retry::infrastructure(if is_replay { 0 } else { settings.retry }),
        outage: Outage::EndsTheRun,
        rpm: settings.rpm,
        tpm: settings.tpm,
        // What is replayed was paid for when it was recorded.
        budget: if is_replay { Budget::default() } else { budget(settings) },
    }
}

fn budget(settings: &Settings) -> Budget {
    Budget {
        total_usd: settings.budget_usd.map(Usd),
        per_sample_usd: settings.budget_per_sample_usd.map(Usd),
        per_sample_ms: settings.budget_per_sample_ms,
        allow_unknown_cost: settings.allow_unknown_cost,
    }
}

pub(crate) fn run_engine(
    context: &Context,
    terminal: &Terminal,
    project: &Project,
    plan: &Plan,
    journal: &Arc<Journal>,
) -> Result<RunEnd, Failure> {
    let settings = &project.suite.settings;
    let progress = Progress::new(terminal, if settings.blind { progress::blind } else { progress::plain });
    let stop = Stop::new();
    let guard = Arc::new(Guard::new(limits(project), stop.clone(), project.seed, context.clock));
    let is_remote = eval_exec::kind(&settings.executor).is_remote();
    let recorder = recorder(context, settings)?;
    let executor = match &recorder {
        Some(recorder) => Recorder::wrap(Arc::clone(&project.executor), Arc::clone(recorder)),
        None => Arc::clone(&project.executor),
    };
    let cache = cache(context, settings)?;
    // Replayed executions are on disk already.
    let own_cache = cache.clone().filter(|_| !is_replay(settings));
    let executor = Guarded::new(executor, Arc::clone(&guard), own_cache, is_remote);
    let nowhere = tempfile::tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let shared = Shared { guard: &guard, journal, cache: cache.as_ref(), recorder: recorder.as_ref() };
    let panel = judges::panel(&project.judges, settings, &shared, nowhere.path());
    let grader: Arc<dyn eval_spec::Grader> = match project.judges.is_empty() {
        true => Arc::clone(&project.grading) as _,
        false => Arc::new(eval_grade::Judging::new(Arc::clone(&project.grading), panel.clone())),
    };
    let compare = |[(earlier, first), (later, second)]: [(Cell, String); 2]| {
        let (grading, panel) = (Arc::clone(&project.grading), panel.clone());
        Box::pin(async move {
            let cells = (&*earlier.key.subject, &later.key);
            grading.compare(&panel, earlier.sample, cells, [&first, &second]).await
        }) as BoxFuture<'static, Vec<PairJudged>>
    };
    let pairs = project.pairs(plan);
    let told = |event: Event| progress.event(&event);
    let pairing =
        Pairing { guard: Arc::clone(&guard), journal: Arc::clone(journal), compare: &compare, on_event: &told };
    let watch = || decider(&project.suite);
    let engine = Engine {
        executors: Executors::one(Arc::new(executor)),
        grader,
        call: &|cell| project.call(cell),
        journal: Arc::clone(journal),
        on_event: &mut |event: Event| progress.event(&event),
        watch: settings.stop_when_decided.then_some(&watch),
    };
    let answered = regrade::answered(project, plan, journal)?;
    let plan = answered.as_ref().unwrap_or(plan);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::io(msg!("cli-runtime")))?;
    let run = async {
        let end = engine.run(plan).await?;
        pairing.run(&pairs, end).await
    };
    let end = runtime.block_on(ending::until_it_ends(run, &stop, &progress));
    for note in recorder.iter().flat_map(|recorder| recorder.notes()) {
        terminal.note(&note);
    }
    end
}

/// What ends a run as soon as it is decided.
pub(super) fn decider(suite: &Suite) -> Watch<'_> {
    let mut decider = eval_analysis::Decider::new(suite);
    Box::new(move |sample, records| decider.as_mut().is_some_and(|decider| decider.finished(sample, &records)))
}

fn recorder(context: &Context, settings: &Settings) -> Result<Option<Arc<Recorder>>, Failure> {
    let Some(directory) = &settings.record else { return Ok(None) };
    let failed = Failure::io(msg!("cli-cannot-write", path = context.display(directory)));
    Ok(Some(Arc::new(Recorder::create(directory).map_err(failed)?)))
}

/// A run that records must ask for every answer: what the cache serves would be missing from the recordings.
fn cache(context: &Context, settings: &Settings) -> Result<Option<Arc<Cache>>, Failure> {
    if !settings.cache || settings.record.is_some() {
        return Ok(None);
    }
    Ok(Some(Arc::new(open_cache(context)?)))
}

/// The cache in our home.
pub(crate) fn open_cache(context: &Context) -> Result<Cache, Failure> {
    let directory: PathBuf = context.home.join("cache");
    Ok(Cache::open(&directory)?)
}
