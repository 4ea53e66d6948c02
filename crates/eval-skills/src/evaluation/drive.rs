//! One evaluation through the engine: journal, guard, executors, scorers, and the store that hears of every result.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use eval_cli::Terminal;
use eval_cli::ending::until_it_ends;
use eval_cli::exit::Failure;
use eval_cli::terminal::progress::Progress;
use eval_exec::skill::{Helper, Host};
use eval_report::skills::{TaskResult, evaluation_id, is_written, task_result};
use eval_run::{
    Budget, Engine, Executors, Guard, Guarded, Journal, Judging, Limits, Outage, Retry, RunEnd, RunError, Stop,
};
use eval_serve::{Store, StoreError};
use eval_spec::callable::AdapterType;
use eval_spec::record::{Header, JOURNAL_VERSION, Record};
use eval_spec::{CellKey, Context, Event, Lang, msg};

use super::ask::{Ask, TRANSPORT_RETRIES};
use super::finish::{self, Done, Ran};
use super::loaded::Loaded;
use crate::told;

/// Marks our journals' settings among those of other programs.
const KIND: &str = "eval-skills";

/// A new journal under an id that no other evaluation has: two in one second don't meet.
pub(super) fn begin(context: &Context, loaded: &Loaded) -> Result<Journal, Failure> {
    let started_at = context.now();
    let mut header = Header {
        version: JOURNAL_VERSION,
        id: String::new(),
        started_at,
        plan_hash: loaded.plan.hash.clone(),
        settings: serde_json::json!({"kind": KIND, "ask": loaded.ask}),
        inputs: loaded.hashes(),
        cwd: context.cwd.display().to_string(),
        regrade_of: None,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        order_seed: Some(loaded.seed),
    };
    loop {
        header.id = evaluation_id(started_at, |id| {
            eval_run::journal_path(&context.home, id).exists() || is_written(&loaded.ask.output_dir, id)
        });
        match Journal::create(&eval_run::journal_path(&context.home, &header.id), header.clone()) {
            // Another evaluation took the id between our look and our writing.
            Err(RunError::Exists { .. }) => {}
            created => return Ok(created?),
        }
    }
}

/// The journal of an evaluation that goes on, and what it was asked for.
pub(super) fn reopen(context: &Context, id: &str) -> Result<(Journal, Ask), Failure> {
    let ours = |header: &Header| header.settings.get("kind").is_some_and(|kind| kind == KIND);
    let path = match id {
        "latest" => eval_run::latest_where(&context.home, |header| {
            ours(header) && std::path::Path::new(&header.cwd) == context.cwd
        })?
        .ok_or_else(|| Failure::usage(msg!("skills-cli-nothing-to-resume"), None))?,
        id => eval_run::journal_path(&context.home, id),
    };
    let header = Journal::read_header(&path)?;
    let ask = header.settings.get("ask").cloned().map(serde_json::from_value::<Ask>);
    match ask {
        Some(Ok(ask)) if ours(&header) => Ok((Journal::resume(&path)?, ask)),
        _ => Err(Failure::usage(msg!("skills-cli-not-ours", id = id), None)),
    }
}

/// Runs what the journal doesn't hold yet, and makes the report of all of it.
pub(super) fn run(context: &Context, terminal: &Terminal, loaded: &Loaded, journal: Journal) -> Result<Done, Failure> {
    let journal = Arc::new(journal);
    // Before anything runs: what was run and can't be written down would be lost.
    finish::prepare(context, loaded)?;
    let store = Mutex::new(store(context, loaded, &journal)?);
    let scratch =
        tempfile::Builder::new().prefix("eval-skills-").tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let host = Arc::new(host(loaded, scratch.path())?);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::io(msg!("cli-runtime")))?;
    host.lacks().iter().for_each(|lack| terminal.warn(lack));
    let (end, unstored) = runtime.block_on(engine(context, terminal, loaded, &journal, &store, &host))?;
    // What was started ends before anything is told.
    drop(runtime);
    let store = store.into_inner().unwrap_or_else(PoisonError::into_inner);
    finish::report(context, terminal, loaded, &Ran { journal: &journal, store: &store, host: &host, end, unstored })
}

/// The place where skills' processes run; without a watchdog where none is started.
fn host(loaded: &Loaded, scratch: &Path) -> Result<Host, Failure> {
    let starts = loaded.skills.iter().any(|skill| skill.adapter != AdapterType::Http) && !loaded.is_only_files();
    let helper = Helper::this_program().ok().filter(|_| starts);
    let confined = starts.then_some(loaded.ask.sandbox);
    Host::start(scratch, confined, helper).map_err(Failure::io(msg!("cli-runtime")))
}

