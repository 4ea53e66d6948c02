//! Judges: from names to executors, and from executors to a panel.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eval_exec::{Build, BuildError, ExecutorKind, Recorder};
use eval_grade::{Judge, Panel};
use eval_load as load;
use eval_message::{Message, msg};
use eval_run::{Cache, Guard, Guarded, Journal};
use eval_spec::suite::{DEFAULT_EXECUTOR, Settings};
use eval_spec::{Call, Context, Executor, MOST_JUDGES, Output};

use crate::exit::CommandError;
use crate::prices::meant;

/// Longest executor name that resembles too many other words.
const SHORT: usize = 5;

/// A judge, before it takes part in a run.
#[derive(Clone)]
pub struct Seat {
    /// `executor:model`, as in reports.
    pub label: String,
    /// Model name.
    pub model: String,
    pub executor: Arc<dyn Executor>,
    pub kind: ExecutorKind,
}

/// Builds the judges of the settings. `main` is the executor under test: recordings contain the replies of judges too,
/// unless another executor is named. A regraded run has no `main`. An error comes with the name of the unknown or
/// unusable executor.
pub fn seats(
    settings: &Settings,
    main: Option<&Arc<dyn Executor>>,
    build: &Build<'_>,
) -> Result<Vec<Seat>, (String, BuildError)> {
    let is_replayed = is_replayed(settings);
    let default = default_of(settings);
    let named = named(settings, &default, build.context)?;
    if let Some(problem) = unusable(&named, !settings.judge_models.is_empty(), build.context) {
        return Err((default, BuildError::Invalid { message: problem, help: Vec::new() }));
    }
    let mut seats: Vec<Seat> = Vec::with_capacity(named.len());
    for (index, (name, model)) in named.iter().enumerate() {
        let existing = named[..index].iter().position(|(other, _)| other == name).and_then(|seat| seats.get(seat));
        let source = if is_replayed { &settings.executor } else { name };
        let executor = match (existing, main) {
            (_, Some(main)) if is_replayed => Arc::clone(main),
            (Some(seat), _) => Arc::clone(&seat.executor),
            (None, _) => eval_exec::build(source, build).map_err(|error| (source.clone(), error))?,
        };
        let kind = if is_replayed { ExecutorKind::Recordings } else { eval_exec::kind(name) };
        seats.push(Seat { label: label(build.context, name, model), model: model.clone(), executor, kind });
    }
    Ok(seats)
}

/// Returns the executors of the judges in the settings; none if their replies are recorded, or a name is invalid.
pub fn judge_executors(settings: &Settings, context: &Context) -> Vec<String> {
    if is_replayed(settings) {
        return Vec::new();
    }
    let named = named(settings, &default_of(settings), context).unwrap_or_default();
    named.into_iter().map(|(executor, _)| executor).collect()
}

fn is_replayed(settings: &Settings) -> bool {
    settings.judge_executor.is_none() && eval_exec::kind(&settings.executor) == ExecutorKind::Recordings
}

fn default_of(settings: &Settings) -> String {
    settings.judge_executor.clone().unwrap_or_else(|| default_executor(&settings.executor).to_owned())
}

/// Returns executor and model of each judge.
fn named(settings: &Settings, default: &str, context: &Context) -> Result<Vec<(String, String)>, (String, BuildError)> {
    match settings.judge_models.is_empty() {
        true => Ok(vec![(default.to_owned(), eval_exec::default_judge(default).to_owned())]),
        false => settings.judge_models.iter().map(|written| split(written, default, context)).collect(),
    }
}

/// Builds the first judge of the settings, for use outside of a run.
pub fn only_seat(settings: &Settings, build: &Build<'_>) -> Result<Option<Seat>, CommandError> {
    let seats = seats(settings, None, build).map_err(|(name, error)| CommandError::Executor {
        place: None,
        meant: meant(build.context, &error, &name),
        error,
        instead: Some(Box::new(msg!("cli-judge-other"))),
    })?;
    Ok(seats.into_iter().next())
}

/// Rejects a judge without a model, which would be the executor's expensive default, duplicate judges, and more judges
/// than a report holds.
fn unusable(named: &[(String, String)], written: bool, context: &Context) -> Option<Message> {
    if written && let Some((executor, _)) = named.iter().find(|(_, model)| model.trim().is_empty()) {
        return Some(msg!("cli-judge-no-model", executor = label(context, executor, "")));
    }
    if named.len() > MOST_JUDGES {
        return Some(msg!("cli-judges-many", count = named.len(), most = MOST_JUDGES));
    }
    let (executor, model) = named.iter().enumerate().find(|(index, judge)| named[..*index].contains(judge))?.1;
    Some(msg!("cli-judge-twice", judge = label(context, executor, model)))
}

