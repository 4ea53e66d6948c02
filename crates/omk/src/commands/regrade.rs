//! `--regrade ID`: the answers of an earlier run, graded anew by the project as it is now. Nothing is
//! executed; only judges are asked.

use eval_run::Journal;
use eval_spec::plan::Plan;
use eval_spec::record::Header;
use eval_spec::suite::{Settings, Written};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure as CallFailure, Identity, Output, msg};

use super::project::{self, Chosen, Named, Project, Purpose};
use super::resume::{find, refuse_masked_judge, stored_settings, trees};
use crate::exit::Failure;

/// A run to be graded anew.
pub(crate) struct Regrade {
    /// Its project as it is now, with who answered then.
    pub(crate) project: Project,
    pub(crate) plan: Plan,
    /// Its journal, for reading.
    pub(crate) answers: Journal,
}

/// Opens the answers of the run `id`, or of the last one with `latest`. Flags given now win over the run's
/// settings; what was asked of the model must be the same.
pub(crate) fn open(context: &Context, id: &str, flags: Written) -> Result<Regrade, Failure> {
    let flags = project::absolute(context, flags);
    let path = find(context, id)?;
    let answers = Journal::read(&path)?;
    let header = answers.header();
    let stored = stored_settings(context, &path, header)?;
    refuse_masked_judge(&flags, &stored, &header.id)?;
    // What was recorded then is no recording of this run.
    let unrecorded = Settings { record: None, ..stored };
    let settings = project::merge(flags, unrecorded.into_written()).resolve();
    project::check_ranges(&settings)?;
    let begun_in = Context { cwd: header.cwd.clone().into(), ..context.clone() };
    let chosen = Chosen { settings, named: Named::default(), trees: Some(trees(header)) };
    let project = Project::load(&begun_in, chosen, Purpose::Regrade(answered_by(header)?))?;
    let plan = project.plan();
    check(&header.id, &answers, &plan)?;
    Ok(Regrade { project, plan, answers })
}

/// Takes over what a run that was killed at its very beginning had not taken over yet. Without it those answers would
/// be missing from what is graded.
pub(crate) fn take_over_rest(context: &Context, journal: &Journal, plan: &Plan) -> Result<(), Failure> {
    let Some(graded) = &journal.header().regrade_of else { return Ok(()) };
    if journal.is_answered(plan) {
        return Ok(());
    }
    let answers = Journal::read(&find(context, graded)?)?;
    check(graded, &answers, plan)?;
    journal.adopt(plan, &answers)?;
    Ok(())
}

/// Who answered then.
pub(crate) fn answered_by(header: &Header) -> Result<Identity, Failure> {
    let identity = header.inputs.get("executor").cloned().unwrap_or_default();
    serde_json::from_value(identity)
        .map_err(|_| Failure::usage(msg!("cli-regrade-unknown-executor", id = &header.id), None))
}

/// Every cell must have its answer or its failure: a cell that was asked something else, or nothing yet, can't be
/// graded.
fn check(id: &str, answers: &Journal, plan: &Plan) -> Result<(), Failure> {
    let mut without = 0;
    for (_, record) in answers.records(plan) {
        without += usize::from(record?.is_none());
    }
    match without {
        0 => Ok(()),
        count => Err(Failure::usage(
            msg!("cli-regrade-without", id = id, count = count, total = plan.cells.len()),
            msg!("cli-regrade-without-help", id = id),
        )),
    }
}

/// Stands for the executor of the earlier run, which is never asked again.
pub(crate) struct Answered(pub(crate) Identity);

impl Executor for Answered {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Err(ExecError::new(CallFailure::NoRecording, msg!("cli-regrade-no-answer"))) })
    }
}