async fn engine(
    context: &Context,
    terminal: &Terminal,
    loaded: &Loaded,
    journal: &Arc<Journal>,
    store: &Mutex<Store>,
    host: &Arc<Host>,
) -> Result<(RunEnd, Option<StoreError>), Failure> {
    let stop = Stop::new();
    let guard = Arc::new(Guard::new(limits(loaded), stop.clone(), loaded.seed, context.clock));
    let nowhere = tempfile::tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let judge = loaded.judge.as_ref().map(|seat| {
        let guarded = Guarded::new(Arc::clone(&seat.executor), Arc::clone(&guard), None, seat.kind.is_remote());
        let asked = Judging::new(guarded, Arc::clone(journal), eval_grade::is_usable_reply);
        seat.with(Arc::new(asked), Some(nowhere.path()))
    });
    let scoring = Arc::new(loaded.scoring(judge)?);
    let executors = loaded.executors(context, host)?;
    let guarded = executors.into_iter().map(|one| Guarded::new(one, Arc::clone(&guard), None, false)).collect();
    let progress = Progress::new(terminal, named);
    let mut unstored = None;
    let mut on_event = |event: Event| {
        if let Event::CellFinished { record, .. } = &event {
            if let Err(error) = keep(context, loaded, store, record) {
                unstored.get_or_insert(error);
                stop.drain();
            }
            if loaded.ask.verbose {
                tell_result(context, terminal, loaded, record);
            }
        }
        progress.event(&event);
    };
    let engine = Engine {
        executors: Executors::per_subject(guarded, Arc::clone(&guard)),
        grader: scoring,
        call: &|cell| loaded.call(cell),
        journal: Arc::clone(journal),
        on_event: &mut on_event,
        watch: None,
    };
    let end = until_it_ends(engine.run(&loaded.plan), &stop, &progress).await?;
    Ok((end, unstored))
}

fn limits(loaded: &Loaded) -> Limits {
    let failed = loaded.ask.retries.unwrap_or(0);
    Limits {
        concurrency: loaded.ask.concurrency,
        retry: Retry { transient: loaded.ask.retries.unwrap_or(TRANSPORT_RETRIES), unanswered: failed, failed },
        outage: Outage::IsAResult,
        rpm: None,
        tpm: None,
        budget: Budget { allow_unknown_cost: true, ..Budget::default() },
    }
}

fn store(context: &Context, loaded: &Loaded, journal: &Journal) -> Result<Store, Failure> {
    let written = written(context, loaded, journal)?;
    let opened = Store::open(&loaded.ask.store).and_then(|store| {
        store.begin(&finish::begun(context, loaded, journal))?;
        store.append_all(written)?;
        Ok(store)
    });
    opened.map_err(|error| told::store(context, &error))
}

/// What the journal of an evaluation that goes on holds already: the store may lack the last of it.
fn written<'a>(
    context: &Context,
    loaded: &'a Loaded,
    journal: &Journal,
) -> Result<Vec<(&'a str, TaskResult)>, Failure> {
    let mut written = Vec::new();
    for cell in &loaded.plan.cells {
        if let (Some((skill, task)), Some(record)) = (loaded.of(&cell.key), journal.record(cell)?) {
            written.push((&*skill.id, task_result(skill, task, &record, loaded.timeout(), context.lang)));
        }
    }
    Ok(written)
}

/// Writes a result into the store as it arrives (M8).
fn keep(context: &Context, loaded: &Loaded, store: &Mutex<Store>, record: &Record) -> Result<(), StoreError> {
    let Some((skill, task)) = loaded.of(&record.execution.key) else { return Ok(()) };
    let result = task_result(skill, task, record, loaded.timeout(), context.lang);
    store.lock().unwrap_or_else(PoisonError::into_inner).append(&skill.id, &result)
}

/// With `--verbose`, a line for each result.
fn tell_result(context: &Context, terminal: &Terminal, loaded: &Loaded, record: &Record) {
    let Some((skill, task)) = loaded.of(&record.execution.key) else { return };
    let result = task_result(skill, task, record, loaded.timeout(), context.lang);
    let (cell, status) = (named(&record.execution.key, context.lang), result.status.name());
    terminal.note(&match result.error.or(result.reason) {
        Some(why) => msg!("skills-cli-result-why", cell = cell, status = status, why = why),
        None => msg!("skills-cli-result", cell = cell, status = status),
    });
}

/// A cell as reports name it: runs are counted from 1.
fn named(key: &CellKey, lang: Lang) -> String {
    let run = key.repeat.saturating_add(1);
    msg!("skills-cli-cell", skill = &*key.subject, task = &*key.sample, run = run).text(lang)
}