/// Returns the executor of judges if none is named: the executor under test, unless it is a program.
fn default_executor(executor: &str) -> &str {
    match eval_exec::kind(executor) {
        ExecutorKind::Program => DEFAULT_EXECUTOR,
        ExecutorKind::Agent | ExecutorKind::Model | ExecutorKind::Recordings => executor,
    }
}

/// Splits `executor:model`, or returns a model with the default executor; models have colons in their names, too. An
/// error if the text before the colon is close to an executor's name: as part of a model's name it would select another
/// judge than intended.
fn split(written: &str, default: &str, context: &Context) -> Result<(String, String), (String, BuildError)> {
    let alone = || (default.to_owned(), written.to_owned());
    let Some((before, model)) = written.split_once(':') else { return Ok(alone()) };
    if eval_exec::named(before).is_some() {
        return Ok((before.trim().to_owned(), model.to_owned()));
    }
    let names: Vec<&str> = eval_exec::EXECUTORS.iter().map(|executor| executor.name).collect();
    // Short names such as `codex` resemble models of other names: `codeup:13b`.
    let is_near = |name: &str| name.len() > SHORT || before.len() <= name.len();
    let is_meant = load::closest(before, &names).is_some_and(is_near);
    // A program's models may have any names.
    if !is_meant || eval_exec::named(default).is_none() {
        return Ok(alone());
    }
    let whole = label(context, default, written);
    let message = msg!("cli-judge-no-executor", executor = before, model = written, whole = whole);
    Err((before.to_owned(), BuildError::Unknown { message, help: eval_exec::choices(context) }))
}

/// Formats `executor:model` for reports and messages, with secrets masked.
fn label(context: &Context, executor: &str, model: &str) -> String {
    let executor = eval_exec::masked(context, executor);
    if model.is_empty() { executor } else { format!("{executor}:{model}") }
}

/// Parts of a run that judges share.
pub struct Shared<'a> {
    pub guard: &'a Arc<Guard>,
    /// Stores the requests.
    pub journal: &'a Arc<Journal>,
    pub cache: Option<&'a Arc<Cache>>,
    /// Records executions, with `--record`.
    pub recorder: Option<&'a Arc<Recorder>>,
}

/// Makes the panel of a run: every request counts towards the run's limits and budget, and is stored in its journal.
///
/// Agents judge in `nowhere`, an empty directory, so that they see nothing of the project.
pub fn panel(seats: &[Seat], settings: &Settings, shared: &Shared<'_>, nowhere: &Path) -> Panel {
    Panel {
        judges: seats.iter().map(|seat| judge(seat, shared, nowhere)).collect(),
        repeat: settings.judge_repeat,
        debias_length: settings.debias_length,
        timeout: Duration::from_millis(settings.timeout_ms),
    }
}

/// Makes the classifier of hedging: its answers are optional, and cached by sentence.
pub fn classifier(seat: &Seat, settings: &Settings, shared: &Shared<'_>, nowhere: &Path) -> Panel {
    let through = |guarded: Guarded| guarded.optional().cached_by(eval_grade::hedging_question);
    let judge = judge_through(seat, shared, nowhere, eval_grade::check_hedging, through);
    let timeout = Duration::from_millis(settings.timeout_ms);
    Panel { judges: vec![judge], repeat: 1, debias_length: settings.debias_length, timeout }
}

/// Makes one judge of a run, as in [`panel`].
pub fn judge(seat: &Seat, shared: &Shared<'_>, nowhere: &Path) -> Judge {
    judge_through(seat, shared, nowhere, eval_grade::check_reply, |guarded| guarded)
}

fn judge_through(
    seat: &Seat,
    shared: &Shared<'_>,
    nowhere: &Path,
    check: fn(&Call, &Output) -> Result<(), Message>,
    through: impl FnOnce(Guarded) -> Guarded,
) -> Judge {
    let inner = match shared.recorder {
        Some(recorder) => Recorder::wrap(Arc::clone(&seat.executor), Arc::clone(recorder)),
        None => Arc::clone(&seat.executor),
    };
    // Recorded replies need no cache.
    let cache = shared.cache.filter(|_| seat.kind != ExecutorKind::Recordings).cloned();
    let guarded = through(Guarded::new(inner, Arc::clone(shared.guard), cache, seat.kind.is_remote()));
    let executor = Arc::new(eval_run::JournaledJudge::new(guarded, Arc::clone(shared.journal), check));
    // A program's arguments may name files of the project, so it keeps its directory; an agent must not see the
    // project.
    let cwd = (seat.kind == ExecutorKind::Agent).then(|| nowhere.to_owned());
    Judge { label: seat.label.clone(), executor, model: seat.model.clone(), cwd }
}
