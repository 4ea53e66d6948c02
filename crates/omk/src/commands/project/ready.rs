//! The executors that answer and judge.

use std::sync::Arc;

use eval_cli::CommandError;
use eval_cli::judges::{Seat, seats};
use eval_cli::prices::meant;
use eval_exec::{Build, BuildError, ExecutorKind};
use eval_message::{Message, msg};
use eval_spec::suite::{HedgingClassifier, Settings};
use eval_spec::{BoxFuture, Call, Diagnostic, ExecError, Executor, Failure, Identity, Output, source};

use super::Named;
use crate::commands::project::purpose::{Purpose, is_replay};

/// An executor that fails every call: it can't run here and only its plan is shown, or the answers of an earlier run are
/// graded anew.
struct NeverCalled {
    identity: Identity,
    why: fn() -> ExecError,
}

impl Executor for NeverCalled {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Err((self.why)()) })
    }
}

/// The executor that answers. If only the plan is shown, a missing program or key is a warning.
pub(super) fn executor(
    build: &Build<'_>,
    named: &Named,
    purpose: &Purpose,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Arc<dyn Executor>, CommandError> {
    let Build { context, settings, .. } = build;
    if let Purpose::Regrade(identity) = purpose {
        let why = || ExecError::new(Failure::NoRecording, msg!("cli-regrade-no-answer"));
        return Ok(Arc::new(NeverCalled { identity: (**identity).clone(), why }));
    }
    match eval_exec::build(&settings.executor, build) {
        Ok(executor) => Ok(executor),
        Err(error @ BuildError::Missing { .. }) if purpose.asks_nothing() => {
            let why = error.message().text(context.lang);
            let warning = Diagnostic::warning(msg!("cli-dry-run-not-ready", why = why), None);
            warnings.extend((*purpose == Purpose::Preview).then_some(warning));
            let identity = Identity { executor: settings.executor.clone(), ..Identity::default() };
            let why = || ExecError::new(Failure::Spawn, msg!("cli-executor-not-ready"));
            Ok(Arc::new(NeverCalled { identity, why }))
        }
        Err(error) => Err(CommandError::Executor {
            place: place_of(settings, named).cloned().map(Box::new),
            meant: meant(context, &error, &settings.executor),
            error,
            instead: recorded(build).map(Box::new),
        }),
    }
}

/// What can be done without an executor: compare the answers that lie beside the samples.
fn recorded(build: &Build<'_>) -> Option<Message> {
    let directory = build.settings.samples.parent()?.join("recordings");
    let shown = build.context.display(&directory);
    (directory.is_dir() && !is_replay(build.settings)).then(|| msg!("cli-replay-instead", dir = shown))
}

/// The judges; `executor` answers for the model under test, unless its answers are graded anew.
pub(super) fn judges(
    build: &Build<'_>,
    executor: &Arc<dyn Executor>,
    named: &Named,
    purpose: &Purpose,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Seat>, CommandError> {
    let main = (!matches!(purpose, Purpose::Regrade(_))).then_some(executor);
    match seats(build.settings, main, build) {
        Ok(judges) => Ok(judges),
        Err((_, error @ BuildError::Missing { .. })) if purpose.asks_nothing() => {
            let why = error.message().text(build.context.lang);
            let warning = Diagnostic::warning(msg!("cli-dry-run-judge-not-ready", why = why), None);
            warnings.extend((*purpose == Purpose::Preview).then_some(warning));
            Ok(Vec::new())
        }
        Err((name, error)) => {
            let (place, meant) = (named.judge.clone().map(Box::new), meant(build.context, &error, &name));
            let instead = Some(Box::new(msg!("cli-judge-instead")));
            Err(CommandError::Executor { place, meant, error, instead })
        }
    }
}

/// The classifier of hedging, where answers come with a trace: the model that the settings name, else the first judge. In a run
/// without judges it is asked only where the settings say so.
pub(super) fn classifier(
    build: &Build<'_>,
    executor: &Arc<dyn Executor>,
    named: &Named,
    purpose: &Purpose,
    judges: &[Seat],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Option<Seat>, CommandError> {
    let HedgingClassifier { enabled, model, .. } = &build.settings.hedging_classifier;
    let has_no_trace = eval_exec::kind(&build.settings.executor) == ExecutorKind::Model;
    let asks_nobody = matches!(purpose, Purpose::Record | Purpose::Checkup);
    if *enabled == Some(false) || !build.settings.judge || has_no_trace || asks_nobody {
        return Ok(None);
    }
    let settings = match model {
        Some(model) => Settings { judge_models: vec![model.clone()], ..build.settings.clone() },
        None if !judges.is_empty() => return Ok(judges.first().cloned()),
        None if *enabled == Some(true) => build.settings.clone(),
        None => return Ok(None),
    };
    let build = Build { context: build.context, settings: &settings, prices: Arc::clone(&build.prices) };
    Ok(self::judges(&build, executor, named, purpose, warnings)?.into_iter().next())
}

/// The place in `eval.yaml` that an error about the executor points at.
fn place_of<'a>(settings: &Settings, named: &'a Named) -> Option<&'a source::Place> {
    let recordings = named.recordings.as_ref().filter(|_| is_replay(settings));
    recordings.or(named.executor.as_ref())
}
