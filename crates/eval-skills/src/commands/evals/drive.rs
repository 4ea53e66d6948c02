//! One run of evals through the engine: journal, guard, executor, judges.

use std::sync::Arc;

use eval_cli::judges::{Shared, panel};
use eval_cli::terminal::progress::{self, Progress};
use eval_cli::{Failure, Terminal, ending, exit};
use eval_exec::ExecutorKind;
use eval_grade::Judging;
use eval_message::msg;
use eval_run::{Budget, Ended, Engine, Executors, Guard, Guarded, Journal, Limits, Outage, Retry, RunEnd, Stop};
use eval_spec::units::Usd;
use eval_spec::{Context, Event};

use super::ask::Ask;
use super::finish;
use super::suite::EvalSuite;
use crate::cli::EvalsArgs;
use crate::journals::{self, Begin};

/// Marks our journals' settings among those of `eval`.
const KIND: &str = "eval-skills evals";

/// A new journal.
pub(super) fn begin(context: &Context, suite: &EvalSuite) -> Result<Journal, Failure> {
    let ask = without_secrets(context, &suite.ask);
    let begin =
        Begin { kind: KIND, ask: &ask, plan_hash: suite.plan.hash.clone(), inputs: suite.inputs(), seed: suite.seed };
    journals::begin(context, &begin, |at, taken| eval_format::report_id(at, &["evals", &suite.skill], taken))
}

/// A key in a command line is not written down.
fn without_secrets(context: &Context, ask: &Ask) -> Ask {
    Ask {
        executor: eval_exec::masked(context, &ask.executor),
        judge_executor: ask.judge_executor.as_ref().map(|judge| eval_exec::masked(context, judge)),
        ..ask.clone()
    }
}

/// The journal of a run that goes on, what it was asked for, and the world it began in.
pub(super) fn reopen(context: &Context, id: &str, flags: &EvalsArgs) -> Result<(Journal, Ask, Context), Failure> {
    let (journal, mut ask, begun_in) = journals::reopen::<Ask>(context, KIND, id)?;
    ask.executor = flags.executor.clone().unwrap_or(ask.executor);
    ask.judge_executor = flags.judge_executor.clone().or(ask.judge_executor);
    ask.budget_usd = flags.budget_usd.or(ask.budget_usd);
    ask.concurrency = flags.concurrency.map_or(ask.concurrency, |n| usize::try_from(n).unwrap_or(1));
    journals::refuse_masked([Some(&ask.executor), ask.judge_executor.as_ref()].into_iter().flatten())?;
    Ok((journal, ask, begun_in))
}

/// Runs what the journal doesn't hold yet, and writes the files of all of it.
pub(super) fn run(context: &Context, terminal: &Terminal, suite: &EvalSuite, journal: Journal) -> Result<u8, Failure> {
    let journal = Arc::new(journal);
    // Before anything is paid for: what can't be written down would be lost.
    finish::prepare(context, suite)?;
    let id = journal.header().id.clone();
    terminal.note(&msg!("cli-run-id", id = &id));
    let end = engine(context, terminal, suite, &journal)?;
    let resume = msg!("cli-resume-with", command = format!("eval-skills evals --resume {id}"));
    if end.ended == Ended::Interrupted {
        return Ok(ending::interrupted(terminal, &end, &resume));
    }
    for warning in &end.warnings {
        terminal.warn(warning);
    }
    let early = ending::ended_early(&end, &journal, context.lang);
    if let Some(reason) = &early {
        terminal.error(reason, None);
        terminal.note(&resume);
    }
    match finish::report(context, terminal, suite, &journal, &end) {
        // What was paid for stands in the journal.
        Err(failure @ (Failure::Report(_) | Failure::Io { .. })) => {
            terminal.failure(context, &failure);
            terminal.note(&resume);
            Ok(exit::INVALID)
        }
        other => other,
    }
}

fn engine(
    context: &Context,
    terminal: &Terminal,
    suite: &EvalSuite,
    journal: &Arc<Journal>,
) -> Result<RunEnd, Failure> {
    let settings = &suite.suite.settings;
    let Some(executor) = &suite.executor else { return Err(Failure::usage(msg!("cli-executor-not-ready"), None)) };
    let progress = Progress::new(terminal, progress::plain);
    let stop = Stop::new();
    let guard = Arc::new(Guard::new(limits(suite), stop.clone(), suite.seed, context.clock));
    let is_remote = eval_exec::kind(&settings.executor).is_remote();
    let guarded = Guarded::new(Arc::clone(executor), Arc::clone(&guard), None, is_remote);
    let nowhere = tempfile::tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let shared = Shared { guard: &guard, journal, cache: None, recorder: None };
    let panel = panel(&suite.judges, settings, &shared, nowhere.path());
    let engine = Engine {
        executors: Executors::one(Arc::new(guarded)),
        grader: Arc::new(Judging::new(Arc::clone(&suite.grading), panel)),
        call: &|cell| suite.call(cell),
        journal: Arc::clone(journal),
        on_event: &mut |event: Event| progress.event(&event),
        watch: None,
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::io(msg!("cli-runtime")))?;
    runtime.block_on(ending::until_it_ends(engine.run(&suite.plan), &stop, &progress))
}

fn limits(suite: &EvalSuite) -> Limits {
    let settings = &suite.suite.settings;
    let recorded = eval_exec::kind(&settings.executor) == ExecutorKind::Recordings;
    Limits {
        concurrency: settings.concurrency,
        // A recorded failure does not pass by asking again.
        retry: Retry::infrastructure(if recorded { 0 } else { settings.retry }),
        outage: Outage::EndsTheRun,
        rpm: None,
        tpm: None,
        budget: Budget { total_usd: settings.budget_usd.map(Usd), ..Budget::default() },
    }
}
