//! One evaluation through the engine: journal, guard, executors, scorers, and the store that hears of every result.

use std::path::Path;
use std::sync::Arc;

use eval_analysis::skills::task_result;
use eval_callable::{SkillHost, WatchdogCommand};
use eval_cli::ending::until_it_ends;
use eval_cli::judges::{Shared, judge};
use eval_cli::signals::outlive_file_size;
use eval_cli::terminal::progress::Progress;
use eval_cli::{Failure, Terminal};
use eval_format::evaluation_id;
use eval_format::skills::TaskResult;
use eval_message::{Lang, msg};
use eval_render::skills::is_written;
use eval_run::{Budget, Engine, Executors, Guard, Guarded, Journal, Limits, Outage, Retry, RunEnd, Stop};
use eval_serve::Store;
use eval_spec::callable::AdapterType;
use eval_spec::record::Record;
use eval_spec::{CellKey, Context, Event};

use super::ask::{Ask, Overrides, TRANSPORT_RETRIES};
use super::finish::{self, Done, Ran};
use super::keeping::Keeping;
use super::loaded::Loaded;
use crate::journals::{self, Begin};
use crate::told;

/// Marks our journals' settings among those of other programs.
const KIND: &str = "eval-skills";

/// A new journal; its id is that of the report, so none that lies there may have it.
pub(super) fn begin(context: &Context, loaded: &Loaded) -> Result<Journal, Failure> {
    let ask = without_secrets(context, &loaded.ask);
    let begin = Begin {
        kind: KIND,
        ask: &ask,
        plan_hash: loaded.plan.hash.clone(),
        inputs: loaded.hashes(),
        seed: loaded.seed,
    };
    let is_there = |id: &str| is_written(&loaded.ask.output_dir, id);
    journals::begin(context, &begin, |at, taken| evaluation_id(at, |id| taken(id) || is_there(id)))
}

/// A key in a command line is not written down.
fn without_secrets(context: &Context, ask: &Ask) -> Ask {
    let judge_executor = ask.judge_executor.as_ref().map(|judge| eval_exec::masked(context, judge));
    Ask { judge_executor, ..ask.clone() }
}

/// The journal of an evaluation that goes on, what it was asked for with `overrides` over it, and the world it began in.
pub(super) fn reopen(context: &Context, id: &str, overrides: Overrides) -> Result<(Journal, Ask, Context), Failure> {
    let (journal, ask, begun_in) = journals::reopen::<Ask>(context, KIND, id)?;
    let ask = overrides.over(ask);
    journals::refuse_masked(&ask.judge_executor)?;
    Ok((journal, ask, begun_in))
}

/// Runs what the journal doesn't hold yet, and makes the report of all of it.
pub(super) fn run(context: &Context, terminal: &Terminal, loaded: &Loaded, journal: Journal) -> Result<Done, Failure> {
    let journal = Arc::new(journal);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::io(msg!("cli-runtime")))?;
    // The store is written before the run listens to signals.
    runtime.block_on(async { outlive_file_size() }).map_err(Failure::io(msg!("cli-runtime")))?;
    let store = store(context, loaded, &journal)?;
    let scratch =
        tempfile::Builder::new().prefix("eval-skills-").tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let host = Arc::new(host(loaded, scratch.path())?);
    host.unavailable_guards().iter().for_each(|lack| terminal.warn(lack));
    let stop = Stop::new();
    let keeping = Keeping::begin(store, stop.clone()).map_err(Failure::io(msg!("cli-runtime")))?;
    let end = runtime.block_on(engine(
        context,
        terminal,
        loaded,
        &Parts { journal: &journal, keeping: &keeping, host: &host, stop },
    ));
    // What was started ends before anything is told.
    drop(runtime);
    let (store, unstored) = keeping.end();
    finish::report(
        context,
        terminal,
        loaded,
        &Ran { journal: &journal, store: &store, host: &host, end: end?, unstored },
    )
}

/// The place where skills' processes run; without a watchdog where none is started.
fn host(loaded: &Loaded, scratch: &Path) -> Result<SkillHost, Failure> {
    let starts = loaded.skills.iter().any(|skill| skill.adapter != AdapterType::Http) && !loaded.is_only_files();
    let helper = WatchdogCommand::this_program().ok().filter(|_| starts);
    let confined = starts.then_some(loaded.ask.sandbox);
    SkillHost::start(scratch, confined, helper).map_err(Failure::io(msg!("cli-runtime")))
}

/// What an evaluation runs with.
struct Parts<'a> {
    journal: &'a Arc<Journal>,
    keeping: &'a Keeping,
    host: &'a Arc<SkillHost>,
    stop: Stop,
}

async fn engine(context: &Context, terminal: &Terminal, loaded: &Loaded, parts: &Parts<'_>) -> Result<RunEnd, Failure> {
    let Parts { journal, keeping, host, stop } = parts;
    let guard = Arc::new(Guard::new(limits(loaded), stop.clone(), loaded.seed, context.clock));
    let nowhere = tempfile::tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let shared = Shared { guard: &guard, journal, cache: None, recorder: None };
    let judge = loaded.judge.as_ref().map(|seat| judge(seat, &shared, nowhere.path()));
    let scoring = Arc::new(loaded.scoring(judge)?);
    let executors = loaded.executors(context, host)?;
    let guarded = |(skill, executor)| {
        let guarded = Guarded::new(executor, Arc::clone(&guard), None, false);
        match eval_callable::at_once(skill) {
            Some(calls) => guarded.at_once(calls),
            None => guarded,
        }
    };
    let guarded = loaded.skills.iter().zip(executors).map(guarded).collect();
    let progress = Progress::new(terminal, named);
    let mut on_event = |event: Event| {
        if let Event::CellFinished { record, .. } = &event {
            keep(context, loaded, keeping, record);
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
    until_it_ends(engine.run(&loaded.plan), stop, &progress).await
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
        if let (Some((skill, task)), Some(record)) = (loaded.of(&cell.key), finish::record(journal, cell)?) {
            written.push((&*skill.id, task_result(skill, task, &record, loaded.timeout(), context.lang)));
        }
    }
    Ok(written)
}

/// Hands a result over to be written into the store as it arrives (M8).
fn keep(context: &Context, loaded: &Loaded, keeping: &Keeping, record: &Record) {
    if let Some((skill, task)) = loaded.of(&record.execution.key) {
        let result = task_result(skill, task, record, loaded.timeout(), context.lang);
        keeping.keep(&skill.id, result);
    }
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
